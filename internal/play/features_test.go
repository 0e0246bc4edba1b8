package play

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"emsim/isa"
	"emsim/programs"
)

// The page opens with a running machine, one sentence and two buttons. A user who prefers reduced motion sees the
// machine paused. Keys can be used to continue, too.
func testFirstSight(t *testing.T, b *tab) {
	b.Prefer(t, "prefers-reduced-motion", "reduce")
	b.visit(t, "")
	b.rest(t)
	require.Equal(t, 1400, b.clock(t))
	require.Empty(t, eval[[]string](t, b, `(m => ["W", "S", "M"].filter(state => {
		const near = [...m.frame.state].some((s, pe) => s === state && pe % 5 > 2), pe = m.callouts.shown.get(state);
		return near ? m.frame.state[pe] !== state || pe % 5 < 3 : pe !== undefined;
	}))(emsim.run.machine)`), "states of the two columns beside the callouts that no callout explains")
	b.Prefer(t, "prefers-reduced-motion", "no-preference")
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	b.until(t, `emsim.running && clock() > 1404`)
	require.GreaterOrEqual(t, eval[int](t, b, `[...emsim.run.frame.state].filter(s => "RMSW".includes(s)).length`), 40,
		"half of the PEs do something")
	require.Equal(t, 80, eval[int](t, b, `emsim.run.frame.state.length`))
	for _, tool := range []string{"#editor", "#companion", "#console", "#program", "#lesson", "#message"} {
		require.False(t, eval[bool](t, b, fmt.Sprintf("sees(%q)", tool)), tool)
	}
	require.Equal(t, 2, eval[int](t, b, `txt("#doors p").match(/\.( |$)/g).length`), "what it is, and what is seen")

	// The demo restarts some seconds after its run has ended; here they are shorter.
	_ = eval[bool](t, b, `(globalThis.setTimeout = (wait => (f, ms) => wait(f, ms > 1000 ? ms / 20 : ms))(setTimeout),
		choose("#speed", "at once"), true)`)
	b.until(t, `emsim.run.frame.ended`)
	_ = eval[bool](t, b, `(choose("#speed", "20 clocks/s"), true)`)
	b.until(t, `emsim.running && !emsim.run.frame.ended`)

	b.hit(t, "r") // r pauses it
	clock := b.clock(t)
	b.hit(t, "s")
	b.until(t, fmt.Sprintf("emsim.run.frame.clock === %d", clock+1)) // a key for a tool ends the demo
	b.rest(t)
	require.True(t, eval[bool](t, b, `sees("#message") && sees("#colour") && !sees("#doors")`))

	b.visit(t, "")
	b.until(t, "emsim.running")
	b.link(t, "#run/fib/16/1024?clock=20&pe=98.4")
	require.Equal(t, 98*8+4, eval[int](t, b, "emsim.run.opened"), "the machine of the first sight has no such PE")
}

