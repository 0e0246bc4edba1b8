package play

import (
	_ "embed"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// found returns the names of the usable controls; it puts the controls into emsim.found.
//
//go:embed testdata/controls.js
var found string

// short defines short names for the tests' JavaScript expressions.
const short = `(globalThis.$ = s => document.querySelector(s), globalThis.txt = s => $(s).innerText, globalThis.sees = s => Boolean($(s)?.checkVisibility()),
	globalThis.choose = (s, value) => { $(s).value = value; $(s).dispatchEvent(new Event("input", {bubbles: true})); $(s).dispatchEvent(new Event("change", {bubbles: true})); },
	globalThis.clock = () => Number(txt("#clock").match(/clock\s+([\d,]+)/)[1].replaceAll(",", "")), globalThis.picture = () => $("#machine-A").toDataURL(),
	globalThis.mode = () => document.body.dataset.mode, globalThis.program = () => $("#editor").shadowRoot.querySelector(".cm-content").innerText, true)`

// control is one way to use a control, with its visible effect. In expressions e is the control, and v the value of a
// menu's option, or the key.
type control struct {
	first   string                     // an expression that prepares the page
	which   string                     // an expression that chooses among controls of the same name
	use     func(t *testing.T, b *tab) // nil: a click in the middle
	shows   string                     // an expression that becomes true
	changes string                     // an expression whose value changes
}

// clickAt clicks at a point in the control.
func (b *tab) clickAt(t *testing.T, x, y string) {
	at := b.point(t, x, y)
	b.Do(t, chromedp.MouseClickXY(at[0], at[1]))
}

// point returns the coordinates of a point in the control, in pixels of the window.
func (b *tab) point(t *testing.T, x, y string) []float64 {
	return eval[[]float64](t,
		b,
		fmt.Sprintf(`(e.scrollIntoView({block: "nearest"}), [e.getBoundingClientRect().x + (%s), e.getBoundingClientRect().y + (%s)])`, x, y))
}

// click clicks in the middle of the control, or of its first line.
func click(t *testing.T, b *tab) {
	b.clickAt(t, "e.getClientRects()[0].x - e.getBoundingClientRect().x + e.getClientRects()[0].width / 2",
		"e.getClientRects()[0].height / 2")
}

// drag returns a function that drags the pointer from the control's middle.
func drag(dx, dy float64) func(t *testing.T, b *tab) {
	return func(t *testing.T, b *tab) {
		at := b.point(t, "e.clientWidth / 2", "e.clientHeight / 2")
		left := chromedp.ButtonType(input.MouseButtonLeft)
		b.Do(t, chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, at[0], at[1], left),
			chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0]+dx, at[1]+dy, left),
			chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, at[0]+dx, at[1]+dy, left))
	}
}

// typed returns a function that types into the control, whose text it selects first.
func typed(keys string) func(t *testing.T, b *tab) {
	return func(t *testing.T, b *tab) {
		_ = eval[bool](t, b, `(e.focus(), e.select?.(), true)`)
		b.Do(t, chromedp.KeyEvent(keys))
	}
}

// focused moves the focus to an element that keys scroll.
var focused = control{use: typed(kb.Shift), shows: `document.activeElement === e && e.matches(":focus-visible")`}

// steady waits until an expression has the same value twice, because then everything has been drawn. It keeps the value
// in was.
func (b *tab) steady(t *testing.T, what string) {
	t.Helper()
	for range 50 {
		_ = eval[bool](t, b, fmt.Sprintf("(globalThis.was = JSON.stringify(%s), true)", what))
		time.Sleep(60 * time.Millisecond)
		if eval[bool](t, b, fmt.Sprintf("JSON.stringify(%s) === was", what)) {
			return
		}
	}
}

// operate uses a control and waits for the visible effect.
func (b *tab) operate(t *testing.T, name string, c control) {
	t.Helper()
	if c.first != "" {
		_ = eval[bool](t, b, fmt.Sprintf("(async () => { await (%s); return true; })()", c.first))
		b.rest(t)
	}
	want := c.shows
	if c.changes != "" {
		want = fmt.Sprintf("JSON.stringify(%s) !== was", c.changes)
		b.steady(t, c.changes)
	}
	require.False(t, eval[bool](t, b, "Boolean("+want+")"), "%s: %s is so before it is used", name, want)
	if c.use == nil {
		c.use = click
	}
	c.use(t, b)
	for end := time.Now().Add(20 * time.Second); !eval[bool](t, b, "Boolean("+want+
		")"); time.Sleep(20 * time.Millisecond) {
		require.True(t, time.Now().Before(end), "%s has no effect: %s; the page says %q", name, want,
			b.text(t, "message"))
	}
	b.rest(t)
}
