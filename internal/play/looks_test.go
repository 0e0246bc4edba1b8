package play

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// write inserts a text at the beginning of the program in the editor.
func (b *tab) write(t *testing.T, text string) {
	t.Helper()
	_ = eval[bool](t, b, fmt.Sprintf(`(emsim.editor.view.dispatch({changes: {from: 0, insert: %q}}), true)`, text))
}

// A user's text is kept across a reload, a link, a lesson and another program. It is offered, can be restored, and can
// be undone. Three earlier versions are kept.
func testKept(t *testing.T, b *tab) {
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
	mine := `emsim.editor.view.state.doc.toString().startsWith("; mine ")`
	offered := func() {
		t.Helper()
		b.until(t, `sees("#kept")`)
		require.Regexp(t, `^Your fib\.s is kept:\s+today, \d\d:\d\d`, b.text(t, "kept"))
	}
	restore := func() {
		t.Helper()
		b.Do(t, chromedp.Click("#kept-restore"))
		b.until(t, `txt("#kept-restore") === "Undo"`)
		b.rest(t)
		require.True(t, eval[bool](t, b, mine))
	}
	b.write(t, "; mine 1\n")
	b.until(t, `localStorage.length === 2`) // after a moment
	b.follow(t, at("fib.s", "10", 0, 0))
	require.False(t, eval[bool](t, b, mine), "a link shows what it says")
	offered()
	restore()
	b.Do(t, chromedp.Click("#kept-restore"))
	b.until(t, "!("+mine+")")
	b.rest(t)
	offered()
	restore()

	b.write(t, "; mine 2\n") // and at once:
	_ = eval[bool](t, b, `(choose("#lesson", "waits"), true)`)
	b.until(t, `emsim.run.setup.args[0] === "14"`)
	b.rest(t)
	offered()
	_ = eval[bool](t, b, `(choose("#program", "sum"), true)`)
	b.until(t, `emsim.run.setup.main === "sum.s"`)
	b.rest(t)
	_ = eval[bool](t, b, `(choose("#program", "fib"), true)`)
	b.until(t, `emsim.run.setup.main === "fib.s"`)
	b.rest(t)
	offered()

	b.write(t, "; mine 3\n")
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	offered()
	require.Equal(t, 3, eval[int](t, b, `$("#kept-which").options.length`))
	restore()
	require.True(t, eval[bool](t, b, `emsim.editor.view.state.doc.toString().startsWith("; mine 3")`))
	for i := range 4 {
		b.follow(t, at("fib.s", "10", 0, 0))
		b.write(t, fmt.Sprintf("; mine 1%d\n", i))
	}
	b.follow(t, at("fib.s", "10", 20, 0))
	b.until(t, "emsim.editor.building === 0")
	b.rest(t)
	require.Equal(t, 20, b.clock(t), "what was typed before does not begin the run anew")
	require.Equal(t, 4, eval[int](t, b, `$("#kept-which").options.length`), "the last one, and three before it")
	b.Do(t, chromedp.Click("#kept-close"))
	require.False(t, eval[bool](t, b, `sees("#kept")`))
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
}

// Stops and marks are kept, too, also of a text that nobody has changed.
func testKeptStops(t *testing.T, b *tab) {
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
	b.follow(t, in("program", at("sum.s", "10", 20, 0)))
	_ = eval[bool](t, b, `(emsim.editor.show("sum.s"), emsim.stops.toggle(40).then(() => true))`)
	b.rest(t)
	_ = eval[bool](t, b, `emsim.stops.change(emsim.stops.list[0], "r1 == 3").then(() => true)`)
	b.rest(t)
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "x")
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	b.until(t, `sees("#kept") && txt("#kept").startsWith("Your sum.s is kept")`)
	b.Do(t, chromedp.Click("#kept-restore"))
	b.until(t, `txt("#kept-restore") === "Undo"`)
	b.until(t, `emsim.stops.list[0]?.condition === "r1 == 3"`)
	require.Equal(t, []string{"sum.s:40", "20"},
		eval[[]string](t, b, "[...emsim.stops.list.map(s => s.file + ':' + s.line), ...emsim.run.own.map(m => "+
			"String(m.clock))]"))
	b.hit(t, "Home", "x")
	b.until(t, `JSON.parse(localStorage["emsim sum.s"])[0].marks.length === 2`)
	_ = eval[bool](t, b, `(emsim.editor.show("sum.s"), emsim.stops.toggle(40).then(() => true))`)
	b.until(t, `JSON.parse(localStorage["emsim sum.s"])[0].stops.length === 0`)
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
}

