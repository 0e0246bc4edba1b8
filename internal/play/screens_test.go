package play

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
	"emsim/internal/play/engine"
	"emsim/programs"
)

var screens = flag.String("screens", "",
	"folder for a picture of every state of the page, in both colours and two sizes")

//go:embed testdata/audit.js
var looks string

// audit returns what is wrong with the current page.
var audit = looks + "(" + browser.Texts + ")"

// screen is a state of the page.
type screen struct {
	name string
	view *engine.View // nil: the previous view stays
	then func(t *testing.T, b *tab)
}

// at returns a view of a program on 12 PEs at a clock, with a PE opened.
func at(main, arg string, clock uint64, pe int) *engine.View {
	return &engine.View{Setup: engine.Setup{Main: main, Args: []string{arg}, PEs: 12}, Clock: clock, PE: &pe}
}

// versusAt returns a view of fib with two policies, A and B.
func versusAt(arg string, clock uint64) *engine.View {
	v := at("fib.s", arg, clock, 5)
	b := v.Setup
	b.Params = map[string]string{"policy": "line"}
	v.Versus = &b
	return v
}

// states returns all states of the page.
func states() []screen {
	fib, _ := programs.Source("fib.s")
	with := func(v *engine.View, change func(v *engine.View)) *engine.View { change(v); return v }
	wrong := with(at("fib.s", "10", 0, 0), func(v *engine.View) {
		v.Setup.Files = map[string]string{"fib.s": strings.Replace(fib, "add     r3, r1, r2", "addd    r3, r1, r2", 1)}
	})
	lesson := with(at("fib.s", "14", 412, 5), func(v *engine.View) { v.Lesson = "waits" })
	deadlock := with(at("fib.s", "14", 3051, 1), func(v *engine.View) { v.Setup.Sets = map[string]string{"banks": "1"} })
	large := &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"20"}, PEs: 1024}, Clock: 900, Colour: "state"}
	usual := &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"16"}, PEs: 80}, Clock: 700}
	search := with(at("fib.s", "8", 185, 0), func(v *engine.View) { v.Setup.Params = map[string]string{"mlpe": "on"} })
	policy := with(at("fib.s", "14", 1200, 4), func(v *engine.View) { v.Colour = "policy" })
	load := with(at("fib.s", "14", 600, 5), func(v *engine.View) { v.Colour = "fifo" })
	press := func(keys ...string) func(t *testing.T, b *tab) {
		return func(t *testing.T, b *tab) { b.hit(t, keys...) }
	}
	console := func(lines ...string) func(t *testing.T, b *tab) {
		return func(t *testing.T, b *tab) {
			for _, line := range lines {
				b.console(t, line)
			}
		}
	}
	return []screen{
		{"fresh", nil, nil},
		{"assembled", at("queens.s", "6", 0, 0), nil},
		{"error", in("program", wrong), nil},
		{"running", at("fib.s", "14", 300, 0), func(t *testing.T, b *tab) {
			_ = eval[bool](t, b, `(document.getElementById("speed").selectedIndex = 2, document.getElementById("run").click(), true)`)
			b.until(t, "emsim.running && emsim.run.frame.clock > 302")
		}},
		{"stopped", in("program", at("fib.s", "14", 0, 0)), console("break label got1 if r1 == 3", "continue")},
		{"pe", at("fib.s", "14", 600, 5), nil},
		{"packet", at("fib.s", "14", 600, 5), func(t *testing.T, b *tab) {
			_ = eval[bool](t, b, `emsim.run.machine.tell.packet(emsim.run.frame.packets[0]).then(() => true)`)
		}},
		{"lesson", lesson, nil},
		{"deadlock", deadlock, press("B", "End")},
		{"result", at("fib.s", "14", 0, 0), func(t *testing.T, b *tab) {
			b.hit(t, "End")
			_ = eval[bool](t, b, `(emsim.inspect.show("result"), true)`)
		}},
		{"program", in("program", at("fib.s", "14", 600, 5)), nil},
		{"pes80", usual, nil},
		{"pes1024", large, nil},
		{"search", search, nil},
		{"policy", policy, nil},
		{"waiting", load, nil},
		{"versus", versusAt("14", 600), nil},
		{"versus-b", versusAt("14", 0), press("End", "w")},
		{"go", in("program", at("fib.go", "12", 400, 0)), nil},
		{"blocks", blocksAt("fib.go", "12", 400, 0), press("v", "ArrowDown")},
		{"blocks-streams", blocksAt("pi.go", "22", 2000, 5), nil},
		{"blocks-none", blocksAt("fib.s", "12", 400, 0), nil},
		{"marks", at("fib.s", "14", 0, 5), press("End", "B", "x", ",", "B", "x")},
		{"console", in("program", at("fib.s", "14", 600, 5)), console("help until", "units", "where")},
		{"knobs", nil, press("m", "k")},
		{"palette", at("fib.s", "10", 200, 0), press("g")},
		{"fault", at("fib.s", "10", 200, 0), func(t *testing.T, b *tab) {
			b.Expect("made by a test")
			_ = eval[bool](t, b, `(setTimeout(() => { throw new Error("made by a test"); }), true)`)
			b.until(t, `!document.getElementById("fault").hidden`)
		}},
		{"keys", at("fib.s", "10", 200, 0), press("?")},
		{"share", nil, func(t *testing.T, b *tab) {
			b.Do(t, chromedp.Click("#share"))
			b.until(t, `document.getElementById("shared").open`)
		}},
	}
}

