package report

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
)

func TestMain(m *testing.M) {
	m.Run()
	browser.Close()
}

// tab is a page in a headless browser.
type tab struct{ *browser.Tab }

// open shows a page in a headless browser.
func open(t *testing.T, page *Page) *tab {
	t.Helper()
	return openText(t, written(t, page))
}

// openText is open for a page that has been written.
func openText(t *testing.T, page string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o600))
	b := &tab{browser.Open(t, 1200, 900, time.Minute)}
	b.Do(t, chromedp.Navigate("file://"+file))
	return b
}

// eval returns the value of a JavaScript expression.
func eval[T any](t *testing.T, b *tab, js string) T {
	t.Helper()
	return browser.Eval[T](t, b.Tab, js)
}

// window returns the clocks that the time line shows.
func (b *tab) window(t *testing.T) (from, to float64) {
	t.Helper()
	v := eval[[]float64](t, b, `["from","to"].map(id => +document.getElementById("timeline-" + id).value)`)
	return v[0], v[1]
}

func TestInABrowser(t *testing.T) {
	page := smallPage(t)
	b := open(t, page)
	t.Run("page", func(t *testing.T) { b.checkPage(t, page) })
	t.Run("time line", func(t *testing.T) { b.checkTimeline(t, page.Timeline) })
	t.Run("print", func(t *testing.T) {
		pdf := browser.Get(t, b.Tab, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
		require.True(t, strings.HasPrefix(string(pdf), "%PDF-"))
		require.True(t, eval[bool](t, b, `[...document.querySelectorAll("details")].every(d => d.open)`),
			"what is folded away is printed")
	})
	require.NotEmpty(t, b.Requests())
	for _, url := range b.Requests() {
		require.True(t, strings.HasPrefix(url, "file:") || strings.HasPrefix(url, "data:"),
			"the page asked for %s", url)
	}
}

// checkPage compares the page's structure with its source.
func (b *tab) checkPage(t *testing.T, page *Page) {
	for _, p := range page.Papers {
		rows := eval[int](t,
			b,
			fmt.Sprintf(`document.querySelector("#p%s").closest("section").querySelectorAll("table.rows tbody tr").length`,
				p.Number))
		require.Equal(t, len(p.Rows)+len(p.Derived)+len(p.Ours), rows, p.Number)
	}
	require.Equal(t, len(page.Sensitivity.Settings),
		eval[int](t, b, `document.querySelectorAll("table.sens tbody tr").length`))
	columns := eval[[]int](t,
		b, `[...document.querySelectorAll("table.sens tr")].map(r => [...r.cells].reduce((n, c) => n + c.colSpan, 0))`)
	for i, n := range columns {
		if i == 0 || page.Sensitivity.Settings[i-1].First {
			require.Equal(t, columns[0], n, "line %d", i)
		} else {
			require.Equal(t, columns[0]-1, n, "line %d: the knob's name spans it", i)
		}
	}
	require.Nil(t, eval[any](t, b, `window.hurt ?? null`), "text was run as a program")
	require.True(t, eval[bool](t, b, `document.body.textContent.includes("<script>window.hurt = 1</script>")`),
		"and is shown as text")
	require.True(t, eval[bool](t, b, `document.documentElement.scrollWidth <= innerWidth`),
		"the page is wider than the window")
	b.checkReadable(t)
}

// checkReadable says that the page has what a screen reader needs.
func (b *tab) checkReadable(t *testing.T) {
	t.Helper()
	require.Equal(t, "en", eval[string](t, b, `document.documentElement.lang`))
	require.Empty(t, eval[[]string](t, b,
		`[...document.querySelectorAll("figure > svg, canvas")].filter(e => !e.getAttribute("aria-label")).map(e => e.outerHTML.slice(0, 80))`))
	require.Empty(t, eval[[]string](t, b,
		`[...document.querySelectorAll("th:not([scope]), table:not(:has(caption)), button:not([aria-label]):empty")].map(e => e.outerHTML.slice(0, 80))`))
	require.Empty(t, eval[[]string](t, b,
		`[...document.querySelectorAll("input, select")].filter(e => !e.labels.length).map(e => e.id)`))
	require.Empty(t, eval[[]string](t, b,
		`[...document.querySelectorAll("a[href^='#']")].map(a => a.getAttribute("href").slice(1)).filter(id => !document.getElementById(id))`))
	require.Empty(t, eval[[]string](t, b,
		`(ids => ids.filter((id, i) => ids.indexOf(id) !== i))([...document.querySelectorAll("[id]")].map(e => e.id))`),
		"ids that are there twice")
	levels := eval[[]int](t, b, `[...document.querySelectorAll("h1,h2,h3,h4")].map(h => +h.tagName[1])`)
	for i := 1; i < len(levels); i++ {
		require.LessOrEqual(t, levels[i], levels[i-1]+1, "heading %d leaves out a level", i)
	}
}

// checkTimeline zooms and moves in all the page's ways.
func (b *tab) checkTimeline(t *testing.T, line *Timeline) {
	clocks := float64(line.Runs[0].Clocks)
	span := func() float64 { from, to := b.window(t); return to - from }
	from, to := b.window(t)
	require.Equal(t, []float64{0, clocks}, []float64{from, to})
	require.Greater(t,
		eval[int](t,
			b,
			`(c => new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size)(document.getElementById("timeline-canvas"))`),
		3, "colours on the canvas")

	click := func(id string) { eval[any](t, b, `document.getElementById("timeline-`+id+`").click()`) }
	click("in")
	require.InDelta(t, clocks/2, span(), 1)
	from, _ = b.window(t)
	require.InDelta(t, clocks/4, from, 1, "about the middle")
	click("right")
	moved, _ := b.window(t)
	require.InDelta(t, clocks/8, moved-from, 1.5)
	click("left")
	click("out")
	require.InDelta(t, clocks, span(), 1)

	eval[any](t, b, `document.getElementById("timeline-canvas").scrollIntoView({block: "start"})`)
	box := eval[[]float64](t,
		b,
		`(r => [r.left, r.top, r.width, r.height])(document.getElementById("timeline-canvas").getBoundingClientRect())`)
	x, y := box[0]+box[2]/2, box[1]+box[3]/2
	wheel := func(by float64) {
		b.Do(t, chromedp.MouseEvent(chromedp.MouseWheel, x, y, wheelBy(by)))
		time.Sleep(100 * time.Millisecond) // the browser hands wheel events on with the next frame
	}
	b.Do(t, chromedp.MouseClickXY(x, y))
	wheel(-100)
	require.InDelta(t, 0.8*clocks, span(), 1, "the wheel zooms once the picture was clicked")

	b.Do(t, chromedp.KeyEvent("+"))
	require.InDelta(t, 0.4*clocks, span(), 1)
	b.Do(t, chromedp.MouseEvent(chromedp.MousePressed, x, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, x-100, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, x-100, y, chromedp.ButtonLeft))
	dragged, _ := b.window(t)
	require.Greater(t, dragged, 0.3*clocks, "dragging to the left shows what is later")
	require.InDelta(t, 0.4*clocks, span(), 1)

	b.checkStates(t, line)

	eval[any](t,
		b, `(s => { s.value = "1"; s.dispatchEvent(new Event("change")); })(document.getElementById("timeline-run"))`)
	_, to = b.window(t)
	require.EqualValues(t, line.Runs[1].Clocks, to, "the other run")
	eval[any](t,
		b,
		`((f, t) => { f.value = 50; t.value = 40; t.dispatchEvent(new Event("change")); })(document.getElementById("timeline-from"), document.getElementById("timeline-to"))`)
	require.EqualValues(t, line.Runs[1].Clocks, span(), "a window that ends before it begins changes nothing")
	click("all")
}

// checkStates points at single clocks of one PE: the state shown is the state
// that was packed.
func (b *tab) checkStates(t *testing.T, line *Timeline) {
	const pe, shown = 4, 8
	data, err := base64.StdEncoding.DecodeString(line.Runs[0].Data)
	require.NoError(t, err)
	state := func(clock int) byte {
		return data[pe*((line.Runs[0].Clocks+3)/4)+clock/4] >> (clock % 4 * 2) & 3
	}
	changes := []int{0} // where to look: the start, and changes of state inside a packed byte
	for clock := range line.Runs[0].Clocks - shown {
		if clock > shown && clock%4 == 1 && state(clock) != state(clock+1) {
			changes = append(changes, clock-2)
		}
	}
	require.Greater(t, len(changes), 3)
	for _, from := range changes[:4] {
		eval[any](t,
			b,
			fmt.Sprintf(`((f, t) => { f.value = %d; t.value = %d; t.dispatchEvent(new Event("change")); })(document.getElementById("timeline-from"), document.getElementById("timeline-to"))`,
				from, from+shown))
		box := eval[[]float64](t,
			b,
			`(r => [r.left, r.top, r.width, r.height])(document.getElementById("timeline-canvas").getBoundingClientRect())`)
		for i := range shown {
			b.Do(t, chromedp.MouseEvent(chromedp.MouseMoved, box[0]+53+(box[2]-54)*(float64(i)+0.5)/shown, box[1]+23+
				(box[3]-26)/12*(pe+0.5)))
			read := eval[string](t, b, `document.getElementById("timeline-read").textContent`)
			clock := from + i
			require.Equal(t, fmt.Sprintf("PE [1,1], clock %d (%.2f µs): %s", clock, float64(clock)*0.08,
				line.States[state(clock)]), read)
		}
	}
}

// wheelBy turns the wheel. The protocol needs both parts, and the library omits
// a part that is 0.
func wheelBy(by float64) chromedp.MouseOption {
	return func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 0.01, by }
}
