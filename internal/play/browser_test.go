package play

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
	"emsim/internal/play/engine"
)

// built returns the engine for all tests of this file.
var built = sync.OnceValues(func() (map[string][]byte, error) { return Engine(context.Background(), "", func() {}) })

func TestMain(m *testing.M) {
	m.Run()
	browser.Close()
}

// tab is the page in a headless browser.
type tab struct {
	*browser.Tab
	url string

	mu     sync.Mutex
	served []string // file names, including the worker's files
}

// site returns the whole page.
func site(t testing.TB, first *engine.View) Site {
	t.Helper()
	files, err := built()
	require.NoError(t, err)
	s, err := NewSite(files, first)
	require.NoError(t, err)
	return s
}

// open serves the site with first as its start view, and opens its page in a browser tab.
func open(t testing.TB, first *engine.View) *tab {
	t.Helper()
	b := serve(t, site(t, first))
	b.visit(t, "")
	return b
}

// serve exports a site into a folder, serves it from a path below the server's root, and starts a browser.
func serve(t testing.TB, s Site) *tab {
	t.Helper()
	dir := t.TempDir()
	_, err := s.Export(dir)
	require.NoError(t, err)
	b := &tab{}
	files := http.StripPrefix("/some/where/", http.FileServer(http.Dir(dir)))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.served = append(b.served, path.Base(r.URL.Path))
		b.mu.Unlock()
		w.Header().Set("Cache-Control", "no-cache") // so that the browser requests it every time
		files.ServeHTTP(w, r)
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server.Listener = l
	server.Start()
	t.Cleanup(server.Close)
	b.url = server.URL + "/some/where/"
	b.Tab = browser.Open(t, 1280, 800, 3*time.Minute) // the tab closes before the server
	return b
}

// got reports whether the page has requested a file.
func (b *tab) got(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Contains(b.served, name)
}

// visit opens the page again, with a link.
func (b *tab) visit(t testing.TB, link string) {
	t.Helper()
	b.mu.Lock()
	b.served = nil
	b.mu.Unlock()
	b.Do(t, chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+link))
	b.until(t, "globalThis.emsim && emsim.ready > 0")
}

// eval returns the value of a JavaScript expression.
func eval[T any](t testing.TB, b *tab, js string) T {
	t.Helper()
	return browser.Eval[T](t, b.Tab, js)
}

// until waits until a condition is true. The page itself tries it every few milliseconds, for a while.
func (b *tab) until(t testing.TB, js string) {
	t.Helper()
	soon := fmt.Sprintf(`(async () => {
		for (const end = performance.now() + 500; performance.now() < end; await new Promise(next => setTimeout(next, 4)))
			if (%s) return true;
		return false;
	})()`, js)
	for end := time.Now().Add(3 * time.Minute); !eval[bool](t, b, soon); {
		require.True(t, time.Now().Before(end), "waited in vain for %s; the page says %q", js,
			eval[string](t, b, `document.getElementById("message")?.textContent ?? ""`))
	}
}

// press presses keys, one after the other, and waits until the page is idle.
func (b *tab) press(t testing.TB, keys ...string) {
	t.Helper()
	for _, k := range keys {
		b.Do(t, chromedp.KeyEvent(k))
		b.rest(t)
	}
}

// hit sends keys to the page, one after the other. A remote-controlled browser would also type the letter wherever the
// key has moved the focus; a real one does not.
func (b *tab) hit(t testing.TB, keys ...string) {
	t.Helper()
	for _, k := range keys {
		_ = eval[bool](t, b, fmt.Sprintf("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: "+
			"%q, bubbles: true, cancelable: true}))", k))
		b.rest(t)
	}
}

func (b *tab) rest(t testing.TB) {
	t.Helper()
	b.until(t, "!emsim.motion.moving && !emsim.lessons?.pending")
}

// drawn is a promise that resolves when everything has been drawn.
const drawn = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"

func (b *tab) drawn(t testing.TB) { _ = eval[bool](t, b, drawn) }

func (b *tab) clock(t testing.TB) int { return eval[int](t, b, "emsim.run.frame.clock") }

