package play

import (
	"context"
	_ "embed"
	"fmt"
	"html"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/plural"
	"emsim/internal/play/engine"
	"emsim/programs"
)

func allLessons(t *testing.T) []lesson {
	list, err := course()
	require.NoError(t, err)
	return list
}

var (
	button    = regexp.MustCompile(`<a href="#" class="link" ([^>]*)>`)
	attribute = regexp.MustCompile(`data-(\w+)="([^"]*)"`)
)

// with returns a setup with changes, like lesson.js.
func with(t *testing.T, s engine.Setup, changes string) engine.Setup {
	s.Params, s.Sets = maps.Clone(s.Params), maps.Clone(s.Sets)
	for _, c := range strings.Fields(changes) {
		key, value, ok := strings.Cut(c, "=")
		require.True(t, ok, c)
		knob, isKnob := strings.CutPrefix(key, "set.")
		switch {
		case key == "main":
			s.Main = value
		case key == "args":
			s.Args = strings.Split(value, ",")
		case key == "pes":
			n, err := strconv.Atoi(value)
			require.NoError(t, err)
			s.PEs = n
		case isKnob:
			if s.Sets == nil {
				s.Sets = map[string]string{}
			}
			s.Sets[knob] = value
		default:
			if s.Params == nil {
				s.Params = map[string]string{}
			}
			s.Params[key] = value
		}
	}
	return s
}

// own adds the text of a template.
func own(s engine.Setup) engine.Setup {
	for _, p := range programs.Starts() {
		if name := "my" + p.Name; s.Main == name+".s" {
			s.Files = map[string]string{s.Main: p.Text(name)}
		}
	}
	return s
}

// told returns the text that the page shows for a lesson's button.
func told(t *testing.T, s *engine.Session, setup engine.Setup, a map[string]string) string {
	ctx := context.Background()
	if _, runs := a["run"]; runs {
		x, err := s.Do(ctx, "continue")
		require.NoError(t, err)
		f := x.Frame
		require.True(t, f.Ended)
		if a["vs"] != "" {
			b := &engine.Session{}
			require.Empty(t, b.Open(ctx, with(t, setup, a["vs"])).Error)
			x, err := b.Do(ctx, "continue")
			require.NoError(t, err)
			require.Equal(t, f.Answer, x.Frame.Answer)
			n, m := f.Result.Clocks, x.Frame.Result.Clocks
			return fmt.Sprintf("A takes %s clocks, B %s: %s is %.2f times as fast.", thousands(n), thousands(m),
				map[bool]string{true: "A", false: "B"}[n < m], float64(max(n, m))/float64(min(n, m)))
		}
		return fmt.Sprintf("result %v; %s clocks; %s spilled; %.1f %% idle; %s",
			f.Answer, thousands(f.Result.Clocks), thousands(f.Result.Spilled), 100*f.Result.States[3], f.Failure)
	}
	x, err := s.Do(ctx, "goto "+a["clock"])
	require.NoError(t, err)
	require.Empty(t, x.Error, a)
	if a["packet"] != "" {
		text, err := s.Do(ctx, "follow "+a["packet"])
		require.NoError(t, err)
		require.Empty(t, text.Error)
		return text.Text
	}
	var g, c int
	_, err = fmt.Sscanf(a["pe"], "[%d,%d]", &g, &c)
	require.NoError(t, err, a)
	require.Equal(t, 12, len(s.Frame().State))
	in, err := s.Inside(g*3 + c)
	require.NoError(t, err)
	text := in.Why
	for _, u := range in.Units {
		text += "\n" + u.Name + " " + u.Does + ", waits for " + u.Waits
	}
	for _, p := range in.Slots {
		text += "\n" + p.Packet.String() + " " + p.Why
	}
	for _, seg := range in.Segments {
		for _, o := range seg.Operands {
			text += fmt.Sprintf("\n%s has the %s operand %s, waits for the %s one", o.Node, o.Have, o.Value, o.Wants)
		}
	}
	return text
}

func thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Every statement of a lesson about a clock, a packet or a run is true.
func TestLessonsSayWhatIs(t *testing.T) {
	list := allLessons(t)
	require.GreaterOrEqual(t, len(list), 6)
	for _, l := range list {
		text, err := lessons.ReadFile(path.Join("lessons", l.File+".html"))
		require.NoError(t, err)
		n := 0
		for _, b := range button.FindAllStringSubmatch(string(text), -1) {
			a := map[string]string{}
			for _, m := range attribute.FindAllStringSubmatch(b[1], -1) {
				a[m[1]] = html.UnescapeString(m[2])
			}
			require.NotEmpty(t, a["shows"], "%s: a button that nothing checks: %s", l.File, b[0])
			s := &engine.Session{}
			setup := own(with(t, l.Setup, a["run"]))
			opened := s.Open(context.Background(), setup)
			require.Empty(t, opened.Error, l.File)
			if got := told(t, s, setup, a); !strings.Contains(got, a["shows"]) {
				t.Errorf("%s: %s\nis not so; what is shown is\n%s", l.File, b[0], got)
			}
			n++
		}
		require.Positive(t, n, "%s has %s", l.File, plural.Of(n, "statement"))
		require.Contains(t, string(text), `<div class="task">`, l.File)
	}
}

// Every lesson's text is in the list, and every text of the list exists.
func TestLessonsAreListed(t *testing.T) {
	var listed []string
	for _, l := range allLessons(t) {
		require.NotEmpty(t, l.Title)
		listed = append(listed, l.File+".html")
	}
	files, err := lessons.ReadDir("lessons")
	require.NoError(t, err)
	var there []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".html") {
			there = append(there, f.Name())
		}
	}
	slices.Sort(listed)
	require.Equal(t, there, listed)
}

