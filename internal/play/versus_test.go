package play

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// states returns the hashes of the states that the page now shows of runs A and B.
func (b *tab) states(t *testing.T) []string {
	t.Helper()
	b.rest(t)
	return eval[[]string](t, b, `Promise.all([emsim.engine.call("hash", null, 0), emsim.engine.call("hash", null, 1)])`)
}

// twoRuns holds the two runs of a view here, for comparison with the runs in the browser.
type twoRuns struct {
	side [2]*engine.Session
}

func runsOf(t *testing.T, v *engine.View) *twoRuns {
	t.Helper()
	r := &twoRuns{side: engine.NewPair()}
	for i, setup := range []engine.Setup{v.Setup, *v.Versus} {
		require.Empty(t, r.side[i].Open(context.Background(), setup).Error)
	}
	return r
}

// together checks that both states in the browser equal the states here, at a clock of the runs.
func (r *twoRuns) together(t *testing.T, b *tab, clock uint64) {
	t.Helper()
	var want []string
	for _, s := range r.side {
		_, err := s.Do(context.Background(), fmt.Sprintf("goto %d", clock))
		require.NoError(t, err)
		h, err := s.Hash()
		require.NoError(t, err)
		want = append(want, fmt.Sprintf("%016x", h))
	}
	require.Equal(t, want, b.states(t), "clock %d of the runs", clock)
	require.Equal(t, int(clock), eval[int](t, b, "emsim.versus.now"))
}

// differ lists the PEs that are marked because their state differs from the other run.
const differ = `emsim.run.frame.calls.map((_, i) => i).filter(i => emsim.run.machine.differs(i))`

// B opens as a copy of A and is then changed. Both move together, forward and back, and the page shows where they
// diverge.
func testVersus(t *testing.T, b *tab) {
	r := runsOf(t, versusAt("12", 0))
	b.follow(t, at("fib.s", "12", 150, 5))
	b.hit(t, "w")
	b.until(t, "emsim.versus.on && emsim.run.side === 1") // B can now be changed
	b.rest(t)
	s := b.states(t)
	require.Equal(t, s[0], s[1], "a copy, at the same clock")
	require.Contains(t, b.text(t, "compared"), "both do the same")
	b.hit(t, "k")
	_ = eval[bool](t, b, `(choose("#knob-param-policy", "line"), document.getElementById("knobs-apply").click(), true)`)
	b.until(t, `emsim.versus.parting?.at`)
	r.together(t, b, 0)

	place, err := r.side[0].Part(context.Background(), 2000)
	require.NoError(t, err)
	require.Contains(t, b.text(t, "compared"), fmt.Sprintf("They part at clock %d: %s", place.Clock, place.At))
	_ = eval[bool](t, b, `(document.querySelector("#compared button.link").click(), true)`)
	b.until(t, fmt.Sprintf("emsim.versus.now === %d && emsim.run.opened === %d", place.Clock, place.PE))
	r.together(t, b, place.Clock)
	require.Equal(t, []int{place.PE}, eval[[]int](t, b, differ))
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "S", "s", "b")
	r.together(t, b, place.Clock+10)
	require.Greater(t, len(eval[[]int](t, b, differ)), 1)
}

// ends checks that the winner, maps of calls and curves of work replace the machines, with the numbers of both runs.
// One clock earlier the machines are shown.
func (b *tab) ends(t *testing.T, r *twoRuns) {
	t.Helper()
	b.until(t, `sees("#ends") && !sees("#machine-A") && !sees("#machine-B")`)
	a, c := r.side[0].Frame(), r.side[1].Frame()
	first, second := float64(a.Result.Clocks), float64(c.Result.Clocks)
	require.Equal(t, fmt.Sprintf("A is %.2f times as fast", second/first), eval[string](t, b, `txt("#ends h2")`))
	require.Contains(t, eval[string](t, b, `txt("#ends p")`),
		fmt.Sprintf("%s clocks, not %s; the busiest PE got %d calls in A, %d in B", thousands(a.Result.Clocks),
			thousands(c.Result.Clocks), slices.Max(a.Calls), slices.Max(c.Calls)))
	const cells = `[...document.querySelectorAll("#ends figure")].slice(0, 3).map(f => [...f.querySelectorAll("rect")].slice(0, 12).map(e => e.getAttribute("fill").match(/(\d+)%/)[1]).map(Number))`
	fills := eval[[][]int](t, b, cells)
	most := max(slices.Max(a.Calls), slices.Max(c.Calls))
	for pe, n := range a.Calls {
		require.InDelta(t, 100*math.Sqrt(float64(n)/float64(most)), fills[0][pe], 0.51, "PE %d of A", pe)
		require.InDelta(t, 100*math.Abs(float64(n)-float64(c.Calls[pe]))/float64(most), fills[2][pe], 0.51,
			"difference at PE %d", pe)
	}
	require.Equal(t, []string{"A: done at " + thousands(a.Result.Clocks), "B: done at " + thousands(c.Result.Clocks)},
		eval[[]string](t, b, `[...document.querySelectorAll("#ends .end[font-weight]")].map(e => e.textContent)`))
	b.hit(t, "b")
	b.until(t, `sees("#machine-A") && sees("#machine-B") && !sees("#ends") && !sees("#ends-tab")`)
	b.hit(t, "s")
	b.until(t, `sees("#ends")`)
}

