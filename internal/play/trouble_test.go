package play

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// lives checks that the page still works: it assembles fib and steps.
func (b *tab) lives(t *testing.T) {
	t.Helper()
	b.follow(t, at("fib.s", "10", 0, 0))
	require.Equal(t, "", b.text(t, "problem"))
	b.Do(t, chromedp.Focus("#machine-A"))
	clock := b.clock(t)
	b.hit(t, "s")
	require.Equal(t, clock+1, b.clock(t))
}

// If the engine is missing or damaged, the page says so, and what to do. Everything that needs no engine works.
func TestEngineDoesNotCome(t *testing.T) {
	whole := site(t, nil)
	engine := whole["engine.wasm.gz"]
	for _, x := range []struct {
		file string
		text []byte // nil: the file is missing
		want string
	}{
		{"engine.wasm.gz", nil, "engine.wasm.gz: the server answers 404"},
		{"engine.wasm.gz", engine[:len(engine)/2], "engine.wasm.gz is damaged: "},
		{"engine.wasm.gz", []byte("<html>"), "engine.wasm.gz is damaged: "},
		{"engine.wasm.gz", []byte{}, "engine.wasm.gz is damaged: "},
		{"wasm_exec.js", nil, "wasm_exec.js"},
		{"worker.js", nil, "worker.js did not come"},
	} {
		s := Site{}
		for name, text := range whole {
			if name != x.file {
				s[name] = text
			} else if x.text != nil {
				s[name] = x.text
			}
		}
		b := serve(t, s)
		b.Expect(`404|Uncaught NetworkError|is damaged|net::`)
		b.Do(t, chromedp.Navigate(b.url))
		b.until(t, `globalThis.emsim && !document.getElementById("veil").textContent.startsWith("Loading")`)
		veil := b.text(t, "veil")
		require.Contains(t, veil, "The engine could not be loaded: ")
		require.Contains(t, veil, x.want)
		require.Contains(t, veil, "Reload the page to try again.")
		require.True(t, eval[bool](t, b, `document.getElementById("again").disabled`))
		for _, key := range []string{"s", "b", "r", "k", "x", ",", "g", "Home", "End"} {
			_ = eval[bool](t, b, `(document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "`+key+
				`", bubbles: true})), true)`)
		}
		_ = eval[bool](t,
			b,
			`(document.getElementById("file-open").click(), document.getElementById("theme").click(), document.getElementById("help-open").click(), true)`)
		require.True(t, eval[bool](t, b, `document.getElementById("help").open`))
	}
}

// Without the compiler, programs in Go cannot be shown, but other programs can.
func TestCompilerDoesNotCome(t *testing.T) {
	s := site(t, nil)
	delete(s, "compiler.wasm.gz")
	b := serve(t, s)
	b.Expect("404")
	b.visit(t, "")
	for range 2 {
		b.follow(t, at("fib.go", "10", 0, 0))
		require.Contains(t, b.text(t, "message"),
			"The compiler could not be loaded: compiler.wasm.gz: the server answers 404")
		require.Equal(t, "The program could not be assembled.", b.text(t, "veil"))
		b.lives(t)
	}
}