// files chooses files of the user's computer.
func (b *tab) files(t *testing.T, texts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for name, text := range texts {
		names = append(names, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	_ = eval[bool](t, b, `(emsim.run.setup = null, document.getElementById("message").textContent = "", true)`)
	b.Do(t, chromedp.SetUploadFiles("#file-input", names))
	b.until(t, `(emsim.run.setup || document.getElementById("message").textContent) && !emsim.engine.busy`)
	b.rest(t)
}

// A program in Go is compiled in the page. Errors are marked at their places, and a PE's current line is a line of the
// program.
func testGo(t *testing.T, b *tab) {
	b.visit(t, "")
	text, ok := programs.GoSource("fib.go")
	require.True(t, ok)
	require.True(t, b.got("engine.wasm.gz"))
	require.False(t, b.got("compiler.wasm.gz"), "it is loaded for programs in Go only")
	b.files(t, map[string]string{"mine.go": text})
	require.Contains(t, b.text(t, "problem"), "mine.go takes 1 argument: n (1..47)")
	b.until(t, `document.activeElement.id === "args"`)
	b.press(t, "12", kb.Enter)
	b.until(t, "!emsim.run.stale")
	require.Equal(t, []string{"mine.go", "mine.go.s", "lib/place.s", "lib/policy/ring.s", "lib/go.s"},
		eval[[]string](t, b, "[...emsim.editor.files.keys()]"))
	require.Positive(t,
		eval[int](t, b, `document.getElementById("editor").shadowRoot.querySelectorAll(".cm-line span").length`),
		"highlighting")
	b.Do(t, chromedp.Focus("#machine-A"))
	b.console(t, "until label fib.start")
	require.Regexp(t, `mine\.go:\d+`, b.text(t, "right"))
	require.Equal(t, "mine.go", eval[string](t, b, "emsim.editor.open"))
	require.Equal(t,
		1, eval[int](t, b, `document.getElementById("editor").shadowRoot.querySelectorAll(".cm-here").length`))
	for _, x := range []struct{ before, button, comes string }{
		{"until mine.go:15 [2,1]", "over", "the instance has ended"},
		{
			"goto 0; until mine.go:15 [8,1]; until mine.go:15 [8,1]", "line",
			"comes to mine.go:12 (inlined in line 15)",
		},
		{"until mine.go:15", "out", "receives the packet that was sent, at mine.go:15"},
	} {
		b.console(t, x.before)
		_ = eval[bool](t, b, `(document.getElementById("log").replaceChildren(), true)`)
		_ = eval[bool](t, b, fmt.Sprintf(`(document.querySelector("[data-step=%s]").focus(), true)`, x.button))
		b.press(t, kb.Enter)
		b.rest(t)
		require.Contains(t, b.text(t, "log"), x.comes)
		require.Equal(t, x.button, eval[string](t, b, `document.activeElement.dataset.step`), "it can be pressed again")
	}
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "End")
	require.Contains(t, b.text(t, "message"), "result 144 ")
	require.True(t, eval[bool](t, b, `(emsim.editor.show("mine.go.s"), emsim.editor.view.state.readOnly)`))
	require.Contains(t, eval[string](t, b, "emsim.editor.view.state.doc.toString()"), "compiled by emsim from mine.go")

	_ = eval[bool](t,
		b,
		`(emsim.editor.show("mine.go"), emsim.editor.view.dispatch({changes: {from: emsim.editor.view.state.doc.toString().indexOf("int32"), insert: "x"}}), true)`)
	b.until(t, "emsim.run.stale && !emsim.engine.busy && !document.getElementById('problem').hidden")
	require.Regexp(t, `mine\.go:\d+:\d+: `, b.text(t, "problem"))
	require.Positive(t,
		eval[int](t, b, `document.getElementById("editor").shadowRoot.querySelectorAll(".cm-lintRange-error").length`))

	b.files(t, map[string]string{"x.bin": "a\x00b"})
	require.Contains(t, b.text(t, "message"), "x.bin is no text: open a program in assembly (.s) or Go (.go)")
	b.files(t, map[string]string{"a.s": ".include \"b.s\"\n.start x\n", "b.s": "x: out! r1\n"})
	require.Equal(t, []string{"a.s", "b.s"}, eval[[]string](t, b, "[...emsim.editor.files.keys()]"))
	require.False(t, eval[bool](t, b, "emsim.run.stale"))
}

// A click on the gutter sets a stop, which can have a condition and moves with its text. The line shows how many PEs
// have reached it, and these are outlined. The calls between functions are shown next to it.
func testStops(t *testing.T, b *tab) {
	b.follow(t, in("program", at("fib.go", "10", 0, 0)))
	_ = eval[bool](t, b, `(emsim.editor.to("fib.go", 15), true)`)
	b.drawn(t)
	gutter := eval[[]float64](t,
		b,
		`(r => [r.x + 6, r.y + r.height / 2])([...$("#editor").shadowRoot.querySelectorAll(".cm-stops .cm-gutterElement")].find((_, i, all) =>
		Math.abs(all[i].getBoundingClientRect().y - $("#editor").shadowRoot.querySelectorAll(".cm-line")[14].getBoundingClientRect().y) < 3).getBoundingClientRect())`)
	b.Do(t, chromedp.MouseClickXY(gutter[0], gutter[1]))
	b.until(t, `emsim.stops.list[0]?.line === 15`)
	b.rest(t)
	note := `$("#editor").shadowRoot.querySelector(".cm-note")?.innerText`
	require.Contains(t, eval[string](t, b, note), "stop at line 15")
	_ = eval[bool](t, b, `emsim.stops.change(emsim.stops.list[0], "n == 4").then(() => true)`)
	b.Do(t, chromedp.Click("#again"))
	b.until(t, `emsim.stops.list[0]?.pes.length > 0`)
	b.rest(t)
	require.Regexp(t, `stop at line 15 if n == 4 *\n? *\d PEs? here *\n? *n = 4`, eval[string](t, b, note))
	pes := eval[[]int](t, b, "emsim.stops.list[0].pes")
	require.Equal(t, pes, eval[[]int](t, b, "[...emsim.run.machine.stopped]"))
	require.Contains(t, pes, eval[int](t, b, "emsim.run.opened"))
	require.Contains(t, b.text(t, "calls"), "fib(4)")
	require.Regexp(t, `(?s)fib\(10\).*fib\(4\)`, b.text(t, "calls"), "who called it")

	_ = eval[bool](t, b, `(emsim.editor.view.dispatch({changes: {from: 0, insert: "// one more line\n"}}), true)`)
	b.until(t, `emsim.editor.building === 0 && !emsim.run.stale && emsim.stops.list[0]?.line === 16`)
	b.rest(t)
	b.Do(t, chromedp.Click("#again"))
	b.until(t, `emsim.stops.list[0]?.pes.length > 0`)
	b.rest(t)
	require.Equal(t, pes, eval[[]int](t, b, "emsim.stops.list[0].pes"))
	b.write(t, "oops ")
	b.until(t, `emsim.editor.building === 0 && emsim.run.stale && sees("#problem")`)
	require.Equal(t, 1, eval[int](t, b, "emsim.stops.list.length"), "a wrong text has its stops")
	_ = eval[bool](t, b, `(emsim.editor.view.dispatch({changes: {from: 0, to: 5}}), true)`)
	b.until(t, `emsim.editor.building === 0 && !emsim.run.stale && emsim.stops.list[0]?.line === 16`)
	b.rest(t)
	b.follow(t, at("sum.s", "10", 0, 0))
	require.Empty(t, eval[[]any](t, b, "emsim.stops.list"), "of another program")
}

// Marks can be made, visited and shared. Spills, stops and faults get marks automatically.
func testMarks(t *testing.T, b *tab) {
	v := at("fib.s", "14", 600, 5)
	v.Setup.Sets = map[string]string{"banks": "1"}
	b.follow(t, v)
	kinds := `emsim.marks.all.map(m => m.kind + " " + m.clock).join(", ")`
	require.Equal(t, "spill 410", eval[string](t, b, kinds))
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "x")
	b.until(t, `sees(".flag-own")`)
	b.console(t, "until label got1")
	stop := b.clock(t)
	b.hit(t, "m", "End")
	end := b.clock(t)
	require.Regexp(t, `^spill 410, own 600, stop \d+, spill \d+, fault 3568$`, eval[string](t, b, kinds))
	b.hit(t, ",", ",")
	require.Equal(t, stop, b.clock(t))
	b.hit(t, ",", ",")
	require.Equal(t, 410, b.clock(t))
	b.hit(t, ",", ".")
	require.Equal(t, 600, b.clock(t), "there is none before the first")
	require.Equal(t, 5, eval[int](t, b, `document.querySelectorAll("#marks .flag:not(.flag-end)").length`))
	require.Regexp(t, `^\[\d,\d\] executes got1\n?$`,
		eval[string](t, b, `document.querySelector("#marks .flag-stop span").textContent`))
	b.Do(t, chromedp.Click("#marks .flag-fault"))
	b.until(t, "emsim.run.frame.clock === "+eval[string](t, b, "String(emsim.run.frame.furthest)"))
	require.Equal(t, end, b.clock(t))
	b.rest(t)
	b.Do(t, chromedp.Click("#share"))
	b.until(t, `document.getElementById("shared").open`)
	link := eval[string](t, b, `document.getElementById("shared-link").value`)
	b.visit(t, link[len(b.url):])
	require.Contains(t, eval[string](t, b, kinds), "own 600")
	b.hit(t, ",", ",") // skip the last spill
	require.Equal(t, 600, b.clock(t))
	b.hit(t, "x")
	require.NotContains(t, eval[string](t, b, kinds), "own")

	require.True(t, eval[bool](t, b, `(s => (emsim.marks.draw(), s.isConnected))(document.querySelector("#marks span"))`),
		"a click on a label that is drawn anew in between is a click")
	focused := `(e => e.matches(".flag-spill") && e.ariaLabel)(document.activeElement)`
	b.Do(t, chromedp.Focus("#marks .flag-spill"))
	require.Contains(t, eval[string](t, b, focused), "go to clock 410: ")
	b.Do(t, chromedp.EmulateViewport(1024, 800))
	b.drawn(t)
	require.Contains(t, eval[string](t, b, focused), "go to clock 410: ", "the focus stays when the size changes")
}