// hidden returns the parts of a statement's evidence that cannot be seen after a click on its link: the words, the PE,
// its packet, the line, and the statement itself.
//
//go:embed testdata/evidence.js
var hidden string

// changed reports whether the machine differs from the clock before in more than 200 pixels, or the pane next to it in
// its words.
const changed = `(async () => {
	const {machine} = emsim.run, {canvas} = machine, size = [0, 0, canvas.width, canvas.height];
	const picture = () => {
		const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {willReadFrequently: true});
		cancelAnimationFrame(machine.tick); // packets stand at their places
		machine.part = 1;
		machine.draw();
		copy.drawImage(canvas, 0, 0);
		return {pixels: new Uint32Array(copy.getImageData(...size).data.buffer), words: txt("#companion")};
	};
	const now = picture();
	await emsim.motion.once("back");
	const before = picture();
	await emsim.motion.once("step");
	return now.words !== before.words || now.pixels.filter((x, i) => x !== before.pixels[i]).length > 200;
})()`

// After a click on any link of a lesson, its subject is on the screen and marked, next to the text, on a laptop, a
// tablet and a phone.
func testLessonsShow(t *testing.T, b *tab) {
	for _, size := range [][2]int64{{1280, 800}, {1024, 768}, {390, 844}} {
		b.Do(t, chromedp.EmulateViewport(size[0], size[1]))
		for _, l := range allLessons(t) {
			_ = eval[bool](t, b, fmt.Sprintf("(choose('#lesson', %q), true)", l.File))
			b.until(t, fmt.Sprintf(`sees("#lesson-text") && txt("#lesson-text h2").includes(%q)`, l.Title))
			b.rest(t)
			n := eval[int](t,
				b, `(globalThis.links = [...document.querySelectorAll("#lesson-text a.link")], links.length)`)
			for i := range n {
				_ = eval[bool](t,
					b,
					fmt.Sprintf(`(async () => { globalThis.e = links[%d]; e.scrollIntoView({block: innerWidth < 900 ? "end" : "center"}); e.click(); return true; })()`, i))
				b.until(t, `e.hasAttribute("aria-current")`)
				b.rest(t)
				for range 2 {
					b.drawn(t)
					for _, p := range eval[[]string](t, b, hidden) {
						t.Errorf("%d x %d, %s, %q: %s", size[0], size[1], l.File, eval[string](t, b, "e.innerText"), p)
					}
					_ = eval[bool](t, b, `($("#theme").click(), true)`)
				}
				if size[0] == 1280 && eval[bool](t, b, `/^at clock/i.test(e.innerText) && e.dataset.clock > 0`) {
					require.True(t, eval[bool](t, b, changed), "%s: nothing is seen to happen at the clock of %q", l.File,
						eval[string](t, b, "e.innerText"))
				}
			}
			// If two links are clicked in quick succession, the second one counts.
			_ = eval[bool](t, b, `(links[0].click(), (globalThis.e = links.at(-1)).click(), true)`)
			b.until(t, `e.hasAttribute("aria-current")`)
			b.rest(t)
			b.drawn(t)
			require.Empty(t, eval[[]string](t, b, hidden), "%d x %d, %s", size[0], size[1], l.File)
			_ = eval[bool](t, b, `($("#theme").click(), true)`) // so that axe-core checks both themes
			require.Empty(t, b.Axe(t), "%d, %s", size[0], l.File)
			b.picture(t, fmt.Sprintf("lesson-%s-%d.png", l.File, size[0]))
		}
	}
	_ = eval[bool](t, b, `emsim.go("watch").then(() => true)`)
}

// The graph of the first lesson matches its program: every packet of the run goes along its own arrow, from the block
// that sends it to the block that receives it, over the stated number of links.
func TestFlowIsTheProgram(t *testing.T) {
	l := allLessons(t)[0]
	text, err := lessons.ReadFile("lessons/flow.html")
	require.NoError(t, err)
	s, ctx := &engine.Session{}, context.Background()
	require.Empty(t, s.Open(ctx, own(l.Setup)).Error)
	end, err := s.Do(ctx, "continue")
	require.NoError(t, err)
	arrows := regexp.MustCompile(`<path d="[^"]*" data-token="([^"]*)" data-links="(\d)" data-from="(\w*)" data-to="(\w*)"/>`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, arrows, int(end.Frame.Result.Packets))
	for _, a := range arrows {
		x, err := s.Do(ctx, "follow "+a[1])
		require.NoError(t, err)
		require.Empty(t, x.Error)
		way := strings.ReplaceAll(x.Text, "flow.", "")
		require.Equal(t, a[2], strconv.Itoa(strings.Count(way, "leaves [")), way)
		if a[3] != "" {
			require.Regexp(t, `made by \S+, at `+a[3]+`[+ ]`, way)
		}
		switch a[4] {
		case "host":
			require.Contains(t, way, "the host gets 40")
		case "start":
			require.Regexp(t, `begins the block (keep|start)\n`, way)
		default:
			require.Contains(t, way, "begins the block "+a[4]+"\n")
		}
	}
	for _, n := range regexp.MustCompile(`data-node="(\w+)" data-pe="([^"]+)"`).FindAllStringSubmatch(string(text),
		-1) {
		x, err := s.Do(ctx, "goto +0; until block "+strings.TrimPrefix(n[1], "flow."))
		require.NoError(t, err)
		if x.Error != "" {
			x, err = s.Do(ctx, "goto +0; until block flow."+n[1])
			require.NoError(t, err)
		}
		require.Contains(t, x.Hits[0], n[2]+" ", n[1])
	}
}