// Uncaught errors in the page or its worker are shown, and so is a missing part of the page.
func TestFaultsShow(t *testing.T) {
	s := fake(t, nil)
	delete(s, "panes/gutter.js")
	b := serve(t, s)
	b.Expect("404")
	b.Do(t, chromedp.Navigate(b.url))
	b.until(t, `!document.getElementById("fault").hidden`)
	require.Contains(t, b.text(t, "fault"),
		"The page has an error, and what it shows may be wrong. Reload it to be sure. main.js did not "+
			"come, or is damaged.")

	b = serve(t, fake(t, nil))
	b.Expect("404|damaged|lost|WebAssembly")
	b.Do(t, chromedp.EmulateViewport(1366, 768), chromedp.Navigate(b.url))
	b.until(t, `globalThis.emsim`)
	for _, mistake := range []string{
		`setTimeout(() => { throw new Error("lost 1"); })`,
		`Promise.reject(new Error("lost 2"))`,
		`emsim.engine.worker.onmessage({data: {kind: "fault", why: "lost 3"}})`,
	} {
		_ = eval[bool](t, b, "("+mistake+", true)")
		b.until(t, fmt.Sprintf(`document.getElementById("fault-text").textContent.endsWith(%q)`,
			regexp.MustCompile(`lost \d`).FindString(mistake)))
	}
	b.picture(t, "fault.png")
	require.Empty(t, eval[[]string](t, b, audit)) // the message is readable
	_ = eval[bool](t, b, `(document.getElementById("fault-close").click(), true)`)
	require.True(t, eval[bool](t, b, `document.getElementById("fault").hidden`))
}

// If the engine crashes while the second run opens, the page keeps the first run.
func testEngineDiesEarly(t *testing.T, b *tab) {
	for _, after := range []int{0, 1, 5, 20, 60} {
		b.follow(t, at("fib.s", "10", 100, 5))
		_ = eval[bool](t,
			b,
			fmt.Sprintf(`(emsim.versus.open(), new Promise(done => setTimeout(() => { emsim.engine.worker.onmessage({data: {kind: "dead", why: "it ended with status 2"}}); done(true); }, %d)))`, after))
		b.until(t, `txt("#veil").startsWith("The engine has stopped") && !emsim.versus.on`)
		b.rest(t)
		_ = eval[bool](t, b, "new Promise(done => setTimeout(() => done(true), 100))")
		require.False(t, eval[bool](t, b, `emsim.versus.on || sees("#machine-B")`), "after %d ms", after)
		require.True(t, eval[bool](t, b, "emsim.run.stale"), "no machine is left of it")
	}
	b.lives(t)
}

// If the engine crashes, it is restarted, and the page continues to work.
func testEngineDies(t *testing.T, b *tab) {
	b.hit(t, "w")
	b.until(t, "emsim.versus.both && emsim.versus.length > 0") // both runs have been computed in advance
	_ = eval[bool](t,
		b,
		`(emsim.engine.call("do", "continue").catch(() => {}), emsim.engine.worker.onmessage({data: {kind: "dead", why: "it ended with status 2"}}), true)`)
	b.until(t, `!document.getElementById("veil").hidden && !emsim.versus.on`)
	require.Contains(t, b.text(t, "veil"), "The engine has stopped: it ended with status 2\nIt has been started again")
	require.Contains(t, b.text(t, "message"), "was started again")
	require.True(t, eval[bool](t, b, `document.getElementById("step").disabled`))
	b.lives(t)
}

