package play

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// used maps every control of the page, except menus and keys, to the ways to use it.
var used = map[string][]control{
	"#door-lessons":                          {{shows: `!sees("#doors") && sees("#lesson-text") && !emsim.running`}},
	"#door-try":                              {{shows: `!sees("#doors") && sees("#editor") && sees("#calls") && !emsim.running`}},
	"#skip":                                  {{use: typed(kb.Enter), shows: `document.activeElement.id === "machine-A" && location.hash.length > 20`}},
	"#modes button[to=watch]":                {{first: `emsim.go("learn")`, shows: `mode() === "watch" && sees("#machine-A") && !sees("#lesson-text")`}},
	"#modes button[to=learn]":                {{shows: `mode() === "learn" && sees("#lesson-text") && !sees("#editor")`}},
	"#modes button[to=program]":              {{shows: `mode() === "program" && sees("#editor") && sees("#line") && !sees("#right")`}},
	"#modes button[to=compare]":              {{shows: `mode() === "compare" && sees("#machine-B") && sees("#compared") && clock() === 600`}},
	"#again":                                 {{shows: `txt("#message").startsWith("The run is over")`}},
	"#args":                                  {{use: typed("9\r"), shows: `txt("#log").includes("fib 9 on 12 PEs") && !sees("#knobs-body")`}},
	"#chip":                                  {{shows: `sees("#knobs-body") && txt("#knobs-body").includes("hop_clocks")`}},
	"#share":                                 {{shows: `sees("#shared-link") && $("#shared-link").value.includes("#run/fib/14/12?clock=600&")`}},
	"#theme":                                 {{changes: `getComputedStyle(document.body).backgroundColor`}, {changes: `e.innerText`}},
	"#help-open":                             {{shows: `sees("#help-body") && txt("#help-body").includes("ten clocks back")`}},
	"#files button":                          {{which: `e.ariaSelected === "false"`, changes: `[$("#files [aria-selected=true]").innerText, program()]`}},
	"#file-open":                             {{use: chooser, shows: `txt("#files").startsWith("mine.s")`}},
	"#stage button[tab=machine]":             {{first: `emsim.stage.show("blocks")`, shows: `sees("#machine-A") && !sees("#blocks")`}},
	"#stage button[tab=circuits]":            {{shows: `sees("#machine-A") && emsim.run.machine.woven && !sees("#blocks")`}},
	"#stage button[tab=blocks]":              {{shows: `sees("#blocks") && !sees("#machine-A")`}},
	"#back":                                  {{shows: `clock() === 599`}},
	"#step":                                  {{shows: `clock() === 601`}},
	"#run":                                   {{use: runs, shows: `clock() > 600`}},
	"#goal":                                  {{use: typed("700\r"), shows: `clock() === 700 && !sees("#goal")`}, {use: typed("got1\r"), shows: `txt("#message").includes("executes got1")`}, {use: typed("data\r"), shows: `sees("#packet") && txt("#packet").startsWith(emsim.run.packet)`}, {use: typed("mlpe\r"), shows: `emsim.run.frame.ended && txt("#message") === "This run has no packet mlpe: a program makes some with mlpe=on."`}},
	"#palette button":                        {{first: `choose("#goal", "650")`, shows: `clock() === 650`}},
	"#machine-A":                             {{use: onPE, shows: `txt("#right").startsWith("PE [1,0]")`}, {use: onPacket, shows: `sees("#packet") && txt("#packet").startsWith("[")`}, {use: wheel, changes: `picture()`}, {first: `emsim.run.machine.scale(3)`, use: drag(-50, -30), changes: `picture()`}},
	"#marks button.flag":                     {{shows: `clock() === 410`}, {which: `e.matches(".flag-end")`, shows: `sees("#result") && txt("#result").includes("to the last word to the host")`}},
	"#strip":                                 {{first: `(emsim.strip.show(true), emsim.motion.once("goto 0"))`, shows: `clock() > 250`}},
	"#strip-open":                            {{first: `emsim.strip.show(false)`, shows: `sees("#strip")`}},
	"#series-A":                              {{first: `emsim.motion.once("goto +0")`, shows: `clock() > 250`}, {use: typed(kb.ArrowLeft), shows: `clock() === 599`}, {use: wheel, changes: `$("#series-A").toDataURL()`}},
	"#right":                                 {focused},
	"#right button.link":                     {{shows: `document.activeElement.id === "editor" && program().length > 0`}},
	"#right button.link[next]":               {{changes: `txt("#right h2")`}},
	"#right button.link: follow this packet": {{shows: `sees("#packet") && txt("#packet").startsWith(e.innerText)`}},
	"#right summary":                         {{changes: `txt("#right")`}},
	"#companion-close":                       {{shows: `!sees("#companion") && emsim.run.opened === null`}},
	"#closer":                                {{shows: `sees("#right h2") && !sees("#calls")`}},
	"#log":                                   {focused},
	"#line":                                  {{use: typed("where\r"), shows: `txt("#log").includes("> where")`}},
	"#ask button[step=line]":                 {{changes: `txt("#log")`}},
	"#ask button[step=over]":                 {{changes: `txt("#log")`}},
	"#ask button[step=out]":                  {{changes: `txt("#log")`}},
	"#editor":                                {{use: writes, shows: `program().includes("¿") && sees("#problem")`}},
	"#calls":                                 {focused},
	"#calls button.link":                     {{which: `!e.innerText.includes(txt("#here b"))`, changes: `txt("#here b")`}},
	"#packet":                                {focused},
	"#packet button.link.clock":              {{changes: `txt("#clock")`}},
	"#result":                                {focused},
	"#blocks-picture g.box":                  {{which: `e.getAttribute("tabindex") === "-1"`, use: func(t *testing.T, b *tab) { b.clickAt(t, "10", "e.getBoundingClientRect().height - 4") }, changes: `[document.activeElement.getAttribute("aria-label"), [...document.querySelectorAll("#blocks .row.line")].map(r => r.dataset.line)]`}},
	"#blocks-picture g.pes":                  {{which: `e.textContent && !txt("#right h2").includes(e.textContent)`, changes: `txt("#right h2")`}},
	"#knobs-reset":                           {{first: `choose("#knob-set-hop_clocks", "2")`, shows: `$("#knob-set-hop_clocks").value === "3"`}},
	"#knobs-apply":                           {{first: `choose("#knob-set-hop_clocks", "2")`, shows: `!sees("#knobs-body") && txt("#chip").includes("hop_clocks=2")`}},
	"#knobs button=close":                    {{shows: `!sees("#knobs-body")`}, {first: `choose("#program", "sum")`, shows: `!sees("#knobs-body") && emsim.run.setup.main === "fib.s" && !emsim.run.stale`}},
	"#shared-link":                           {{first: `e.setSelectionRange(0, 0)`, use: typed(""), shows: `e.selectionEnd === e.value.length`}},
	"#shared button":                         {{shows: `!sees("#shared-link")`}},
	"#licences summary":                      {{shows: `sees("#licences pre") && txt("#licences pre").includes("Permission is hereby granted")`}},
	"#help button":                           {{shows: `!sees("#help-body")`}},
	"#lesson-text":                           {focused},
	"#lesson-text a.link[clock][pe]":         {{shows: `clock() === Number(e.dataset.clock) && txt("#right h2").includes("[")`}},
	"#lesson-text a.link[clock][packet]":     {{shows: `clock() === Number(e.dataset.clock) && txt("#packet").startsWith(e.dataset.packet)`}},
	"#sentence-after":                        {{shows: `/^1 of/.test(txt("#nth"))`}},
	"#sentence-before":                       {{changes: `txt("#nth")`}},
	"#lesson-text a.link[run]":               {{shows: `txt("#result").includes("to the last word to the host")`}},
	"#lesson-text a.link[run][vs]":           {{shows: `txt("#compared").includes("times as fast")`}},
	"#side-A":                                {{first: `emsim.versus.choose(emsim.pair[1])`, shows: `e.ariaPressed === "true" && emsim.run.name === "A"`}},
	"#side-B":                                {{shows: `e.ariaPressed === "true" && emsim.run.name === "B"`}},
	"#versus-close":                          {{shows: `!sees("#machine-B") && mode() === "watch"`}},
	"#machine-B":                             {{use: onOtherPE, shows: `emsim.run.name === "B" && txt("#right").startsWith("PE [1,0]")`}},
	"#series-B":                              {{first: `emsim.motion.once("goto +0")`, shows: `clock() > 250`}},
	"#compared":                              {focused},
	"#ends":                                  {focused},
	"#ends-tab":                              {{first: `emsim.stage.show("machine")`, shows: `sees("#ends") && !sees("#machine-A")`}},
	"#compared button.link":                  {{shows: `emsim.versus.now === emsim.versus.parting.clock && sees(".flag-part")`}},
	"#lesson-text button[lesson]":            {{changes: `txt("#lesson-text h2")`}},
	"#lesson-text button[begin]":             {{shows: `!emsim.run.stale && emsim.run.setup.args[0] === "7"`}},
	"#lesson-text button[check]":             {{shows: `sees("#lesson-text .verdict") && txt("#lesson-text .verdict").startsWith("Not yet.")`}},
	"#lesson-text input[key]":                {{use: typed("25"), shows: `e.value === "25"`}},
	"#lesson-text button[close]":             {{shows: `!sees("#lesson-text") && sees("#editor")`}},
	"#editor button":                         {{which: `e.title === "change the condition"`, use: conditions, shows: `emsim.stops.list[0]?.condition === "r1 == 3"`}, {which: `e.ariaLabel === "no stop here"`, shows: `emsim.stops.list.length === 0`}},
	"#task button[begin]":                    {{first: `emsim.editor.view.dispatch({changes: {from: 0, insert: "; mine\n"}})`, shows: `!program().includes("; mine")`}},
	"#task button[check]":                    {{shows: `sees("#task .verdict") && txt("#task .verdict").startsWith("Not yet.")`}},
	"#kept-which":                            {{first: twoKept, use: restoreOlder, shows: `String(emsim.editor.view.state.doc).startsWith("; older")`}},
	"#kept-restore":                          {{shows: `txt("#kept-words").endsWith("is back.") && e.innerText === "Undo"`}},
	"#kept-close":                            {{shows: `!sees("#kept")`}},
	"#fault-close":                           {{shows: `!sees("#fault")`}},
}

