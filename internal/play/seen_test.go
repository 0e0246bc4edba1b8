package play

import (
	_ "embed"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// usual returns a view of the usual machine at work, with a PE opened.
func usual(clock uint64) *engine.View {
	pe := 4
	return &engine.View{
		Setup: engine.Setup{Main: "fib.s", Args: []string{"16"}, PEs: 80}, Clock: clock, PE: &pe,
	}
}

// In every mode each part has room at every width, and the clock does not cover the time line, however long it is.
func testPartsHaveRoom(t *testing.T, b *tab) {
	for _, mode := range []string{"watch", "learn", "program", "compare"} {
		v := in(mode, usual(1500))
		if mode == "learn" {
			v.Lesson = "flow"
		}
		b.follow(t, v)
		b.until(t, "emsim.versus.length > 0") // else it is written again
		_ = eval[bool](t, b, `(document.querySelector("#clock b").textContent = "103,893", true)`)
		for _, width := range []int64{1440, 1024, 768, 390} {
			b.Do(t, chromedp.EmulateViewport(width, 844))
			b.drawn(t)
			where := fmt.Sprintf("%s, %d", mode, width)
			require.Empty(t, eval[[]string](t, b, `[...document.querySelectorAll("main > *")]
				.filter(e => e.checkVisibility() && e.offsetHeight < 40).map(e => e.id + " " + e.offsetHeight)`), where)
			require.False(t, eval[bool](t, b, `((clock, lines) =>
				clock.right > lines.left && clock.bottom > lines.top && clock.top < lines.bottom - 8)(
				$("#clock b").getBoundingClientRect(), $("#lines").getBoundingClientRect())`), where)
		}
	}
}

// contrast lists the colours of amounts, in PEs and in maps, on which words have too little contrast.
//
//go:embed testdata/contrast.js
var contrast string

// What amounts are written on can be read in both themes, and a bar of colours says the largest of them.
func testAmounts(t *testing.T, b *tab) {
	v := versusAt("14", 0)
	v.Versus.Params["policy"] = "random"
	v.Colour = "calls"
	b.Do(t, chromedp.EmulateViewport(1440, 900))
	b.follow(t, v)
	b.hit(t, "End")
	b.until(t, `sees("#ends text")`)
	for range 2 {
		b.Do(t, chromedp.Click("#theme"))
		b.drawn(t)
		require.Empty(t, eval[[]string](t, b, contrast))
		require.NotZero(t, eval[int](t, b, `document.querySelectorAll("#ends figure text[fill^=light-dark]").length`))
	}
	_ = eval[bool](t, b, `emsim.stage.show("machine").then(() => true)`)
	most := eval[int](t, b, `Math.max(...emsim.pair.flatMap(r => r.frame.calls))`)
	require.Regexp(t, fmt.Sprintf(`^A\s*0\s*%d on the PE that has the most`, most), b.text(t, "legend"))
	b.hit(t, "w")
	require.Regexp(t, `^B\s*0`, b.text(t, "legend"), "whose PEs it counts")
	require.GreaterOrEqual(t, eval[float64](t, b, `$(".ramp").getBoundingClientRect().width`), 80.0)
}

// onWay lists how far the packets on links are drawn from the curves of these links, in pixels.
//
//go:embed testdata/onway.js
var onWay string

// Packets glide along their links and nowhere else, and they jump if more than twelve clocks come in a second. A link
// glows for a while after a packet has left it.
func testGliding(t *testing.T, b *tab) {
	b.follow(t, usual(1500))
	places := `emsim.run.machine.spots.map(s => s.slice(0, 2).map(Math.round).join())`
	for range 6 {
		b.hit(t, "s")
		b.until(t, "emsim.run.machine.part === 1")
		still := eval[[]string](t, b, places)
		_ = eval[bool](t, b, `(emsim.run.machine.part = 0.4, emsim.run.machine.draw(), true)`)
		far := eval[[]float64](t, b, onWay)
		require.NotEmpty(t, far)
		for _, distance := range far {
			require.Less(t, distance, 0.5, "a packet leaves its link")
		}
		require.NotEqual(t, still, eval[[]string](t, b, places), "they move")
	}
	shown := `(ago => (m => {
		Object.assign(m, {clock: m.clock - 1, begun: performance.now() - ago});
		m.show();
		return m.part;
	})(emsim.run.machine))`
	require.Less(t, eval[float64](t, b, shown+"(120)"), 1.0)
	require.EqualValues(t, 1, eval[float64](t, b, shown+"(50)"), "20 clocks in a second")
	require.NotZero(t, eval[int](t, b, "emsim.run.machine.glow.size"))
}

// covered lists the numbers of groups that strokes of spilled packets cover.
//
//go:embed testdata/covered.js
var covered string

// Nothing covers the numbers of groups: neither what is spilled at the left, nor each other on a large machine.
func testNumbersOfGroups(t *testing.T, b *tab) {
	v := versusAt("16", 1500)
	v.Setup.PEs, v.Versus.PEs = 80, 80
	v.Setup, v.Versus = *v.Versus, nil // with line, member 0 spills
	for _, width := range []int64{1440, 1024, 390} {
		b.Do(t, chromedp.EmulateViewport(width, 844))
		b.follow(t, v)
		require.Empty(t, eval[[]string](t, b, covered), "%d", width)
	}
	large := usual(1500)
	large.Setup.PEs, large.Setup.Args = 1024, []string{"18"}
	b.follow(t, large)
	b.legible(t, "1,024 PEs with an opened one, on a phone")
}

// The first lesson can be read on a phone: the sentence that was chosen and some lines. Nothing covers what is marked.
func testLessonOnPhone(t *testing.T, b *tab) {
	b.Do(t, chromedp.EmulateViewport(390, 844))
	b.link(t, "#learn/1/3")
	b.drawn(t)
	require.Equal(t, "3 of 12", b.text(t, "nth"))
	require.Empty(t, eval[[]string](t, b, `(() => {
		const list = ["#lesson-text", "#lesson-text a[aria-current]", "#companion-close", ".evidence"];
		const [box, sentence, close, mark] = list.map(what => $(what).getBoundingClientRect());
		const lines = new Set();
		for (let y = box.top + 4; y < box.bottom; y += 4) {
			if (document.elementFromPoint(box.left + 30, y)?.closest("#lesson-text p")) lines.add(Math.floor(y / 25));
		}
		return [
			sentence.bottom > box.bottom - 20 && "the sentence is cut", lines.size < 5 && lines.size + " lines",
			mark.right > close.left && "the cross would cover it, further up",
		].filter(Boolean);
	})()`))
	b.Do(t, chromedp.Click("#sentence-after"))
	b.until(t, `txt("#nth") === "4 of 12"`)
	b.rest(t)
}

// On a phone the remarks of the result have room below their numbers, which stand in one line.
func testRemarks(t *testing.T, b *tab) {
	b.Do(t, chromedp.EmulateViewport(390, 844))
	b.follow(t, in("watch", at("fib.s", "12", 0, 1)))
	b.hit(t, "End")
	_ = eval[bool](t, b, `(emsim.inspect.show("result"), true)`)
	b.rest(t)
	require.Contains(t, b.text(t, "result"), "written to memory, as the FIFO was full")
	require.Empty(t, eval[[]string](t, b, `[...document.querySelectorAll("#result td")].filter(e => {
		const line = parseFloat(getComputedStyle(e).lineHeight), remark = e.cellIndex === 2;
		return e.textContent && (e.offsetHeight > 1.5 * line || remark && e.offsetWidth < 280);
	}).map(e => e.textContent)`))
}

// At the beginning of a comparison the page says what can be done, and later what differs comes first. All clocks of a
// stop are the page's.
func testSaysWhatDiffers(t *testing.T, b *tab) {
	b.Do(t, chromedp.EmulateViewport(1024, 768))
	b.link(t, "#run/fib/9/12")
	_ = eval[bool](t, b, `emsim.go("compare").then(() => true)`)
	b.rest(t)
	require.Contains(t, b.text(t, "compared"), "B is a copy of A, so both do the same.")
	_ = eval[bool](t, b, `($("#compared [data-act=form]").click(), true)`)
	b.until(t, `$("#knobs").open`)
	_ = eval[bool](t, b, `($("#knobs").close(), true)`)
	b.link(t, "#compare/fib/16/80?policy=line&b.mlpe=on")
	require.Regexp(t, `^B\s+\d+ of 80 PEs do something: mlpe=on, fib 16 on 80 PEs, policy=line`, b.text(t, "caption-B"))
	b.until(t, `emsim.versus.length > 0`)
	b.hit(t, "End")
	require.Contains(t, b.text(t, "message"), "Run A is over: ")

	b.follow(t, in("program", at("fib.go", "10", 0, 0)))
	b.console(t, "break fib.go:15 if n == 4")
	b.console(t, "continue")
	require.Contains(t, b.text(t, "log"), fmt.Sprintf("clock %d: stop 1: ", b.clock(t)))
	end := `$("#editor").shadowRoot.querySelector(".cm-note").lastElementChild.getBoundingClientRect().right`
	require.Less(t, eval[float64](t, b, end), eval[float64](t, b, `$("#left").getBoundingClientRect().right`))
}
