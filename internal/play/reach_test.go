package play

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// At 200 % zoom a laptop's window has 640 x 400 pixels. Every control of every state can be scrolled into it, nothing
// needs scrolling in two directions, and axe-core finds no errors.
func testZoomedPage(t *testing.T, b *tab) {
	b.Expect("made by a test")
	b.Do(t, chromedp.EmulateViewport(640, 400))
	for _, p := range places() {
		p.show(t, b)
		// The controls are looked for anew, as a narrow window draws the marks again.
		require.Empty(t, eval[[]string](t, b, "("+found+`,
			emsim.found.filter(e => e.id !== "skip").filter(e => {
			e.scrollIntoView({block: "nearest", inline: "nearest"});
			const r = e.getClientRects()[0] ?? {right: -1};
			return r.right < 4 || r.bottom < 4 || r.left > innerWidth - 4 || r.top > innerHeight - 4;
		}).map(e => emsim.names[emsim.found.indexOf(e)] + JSON.stringify(e.getClientRects()[0])))`), p.name)
		require.LessOrEqual(t, eval[int](t, b, "document.documentElement.scrollWidth"), 640, p.name)
		require.Empty(t, b.Axe(t), p.name)
	}
	b.visit(t, "")
}

// One finger opens a PE, two fingers zoom the machine, and one finger then moves it.
func testTouch(t *testing.T, b *tab) {
	touch := func(kind input.DispatchTouchEventType, points ...[2]float64) {
		params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		for i, p := range points {
			id := float64(i)
			params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: p[0], Y: p[1], ID: &id})
		}
		b.Do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, params)
			return err
		}))
	}
	at := eval[[]float64](t,
		b,
		`(r => { globalThis.e = $("#machine-A"); const [x, y] = emsim.run.machine.corner(3); return [r.x + x + 8, r.y + y + 4, r.x + r.width / 2, r.y + r.height / 2]; })($("#machine-A").getBoundingClientRect())`)
	touch(input.DispatchTouchEventTypeTouchStart, [2]float64{at[0], at[1]})
	touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(t, `txt("#right").startsWith("PE [1,0]")`)
	x, y := at[2], at[3]
	touch(input.DispatchTouchEventTypeTouchStart, [2]float64{x - 20, y}, [2]float64{x + 20, y})
	for d := 30.0; d <= 60; d += 10 {
		touch(input.DispatchTouchEventTypeTouchMove, [2]float64{x - d, y}, [2]float64{x + d, y})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	require.InDelta(t, 3, eval[float64](t, b, "emsim.run.machine.zoom"), 0.5)
	was := eval[float64](t, b, "emsim.run.machine.x")
	touch(input.DispatchTouchEventTypeTouchStart, [2]float64{x, y})
	for d := 10.0; d <= 40; d += 10 {
		touch(input.DispatchTouchEventTypeTouchMove, [2]float64{x + d, y})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	require.Greater(t, eval[float64](t, b, "emsim.run.machine.x"), was+15, fmt.Sprint(was))
}

// The Tab key alone reaches every visible control in one round, and leaves each of them.
func testTabKey(t *testing.T, b *tab) {
	b.Do(t, chromedp.Focus("#machine-A"))
	const here = `(e => (globalThis.reached ??= new Set()).add(e) && (e === document.body || e.matches(":focus-visible")))(document.activeElement.shadowRoot?.activeElement ?? document.activeElement)`
	_ = eval[bool](t, b, "delete globalThis.reached")
	for range 200 {
		require.True(t, eval[bool](t, b, here), "the focus is not seen on %s",
			eval[string](t, b, "document.activeElement.outerHTML"))
		b.press(t, kb.Tab)
		if eval[bool](t, b, `document.activeElement.id === "machine-A"`) {
			break
		}
	}
	require.Equal(t, "machine-A", eval[string](t, b, "document.activeElement.id"), "a round of Tab does not end")
	require.Empty(t, eval[[]string](t, b,
		`[...document.querySelectorAll("a[href], button, input, select, summary, textarea, [tabindex]")].filter(e => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({visibilityProperty: true}) && !reached.has(e)).map(e => e.outerHTML.slice(0, 120))`),
		"Tab does not come to")
}