func (b *tab) text(t testing.TB, id string) string {
	return eval[string](t, b, fmt.Sprintf("document.getElementById(%q).innerText", id))
}

// pageTest is a test of a page that is open.
type pageTest struct {
	name string
	test func(t *testing.T, b *tab)
}

// pageTests returns the tests of the page: with -tags slow the long ones.
func pageTests() []pageTest {
	if thorough {
		return []pageTest{
			{"questions", testQuestions},
			{"zoomed", testZoomedPage},
			{"tab", testTabKey},
			{"modes", testModes},
			{"sizes", testSizes},
			{"screens", testScreens},
			{"lessons show", testLessonsShow},
			{"lessons can be done", testLessonsCanBeDone},
			{"where blocks are", testWhereBlocksAre},
			{"every key", testEveryKey},
			{"every control", testEveryControl},
			{"walks", testWalks},
		}
	}
	return []pageTest{
		{"first sight", testFirstSight},
		{"kept", testKept},
		{"kept stops", testKeptStops},
		{"fresh", testFresh},
		{"one clock", testOneClock},
		{"not blank", testNotBlank},
		{"sizes", testSizes},
		{"tells", testTells},
		{"parts have room", testPartsHaveRoom},
		{"amounts", testAmounts},
		{"gliding", testGliding},
		{"numbers of groups", testNumbersOfGroups},
		{"lesson on a phone", testLessonOnPhone},
		{"remarks", testRemarks},
		{"says what differs", testSaysWhatDiffers},
		{"touch", testTouch},
		{"keyboard", testByKeyboard},
		{"go", testGo},
		{"exercises", testExercises},
		{"lessons and endless runs", testLessonsAndEndlessRuns},
		{"words", testWords},
		{"states", testStatesInTheBrowser},
		{"stops", testStops},
		{"marks", testMarks},
		{"circuits", testCircuits},
		{"lens", testLens},
		{"strip", testStrip},
		{"what is shown", testWhatIsShown},
		{"where calls went", testWhereCallsWent},
		{"versus", testVersus},
		{"versus to the end", testVersusToTheEnd},
		{"versus of other sizes", testVersusOfOtherSizes},
		{"versus on a phone", testVersusOnAPhone},
		{"blocks", testBlocks},
		{"choose blocks", testChooseBlocks},
		{"engine dies", testEngineDies},
		{"engine dies early", testEngineDiesEarly},
		{"bad programs", testBadPrograms},
		{"deep programs", testDeepPrograms},
	}
}

// TestPage runs the tests of a page that stays open, one after the other, because opening a page takes a second of
// processor time. With -tags slow all cases are tried.
func TestPage(t *testing.T) {
	b := open(t, nil)
	for _, x := range pageTests() {
		whole := t.Run(x.name, func(t *testing.T) {
			b.Watch(t)
			b.Do(t, chromedp.EmulateViewport(1280, 800))
			_ = eval[bool](t, b, short+` && (document.querySelector("dialog[open]")?.close(),
				$("#fault").hidden = true, choose("#speed", "20 clocks/s"), true)`)
			start := at("fib.s", "10", 0, 0)
			start.Colour = "state"
			b.follow(t, start)
			x.test(t, b)
		})
		if !whole {
			b.visit(t, "")
		}
	}
}

