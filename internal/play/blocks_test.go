package play

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// blocksAt returns a view of a program's blocks.
func blocksAt(main, arg string, clock uint64, pe int) *engine.View {
	v := at(main, arg, clock, pe)
	v.Stage = "blocks"
	return v
}

// box returns a JavaScript expression for the box of a block in a picture of blocks, found by the label at which the
// block begins.
func box(label string) string {
	return fmt.Sprintf("emsim.stage.blocks.nodes.find(n => n.box.begins.includes(%q))", label)
}

// The blocks of a program in Go are shown in place of the machine. They follow the opened PE and the editor's cursor,
// which in turn follows the chosen block.
func testBlocks(t *testing.T, b *tab) {
	b.follow(t, blocksAt("fib.go", "12", 0, 0))
	shown := func(id string) bool {
		return eval[bool](t, b, fmt.Sprintf("document.getElementById(%q).checkVisibility()", id))
	}
	require.True(t, shown("blocks-picture"))
	require.False(t, shown("machine-A"))
	require.Equal(t, "fib.go in strongly connected blocks",
		eval[string](t, b, `document.getElementById("blocks-picture").getAttribute("aria-label")`))
	require.Contains(t, b.text(t, "blocks-kinds"), "a request for an instance; its segment comes back")

	// The opened PE's block is the one that the debugger names.
	b.Do(t, chromedp.Focus("#blocks .box"))
	for _, label := range []string{"fib.start", "fib.got6", "fib.join8"} {
		b.console(t, "until block "+label)
		now := fmt.Sprintf("%s.g.matches('.now[aria-current]')", box(label))
		b.until(t, now)
		require.Equal(t, 1, eval[int](t, b,
			`document.querySelectorAll("#blocks .now, #blocks .next, #blocks .last").length`))
		require.Regexp(t, `Begun [1-9]\d* times; .*\[\d,\d\].* execute it$`,
			eval[string](t, b, box(label)+".g.getAttribute('aria-label')"))
	}
	_ = eval[bool](t, b, `emsim.go("program").then(() => true)`)
	b.console(t, "break fib.go:15; continue; delete")
	b.until(t, `document.querySelector("#calls .variables")?.textContent.startsWith("n")`)
	b.console(t, "print n")
	require.Contains(t, b.text(t, "log"),
		"n = "+eval[string](t, b, `document.querySelector("#calls .variables dd").textContent`)+"\n")
	b.picture(t, "variables.png")
	runs := eval[string](t, b, `document.querySelector("#blocks .runs").dataset.line`)
	require.Contains(t, b.text(t, "right"), "fib.go:"+runs)

	// At the end, the counts of each block match the counts of the run.
	b.hit(t, "End")
	require.Equal(t, eval[string](t, b, `emsim.run.frame.result.calls + "×"`),
		eval[string](t, b, box("fib.start")+".times.textContent"))
	require.Equal(t, "true", eval[string](t, b, box("fib.start")+".pes.textContent === '' ? 'true' : ''"))
}

