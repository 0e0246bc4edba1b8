package figures

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
	"emsim/internal/machine/run"
	"emsim/omega"
	"emsim/trace"
)

func TestMain(m *testing.M) {
	m.Run()
	browser.Close()
}

func begunFib(t *testing.T, pes int, n string) *run.Batch {
	t.Helper()
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: []string{"fifo_words=8"}}, Program: "fib",
		Args:   []string{n},
		Params: map[string]string{"policy": "ring", "mlpe": "on"}, Seed: 1, Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, s.Begin())
	return s
}

func stretch(t *testing.T, pes int, n string, from, clocks uint64) *Motion {
	t.Helper()
	m, err := RecordMotion(t.Context(), begunFib(t, pes, n), from, clocks)
	require.NoError(t, err)
	return m
}

// Packets set out on their links in the clocks of the trace, and the title counts them and the
// PEs at work.
func TestMotionIsTheRun(t *testing.T) {
	const from, clocks = 100, 60
	m := stretch(t, 12, "9", from, clocks)
	s := begunFib(t, 12, "9")
	type move struct {
		clock, pe, port int
		search          bool
	}
	moves := map[move]int{}
	var start uint64
	_, err := s.Trace(t.Context(), 1, func(uint64, uint64) (trace.Sink, error) {
		start = s.Current.StartClock()
		return trace.Func(func(e *trace.Event) {
			k := int(e.Clock-start) - from
			if e.Kind == trace.Moved && e.Out != trace.Own && k > -m.hopClocks && k < clocks-1 {
				moves[move{k, int(e.PE), int(e.Out), e.Packet.Kind.Search()}]++
			}
		}), nil
	})
	require.NoError(t, err)
	require.Greater(t, len(moves), 50)
	crossed := 0
	for at, n := range moves {
		if at.clock >= 0 {
			crossed += n
		}
	}
	for _, h := range m.hops {
		moves[move(h)]--
	}
	for at, n := range moves {
		require.Zero(t, n, "%+v", at)
	}
	work := 0
	for i := range m.frames {
		work = max(work, strings.Count(fmt.Sprintf("%c", m.frames[i].states), "R")+
			strings.Count(fmt.Sprintf("%c", m.frames[i].states), "M"))
	}
	require.Contains(t, m.title(), fmt.Sprintf("fib 9: %d of 12 PEs work at once, and %d packets", work, crossed))
	require.Contains(t, m.about(), "clocks 100 to 159 at 8 a second")
}

// A picture is the same each time, small, and without scripts. One that is too large or begins
// after the end is rejected.
func TestMotionFigure(t *testing.T) {
	svg := func() string {
		f, err := MotionFigure(stretch(t, 80, "12", 200, 120))
		require.NoError(t, err)
		data, err := Encode(t.Context(), f, "m.svg")
		require.NoError(t, err)
		_, err = Encode(t.Context(), f, "m.png")
		require.ErrorContains(t, err, "saved as .svg")
		return string(data)
	}
	one := svg()
	require.Equal(t, one, svg())
	require.Less(t, len(one), motionMost)
	require.NotRegexp(t, `<script|<animate|href="[^#]|on\w+="`, one)
	_, err := MotionFigure(stretch(t, 12, "4", 100_000, 10))
	require.ErrorContains(t, err, "has ended before clock 100000")
	_, err = MotionFigure(stretch(t, 192, "17", 300, 400))
	require.ErrorContains(t, err, "at most 400 are useful on a page")
}