// No pane still shows contents of another run: its text is the same as on a page that has shown only this run.
func testFresh(t *testing.T, b *tab) {
	panes := func() (list []string) {
		b.until(t, "emsim.versus.length > 0")
		for _, id := range []string{"packet", "result", "compared", "right"} {
			_ = eval[bool](t, b, fmt.Sprintf("(emsim.inspect.show(%q), true)", id))
			b.rest(t)
			list = append(list, b.text(t, id))
		}
		_ = eval[bool](t, b, `emsim.go("program").then(() => true)`)
		b.rest(t)
		for _, id := range []string{"calls", "log", "clock", "legend", "marks", "problem", "here", "chip"} {
			list = append(list, b.text(t, id))
		}
		return list
	}
	second := at("sum.s", "100", 30, 2)
	link, err := second.Link()
	require.NoError(t, err)
	b.visit(t, "#"+link)
	_ = eval[bool](t, b, short)
	b.rest(t)
	want := panes()
	b.follow(t, at("fib.s", "14", 600, 5))
	_ = eval[bool](t, b, `emsim.run.machine.tell.packet(emsim.run.frame.packets[0]).then(() => true)`)
	b.hit(t, "End")
	_ = panes()
	b.follow(t, second)
	require.Equal(t, want, panes())
	wrong := at("a.s", "", 0, 0)
	wrong.Setup.Files = map[string]string{"a.s": "oops\n"}
	b.follow(t, wrong)
	for _, id := range []string{"right", "calls", "clock"} {
		require.Empty(t, strings.TrimSpace(b.text(t, id)), id)
	}
	require.False(t, eval[bool](t, b, `sees("#here") || sees(".flag")`))
	require.NotRegexp(t, `\d`, b.text(t, "legend"))
	require.Equal(t, 1, eval[int](t, b, "emsim.run.timeline.end"))
}

// At the end of a run no clock on the page is later than its result, which is the last number on the axis. Only the
// opened PE shows the machine's own counter.
func testOneClock(t *testing.T, b *tab) {
	b.follow(t, at("fib.s", "12", 0, 5))
	b.until(t, `emsim.versus.length > 0`) // the whole run is computed in advance
	require.Equal(t, 0, b.clock(t))
	length := eval[int](t, b, "emsim.versus.length")
	require.Contains(t, b.text(t, "clock"), fmt.Sprintf("of %s", thousands(uint64(length))))
	b.hit(t, "End")
	require.Equal(t, length, eval[int](t, b, "emsim.run.frame.result.clocks"))
	require.Greater(t, b.clock(t), length, "it comes to rest after its result")
	require.Empty(t, b.later(t, length))
	require.Regexp(t, fmt.Sprintf(`clock\s+%s\s+the end`, thousands(uint64(length))), b.text(t, "clock"))
}

// later returns the clocks on the page that are later than a clock.
func (b *tab) later(t *testing.T, clock int) []string {
	return eval[[]string](t, b, fmt.Sprintf(`[...document.body.innerText.matchAll(/clock\s+(-?[\d,]+)|([\d,]+) clocks/g)]
		.filter(m => Number((m[1] ?? m[2]).replaceAll(",", "")) > %d).map(m => m[0])`, clock))
}

