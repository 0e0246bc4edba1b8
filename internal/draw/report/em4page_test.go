package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/answer"
	"emsim/internal/dev/browser"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// seenRun is fib(8) on 12 PEs.
func seenRun(t *testing.T, name, policy string, maxCells int) EM4Run {
	t.Helper()
	pes := 12
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: "fib", Args: []string{"8"},
		Params: map[string]string{"policy": policy}, Seed: 1, Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, s.Begin())
	x := EM4Run{Name: name, Target: target, Profile: []answer.List{{
		Heads: []string{"by line", "PE-clocks", "share"}, Rows: [][]any{{"fib.s:97 <send>", "86", "31.6 %"}},
	}}}
	x.Answer, err = s.Trace(t.Context(), 1, func(from, end uint64) (trace.Sink, error) {
		start := s.Current.StartClock()
		var err error
		x.Portrait, err = portrait.New(s.Machine, s.Net.Topology, 80, start, from, end,
			portrait.Options{MaxCells: maxCells})
		return x.Portrait, err
	})
	require.NoError(t, err)
	return x
}

func em4Page(t *testing.T) (*RunPage, string) {
	t.Helper()
	page, err := NewEM4Page(t.Context(), hostile,
		[]EM4Run{seenRun(t, "policy=ring", "ring", 0), seenRun(t, hostile, "line", 12*100)})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Write(&b))
	return page, b.String()
}

// The page has the runs' numbers as text, makes no network requests, and is the
// same every time.
func TestEM4Page(t *testing.T) {
	page, text := em4Page(t)
	_, again := em4Page(t)
	require.Equal(t, text, again)
	require.NotContains(t, text, "<script>window.hurt")
	for _, m := range regexp.MustCompile(`(?i)(?:src|href|action|poster)\s*=\s*"([^"]*)"|url\(([^)]*)\)|@import|fetch\(|XMLHttpRequest|WebSocket`).FindAllStringSubmatch(text, -1) {
		target := m[1] + m[2]
		require.True(t, strings.HasPrefix(target, "#") || strings.HasPrefix(target, "data:"), "the page loads %s", m[0])
	}
	require.Less(t, strings.Index(text, `id="timeline"`), strings.Index(text, `id="numbers"`),
		"the time line stands at the top")
	for _, want := range []string{
		"<h1>fib 8 on emc-r, 12 PEs, seed 1</h1>", "<b>policy=ring</b>: 484 clocks;", "times the first",
		"<p>fib 8 = 21 on EM-4, 12 PEs, seed 1</p>", `<th scope="row">limited by</th><td>`,
		`<th scope="row">calls</th><td class="n">41</td><td class="n">41</td><td>function instances`,
		`<th scope="row">fib</th><td>fib</td><td class="n">40</td>`,
		`<th scope="row">fib.s:97 &lt;send&gt;</th><td class="n">86</td><td class="n" style="--part:31.6%">31.6 %</td>`,
		`<th scope="row">policy</th><td>ring</td><td>line</td>`, `<th scope="row">hop clocks</th><td>`,
		`<th scope="row">EXU: operands wait for partners that have not arrived</th><td>1,734 (29.9 %)</td>`,
	} {
		require.Contains(t, text, want)
	}
	drawn := 0
	for _, s := range page.Sections {
		require.Contains(t, text, `<a href="#`+s.ID+`">`)
		if s.SVG != "" {
			drawn++
			require.NotEmpty(t, s.Reads)
		}
	}
	require.Equal(t, 5, drawn)
}

// Every wait of a unit that can be seen has words.
func TestWhyWaits(t *testing.T) {
	s := seenRun(t, "x", "random", 0)
	for u := range trace.Host {
		for _, st := range trace.Statuses() {
			if u != trace.PE && st.IsWait() && st != trace.WaitInject && s.Portrait.Waits[u][st] > 0 {
				require.NotEmpty(t, whyWaits[u][st], "%v %v", u, st)
			}
		}
	}
	require.Empty(t, whyWaits[trace.EXU][trace.Run])
}

