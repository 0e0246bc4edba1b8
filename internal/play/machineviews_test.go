package play

import (
	"fmt"
	"testing"

	"emsim/internal/play/engine"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// gaps lists the pixels of the mark around the opened PE that are not in rose: those of its four sides, between the
// corners.
const gaps = `(() => {
	const canvas = document.getElementById("machine-A"), {x, y, w, h} = emsim.run.machine.spot(emsim.run.machine.pe);
	const off = 3.5, list = [], dpr = devicePixelRatio;
	const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {willReadFrequently: true});
	pen.drawImage(canvas, 0, 0);
	const here = getComputedStyle(document.documentElement).getPropertyValue("--here");
	const rose = here.match(/[\da-f]{2}/g).map(c => parseInt(c, 16));
	const look = (a, b) => {
		const rgb = pen.getImageData(Math.floor(a * dpr), Math.floor(b * dpr), 1, 1).data;
		if (rose.some((c, i) => Math.abs(c - rgb[i]) > 40)) list.push(Math.round(a) + "," + Math.round(b));
	};
	for (let a = x; a <= x + w; a++) look(a, y - off), look(a, y + h + off);
	for (let b = y; b <= y + h; b++) look(x - off, b), look(x + w + off, b);
	return list;
})()`

// In the circuits every PE stands where its group, a row, and its reverse circuit, a column, cross. The links of a PE
// lie in its row or column. Lesson 6 begins there. Machines of more than 80 PEs have no such view.
func testCircuits(t *testing.T, b *tab) {
	for _, pes := range []int{12, 32, 80} {
		v := at("fib.s", "12", 300, 5)
		v.Setup.PEs, v.Stage = pes, "circuits"
		b.follow(t, v)
		b.drawn(t)
		require.True(t, eval[bool](t, b, `emsim.run.machine.woven && emsim.run.machine.fine && sees("#machine-A")`))
		require.Empty(t, eval[[]string](t, b, blank), "%d PEs", pes)
		wrong := eval[[]string](t, b, `(m => [...m.net.next.entries()].flatMap(([i, to]) => {
			const {members} = m.net, [x, y] = m.corner(i), [[, sideY], [downX]] = to.map(j => m.corner(j)), wrong = [];
			if (m.circuit.filter((c, j) => c === m.circuit[i] && Math.floor(j / members) === Math.floor(i / members)).length !== 1) wrong.push(i + " is not alone");
			if (m.circuit.filter(c => c === m.circuit[i]).length !== members) wrong.push("the circuit of " + i);
			if (sideY !== y || downX !== x) wrong.push("a link of " + i + " leads out of its row or column");
			return wrong;
		}))(emsim.run.machine)`)
		require.Empty(t, wrong)
	}
	b.Do(t, chromedp.EmulateViewport(390, 844))
	b.hit(t, "p")
	b.drawn(t)
	require.Greater(t, eval[float64](t, b, nearest), 3.0, "numbers of circuits touch each other")
	b.hit(t, "p")
	b.Do(t, chromedp.EmulateViewport(1280, 800))
	v := at("fib.s", "12", 300, 5)
	v.Setup.PEs, v.Stage = 192, "circuits"
	b.follow(t, v)
	require.False(t, eval[bool](t, b, `emsim.run.machine.woven || sees("[data-tab=circuits]")`))
	_ = eval[bool](t, b, `emsim.lessons.find(6, 2).then(() => true)`)
	b.rest(t)
	require.True(t, eval[bool](t, b, `emsim.run.machine.woven`))
	_ = eval[bool](t, b, `emsim.lessons.find(3, 1).then(() => true)`)
	b.rest(t)
	require.False(t, eval[bool](t, b, `emsim.run.machine.woven`))
}

// nearest is the least distance of two numbers of circuits, in pixels.
const nearest = `(() => {
	const pen = CanvasRenderingContext2D.prototype, {fillText} = pen, list = [];
	const high = emsim.run.machine.g.top - 15;
	pen.fillText = function (words, x, y) { if (y === high) list.push([x, this.measureText(words).width / 2]); };
	emsim.run.machine.draw();
	pen.fillText = fillText;
	return Math.min(...list.slice(1).map(([x, half], i) => x - half - list[i][0] - list[i][1]));
})()`

// A machine of 1,024 PEs is a map with a lens of eight groups. A pointer that rests on the map moves the lens, and so
// do a drag and the arrows. A click in the lens opens the PE there, which the map marks.
func testLens(t *testing.T, b *tab) {
	v := &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"16"}, PEs: 1024}, Clock: 700}
	_ = eval[bool](t, b, `(emsim.run.opened = null, emsim.go("watch").then(() => true))`)
	b.follow(t, v)
	b.drawn(t)
	require.Empty(t, eval[[]string](t, b, blank))
	pointer := func(kind string, x, y string, buttons int) {
		t.Helper()
		_ = eval[bool](t,
			b,
			fmt.Sprintf(`(r => $("#machine-A").dispatchEvent(new PointerEvent(%q, {bubbles: true, clientX: r.x + %s, clientY: r.y + %s,
				buttons: %d})))($("#machine-A").getBoundingClientRect())`,
				kind, x, y, buttons))
	}
	on := func(pe int) (x, y string) {
		const corner = "emsim.run.machine.corner(%d)[%d] + 3"
		return fmt.Sprintf(corner, pe, 0), fmt.Sprintf(corner, pe, 1)
	}
	group := `Math.floor(emsim.run.machine.near / 8)`
	x, y := on(50 * 8)
	pointer("pointermove", x, y, 0)
	b.until(t, group+" === 50")
	x, y = on(100 * 8)
	pointer("pointerdown", x, y, 1)
	pointer("pointermove", x, y, 1)
	pointer("pointerup", x, y, 0)
	require.Equal(t, 100, eval[int](t, b, group))
	_ = eval[bool](t, b, `(e => { globalThis.e = $("#machine-A"); return true; })()`)
	b.clickAt(t, "emsim.run.machine.lens.x + 38 + 4.5 * (emsim.run.machine.lens.w - 44) / 8 - 6",
		"emsim.run.machine.lens.y + 30 + 1.5 * emsim.run.machine.lens.tall - 3")
	b.until(t, `sees("#right")`)
	b.rest(t)
	require.Contains(t, b.text(t, "right"), "PE [98,4]", "the second row of groups 97 to 104")
	require.Empty(t, eval[[]string](t, b, gaps), "the mark of the opened PE on the map")
	b.Do(t, chromedp.Focus("#machine-A"))
	b.press(t, kb.ArrowDown, kb.ArrowDown)
	require.Equal(t, 100, eval[int](t, b, group))
	require.Contains(t, b.text(t, "right"), "PE [100,4]")
	b.hit(t, "Escape")
}

