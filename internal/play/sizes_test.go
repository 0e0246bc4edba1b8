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

// untrue lists what the pictures of the machines, the lens and the legend show otherwise than the frame says.
//
//go:embed testdata/untrue.js
var untrue string

// pixels is an expression for the number of pixels of the machine's picture that differ from the picture kept in
// emsim.kept, which it replaces.
const pixels = `(() => {
	const c = emsim.run.machine.canvas, copy = new OffscreenCanvas(c.width, c.height);
	const pen = copy.getContext("2d", {willReadFrequently: true});
	pen.drawImage(c, 0, 0);
	const now = new Uint32Array(pen.getImageData(0, 0, c.width, c.height).data.buffer), before = emsim.kept ?? [];
	emsim.kept = now;
	return now.reduce((n, x, i) => n + (x !== before[i]), 0);
})()`

// unmarked is the part of the mark around the opened PE that is not in rose: packets may cover some of it.
const unmarked = gaps + `.length / (({w, h}) => 2 * (w + h))(emsim.run.machine.spot(emsim.run.machine.pe))`

// sized returns a run of fib on a number of PEs, at a clock at which most of them do something.
func sized(pes int) *engine.View {
	v := at("fib.s", map[int]string{12: "14", 80: "16", 1024: "20"}[pes],
		map[int]uint64{12: 412, 80: 1500, 1024: 900}[pes], 5)
	v.Setup.PEs = pes
	return v
}

// A small and a large machine pass what the usual one passes: they are not blank, they can be read, and they show what
// the engine says. What is opened is marked, and the next clock changes the picture. With -tags slow in every mode, at
// three widths and in both themes.
func testSizes(t *testing.T, b *tab) {
	b.Prefer(t, "prefers-reduced-motion", "reduce")
	defer b.Prefer(t, "prefers-reduced-motion", "no-preference")
	modes, widths, themes := []string{"watch", "compare"}, []int64{1024}, 1
	if thorough {
		modes, widths, themes = append(modes, "learn", "program"), []int64{1440, 1024, 390}, 2
	}
	for _, pes := range []int{12, 1024} {
		for _, mode := range modes {
			v := in(mode, sized(pes))
			if mode == "learn" {
				v.Lesson = "waits"
			}
			if mode == "compare" {
				other := v.Setup
				other.Params = map[string]string{"policy": "line"}
				v.Versus = &other
			}
			b.follow(t, v)
			for _, width := range widths {
				b.Do(t, chromedp.EmulateViewport(width, 844))
				for range themes {
					_ = eval[bool](t, b, `($("#theme").click(), true)`)
					b.drawn(t)
					where := fmt.Sprintf("%d PEs, %s, %d, %s", pes, mode, width,
						eval[string](t, b, "document.documentElement.dataset.theme"))
					b.picture(t, "size-"+strings.ReplaceAll(where, ", ", "-")+".png")
					require.Empty(t, eval[[]string](t, b, blank), where)
					b.legible(t, where)
					require.Empty(t, eval[[]string](t, b, untrue), where)
					require.Less(t, eval[float64](t, b, unmarked), 0.35, "%s: the opened PE", where)
				}
			}
			_ = eval[int](t, b, pixels)
			b.hit(t, "s")
			b.drawn(t)
			require.Greater(t, eval[int](t, b, pixels), 200, "%d PEs, %s: the next clock", pes, mode)
			require.Empty(t, eval[[]string](t, b, untrue), "%d PEs, %s: the next clock", pes, mode)
		}
		b.sameAsFresh(t, pes)
	}
}

// sameAsFresh checks that a machine shows the same, in words and pixels, whatever was shown before, that no clock on
// the page is later than its result, and that a text is kept with its size.
func (b *tab) sameAsFresh(t *testing.T, pes int) {
	t.Helper()
	b.Do(t, chromedp.EmulateViewport(1024, 768))
	shown := func(pes int) (list []string) {
		b.follow(t, in("watch", sized(pes)))
		b.until(t, "emsim.run.timeline.whole?.ended")
		b.drawn(t)
		for _, id := range []string{"legend", "clock", "chip", "right"} {
			list = append(list, b.text(t, id))
		}
		return list
	}
	want := shown(pes)
	_ = eval[int](t, b, pixels)
	require.NotEqual(t, want, shown(80))
	_ = eval[bool](t, b, "(emsim.run.machine.scale(3), true)")
	require.Equal(t, want, shown(pes))
	require.Zero(t, eval[int](t, b, pixels), "%d PEs: the same pixels", pes)
	b.hit(t, "End")
	require.Empty(t, b.later(t, eval[int](t, b, "emsim.run.frame.result.clocks")))

	_ = eval[bool](t, b, "(localStorage.clear(), true)")
	b.write(t, "; mine\n")
	b.until(t, `localStorage.length === 2`)
	b.follow(t, at("sum.s", "10", 0, 0))
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	b.until(t, `sees("#kept")`)
	b.Do(t, chromedp.Click("#kept-restore"))
	b.until(t, `txt("#kept-restore") === "Undo"`)
	b.rest(t)
	require.Equal(t, pes, eval[int](t, b, "emsim.run.net.next.length"))
	require.True(t, eval[bool](t, b, `emsim.editor.view.state.doc.toString().startsWith("; mine")`))
	_ = eval[bool](t, b, "(localStorage.clear(), true)")
}