// Colours show where the calls of the opened PE went.
func testWhereCallsWent(t *testing.T, b *tab) {
	v := at("fib.s", "10", 0, 4)
	v.Setup.Params = map[string]string{"policy": "line"}
	v.Colour = "policy"
	b.follow(t, v)
	b.hit(t, "End")
	sum := "emsim.run.machine.called.reduce((a, b) => a + b, 0)"
	require.Positive(t, eval[int](t, b, sum))
	first := eval[[]int](t, b, "emsim.run.machine.called")
	b.Do(t, chromedp.Focus("#machine-A"))
	b.press(t, kb.ArrowDown)
	require.NotEqual(t, first, eval[[]int](t, b, "emsim.run.machine.called"))
	b.press(t, kb.Home)
	require.Zero(t, eval[int](t, b, sum))
}

// Lines that exist only for Go are hidden, but line numbers are the file's. A pane never shows a packet of another
// program. A run does not move anything on the page.
func testWhatIsShown(t *testing.T, b *tab) {
	_ = eval[bool](t, b, `(emsim.editor.show("fib.s"), true)`) // other tests may have opened another file
	first := `document.getElementById("editor").shadowRoot.querySelector(".cm-line").textContent`
	require.Regexp(t, "^; fib N: the Nth Fibonacci number", eval[string](t, b, first))
	_ = eval[bool](t, b, `(emsim.editor.view.scrollDOM.scrollTop = 0, true)`) // other tests may have scrolled
	b.until(t,
		`(shown => shown.includes("4") && !shown.includes("3"))([...document.getElementById("editor").shadowRoot.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].map(e => e.textContent))`)
	b.hit(t, "e")
	b.press(t, kb.ArrowUp, kb.ArrowUp)
	require.Equal(t,
		4, eval[int](t, b, "emsim.editor.view.state.doc.lineAt(emsim.editor.view.state.selection.main.head).number"),
		"the cursor stays where it is seen")
	b.hit(t, "Escape")

	b.console(t, "step 25")
	_ = eval[bool](t, b, `emsim.go("watch").then(() => true)`)
	_ = eval[bool](t, b, `(document.querySelector("#right .packets button").click(), true)`)
	b.until(t, `emsim.run.packet`)
	b.rest(t)
	packet := eval[string](t, b, "emsim.run.packet")
	require.Contains(t, b.text(t, "packet"), packet)
	b.hit(t, "Home")
	require.Contains(t, b.text(t, "packet"), "there is no packet "+packet+" yet")
	b.hit(t, "S", "S", "S", "S")
	require.Contains(t, b.text(t, "packet"), packet)
	b.follow(t, at("sum.s", "10", 0, 0))
	require.Contains(t, b.text(t, "packet"), "No packet is followed")

	b.follow(t, at("fib.s", "10", 0, 0))
	b.hit(t, "k")
	require.Contains(t, b.text(t, "knobs-body"), "Where ring sends call 1 [calibrated]. usually out")
	for _, about := range eval[[]string](t, b,
		`[...document.querySelectorAll("#knobs-body .knob")].map(k => k.innerText)`) {
		require.NotRegexp(t, `\n\s*usually`, about, "what it means comes first")
	}
	b.press(t, kb.Escape)

	b.follow(t, blocksAt("fib.go", "10", 0, 0))
	over := `[...document.querySelectorAll("#blocks .box")].flatMap(g => [...g.querySelectorAll(".row text")]
		.filter(x => x.getBoundingClientRect().right > g.querySelector(".frame").getBoundingClientRect().right).map(x => x.textContent))`
	require.Empty(t, eval[[]string](t, b, over), "texts stay in their boxes, whatever fonts there are")

	places := `JSON.stringify(["step", "run", "speed", "view"].map(id => document.getElementById(id).getBoundingClientRect()))`
	before := eval[string](t, b, places)
	b.Do(t, chromedp.Click("#run"))
	b.until(t, `emsim.running && document.getElementById("run").ariaLabel === "pause"`)
	require.Equal(t, before, eval[string](t, b, places))
	b.hit(t, "r")
}