// Endless programs, programs that flood the memory, and links to things that do not exist each give a clear message,
// and the page continues to work.
func testBadPrograms(t *testing.T, b *tab) {
	own := func(text string) engine.View {
		return engine.View{Setup: engine.Setup{Main: "a.s", PEs: 12, Files: map[string]string{"a.s": text}}}
	}
	flood := own(".start x\nx: out r1\n jmp x\n")
	b.follow(t, &flood)
	b.hit(t, "End")
	require.Contains(t, b.text(t, "message"),
		"floods the memory of this page, so it was stopped: the host has received more than 65536 words")
	require.True(t, eval[bool](t, b, `document.getElementById("message").classList.contains("bad")`))
	clock := b.clock(t)
	b.until(t, `!$("#back").disabled`)
	b.hit(t, "b")
	b.until(t, fmt.Sprintf("emsim.run.frame.clock === %d", clock-1))

	// A link to a clock that an endless program takes very long to reach can be cancelled.
	far := own(".start x\nx: jmp x\n")
	far.Clock = 1 << 40
	link, err := far.Link()
	require.NoError(t, err)
	_ = eval[bool](t, b, `(location.hash = "#`+link+`", true)`)
	b.until(t, "emsim.running && emsim.run.frame.clock > 3000")
	b.until(t, "emsim.run.setup.main === 'a.s' && emsim.run.frame.all_words === 0")
	begin := time.Now()
	b.hit(t, "r")
	require.Less(t, time.Since(begin), 20*time.Second, "cancelled at once; busy machines are slow")
	require.Contains(t, b.text(t, "message"), "stopped ")
	b.lives(t)

	for want, v := range map[string]engine.View{
		`there is no program "nothing.s"`: {Setup: engine.Setup{Main: "nothing.s"}},
		`no knob "hopp"`: {Setup: engine.Setup{
			Main: "fib.s", Args: []string{"5"},
			Sets: map[string]string{"hopp": "1"},
		}},
		`hop_clocks must be a number`: {Setup: engine.Setup{
			Main: "fib.s", Args: []string{"5"},
			Sets: map[string]string{"hop_clocks": "many"},
		}},
		`no parameter "polcy"`: {Setup: engine.Setup{
			Main: "fib.s", Args: []string{"5"},
			Params: map[string]string{"polcy": "line"},
		}},
		"no circular omega network has 1023": {Setup: engine.Setup{Main: "fib.s", Args: []string{"5"}, PEs: 1023}},
	} {
		b.follow(t, &v)
		require.Contains(t, b.text(t, "problem"), want)
		require.Contains(t, b.text(t, "veil"), want)
		require.True(t, eval[bool](t, b, `document.getElementById("step").disabled`))
	}
	pe := 4000
	odd := engine.View{
		Setup: engine.Setup{Main: "fib.s", Args: []string{"5"}, PEs: 12}, Clock: 3, PE: &pe,
		Colour: "plaid", Tab: "../x", Lesson: "none",
	}
	b.follow(t, &odd)
	require.Equal(t, "state", eval[string](t, b, "emsim.run.machine.mode"))
	for _, broken := range []string{"#2.broken", "#1.abc", "#nonsense", "#2." + link[2:len(link)/2], "#2.****"} {
		b.link(t, broken)
		require.Contains(t, b.text(t, "message"), "the link is broken: ")
	}
	b.lives(t)
}

// Deeply nested programs compile or are rejected, without a stack overflow in the engine.
func testDeepPrograms(t *testing.T, b *tab) {
	many := strings.Repeat
	calls, sum := "", "return n"
	for i := range 100 {
		calls += fmt.Sprintf("v%d := f(n-%[1]d)\n", i)
		sum += fmt.Sprintf("+v%d", i)
	}
	for _, x := range []struct{ body, says string }{
		{many("{", 900) + many("}", 900) + "\nreturn n", "Assembled: "},
		{"return " + many("(", 900) + "n" + many(")", 900), "Assembled: "},
		{"return n" + many("+n", 900), "Assembled: "},
		{"switch {" + many("case n > 1: switch {", 220) + many("}", 221) + "\nreturn n", "Assembled: "},
		{many("{", 8000) + many("}", 8000) + "\nreturn n", "nested more than 1000 deep"},
		{"return " + many("(", 8000) + "n" + many(")", 8000), "nested more than 1000 deep"},
		{"return n" + many("+n", 8000), "nested more than 1000 deep"},
		{"return " + many("f(", 200) + "n" + many(")", 200), "Assembled: "},
		{calls + sum, "Assembled: "},
	} {
		v := at("x.go", "10", 0, 0)
		v.Setup.Files = map[string]string{"x.go": "package main\n\n//emsim:arg n 1 47\nfunc f(n int32) int32 {\n\tif " +
			"n < 3 {\n\t\treturn 1\n\t}\n" + x.body + "\n}\n"}
		b.follow(t, v)
		require.Contains(t, b.text(t, "message")+b.text(t, "problem"), x.says, "%.30s", x.body)
	}
	b.lives(t)
}