// The page can be used with the keyboard alone: step, back, run, choose and open a PE, the console, an error in the
// program and its correction.
func testByKeyboard(t *testing.T, b *tab) {
	start := b.clock(t)
	b.Do(t, chromedp.Focus("#machine-A"))
	b.hit(t, "s", "s", "s", "b")
	require.Equal(t, start+2, b.clock(t))
	require.Contains(t, b.text(t, "clock"), strconv.Itoa(start+2))
	b.hit(t, "S", "S", "S", "S")
	require.Equal(t, start+42, b.clock(t))
	b.press(t, kb.ArrowDown, kb.ArrowRight)
	require.Contains(t, b.text(t, "right"), "PE [1,1]")
	require.Contains(t, b.text(t, "told"), "PE [1,1], clock")
	b.press(t, kb.End)
	require.Contains(t, b.text(t, "message"), "The run is over: result 55 after")
	require.Equal(t, "true", eval[string](t, b, `String(document.getElementById("step").disabled)`))
	b.press(t, kb.Home)
	require.Equal(t, start, b.clock(t))
	require.Equal(t, "false", eval[string](t, b, `String(document.getElementById("step").disabled)`))

	_ = eval[bool](t, b, "(document.activeElement.blur(), true)")
	b.hit(t, "k")
	require.True(t, eval[bool](t, b, `document.getElementById("knobs").open`))
	b.press(t, kb.Escape)
	b.until(t, `document.activeElement.id === "machine-A"`) // so that keys work after a dialog

	b.hit(t, "c")
	b.press(t, "until block start; units", kb.Enter)
	require.Contains(t, b.text(t, "log"), "begins the block start")
	require.Contains(t, b.text(t, "log"), "IBU  FIFO")
	require.Contains(t, b.text(t, "prompt"), fmt.Sprintf("(%d [", b.clock(t)))
	b.press(t, "breaak", kb.Enter)
	require.Contains(t, b.text(t, "log"), `did you mean "break"?`)
	b.press(t, kb.Escape)
	b.until(t, `document.activeElement.id === "machine-A"`)

	b.hit(t, "e")
	b.Do(t, chromedp.KeyEvent("oops\n"))
	b.until(t,
		`document.getElementById("message").textContent.startsWith("The program was changed")`) // the editor needs time
	assemble := func() { // the typed text is assembled after a moment
		b.until(t, `!emsim.engine.busy && emsim.editor.building === 0`)
		b.rest(t)
	}
	assemble()
	require.Contains(t, b.text(t, "problem"), "fib.s:4:1: ")
	require.Contains(t, b.text(t, "veil"), "The program has errors")
	// Highlighting, which the editor adds later, may split the marked range.
	b.until(t, `document.getElementById("editor").shadowRoot.querySelector(".cm-lintRange-error")`)
	b.press(t, kb.Escape)
	b.hit(t, "s", "e") // without a machine the clock does not move
	_ = eval[bool](t,
		b,
		`(emsim.editor.view.dispatch({changes: {from: 0, to: emsim.editor.view.state.doc.length, insert: emsim.editor.files.get("fib.s").original}}), true)`)
	assemble()
	require.Empty(t, b.text(t, "problem"))
	require.Equal(t, start, b.clock(t))

	for _, r := range b.Requests() {
		require.True(t, strings.HasPrefix(r, b.url) || strings.HasPrefix(r, "about:") || strings.HasPrefix(r, "data:"),
			r)
	}
}