// Every state of the page is readable, in light colours on a 13" screen and in dark colours on a large one; with
// -screens in both colours on both screens.
func testScreens(t *testing.T, b *tab) {
	b.visit(t, "")
	for _, s := range states() {
		_ = eval[bool](t, b, `(document.querySelector("dialog[open]")?.close(),
			document.getElementById("fault").hidden = true)`)
		if s.view != nil {
			b.follow(t, s.view)
		}
		if s.then != nil {
			s.then(t, b)
		}
		for i, size := range [][2]int64{{1366, 768}, {1920, 1080}, {1366, 768}, {1920, 1080}} {
			if i == 2 && *screens == "" {
				break
			}
			theme := []string{"light", "dark", "dark", "light"}[i]
			b.Do(t, chromedp.EmulateViewport(size[0], size[1]))
			_ = eval[bool](t, b, fmt.Sprintf(`(document.documentElement.dataset.theme === %q ||
				document.getElementById("theme").click(), true)`, theme))
			b.drawn(t)
			for _, p := range append(eval[[]string](t, b, audit), b.Axe(t)...) {
				t.Errorf("%s, %s, %d x %d: %s", s.name, theme, size[0], size[1], p)
			}
			b.picture(t, fmt.Sprintf("%s-%s-%d.png", s.name, theme, size[0]))
		}
		if eval[bool](t, b, "emsim.running") {
			b.hit(t, "r")
		}
	}
}

// follow shows a view in the open page.
func (b *tab) follow(t testing.TB, v *engine.View) {
	t.Helper()
	link, err := v.Link()
	require.NoError(t, err)
	b.link(t, "#"+link)
}

// link follows a link in the open page.
func (b *tab) link(t testing.TB, link string) {
	t.Helper()
	_ = eval[bool](t, b, fmt.Sprintf("(emsim.restored = null, location.hash === %[1]q ? dispatchEvent(new Event('hashchange')) : location.hash = %[1]q, true)", link))
	b.until(t, fmt.Sprintf("emsim.restored === %q", link))
	b.rest(t)
}

// console executes a command of the debugger.
func (b *tab) console(t testing.TB, line string) {
	t.Helper()
	_ = eval[bool](t, b, fmt.Sprintf(`(document.getElementById("line").value = %q, document.getElementById("ask").requestSubmit(), true)`, line))
	b.rest(t)
}

// picture saves a screenshot, if the flag requests it.
func (b *tab) picture(t *testing.T, name string) {
	t.Helper()
	if *screens == "" {
		return
	}
	image := browser.Get(t, b.Tab, chromedp.CaptureScreenshot())
	require.NoError(t, os.MkdirAll(*screens, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(*screens, name), image, 0o644))
}