// In a browser, at full and at half width: nothing is wider than the window or
// scrolls inside it, the time line works, also one with several clocks a column.
func TestEM4PageInABrowser(t *testing.T) {
	page, text := em4Page(t)
	b := openText(t, text)
	b.checkReadable(t)
	for _, width := range []int64{1200, 620} {
		b.Do(t, chromedp.EmulateViewport(width, 900))
		time.Sleep(100 * time.Millisecond) // the canvas is drawn anew
		require.True(t, eval[bool](t, b, `document.documentElement.scrollWidth <= innerWidth`),
			"the page is wider than a window of %d", width)
		require.Empty(t, eval[[]string](t, b,
			`[...document.querySelectorAll("main *")].filter(e => { const s = getComputedStyle(e); return /auto|scroll/.test(s.overflowX + s.overflowY) && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1); }).map(e => e.outerHTML.slice(0, 80))`),
			"boxes that scroll")
		require.Empty(t, eval[[]string](t, b,
			`[...document.querySelectorAll("main table")].filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.caption.textContent)`),
			"tables that are cut off")
		letters := eval[float64](t,
			b,
			`Math.min(...[...document.querySelectorAll("figure svg text")].filter(e => e.textContent.length > 6).map(e => e.getBoundingClientRect().height))`)
		require.Greater(t, letters, 8.0, "letters in figures at a width of %d", width)
	}
	from, to := b.window(t)
	require.Equal(t, []float64{0, 484}, []float64{from, to})
	eval[any](t,
		b, `(s => { s.value = "1"; s.dispatchEvent(new Event("change")); })(document.getElementById("timeline-run"))`)
	r := page.Timeline.Runs[1]
	require.Greater(t, r.Per, uint64(1))
	from, to = b.window(t)
	require.Equal(t, []float64{0, float64(r.Length)}, []float64{from, to})
	box := eval[[]float64](t,
		b,
		`(c => { c.scrollIntoView({block: "start"}); const r = c.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })(document.getElementById("timeline-canvas"))`)
	b.Do(t, chromedp.MouseEvent(chromedp.MouseMoved, box[0]+60, box[1]+30))
	require.Regexp(t, `^PE \[0,0\], clocks 0 to [0-9]+ \(0\.00 µs\): `,
		eval[string](t, b, `document.getElementById("timeline-read").textContent`))
	eval[any](t,
		b,
		fmt.Sprintf(`((f, t) => { f.value = %d; t.value = %d; t.dispatchEvent(new Event("change")); })(document.getElementById("timeline-from"), document.getElementById("timeline-to"))`,
			20*r.Per, 40*r.Per))
	from, to = b.window(t)
	require.Equal(t, []float64{float64(20 * r.Per), float64(40 * r.Per)}, []float64{from, to})
	require.Nil(t, eval[any](t, b, `window.hurt ?? null`), "text was run as a program")
}

// On a phone and on a laptop, in both themes: the page follows the reader's theme with its figures and the time line,
// axe-core and the checks of texts find nothing, and only tables scroll sideways, each in its own box.
func TestEM4PageInBothThemes(t *testing.T) {
	_, text := em4Page(t)
	b := openText(t, text)
	for _, width := range []int64{390, 1200} {
		b.Do(t, chromedp.EmulateViewport(width, 844))
		for _, theme := range []string{"light", "dark"} {
			b.Prefer(t, "prefers-color-scheme", theme)
			time.Sleep(100 * time.Millisecond) // the canvas is drawn anew
			dark := theme == "dark"
			for _, what := range []string{
				`getComputedStyle(document.body).backgroundColor`,
				`getComputedStyle(document.querySelector("figure svg rect")).fill`,
				`(pen => (pen.drawImage(document.getElementById("timeline-canvas"), 0, 0),
					"rgb(" + [...pen.getImageData(2, 2, 1, 1).data].slice(0, 3).join(", ") + ")"))
					(new OffscreenCanvas(9, 9).getContext("2d", {willReadFrequently: true}))`,
			} {
				require.Equal(t, map[bool]string{true: "rgb(18, 22, 27)", false: "rgb(255, 255, 255)"}[dark],
					eval[string](t, b, what), "%s: %s", theme, what)
			}
			require.Empty(t, b.Axe(t), "%d, %s", width, theme)
			require.Empty(t, eval[[]string](t, b, `[...`+browser.Texts+`.problems].filter(p => !p.startsWith("text"))`),
				"%d, %s", width, theme)
			require.LessOrEqual(t, eval[int](t, b, "document.documentElement.scrollWidth"), int(width))
			require.Empty(t, eval[[]string](t, b,
				`[...document.querySelectorAll("body *")].filter(e => !e.parentElement.closest(".wide, .skip, svg")
					&& e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))`))
			require.Empty(t, eval[[]string](t, b,
				`[...document.querySelectorAll("main *")].filter(e => e.scrollWidth > e.clientWidth + 1
					&& /auto|scroll/.test(getComputedStyle(e).overflowX) && !e.matches(".wide:has(> table)")).map(e => e.outerHTML.slice(0, 80))`))
		}
	}
}