// menus maps menus to the visible effect of option v.
var menus = map[string]control{
	"#program": {shows: `txt("#files [aria-selected=true]") === emsim.catalogue.programs.find(p => p.name === v).main && txt("#message").startsWith("Assembled: " + txt("#files [aria-selected=true]") + " on 12 PEs")`},
	"#pes":     {use: applies, shows: `txt("#message") === "Assembled: fib.s on " + v + " PEs."`},
	"#lesson":  {shows: `sees("#lesson-text") && txt("#lesson-text h2").startsWith([...e.options].find(o => o.value === v).label)`},
	"#speed":   {first: `emsim.motion.once("goto 600")`, use: atSpeed, shows: `clock() > 600`},
	"#colour":  {first: drawn, changes: `picture()`}, // the legend may have a new height
}

// applies presses Apply in the dialog of what runs.
func applies(t *testing.T, b *tab) {
	_ = eval[bool](t, b, `($("#knobs").open || $("#chip").click(), $("#knobs-apply").click(), true)`)
}

// twoKept is an expression that keeps two versions of fib.s, of which the page offers the last one.
const twoKept = `(localStorage.setItem("emsim fib.s", JSON.stringify(["mine", "older"].map((x, i) => ({at: Date.now() - 1000 * i, setup: {...emsim.run.setup, files: {"fib.s": ` + "`; ${x}\\n`" + ` + emsim.editor.view.state.doc}}})))), emsim.assemble({...emsim.run.setup}))`