// The editor completes words of the language, files to include and labels, and says what a word under the pointer does.
func testWords(t *testing.T, b *tab) {
	b.follow(t, in("program", at("fib.s", "10", 0, 0)))
	_ = eval[bool](t, b, `emsim.editor.show("fib.s") ?? true`)
	const said = `((v, pos) => { const x = emsim.editor.explain(v, pos); return x && [x.end - x.pos, x.create().dom.textContent].join(); })(
		emsim.editor.view, emsim.editor.view.state.doc.toString().indexOf("add     r3, r1, r2") + %d)`
	want := "3,add " + isa.Table[0].Operands + " " + isa.Table[0].Doc
	for _, at := range []int{0, 1, 3} {
		require.Equal(t, want, eval[string](t, b, fmt.Sprintf(said, at)))
	}
	require.True(t, eval[bool](t, b, fmt.Sprintf(said, 5)+" === null"), "between words")
	require.True(t, eval[bool](t, b, fmt.Sprintf(said, 9)+" === null"), "r3 needs no words")
	offered := func(line, word string) []string {
		return eval[[]string](t, b, fmt.Sprintf(`((line, word) => emsim.editor.complete({
			pos: 0, explicit: false, matchBefore: () => ({text: word, from: 0, to: word.length}), state: {doc: {lineAt: () => ({text: line})}},
		}).options.map(o => [o.label, o.type, o.detail].join()))(%q, %q)`, line, word))
	}
	require.Subset(t, offered("    ad", "ad"), []string{
		"add,keyword," + isa.Table[0].Operands, ".include,type,", "r3,variable,", "got1,function,label",
	})
	require.Subset(t, offered("    send r1, @g", "@g"), []string{"@got1,function,label"})
	files := offered(`.include "li`, "li")
	require.Contains(t, files, "lib/call.s,text,")
	require.NotContains(t, files, "r3,variable,")
}
