package play

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// pressed maps the keys, by place and purpose, to their visible effects.
var pressed = map[string]control{
	"page step":  {shows: `clock() === 601`},
	"page back":  {shows: `clock() === 599`},
	"page steps": {shows: `clock() === 610`},
	"page backs": {shows: `clock() === 590`},
	"page run": {use: func(t *testing.T, b *tab) {
		b.strike(t, "r")
		b.until(t, `$("#run").ariaLabel === "pause"`)
		b.strike(t, "r")
	}, shows: `clock() > 600 && $("#run").ariaLabel === "run"`},
	"page first":      {shows: `clock() === 0`},
	"page last":       {shows: `txt("#message").startsWith("The run is over")`},
	"page goal":       {shows: `document.activeElement.id === "goal"`},
	"page mark":       {shows: `sees(".flag-own")`},
	"page markBefore": {shows: `clock() === 410`},
	"page markAfter":  {first: `emsim.motion.once("goto 400")`, shows: `clock() === 410`},
	"page go": {
		first: `v === "1" && emsim.go("learn")`,
		shows: `mode() === ["watch", "learn", "program", "compare"][v - 1]`,
	},
	"page machine": {first: `$("#step").focus()`, shows: `document.activeElement.id === "machine-A"`},
	"page blocks":  {shows: `sees("#blocks")`},
	"page program": {shows: `document.activeElement.id === "editor" && mode() === "program"`},
	"page opened":  {shows: `document.activeElement.id === "right"`},
	"page console": {shows: `sees("#console") && document.activeElement.id === "line"`},
	"page form":    {shows: `sees("#knobs-body")`},
	"page lessons": {shows: `document.activeElement.id === "lesson"`},
	"page versus":  {shows: `sees("#machine-B")`},
	"page alone":   {first: `emsim.go("compare")`, shows: `!sees("#machine-B")`},
	"page strip":   {first: `emsim.strip.show(false)`, shows: `sees("#strip")`},
	"page lecture": {
		first: `document.documentElement.classList.remove("lecture")`,
		shows: `sees("#machine-A") && sees("#series-A") && !sees("#companion") && !sees("header")`,
	},
	"page theme": {changes: `getComputedStyle(document.body).backgroundColor`},
	"page help":  {shows: `sees("#help-body")`},

	"typing again": {shows: `txt("#message").startsWith("The run is over")`},
	"typing leave": {shows: `document.activeElement.id === "machine-A"`},

	"machine go":   {changes: `txt("#right h2")`},
	"machine open": {first: `(emsim.run.machine.pe = 0)`, shows: `txt("#right h2").startsWith("PE [0,0]")`},
	"machine zoom": {first: `v === "+" || emsim.run.machine.scale(2)`, changes: `picture()`},

	"blocks go": {first: `emsim.stage.blocks.nodes.findIndex((n, i) => {
		const b = emsim.stage.blocks, [x, y] = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]}[v];
		b.choose(i, true);
		b.go(n, x, y);
		const moved = b.at !== i;
		b.choose(i, true);
		return moved;
	})`, changes: `[...document.querySelectorAll("#blocks .box")].indexOf(document.activeElement)`},
	"blocks line": {shows: `document.activeElement.id === "editor"`},
	"blocks other": {
		first:   `emsim.stage.blocks.choose(emsim.stage.blocks.nodes.findIndex(n => emsim.stage.blocks.running.get(n)?.some(pe => pe !== emsim.run.opened)), true)`,
		changes: `txt("#right h2")`,
	},
	"blocks zoom": {
		first:   `v === "0" && (emsim.stage.blocks.zoom = 2, emsim.stage.blocks.scale())`,
		changes: `$("#blocks-picture").clientWidth`,
	},

	"console past": {first: `(async () => {
		for (const line of ["where", "units"]) { $("#line").value = line; $("#ask").requestSubmit(); while (emsim.motion.moving) await new Promise(done => setTimeout(done, 5)); }
		if (v === "ArrowDown") $("#line").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowUp"}));
	})()`, changes: `$("#line").value`},
	"console complete": {first: `($("#line").value = "unt")`, shows: `$("#line").value === "until "`},

	"arguments assemble": {first: `($("#args").value = "9")`, shows: `txt("#log").includes("fib 9 on 12 PEs")`},
	"tabs beside":        {changes: `$("#stage [aria-selected=true]").innerText`},
	"lesson sentence":    {changes: `$("#lesson-text [aria-current]")?.innerText`},

	"editor stop": {
		first: `(emsim.editor.to("fib.s", 106), emsim.editor.view.focus())`,
		shows: `emsim.stops.list[0]?.line === 106`,
	},

	"timeline step": {shows: `clock() === (v === "ArrowLeft" ? 599 : 601)`},
	"timeline ten":  {shows: `clock() === (v === "Shift+ArrowLeft" ? 590 : 610)`},
	"timeline zoom": {first: `v === "+" || emsim.run.timeline.zoom(3)`, changes: `$("#series-A").toDataURL()`},
}