// restoreOlder restores the version before the last one.
func restoreOlder(t *testing.T, b *tab) {
	_ = eval[bool](t, b, `(choose("#kept-which", "1"), $("#kept-restore").click(), true)`)
}

// chooser opens the dialog that chooses a file of the user's computer.
func chooser(t *testing.T, b *tab) {
	_ = eval[bool](t, b, `($("#file-input").addEventListener("click", x => { x.preventDefault(); globalThis.asked = true; }), true)`)
	click(t, b)
	b.until(t, "globalThis.asked")
	file := filepath.Join(t.TempDir(), "mine.s")
	require.NoError(t, os.WriteFile(file, []byte(".start x\nx: out! r1\n"), 0o600))
	b.Do(t, chromedp.SetUploadFiles("#file-input", []string{file}))
}

// writes types in front of the program, of which only a part is visible. A letter in a comment would be no error.
func writes(t *testing.T, b *tab) {
	b.clickAt(t, "120", `$("#editor").getBoundingClientRect().y - e.getBoundingClientRect().y + 60`)
	b.Do(t, chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(kb.ModifierCtrl)))
	b.Do(t, chromedp.KeyEvent("¿")) // the editor may change the order of several keys at once
}

// conditions adds a condition to a stop.
func conditions(t *testing.T, b *tab) {
	click(t, b)
	b.Do(t, chromedp.KeyEvent("r1 == 3\r"))
}