// A link restores program, machine, clock, opened PE and view. Broken links are rejected, and the page continues to
// work.
func TestLinks(t *testing.T) {
	b := open(t, &engine.View{Setup: engine.Setup{
		Main: "fib.s", Args: []string{"12"}, PEs: 12,
		Params: map[string]string{"policy": "line"},
	}})
	_ = eval[bool](t, b, `(document.getElementById("colour").value = "load", true)`)
	b.hit(t, "S", "S", "S", "S", "S", "S", "S", "S")
	b.Do(t, chromedp.Focus("#machine-A"))
	b.press(t, kb.ArrowDown)
	b.Do(t, chromedp.Click("#share"))
	b.until(t, `document.getElementById("shared").open`)
	link := eval[string](t, b, `document.getElementById("shared-link").value`)
	clock, hash := b.clock(t), eval[string](t, b, `emsim.engine.call("hash")`)
	require.True(t, strings.HasPrefix(link, b.url+"#run/fib/12/12?clock=80&"), link)
	require.Less(t, len(link)-len(b.url), 200)
	b.visit(t, strings.TrimPrefix(link, b.url))
	require.Equal(t, clock, b.clock(t))
	require.Equal(t, hash, eval[string](t, b, `emsim.engine.call("hash")`))
	require.Equal(t, 3, eval[int](t, b, "emsim.run.opened"))
	require.Equal(t, "load", eval[string](t, b, "emsim.run.machine.mode"))
	require.Equal(t, "line", eval[string](t, b, "emsim.run.setup.params.policy"))

	b.link(t, "#run/fib/16/80?clock=1600&pe=0.4")
	require.Equal(t, 1600, b.clock(t))
	require.Equal(t, 4, eval[int](t, b, "emsim.run.opened"))
	b.link(t, "#learn/4/2")
	_ = eval[bool](t, b, short)
	b.until(t, `sees("#lesson-text") && txt("#lesson-text h2").startsWith("4. ") && clock() === 231`)
	b.rest(t)
	require.Equal(t, "learn/4/2", eval[string](t, b, "emsim.lessons.address"))

	b.link(t, "#2.broken")
	require.Contains(t, b.text(t, "message"), "the link is broken")
	b.hit(t, "s")
	require.Equal(t, 1, b.clock(t), "the page shows fib instead")
	require.True(t, eval[bool](t, b, `document.getElementById("doors").hidden`), "and its tools")
	bad := engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"5"}, Sets: map[string]string{"hopp": "1"}}}
	text, err := bad.Link()
	require.NoError(t, err)
	b.link(t, "#"+text)
	require.Contains(t, b.text(t, "problem"), `no knob "hopp"`)
}

// Lessons go to the clocks in their texts, and an endless program can be stopped at once.
func testLessonsAndEndlessRuns(t *testing.T, b *tab) {
	_ = eval[bool](t, b, `(choose("#lesson", "matching"), true)`)
	b.until(t, `sees("#lesson-text") && emsim.run.setup.args[0] === "4"`)
	b.rest(t)
	b.Do(t, chromedp.Click(`#lesson-text a[data-clock="28"]`))
	b.until(t, "emsim.run.frame.clock === 28")
	b.rest(t)
	require.Contains(t, b.text(t, "right"), "has the left operand 4, waits for the right one")
	require.Regexp(t, `^\[\d,\d\]\s+The [A-Z]+ .*\.`, b.text(t, "here"), "one sentence about the PE below the machine")
	for _, width := range []int64{1440, 720, 1280} {
		b.Do(t, chromedp.EmulateViewport(width, 800))
		b.drawn(t)
		require.True(t, eval[bool](t, b, `((mark, box) => mark.top > box.top - 2 && mark.bottom < box.bottom + 2)(
			$(".evidence").getBoundingClientRect(), $("#companion").getBoundingClientRect())`), "%d: the evidence", width)
	}
	_ = eval[bool](t, b, `(document.querySelector("#right .code button").click(), true)`) // does not move the clock
	b.until(t, `document.activeElement.id === "editor" && emsim.run.frame.clock === 28`)
	b.hit(t, "Escape")
	_ = eval[bool](t, b, `emsim.go("learn").then(() => true)`)
	b.drawn(t) // the text scrolls to the sentence that was chosen
	b.Do(t, chromedp.Click(`#lesson-text a[data-packet]`))
	b.until(t, `document.getElementById("packet").innerText.includes("its partner arrives")`)
	b.rest(t)

	b.visit(t, endless(t))
	b.Do(t, chromedp.Focus("#machine-A"))
	_ = eval[bool](t, b, `(document.getElementById("speed").selectedIndex = 5, true)`)
	_ = eval[bool](t,
		b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "r", bubbles: true}))`)
	b.until(t, "emsim.running && emsim.run.frame.clock > 5000")
	begin := time.Now()
	b.hit(t, "r")
	t.Logf("an endless program ended after %v", time.Since(begin))
	clock := b.clock(t)
	b.hit(t, "s")
	require.Equal(t, clock+1, b.clock(t))
}

// endless returns a link to a program without end.
func endless(t *testing.T) string {
	v := engine.View{Setup: engine.Setup{Main: "a.s", PEs: 12, Files: map[string]string{"a.s": ".start x\nx: jmp x\n"}}}
	link, err := v.Link()
	require.NoError(t, err)
	return "#" + link
}