// strike presses a key of the table where the focus is.
func (b *tab) strike(t *testing.T, key string) {
	_ = eval[bool](t,
		b,
		fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: %q.replace(/Ctrl\+|Shift\+/, ""), ctrlKey: %[1]q.startsWith("Ctrl+"), shiftKey: %[1]q.startsWith("Shift+"), bubbles: true, cancelable: true}))`, key))
}

// Every key of the page's table has its visible effect, and is in the list of keys.
func testEveryKey(t *testing.T, b *tab) {
	type list = []struct {
		Does string
		Keys []string
	}
	focus := map[string]string{
		"page": "#machine-A", "typing": "#line", "machine": "#machine-A", "blocks": "#blocks .box[tabindex='0']",
		"console": "#line", "arguments": "#args",
		"tabs": "#stage [aria-selected=true]", "timeline": "#series-A", "editor": "#editor", "lesson": "#lesson-text",
	}
	n := 0
	for where, keys := range eval[map[string]struct{ List list }](t, b, "emsim.keys") {
		require.Contains(t, focus, where)
		p := places()[0]
		switch where {
		case "blocks":
			p = place{view: blocksAt("fib.go", "12", 400, 0)}
		case "typing", "console", "editor":
			p.view = in("program", p.view)
		case "arguments":
			p.then = `$("#chip").click()`
		case "lesson":
			p.then = `choose("#lesson", "matching")`
		}
		for _, k := range keys.List {
			c, ok := pressed[where+" "+k.Does]
			require.True(t, ok, "%s: of the keys that do %s this test does not know what is seen", where, k.Does)
			for _, key := range k.Keys {
				n++
				p.show(t, b)
				_ = eval[bool](t, b, fmt.Sprintf("(globalThis.v = %q, $(%q).focus(), true)", key, focus[where]))
				way := c
				if c.use == nil {
					way.use = func(t *testing.T, b *tab) { b.strike(t, key) }
				}
				b.operate(t, where+" "+key, way)
			}
		}
	}
	require.Equal(t, n, eval[int](t, b, `document.querySelectorAll("#help-body kbd").length`),
		"the list of keys has them all")
	require.Equal(t, len(pressed), eval[int](t, b, `Object.values(emsim.keys).flatMap(x => x.list).length`),
		"there are no others")
}

// The lessons can be done as they say, with the programs, arguments and machines in the menus, one after the other. The
// link of every statement leads to the place that the text names.
func testLessonsCanBeDone(t *testing.T, b *tab) {
	choose := func(menu, value string) {
		_ = eval[bool](t, b, fmt.Sprintf("(globalThis.e = $(%q), globalThis.v = %q, true)", menu, value))
		b.operate(t, menu+" "+value, control{use: func(t *testing.T,
			b *tab,
		) {
			_ = eval[bool](t, b, `(choose("#" + e.id, v), true)`)
		}, shows: menus[menu].shows})
	}
	for _, l := range allLessons(t) {
		choose("#lesson", l.File)
		for i := range eval[int](t, b, `document.querySelectorAll("#lesson-text a.link").length`) {
			_ = eval[bool](t,
				b, fmt.Sprintf(`(globalThis.e = document.querySelectorAll("#lesson-text a.link")[%d], e.click(), true)`,
					i))
			b.rest(t)
			b.until(t,
				`e.dataset.packet ? txt("#packet").startsWith(e.dataset.packet) && clock() === Number(e.dataset.clock)
				: e.dataset.clock ? clock() === Number(e.dataset.clock) && txt("#right h2").includes(e.dataset.pe) : sees(e.dataset.vs ? "#compared" : "#result") && emsim.run.frame.ended`)
			b.rest(t)
		}
	}
	// Lesson 7: a function that calls itself on other PEs. The calls are shown next to the program.
	choose("#program", "mycall")
	_ = eval[bool](t, b, `emsim.go("program").then(() => true)`)
	b.hit(t, "S", "S", "S", "S", "S", "S", "S", "S")
	b.until(t, `new Set(txt("#calls").match(/\[\d,\d\]/g)).size > 2`)
	// Lesson 6: with one bank, some other programs get stuck, too.
	choose("#lesson", "deadlock")
	for program, end := range map[string]string{"queens": "deadlock at clock ", "sort": "The run is over: result "} {
		choose("#program", program)
		require.Contains(t, b.text(t, "chip"), "banks=1", "the machine still has one bank")
		if program == "queens" {
			_ = eval[bool](t, b, `Boolean(globalThis.e = $("#args"))`)
			b.operate(t, program, control{use: func(t *testing.T, b *tab) {
				_ = eval[bool](t, b, `(emsim.form.open(), e.value = "7", emsim.form.apply(), true)`)
			}, shows: `txt("#log").includes("queens 7 on 12")`})
		}
		b.Do(t, chromedp.Focus("#machine-A"))
		b.hit(t, "End")
		require.Contains(t, b.text(t, "message"), end, program)
	}
}
