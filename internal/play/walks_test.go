package play

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// walk is a way through the page, as somebody with a purpose goes it.
type walk struct {
	*student
	t       *testing.T
	words   int
	seconds []float64 // by step
	table   strings.Builder
}

// step goes one step of the walk: it does something, waits until the page shows it, and reads an element of the page.
func (w *walk) step(says string, do func(), shows, reads string) {
	w.t.Helper()
	steps, begin := w.steps, time.Now()
	do()
	w.until(w.t, fmt.Sprintf("(emsim.running || !emsim.motion.moving && !emsim.lessons.pending) && (%s)", shows))
	took, words := time.Since(begin).Seconds(), 0
	if reads != "" {
		words = len(strings.Fields(eval[string](w.t, w.tab, fmt.Sprintf("txt(%q)", reads))))
	}
	w.words += words
	w.seconds = append(w.seconds, took)
	fmt.Fprintf(&w.table, "%-62s %2d clicks or keys %5.1f s %4d words\n", says, w.steps-steps, took, words)
	w.picture(w.t, fmt.Sprintf("walk-%s-%d.png", path.Base(w.t.Name()), len(w.seconds)))
}

// press presses keys of the page, also while it runs.
func (w *walk) press(keys ...string) {
	w.t.Helper()
	for _, key := range keys {
		w.steps++
		w.strike(w.t, key)
	}
}

// wordsAMinute is how fast somebody reads a text about something new [chosen: slow].
const wordsAMinute = 150

// end checks the length of the walk, and that docs/PLAY.md tells it.
func (w *walk) end(steps int) {
	w.t.Helper()
	sum := 0.0
	for _, s := range w.seconds {
		sum += s
	}
	w.t.Logf("%sin all %d clicks and keys; the page takes %.0f s, reading %d words %.1f min", w.table.String(), w.steps,
		sum, w.words, float64(w.words)/wordsAMinute)
	require.Equal(w.t, steps, w.steps)
	require.Less(w.t, sum, 60.0, "seconds that the page takes")
	text, err := os.ReadFile("../../docs/PLAY.md")
	require.NoError(w.t, err)
	told := fmt.Sprintf("%d clicks and keys, and %d words to read", w.steps, w.words)
	require.Contains(w.t, strings.Join(strings.Fields(string(text)), " "), told)
}

// come opens the page anew, with a link or as everybody first sees it.
func (w *walk) come(link string) func() {
	return func() {
		w.visit(w.t, link)
		_ = eval[bool](w.t, w.tab, short)
	}
}

// edit puts the cursor behind a part of the program's text, and types.
func (w *walk) edit(after string, keys ...string) {
	w.t.Helper()
	w.steps += 1 + len(keys)
	require.True(w.t, eval[bool](w.t, w.tab, fmt.Sprintf(`(i => (emsim.editor.place(i + %d), emsim.editor.view.focus(),
		i >= 0))(String(emsim.editor.view.state.doc).indexOf(%q))`, len(after), after)), after)
	for _, key := range keys {
		w.Do(w.t, chromedp.KeyEvent(key))
	}
}

// share makes a link to what is seen, and returns it.
func (w *walk) share() (link string) {
	w.t.Helper()
	w.step("makes a link", func() { w.click(w.t, "#share") }, `sees("#shared-link")`, "#shared p")
	link = strings.TrimPrefix(eval[string](w.t, w.tab, `$("#shared-link").value`), w.url)
	w.step("closes the dialog", func() { w.click(w.t, "#shared button") }, `!sees("#shared-link")`, "")
	return link
}

// A teacher opens the page, projects it, runs fib, explains how a PE fires, compares a policy without and with MLPE,
// and hands out a link to what is seen. A student follows the link, does the first lesson and its exercise, edits a
// program, makes an error and mends it, gets the text back after the page was closed, and shares the result.
func testWalks(t *testing.T, b *tab) {
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
	link := ""
	t.Run("teacher", func(t *testing.T) { link = testTeacher(t, b) })
	require.NotEmpty(t, link)
	t.Run("student", func(t *testing.T) { testStudent(t, b, link) })
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
}