// runs starts and pauses the run.
func runs(t *testing.T, b *tab) {
	click(t, b)
	b.until(t, `e.ariaLabel === "pause" && clock() > 600`)
	click(t, b)
	b.until(t, `e.ariaLabel === "run" && !$("#step").disabled`)
}

// atSpeed runs for a while at the chosen speed, and checks that the run does not exceed it. At unlimited speed, it
// checks that the run reaches its end.
func atSpeed(t *testing.T, b *tab) {
	_ = eval[bool](t, b, `(async () => {
		const speed = Number(v.replace(/[, ]|clocks.*/g, "")) || Infinity, begin = performance.now();
		$("#run").click();
		while (emsim.running && (speed === Infinity || clock() === 600 || performance.now() - begin < 300)) await new Promise(done => setTimeout(done, 20));
		$("#run").disabled || emsim.running && $("#run").click();
		while (emsim.running) await new Promise(done => setTimeout(done, 5));
		const went = clock() - 600, most = 1 + speed / 20 + speed * (performance.now() - begin) / 1000;
		if (went > most) throw new Error(v + ": " + went + " clocks, at most " + most);
		if (speed === Infinity && !txt("#message").startsWith("The run is over")) throw new Error("it is not over");
		return true;
	})()`)
}

func onPE(t *testing.T, b *tab) {
	b.clickAt(t, "emsim.run.machine.corner(3)[0] + 8", "emsim.run.machine.corner(3)[1] + 4")
}

func onOtherPE(t *testing.T, b *tab) {
	b.steady(t, "[...emsim.pair[1].machine.corner(3), e.getBoundingClientRect()]")
	b.clickAt(t, "emsim.pair[1].machine.corner(3)[0] + 8", "emsim.pair[1].machine.corner(3)[1] + 4")
}

func onPacket(t *testing.T, b *tab) {
	b.clickAt(t, "emsim.run.machine.spots[0][0]", "emsim.run.machine.spots[0][1]")
}

func wheel(t *testing.T, b *tab) {
	at := b.point(t, "e.clientWidth / 4", "e.clientHeight / 4")
	b.Do(t, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, at[0], at[1], func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 1, -120 }))
}

// place is a state of the page whose controls are tested.
type place struct {
	name string
	view *engine.View // nil: the initial page
	then string       // an expression
}

func places() []place {
	v := at("fib.s", "14", 600, 5)
	v.Colour = "state"
	return []place{
		{"machine", v, ""},
		{"program", in("program", v), ""},
		{"program in Go", in("program", at("fib.go", "10", 200, 0)), ""},
		{"stop", in("program", v), `emsim.stops.toggle(106)`},
		{"packet", v, `emsim.run.machine.tell.packet(emsim.run.frame.packets[0])`},
		{"result", v, `emsim.inspect.show("result")`},
		{"two runs", versusAt("14", 600), ""},
		{"two ends", versusAt("14", 0), `emsim.motion.once("continue")`},
		{"blocks", blocksAt("fib.go", "12", 420, 0), ""},
		{"no blocks", blocksAt("fib.s", "12", 400, 0), ""},
		{"lesson with clocks", v, `choose("#lesson", "matching")`},
		{"lesson with runs", v, `choose("#lesson", "own")`},
		{"lesson with two runs", v, `choose("#lesson", "mlpe")`},
		{"task", v, `emsim.lessons.show("flow").then(() => $("[data-begin]").click())`},
		{"parameters", v, `$("#chip").click()`},
		{"strip", v, `(emsim.strip.show(true), true)`},
		{"palette", v, `$("#machine-A").dispatchEvent(new KeyboardEvent("keydown", {key: "g", bubbles: true}))`},
		{"link", v, `$("#share").click()`},
		{"fault", v, `setTimeout(() => { throw new Error("made by a test"); })`},
		{"help", v, `$("#help-open").click()`},
		{"kept text", v, twoKept},
		{"first sight", nil, ""},
	}
}

// in returns a view in a mode of the page.
func in(mode string, v *engine.View) *engine.View {
	w := *v
	w.Mode = mode
	return &w
}