// The keyboard chooses blocks. A click on a block, or on one of its lines, shows the line in the editor. The line of
// the editor's cursor is marked in all blocks that run it.
func testChooseBlocks(t *testing.T, b *tab) {
	b.follow(t, at("fib.go", "12", 300, 0))
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "v")
	b.until(t, `document.activeElement.matches("#blocks .box")`)
	cursor := `emsim.editor.view.state.doc.lineAt(emsim.editor.view.state.selection.main.head).number`
	chosen := `emsim.stage.blocks.nodes[emsim.stage.blocks.at]`
	require.Equal(t, "start", eval[string](t, b, chosen+".box.name"))
	b.hit(t, "ArrowDown")
	down := eval[string](t, b, chosen+".box.name")
	require.Contains(t, down, "got")
	require.Equal(t, eval[string](t, b, "String("+cursor+")"),
		eval[string](t, b, chosen+".g.querySelector('[data-line]').dataset.line"))
	require.Positive(t, eval[int](t, b, `document.querySelectorAll("#blocks .box.has-line").length`))
	b.hit(t, "ArrowUp")
	require.Equal(t, "start", eval[string](t, b, chosen+".box.name"))
	b.hit(t, "s") // the page's keys work
	require.Equal(t, 301, b.clock(t))

	last := `[...document.querySelectorAll("#blocks .box")][0].querySelector("g:nth-of-type(4)")`
	want := eval[string](t, b, last+".dataset.line")
	_ = eval[bool](t, b, "("+last+".querySelector('text').dispatchEvent(new MouseEvent('click', "+
		"{bubbles: true})), true)")
	require.Equal(t, want, eval[string](t, b, "String("+cursor+")"))
	require.Equal(t, want, eval[string](t, b, `document.querySelector("#blocks .row.line").dataset.line`))
	b.hit(t, "Enter")
	require.Equal(t, "editor", eval[string](t, b, "document.activeElement.id"))
	b.press(t, kb.ArrowDown)
	require.NotEqual(t, want, eval[string](t, b, "String("+cursor+")"))
	b.press(t, kb.Escape)
	require.True(t, eval[bool](t, b, `document.activeElement.matches("#blocks .box")`))

	wide := `document.getElementById("blocks-picture").clientWidth`
	before := eval[int](t, b, wide)
	b.hit(t, "+")
	require.Greater(t, eval[int](t, b, wide), before)
	b.hit(t, "0")
	b.until(t, fmt.Sprintf("%s === %d", wide, before)) // once its scroll bar has gone

	// A PE that executes a block can be opened from the block.
	b.console(t, "until block fib.join8")
	_ = eval[bool](t, b, "("+box("fib.join8")+".pes.dispatchEvent(new MouseEvent('click', {bubbles: true})), true)")
	b.rest(t)
	require.True(t, eval[bool](t, b, box("fib.join8")+".g.matches('.now')"))
	b.hit(t, "m")
	require.Equal(t, "machine-A", eval[string](t, b, "document.activeElement.id"))
}

// A program in assembly has no picture, and the page says why. A link leads to the blocks, and a narrow window shows
// them too.
func testWhereBlocksAre(t *testing.T, b *tab) {
	b.follow(t, blocksAt("fib.s", "6", 200, 0))
	require.Equal(t, "fib.s is written in assembly: its author has cut it into blocks. Only those of a program "+
		"in Go are drawn.", b.text(t, "blocks"))
	b.follow(t, blocksAt("queens.go", "6", 0, 0))
	b.until(t, `emsim.stage.blocks.nodes.length > 5`)
	b.rest(t)
	b.Do(t, chromedp.Click("#share"))
	b.until(t, `document.getElementById("shared").open`)
	link := eval[string](t, b, `document.getElementById("shared-link").value`)
	b.visit(t, link[len(b.url):])
	require.True(t, eval[bool](t, b, `document.getElementById("blocks-picture").checkVisibility()`))
	b.Do(t, chromedp.EmulateViewport(420, 800))
	require.True(t, eval[bool](t, b, `document.documentElement.scrollWidth <= innerWidth`),
		"the page does not scroll sideways")
	require.GreaterOrEqual(t, eval[int](t, b, `document.getElementById("blocks").clientHeight`), 240)
	b.follow(t, at("fib.go", "12", 300, 0))
	require.GreaterOrEqual(t, eval[int](t, b, `document.getElementById("machine-A").clientHeight`), 240)

	// At the sending end of a channel, the block after the last item begins at a label before the item's label.
	b.follow(t, blocksAt("stream.go", "5", 0, 0))
	b.hit(t, "End")
	last := `emsim.stage.blocks.nodes.find(n => n.box.begins.some(x => /^stream_loop1\.item\d+\.end$/.test(x)))`
	require.Equal(t, "24×", eval[string](t, b, last+".times.textContent"), "two streams a PE")

	// A fast run is shown from time to time.
	b.follow(t, blocksAt("fib.go", "22", 0, 0))
	_ = eval[bool](t,
		b, `(document.getElementById("speed").selectedIndex = 4, document.getElementById("run").click(), true)`)
	b.until(t, "emsim.running && "+box("fib.start")+".times.textContent !== ''")
	b.hit(t, "r")

	// The parameters include how the program is cut into blocks.
	v := blocksAt("fib.go", "12", 0, 0)
	b.follow(t, v)
	require.Equal(t, 12, eval[int](t, b, "emsim.stage.blocks.nodes.length"))
	v.Setup.Params = map[string]string{"blocks": "finest"}
	b.follow(t, v)
	require.Equal(t, 9, eval[int](t, b, "emsim.stage.blocks.nodes.length"))
	b.hit(t, "k")
	require.Equal(t, []string{"largest", "medium", "finest"},
		eval[[]string](t, b, `[...document.getElementById("knob-param-blocks").options].map(o => o.value)`))
}