// blank returns what is wrong with the picture of the machine: too small, too few colours, or an empty quarter.
const blank = `(() => {
	const c = emsim.run.machine.canvas, {width: w, height: h} = c, copy = new OffscreenCanvas(w, h).getContext("2d", {willReadFrequently: true}), data = (copy.drawImage(c, 0, 0), copy.getImageData(0, 0, w, h).data), seen = new Map(), ink = [0, 0, 0, 0], problems = [];
	const paper = data.slice(0, 3).join();
	for (let y = 0; y < h; y += 2) for (let x = 0; x < w; x += 2) {
		const at = (y * w + x) * 4, key = [...data.slice(at, at + 3)].join();
		if (data[at + 3] < 200 || key === paper) continue;
		seen.set(key, (seen.get(key) ?? 0) + 1);
		ink[(y > h / 2) * 2 + (x > w / 2)]++;
	}
	const colours = [...seen.values()].filter(n => n > 20).length;
	if (c.clientHeight < 240) problems.push("the machine is only " + c.clientHeight + " pixels high");
	if (colours < 6) problems.push("only " + colours + " colours");
	if (ink.some(n => n < 40)) problems.push("too little ink: " + ink);
	return problems;
})()`

// The machine has room, colours and ink in each quarter, at every width, also as a small view in another page.
func testNotBlank(t *testing.T, b *tab) {
	full := func(size ...int64) {
		t.Helper()
		b.Do(t, chromedp.EmulateViewport(size[0], size[1]))
		b.drawn(t)
		require.Empty(t, eval[[]string](t, b, blank), "%v", size)
	}
	b.Do(t, chromedp.EmulateViewport(390, 260))
	b.visit(t, "?live")
	b.until(t, "emsim.run.frame.clock > 200")
	full(390, 260)
	b.Do(t, chromedp.EmulateViewport(390, 844))
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	full(390, 844)
	require.Less(t, eval[float64](t, b, `$("#machine-A").getBoundingClientRect().bottom`),
		eval[float64](t, b, `$("#doors").getBoundingClientRect().top + 1`), "on a phone the machine comes first")
	full(899, 900)

	// The first sight, the usual machine and a large one can be read with other fonts, and are painted.
	b.until(t, "emsim.running")
	_ = eval[bool](t, b, "emsim.motion.stop().then(() => true)")
	b.Do(t, chromedp.EmulateViewport(1366, 768))
	b.legible(t, "the first sight")
	b.painted(t, "the first sight")
	b.hit(t, "p")
	b.legible(t, "the first sight in a lecture")
	b.hit(t, "p")
	b.Do(t, chromedp.EmulateViewport(390, 844))
	require.False(t, eval[bool](t, b, `sees("#modes")`))
	b.Do(t, chromedp.Click("#menu"))
	require.True(t, eval[bool](t, b, `sees("#modes button") && $("#menu").ariaExpanded === "true"`))
	_ = eval[bool](t, b, `emsim.go("watch").then(() => true)`)
	b.rest(t)
	full(1024, 768)
	require.True(t, eval[bool](t, b, "emsim.run.machine.fine"), "all addresses can be read at 1024 pixels")
	for _, pes := range []int{80, 1024} {
		v := at("fib.s", "14", 600, 5)
		v.Setup.PEs = pes
		b.follow(t, v)
		b.legible(t, fmt.Sprintf("%d PEs", pes))
		b.painted(t, fmt.Sprintf("%d PEs", pes))
	}
}

// unread returns what cannot be read of the page with other fonts.
//
//go:embed testdata/legible.js
var unread string

// legible checks the page with the usual fonts and with those of a computer without them, which are wider.
func (b *tab) legible(t *testing.T, where string) {
	t.Helper()
	for _, fonts := range []string{`"", ""`, `"DejaVu Sans", "DejaVu Sans Mono"`} {
		require.Empty(t, eval[[]string](t, b, unread+"("+fonts+")"), "%s, with %s", where, fonts)
	}
}

