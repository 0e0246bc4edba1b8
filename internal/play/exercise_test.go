package play

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// For an exercise of each kind, at the end of a lesson, a wrong solution is rejected with a reason, and a right one
// passes.
func testExercises(t *testing.T, b *tab) {
	lesson := func(file string) {
		_ = eval[bool](t, b, fmt.Sprintf(`(choose("#lesson", %q), true)`, file))
		b.until(t,
			fmt.Sprintf(`emsim.catalogue.exercises.filter(x => x.lesson === %q).every(x => $("#lesson-text").innerHTML.includes("begin " + x.name + '"'))`, file))
		b.rest(t)
	}
	use := func(title, what, shows string) {
		_ = eval[bool](t,
			b, fmt.Sprintf(`Boolean(globalThis.e = document.querySelector("[aria-label='exercise: %s'] %s"))`, title,
				what))
		if shows != "" {
			b.operate(t, title, control{first: `($("#message").textContent = "")`, shows: shows})
		}
	}
	const verdict = `e.closest("section").querySelector(".verdict").innerText`
	check := func(title, says string) {
		t.Helper()
		use(title, "[data-check]", "")
		_ = eval[bool](t, b, `(e.scrollIntoView(), e.click(), true)`)
		b.until(t, "!e.disabled")
		require.Contains(t, eval[string](t, b, verdict), says)
	}
	answer := func(key, text string) {
		use("How many instances?", fmt.Sprintf("input[data-key=%s]", key), "")
		typed(text)(t, b)
	}
	lesson("matching")
	answer("instances", "13")
	answer("answer", "[0, 0]")
	check("How many instances?", "Not yet.\n✗ How many function instances are there in all?\n13 is too "+
		"low. Draw the tree")
	answer("instances", "25")
	check("How many instances?", "Right.")

	lesson("flow")
	check("The lost operand", "Press Begin first: the exercise is about lost.s")
	use("The lost operand", "[data-begin]",
		`txt("#message").startsWith("Assembled: lost.s on 12") && program().includes("both.difference")`)
	check("The lost operand", "without a word to the host")
	require.True(t,
		eval[bool](t,
			b,
			`(i => (emsim.editor.view.dispatch({changes: {from: i + 6, to: i + 7, insert: " "}}), i > 0))(emsim.editor.view.state.doc.toString().indexOf("send.l! r2, r3, @both.difference"))`))
	check("The lost operand", "Right.\n✓ on 12 PEs with 7, 3")

	lesson("waits")
	use("The right FIFO", "[data-begin]", `txt("#message").startsWith("Assembled: fib.s on 12 PEs")`)
	check("The right FIFO", "time is 4059 and must be <= 3856.05")
	_ = eval[bool](t, b, `($("#chip").click(), choose("#knob-set-fifo_words", "40"), $("#knobs-apply").click(), true)`)
	b.until(t, `emsim.run.setup.sets?.fifo_words === "40"`)
	b.rest(t)
	check("The right FIFO", "Right.")
	_ = eval[bool](t, b, `(choose("#pes", "32"), true)`)
	require.Equal(t, 12, eval[int](t, b, `emsim.run.setup.pes`), "a choice counts when it is applied")
	applies(t, b)
	b.rest(t)
	check("The right FIFO", "your machine has 32 PEs, the machine of the exercise 12")
	b.picture(t, "exercise.png")
	_ = eval[bool](t, b, `emsim.go("watch").then(() => true)`)
}

// Every lesson has an exercise, and every exercise belongs to a lesson.
func TestLessonsHaveExercises(t *testing.T) {
	lessons := map[string]int{}
	for _, l := range allLessons(t) {
		lessons[l.File] = 0
	}
	for _, x := range engine.TheCatalogue().Exercises {
		require.Contains(t, lessons, x.Lesson, x.Name)
		lessons[x.Lesson]++
	}
	for file, n := range lessons {
		require.Positive(t, n, file)
	}
}
