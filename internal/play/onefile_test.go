package play

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
	"emsim/internal/play/engine"
)

// openFile opens the page as one file, without a server, and checks its size.
func openFile(t testing.TB, first *engine.View, compiler bool, most int) *tab {
	t.Helper()
	text, err := site(t, first).OneFile(compiler)
	require.NoError(t, err)
	t.Logf("%d bytes", len(text))
	require.Less(t, len(text), most)
	file := filepath.Join(t.TempDir(), "a page.html")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	b := &tab{url: (&url.URL{Scheme: "file", Path: file}).String(), Tab: browser.Open(t, 1280, 800, 3*time.Minute)}
	b.visit(t, "")
	return b
}

// alone checks that the page has requested only itself.
func (b *tab) alone(t *testing.T) {
	t.Helper()
	for _, r := range b.Requests() {
		require.True(t, strings.HasPrefix(r, b.url) || strings.HasPrefix(r, "about:") ||
			strings.HasPrefix(r, "data:image/svg+xml") || strings.HasPrefix(r, "blob:"), r)
	}
}

// The page works as one file, and all statements of the lessons hold. Without the compiler it says how to get it.
func TestOneFile(t *testing.T) {
	b := openFile(t, &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"9"}, PEs: 12}}, false, 3_900_000)
	t.Logf("ready after %.0f ms", eval[float64](t, b, "emsim.ready"))
	require.Equal(t, []string{"9"}, eval[[]string](t, b, "emsim.run.setup.args"))
	b.follow(t, at("fib.go", "10", 0, 0))
	require.Equal(t, "The compiler could not be loaded: it is not in this file. 'emsim play --export FILE.html "+
		"--compiler' writes one that has it.", b.text(t, "message"))
	b.lives(t)
	_ = eval[bool](t,
		b, `(document.getElementById("help-open").click(), document.querySelector("#licences summary").click(), true)`)
	b.until(t, `document.getElementById("licences").innerText.includes("Copyright 2009 The Go Authors")`)
	for _, l := range allLessons(t) {
		b.replay(t, l.File)
	}
	b.alone(t)
	// The policy forbids requests and added scripts.
	b.Expect("Content Security Policy|Refused|blocked")
	require.Equal(t, "TypeError", eval[string](t, b, `fetch("data:,x").then(() => "answered", e => e.name)`))
	require.Equal(t, "undefined", eval[string](t, b,
		`(document.body.append(Object.assign(document.createElement("script"), {textContent: "globalThis.added = 1"})), typeof added)`))
}

// With the compiler the file runs programs in Go.
func TestOneFileWithCompiler(t *testing.T) {
	b := openFile(t, &engine.View{Setup: engine.Setup{Main: "fib.go", Args: []string{"9"}, PEs: 12}}, true, 7_200_000)
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "End")
	require.Contains(t, b.text(t, "message"), "result 34 ")
	b.alone(t)
}

// As a view for other pages it shows only the machine, which runs until it is paused.
func TestLiveView(t *testing.T) {
	b := openFile(t, nil, false, 3_900_000)
	b.visit(t, "?live")
	_ = eval[bool](t, b, short)
	b.until(t, "clock() > 300")
	require.Equal(t, []string{"machine-A", "run", "series-A"},
		eval[[]string](t,
			b,
			`[...document.querySelectorAll("button, canvas, input, select")].filter(e => e.checkVisibility()).map(e => e.id)`))
	require.Equal(t, "run", eval[string](t, b,
		`(r => document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest("[id]").id)($("#run").getBoundingClientRect())`),
		"nothing lies over it")
	_ = eval[bool](t, b, `($("#run").click(), true)`)
	b.until(t, `!emsim.running && $("#run").ariaLabel === "run"`)
	now := b.clock(t)
	require.Equal(t, now, b.clock(t))
	_ = eval[bool](t, b, `(choose("#speed", "at once"), $("#run").click(), true)`)
	b.until(t, "emsim.run.frame.ended")
}

// Contents that cannot be put into one file give an error, not a broken page.
func TestNotOneFile(t *testing.T) {
	for name, change := range map[string]func(Site){
		`index.html must contain "</body>" exactly once`: func(s Site) {
			s["index.html"] = bytes.Replace(s["index.html"],
				[]byte("</body>"), nil, 1)
		},
		`contains "<!--", which would end its element`:     func(s Site) { s["fault.js"] = []byte("// <!--") },
		`contains "</script", which would end its element`: func(s Site) { s["fault.js"] = []byte("// </script") },
		"panes/setup.js is missing, or has another form of import or export than those": func(s Site) {
			delete(s,
				"panes/setup.js")
		},
		"util.js is missing, or has another form of import or export than those": func(s Site) { s["util.js"] = []byte("export default 1;\n") },
		"main.js is missing, or has another form of import or export than those": func(s Site) { s["main.js"] = []byte("import * as x from './util.js';\n") },
	} {
		s := fake(t, nil)
		_, err := s.OneFile(false)
		require.NoError(t, err)
		change(s)
		_, err = s.OneFile(false)
		require.ErrorContains(t, err, name)
	}
}

// replay clicks on every statement of a lesson's text, and checks that the page shows what the statement says.
func (b *tab) replay(t *testing.T, lesson string) {
	t.Helper()
	wrong := eval[[]string](t, b, fmt.Sprintf(`(async () => {
		const menu = document.getElementById("lesson"), panes = ["right", "packet", "result", "compared", "message"].map(id => document.getElementById(id)), wrong = [];
		const rest = async () => { do await new Promise(done => setTimeout(done, 5)); while (emsim.motion.moving); };
		menu.value = %q;
		menu.onchange();
		while (!document.querySelector("#lesson-text h2")?.textContent.includes(menu.selectedOptions[0].text)) await rest();
		const all = document.querySelectorAll("#lesson-text [data-shows]");
		if (all.length === 0) wrong.push("no statement");
		for (const a of all) {
			for (const p of panes) p.replaceChildren();
			a.click();
			do await rest(); while (!a.hasAttribute("aria-current"));
			const seen = panes.map(p => p.innerText).join(" ").replaceAll(/\s+/g, " ");
			const row = a.dataset.shows.replace(/^([\d.,]+(?: %%)?) (\w+)$/, "$2 $1"); // as in a table
			if (!seen.includes(a.dataset.shows) && !seen.includes(row)) wrong.push(a.dataset.shows + " is not in " + seen);
		}
		return wrong;
	})()`, lesson))
	require.Empty(t, wrong, lesson)
}

// The files that every visitor loads have at most 2.7 MB, compressed.
func TestSize(t *testing.T) {
	all := 0
	for name, text := range site(t, nil) {
		if path.Ext(name) != ".gz" {
			text = compress(text)
		}
		if t.Logf("%8d %s", len(text), name); name != "compiler.wasm.gz" {
			all += len(text)
		}
	}
	t.Log(all)
	require.Less(t, all, 2_700_000)
}