// Two runs continue, each to its end. A link restores them, an error in B does not affect A, and B can be closed again.
func testVersusToTheEnd(t *testing.T, b *tab) {
	r := runsOf(t, versusAt("12", 0))
	b.follow(t, versusAt("12", 0))
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "End")
	end := []int{}
	for _, s := range r.side {
		_, err := s.Do(context.Background(), "continue")
		require.NoError(t, err)
		end = append(end, int(s.Frame().Clock))
	}
	require.Less(t, end[0], end[1])
	b.ends(t, r)
	_ = eval[bool](t, b, `(emsim.stage.show("machine"), true)`)
	_ = eval[bool](t, b, `(choose("#colour", "calls"), true)`)
	b.rest(t)
	most := eval[[]int](t,
		b, `[emsim.run.machine, emsim.pair[1].machine].flatMap(m => [m.scaleOf.most, Math.max(...m.frame.calls)])`)
	require.Equal(t, max(most[1], most[3]), most[0], "one scale of colours")
	require.Equal(t, most[0], most[2])
	require.Equal(t, end[1], eval[int](t, b, "emsim.versus.now"))
	clocks := eval[[]string](t,
		b, `[...document.querySelectorAll("#compared tr > td:nth-child(3)")].map(e => e.innerText)`)
	require.Equal(t, []string{thousands(r.side[0].Frame().Result.Clocks), thousands(r.side[1].Frame().Result.Clocks)},
		clocks[:2])
	require.Contains(t, b.text(t, "compared"), "A is ")
	require.Contains(t, b.text(t, "caption-A"), "A 144 after "+clocks[0])
	const focused = "document.activeElement.id"
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "w")
	require.Contains(t, b.text(t, "message"), "result 144 after "+clocks[1], "B is shown")
	require.Equal(t, "machine-B", eval[string](t, b, focused), "where keys go")
	b.hit(t, "ArrowDown", "w")
	require.Equal(t, "machine-A", eval[string](t, b, focused))
	require.Contains(t, b.text(t, "message"), "result 144 after "+clocks[0])
	b.hit(t, "b") // A has ended, B has not
	require.Equal(t, []int{end[0], end[1] - 1},
		eval[[]int](t, b, "[emsim.run.frame, emsim.pair[1].frame].map(f => f.clock)"))
	require.False(t, eval[bool](t, b, `document.getElementById("step").disabled`))
	b.hit(t, "s")
	require.True(t, eval[bool](t, b, `document.getElementById("step").disabled && emsim.versus.ended`))
	_ = eval[bool](t, b, fmt.Sprintf(`(emsim.motion.travel(%d), true)`, 300))
	b.until(t, "emsim.versus.now === 300")
	r.together(t, b, 300)

	b.hit(t, "w", "x")
	was := b.states(t)
	b.Do(t, chromedp.Click("#share"))
	b.until(t, `document.getElementById("shared").open`)
	link := eval[string](t, b, `document.getElementById("shared-link").value`)
	b.visit(t, link[len(b.url):])
	_ = eval[bool](t, b, short)
	require.Equal(t, was, b.states(t))
	r.together(t, b, 300)
	require.Equal(t, "line", eval[string](t, b, `emsim.run.setup.params.policy`), "B is shown, as it was")
	require.True(t, eval[bool](t, b, `sees("#compared") && sees(".flag-own")`))

	_ = eval[bool](t, b, `(emsim.editor.view.dispatch({changes: {from: 0, insert: "oops\n"}}), true)`)
	b.until(t, `emsim.run.stale && !emsim.engine.busy && !$("#problem").hidden`)
	b.hit(t, "w")
	b.until(t, `!(emsim.run.stale || !$("#problem").hidden || sees("#veil"))`)
	b.hit(t, "s")
	require.Equal(t, 301, eval[int](t, b, "emsim.versus.now"))
	b.hit(t, "w")
	b.until(t, `emsim.run.stale && !$("#problem").hidden && sees("#veil")`)
	b.hit(t, "W")
	b.until(t, `!(emsim.run.stale || emsim.versus.on || sees("#machine-B"))`)
	require.Equal(t, 301, b.clock(t))
}

// Machines of different sizes end with maps of both, and without a comparison.
func testVersusOfOtherSizes(t *testing.T, b *tab) {
	v := versusAt("10", 0)
	v.Versus.PEs = 32
	b.follow(t, v)
	b.hit(t, "End")
	b.until(t, `sees("#ends") && document.querySelectorAll("#ends figure").length === 3`)
	require.Contains(t, b.text(t, "ends"), "of 32 PEs")
	b.hit(t, "W")
	b.until(t, `!sees("#ends") && sees("#machine-A")`)
	require.Empty(t, b.text(t, "ends"))
}

// On small screens a comparison shows its whole table, and the header has one row. Captions, curves and the titles of
// maps have the same colour for the same run.
func testVersusOnAPhone(t *testing.T, b *tab) {
	v := versusAt("12", 300)
	v.Setup.PEs, v.Versus.PEs = 80, 80
	b.follow(t, v)
	for _, width := range []int64{768, 390} {
		b.Do(t, chromedp.EmulateViewport(width, 844))
		b.drawn(t)
		require.LessOrEqual(t, eval[float64](t, b, `$("#compared table").getBoundingClientRect().right`), float64(width))
		require.Less(t, eval[int](t, b, `$("header").offsetHeight`), 60)
	}
	a := eval[string](t, b, `getComputedStyle($("#caption-A b")).backgroundColor`)
	require.NotEqual(t, a, eval[string](t, b, `getComputedStyle($("#caption-B b")).color`))
	b.hit(t, "End")
	b.until(t, `sees("#ends")`)
	require.Equal(t, []string{a, a}, eval[[]string](t, b,
		`[getComputedStyle($("#ends path[stroke*=run-a]")).stroke, getComputedStyle($("#ends h3")).color]`))
}