// In a browser, packets are on their links where they are at a clock, PEs have the colours of
// their states, and the picture is still if the user prefers less motion.
func TestMotionInABrowser(t *testing.T) {
	m := stretch(t, 12, "9", 100, 60)
	file := filepath.Join(t.TempDir(), "m.html")
	require.NoError(t, os.WriteFile(file, append([]byte("<!doctype html><body style='margin:0'>"), m.svg()...), 0o600))
	b := browser.Open(t, 1000, 700, time.Minute)
	b.Prefer(t, "prefers-reduced-motion", "no-preference")
	b.Do(t, chromedp.Navigate("file://"+file))
	require.Greater(t, browser.Eval[int](t, b, "document.getAnimations().length"), 100)
	require.True(t, browser.Eval[bool](t, b,
		`[...document.querySelectorAll(".still")].every(e => e.getClientRects().length === 0)`))
	const k = 30
	grid := newGrid(m.topology, motionWide, 34+72*4)
	seen := browser.Eval[[][]float64](t, b, fmt.Sprintf(`(() => {
		for (const a of document.getAnimations()) a.pause(), a.currentTime = %d / 8 * 1000 + 1;
		const seen = [...document.querySelectorAll(".h")].filter(e => getComputedStyle(e).opacity === "1");
		return seen.map(e => new DOMPoint(0, 0).matrixTransform(e.getScreenCTM())).map(p => [p.x, p.y]);
	})()`, k))
	var want [][]float64
	for _, h := range m.hops {
		if part := (k + 0.008 - float64(h.clock)) / float64(m.hopClocks); part >= 0 && part < 1 {
			at := along(grid.link(h.pe, h.port), part)
			want = append(want, []float64{at.x, at.y + motionHead})
		}
	}
	require.NotEmpty(t, want)
	require.Len(t, seen, len(want))
	for _, at := range want {
		near := false
		for _, p := range seen {
			// The browser divides a curve by its length, along by its parameter.
			near = near || math.Hypot(p[0]-at[0], p[1]-at[1]) < 5
		}
		require.True(t, near, "%v is not among %v", at, seen)
	}
	colours := browser.Eval[[]string](t, b,
		`[...document.querySelectorAll(":not(.again) > .s")].map(e => getComputedStyle(e).fill)`)
	for i, a := range m.frames[k].states {
		at := slices.IndexFunc(palette, func(t tone) bool { return t.name == stateTone(a) })
		c := palette[at].light
		if stateTone(a) == "partner" {
			require.Contains(t, colours[i], "#k")
		} else {
			require.Equal(t, fmt.Sprintf("rgb(%d, %d, %d)", c.R, c.G, c.B), colours[i], "PE %d", i)
		}
	}
	b.Prefer(t, "prefers-reduced-motion", "reduce")
	require.Zero(t, browser.Eval[int](t, b, "document.getAnimations().length"))
	require.Positive(t, browser.Eval[int](t, b,
		`[...document.querySelectorAll("use.still")].filter(e => e.getClientRects().length > 0).length`))
}

// The page of emsim play has the same grid, palette and fonts.
func TestPage(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("../../play/page")))
	defer server.Close()
	b := browser.Open(t, 800, 600, time.Minute)
	b.Expect("404") // the browser looks for an icon
	b.Do(t, chromedp.Navigate(server.URL+"/draw/geometry.js"))
	for _, pes := range []int{12, 80, 192, 1024} {
		topology, err := omega.ForPEs(pes)
		require.NoError(t, err)
		for _, size := range [][2]float64{{960, 620}, {400, 240}, {1400, 900}} {
			g := newGrid(topology, size[0], size[1])
			var next []string
			var want []float64
			for i := range pes {
				next = append(next, fmt.Sprintf("[%d,%d]", g.next(i, 0), g.next(i, 1)))
				at := g.corner(i)
				want = append(want, at.x, at.y)
				for port := range omega.Own {
					for _, p := range g.link(i, port) {
						want = append(want, p.x, p.y)
					}
				}
			}
			got := browser.Eval[[]float64](t, b, fmt.Sprintf(`import("./geometry.js").then(({Geometry}) => {
				const g = new Geometry(), list = [];
				g.connect({groups: %d, members: %d, next: [%s]});
				g.g = g.geometry(%v, %v);
				for (let i = 0; i < %d; i++) list.push(...g.corner(i), ...g.link(i, 0), ...g.link(i, 1));
				return list;
			})`, topology.Groups, topology.Members, strings.Join(next, ","), size[0], size[1], pes))
			require.InDeltaSlice(t, want, got, 1e-6, "%d PEs, %v", pes, size)
		}
	}
	css, err := os.ReadFile("../../play/page/style.css")
	require.NoError(t, err)
	themes := regexp.MustCompile(`(?s):root(?:\[data-theme="dark"\])? \{(.*?)\}`).FindAllStringSubmatch(string(css), 2)
	require.Len(t, themes, 2)
	for _, x := range palette {
		for theme, c := range []string{hex(x.light), hex(x.dark)} {
			want := regexp.MustCompile(`--` + x.name + `: (#\w+);`).FindStringSubmatch(themes[theme][1])
			require.NotNil(t, want, x.name)
			if len(want[1]) == 4 { // #abc
				want[1] = regexp.MustCompile(`\w`).ReplaceAllString(want[1], "$0$0")
			}
			require.Equal(t, want[1], c, x.name)
		}
	}
	require.Contains(t, string(css), "--font: "+fontStack+";")
}