// The strip shows every PE over the whole run, also of clocks at which the page has not been. A click on it goes to the
// clock and opens the PE. It opens by its button or by a pull from the time line upwards.
func testStrip(t *testing.T, b *tab) {
	v := at("fib.s", "10", 20, 0)
	b.follow(t, v)
	_ = eval[bool](t, b, `emsim.go("watch").then(() => true)`)
	b.until(t, `emsim.run.timeline.whole?.ended`)
	b.Do(t, chromedp.Click("#strip-open"))
	b.until(t, `emsim.strip.pixels && emsim.strip.of === emsim.run.timeline.whole`)
	b.drawn(t)
	require.True(t, eval[bool](t, b, `sees("#strip") && $("#strip-open").ariaExpanded === "true"`))
	s := &engine.Session{}
	require.Empty(t, s.Open(t.Context(), v.Setup).Error)
	colours := map[byte]string{'R': "runs", 'M': "matches", 'S': "spills", 'W': "waits", 'o': "partner", '.': "idle"}
	seen := map[byte]bool{}
	for _, clock := range []int{1, 39, 128, 255, 301, 400, 500, 600} { // a pixel is less than a clock
		_, err := s.Do(t.Context(), fmt.Sprintf("goto %d", clock))
		require.NoError(t, err)
		for pe, letter := range []byte(s.Frame().State) {
			seen[letter] = true
			got := eval[string](t, b, fmt.Sprintf(`((c, w) => {
				const pen = c.getContext("2d"), dpr = devicePixelRatio, x = 6 + w * %d / emsim.run.timeline.end + 0.6, y = c.clientHeight / 12 * %d.6;
				const copy = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
				copy.drawImage(c, -Math.floor(x * dpr), -Math.floor(y * dpr));
				const [r, g, b] = copy.getImageData(0, 0, 1, 1).data;
				return "#" + [r, g, b].map(v => v.toString(16).padStart(2, "0")).join("");
			})($("#strip"), $("#strip").clientWidth - 64)`, clock, pe))
			want := eval[string](t, b, fmt.Sprintf(`(p => (p.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--%s"), p.fillStyle))(new OffscreenCanvas(1, 1).getContext("2d"))`, colours[letter]))
			require.Equal(t, want, got, "clock %d, PE %d: %c", clock, pe, letter)
		}
	}
	require.Greater(t, len(seen), 4)
	_ = eval[bool](t, b, `Boolean(globalThis.e = $("#strip"))`)
	b.clickAt(t, "6 + (e.clientWidth - 64) * 400 / emsim.run.timeline.end", "e.clientHeight / 12 * 7.5")
	b.until(t, `sees("#right") && txt("#right h2").includes("[2,1]")`)
	b.rest(t)
	require.InDelta(t, 400, b.clock(t), 1)
	b.hit(t, "u")
	require.False(t, eval[bool](t, b, `sees("#strip")`))
	_ = eval[bool](t, b, `(r => $("#series-A").dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.x + 80, clientY: r.y - 30, buttons: 1})))($("#series-A").getBoundingClientRect())`)
	b.until(t, `sees("#strip")`)
	b.rest(t)
	b.hit(t, "u")
}