func testTeacher(t *testing.T, b *tab) string {
	w := &walk{student: &student{tab: b}, t: t}
	key := func(key string) func() { return func() { w.press(key) } }
	w.step("opens the page", w.come(""), `emsim.running && clock() > 1400`, "#doors")
	w.step("projects it", key("p"), `sees("#machine-A") && !sees("header") && sees("#series-A")`, "")
	w.step("pauses, and says what is seen", key("r"), `!emsim.running`, "")
	w.step("lets it run", key("r"), `emsim.running`, "")
	w.step("shows all again", key("p"), `sees("header")`, "")
	w.step("runs fib 4 on 12 PEs", func() { w.palette(t, "fib 4 on 12") }, `txt("#chip").startsWith("fib 4 on 12")`, "")
	w.step("opens a PE", func() { w.machine(t, 3) }, `txt("#right").startsWith("PE [1,0]")`, ".why")
	w.step("goes to the first got1", func() { w.palette(t, "got1") }, `txt("#message").includes("executes got1")`,
		"#message")
	w.step("goes back to what was before", func() { w.key(t, "b"); w.key(t, "b"); w.key(t, "b"); w.key(t, "b") },
		`txt("[data-unit=FMU]").includes("got1 has the left operand 2, waits for the right one")`, "[data-unit=FMU]")
	for _, part := range [][3]string{
		{"the right operand arrives", "FMU", "takes packet [2,1].1 to [0,0] got1 right"},
		{"it has found its partner", "FMU", "has matched 2 and"},
		{"the node is complete", "FMU", "holds the node got1 for the EXU"},
		{"and the block begins", "EXU", "executes"},
	} {
		w.step(part[0], key("s"), fmt.Sprintf(`txt("[data-unit=%s]").includes(%q)`, part[1], part[2]),
			"[data-unit="+part[1]+"]")
	}
	w.step("compares line without and with MLPE", func() { w.palette(t, "fib 20 on 80, policy=line | mlpe=on") },
		`mode() === "compare" && emsim.versus.both && emsim.versus.length > 0`, "#compared p")
	w.step("goes to the ends", key("End"), `sees("#ends") && txt("#ends h2") === "B is 2.98 times as fast"`, "#ends p")
	link := w.share()
	require.Regexp(t, `^#compare/fib/20/80\?`, link)
	w.end(22)
	return link
}

func testStudent(t *testing.T, b *tab, link string) {
	w := &walk{student: &student{tab: b}, t: t}
	click := func(selector string) func() { return func() { w.click(t, selector) } }
	const text = "String(emsim.editor.view.state.doc)"
	w.step("follows the link", w.come(link), `mode() === "compare" && sees("#ends h2")`, "#ends p")
	w.step("begins the first lesson", click("[data-to=learn]"), `sees("#lesson-text")`, "#lesson-text")
	sentences := eval[int](t, b, `emsim.lessons.sentences.length`)
	w.step(fmt.Sprintf("goes through its %d sentences", sentences), func() {
		for range sentences {
			w.key(t, "ArrowRight")
		}
	}, `emsim.lessons.sentences.at(-1).ariaCurrent && sees(".evidence")`, "")
	w.step("begins the exercise", click("#lesson-text [data-begin]"), `sees("#task") && mode() === "program"`, "")
	w.step("tries it", click("#task [data-check]"), `txt("#task .verdict").startsWith("Not yet.")`, "#task .verdict")
	w.step("mends the program", func() { w.edit("send.l!", kb.Backspace) },
		`emsim.editor.building === 0 && !emsim.run.stale`, "")
	w.step("checks it", click("#task [data-check]"), `txt("#task .verdict").startsWith("Right.")`, "#task .verdict")

	w.step("takes fib.go", func() { w.palette(t, "fib.go 10 on 12") }, text+`.includes("return 1\n")`, "")
	w.step("changes a number", func() { w.edit("return 1", kb.Backspace, "2") },
		`emsim.editor.building === 0 && `+text+`.includes("return 2\n")`, "")
	w.step("runs it", click("#again"), `txt("#message").startsWith("The run is over: result 110 ")`, "#message")
	w.step("makes an error", func() { w.edit("return 2", "(") }, `sees("#problem") && emsim.run.stale`, "#problem")
	w.step("mends it", func() { w.edit("return 2(", kb.Backspace) }, `!sees("#problem") && !emsim.run.stale`, "")
	w.step("closes the page, and comes back", w.come(""),
		`sees("#kept") && txt("#kept").includes("Your fib.go is kept")`, "#kept")
	w.step("gets the text back", click("#kept-restore"), text+`.includes("return 2\n")`, "#kept-words")
	w.step("goes to the end", func() { w.key(t, "End") }, `txt("#message").startsWith("The run is over: result 110 ")`,
		"#message")
	shared := w.share()
	w.come(shared)()
	require.True(t, eval[bool](t, b, text+`.includes("return 2\n")`), "the link has the text")
	w.end(32)
}