// show opens a place again, and returns the names of its controls.
func (p place) show(t *testing.T, b *tab) []string {
	t.Helper()
	if p.view == nil {
		b.visit(t, "")
		_ = eval[bool](t, b, short)
		return eval[[]string](t, b, found)
	}
	_ = eval[bool](t, b, `($("dialog[open]")?.close(), $("#fault").hidden = true, emsim.strip.show(false),
		choose("#speed", "20 clocks/s"), true)`)
	b.follow(t, p.view)
	_ = eval[bool](t, b, `($("#kept").hidden = true)`) // text kept from an earlier place
	b.until(t, `!$("#step").disabled && $("#step").getClientRects().length > 0`)
	b.Do(t, chromedp.Focus("#step"))
	if p.then != "" {
		_ = eval[bool](t, b, fmt.Sprintf("(async () => { await (%s); return true; })()", p.then))
		b.rest(t)
		_ = eval[bool](t, b, "new Promise(done => setTimeout(() => done(true), 50))")
		b.rest(t)
	}
	// Marks change until then.
	b.until(t, "emsim.run.stale || emsim.versus.length > 0 || emsim.run.timeline.whole?.ended")
	return eval[[]string](t, b, found)
}

// take sets e to one of the controls that were found.
func (b *tab) take(t *testing.T, name string, c control) {
	t.Helper()
	which := c.which
	if which == "" {
		which = "true"
	}
	require.True(t, eval[bool](t, b, fmt.Sprintf(`Boolean(globalThis.e = emsim.found.find((e, i) => emsim.names[i] === %q && (%s)))`, name, which)), name)
}

// Every control of the page has its visible effect, in every state of the page. A new control needs an entry in the
// tables above.
func testEveryControl(t *testing.T, b *tab) {
	b.visit(t, "")
	_ = eval[bool](t, b, short)
	b.Expect("made by a test")
	done := map[string]bool{}
	for _, p := range places() {
		for _, name := range p.show(t, b) {
			if done[name] {
				continue
			}
			done[name] = true
			menu, isMenu := menus[name]
			switch {
			case name == "#knobs-body field":
				b.fields(t)
			case isMenu:
				p.show(t, b)
				b.take(t, name, menu)
				b.options(t, name, menu)
			default:
				require.NotEmpty(t, used[name], "%s: of the control %s this test does not know what is seen", p.name, name)
				for _, c := range used[name] {
					p.show(t, b)
					b.take(t, name, c)
					b.operate(t, name, c)
				}
			}
		}
	}
	for _, name := range append(slices.Collect(maps.Keys(used)), slices.Collect(maps.Keys(menus))...) {
		require.True(t, done[name], "there is no control %s", name)
	}
}

// options chooses every option of a menu, the current one last.
func (b *tab) options(t *testing.T, name string, c control) {
	use := c.use
	values := eval[[]string](t, b, `(i => [...e.options].map((_, k) => e.options[(i + 1 + k) % e.options.length].value))(e.selectedIndex)`)
	require.Greater(t, len(values), 2)
	for _, v := range values {
		_ = eval[bool](t, b, fmt.Sprintf("(globalThis.v = %q, true)", v))
		c.use = func(t *testing.T, b *tab) {
			_ = eval[bool](t, b, `(choose("#" + e.id, v), true)`)
			if use != nil {
				use(t, b)
			}
		}
		b.operate(t, name+" "+v, c)
	}
}

// fields changes all parameters and knobs. They count as changed, the program is assembled with them or an error is
// shown, and the dialog shows the new values when it is opened again.
func (b *tab) fields(t *testing.T) {
	n := eval[int](t, b, `($("#knobs").open || $("#chip").click(), globalThis.fields = [...$("#knobs-body").querySelectorAll("[data-key]")].map(e => {
		const usual = e.dataset.usual;
		e.value = e.options ? [...e.options].map(o => o.value).find(o => o !== usual) : Number.isFinite(Number(usual)) ? String(Number(usual) + 1) : usual + "x";
		return {id: e.id, kind: e.dataset.kind, key: e.dataset.key, value: e.value};
	}), fields.length)`)
	require.Greater(t, n, 20)
	b.operate(t, "the fields", control{
		first: `($("#message").textContent = "")`,
		use:   func(t *testing.T, b *tab) { _ = eval[bool](t, b, `($("#knobs-apply").click(), true)`) },
		shows: `!sees("#knobs-body") && txt("#message") + txt("#problem")`,
	})
	require.Empty(t, eval[[]string](t, b, `fields.filter(f => f.value !== {param: emsim.run.setup.params?.[f.key], set: emsim.run.setup.sets[f.key], seed: String(emsim.run.setup.seed)}[f.kind]).map(f => f.id)`))
	_ = eval[bool](t, b, `($("#chip").click(), true)`)
	require.Empty(t, eval[[]string](t, b, `fields.filter(f => $("#" + f.id).value !== f.value || !$("#" + f.id).closest(".knob.other")).map(f => f.id)`))
}