// Every mode has its parts and a machine that is not blank, at four widths and in both themes. Nothing else is shown.
func testModes(t *testing.T, b *tab) {
	parts := map[string]string{"learn": "#lesson-text h2", "program": "#editor", "compare": "#compared"}
	v := at("fib.s", "14", 1200, 5)
	v.Setup.PEs = 80
	for _, width := range []int64{1440, 1280, 1024, 390} {
		b.Do(t, chromedp.EmulateViewport(width, 844))
		for _, mode := range []string{"watch", "learn", "program", "compare"} {
			b.follow(t, in(mode, v))
			if mode == "learn" {
				_ = eval[bool](t, b, `emsim.lessons.find(4, 5).then(() => true)`)
			}
			b.rest(t)
			require.Greater(t, b.painted(t, fmt.Sprintf("%s, %d", mode, width)), 5)
			for range 2 {
				_ = eval[bool](t, b, `($("#theme").click(), true)`)
				b.drawn(t)
				require.Empty(t, eval[[]string](t, b, blank), "%s, %d", mode, width)
				b.legible(t, fmt.Sprintf("%s, %d", mode, width))
				b.picture(t, fmt.Sprintf("mode-%s-%d-%s.png", mode, width,
					eval[string](t, b, "document.documentElement.dataset.theme")))
			}
			for other, theirs := range parts {
				require.Equal(t, other == mode, eval[bool](t, b, fmt.Sprintf("sees(%q)", theirs)),
					"%s in %s", theirs, mode)
			}
			require.LessOrEqual(t, eval[int](t, b, "document.documentElement.scrollWidth"), int(width), mode)
		}
	}
}

// The lessons work without a network.
func TestLessonsWithoutNetwork(t *testing.T) {
	b := open(t, &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"9"}, PEs: 12}})
	_ = eval[bool](t, b, short)
	_ = eval[bool](t, b, `(globalThis.fetch = () => Promise.reject(new Error("the network is gone")), true)`)
	for _, l := range allLessons(t) {
		_ = eval[bool](t, b, fmt.Sprintf(`(choose("#lesson", %q), true)`, l.File))
		b.until(t, fmt.Sprintf(`sees("#lesson-text") && txt("#lesson-text h2").includes(%q)`, l.Title))
		b.rest(t)
		require.NotContains(t, b.text(t, "message"), "could not be loaded")
	}
}

// A tooltip describes the object under the pointer, and the sentences of a lesson that hold are highlighted.
func testTells(t *testing.T, b *tab) {
	b.follow(t, at("fib.s", "14", 412, 5))
	over := func(x, y string) string {
		return eval[string](t,
			b,
			fmt.Sprintf(`(r => ($("#machine-A").dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.x + %s, clientY: r.y + %s})), sees("#tip") ? txt("#tip") : ""))($("#machine-A").getBoundingClientRect())`, x, y))
	}
	require.Regexp(t,
		`^\[1,2\] [a-z ]+; 16 packets of 16 in its buffer; 1 packet in its memory; \d operands for a partner$`,
		over("emsim.run.machine.corner(5)[0] + 20", "emsim.run.machine.corner(5)[1] + 4"))
	require.Regexp(t, `^packet \[\d,\d\]\.\d+ to \[\d,\d\]`,
		over("emsim.run.machine.spots[0][0]", "emsim.run.machine.spots[0][1]"))
	require.Empty(t, over("2", "2"))

	lit := `[...document.querySelectorAll("#lesson-text a.holds")].map(a => a.innerText).join()`
	_ = eval[bool](t, b, `(choose("#lesson", "waits"), true)`)
	b.until(t, `emsim.run.setup.args[0] === "14" && sees("#lesson-text")`)
	b.rest(t)
	require.Empty(t, eval[string](t, b, lit))
	b.console(t, "goto 412")
	require.Equal(t, "At clock 412 the FIFO of [1,2] is full", eval[string](t, b, lit))
	b.hit(t, "s")
	require.Empty(t, eval[string](t, b, lit))
	_ = eval[bool](t, b, `emsim.go("watch").then(() => true)`)
}
