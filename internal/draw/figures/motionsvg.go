package figures

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/simerr"
	"emsim/internal/inspect/debug"
	"emsim/omega"
)

const (
	motionClocks = 8       // per second, as on the page of emsim play [chosen]
	motionRest   = 8       // clocks from the last one until the motion repeats
	motionWide   = 960     // of the picture
	motionHead   = 66      // height of its title
	motionFoot   = 52      // height of the foot
	motionMost   = 400_000 // bytes [chosen: what a page can show without waiting]
)

// motionTones are the tones of PEs by state, with the words of the legend.
var motionTones = []struct {
	state       debug.Activity
	tone, words string
}{
	{debug.Runs, "runs", "runs a block"},
	{debug.Matches, "matches", "matches"},
	{debug.Spills, "spills", "spills to memory"},
	{debug.Blocked, "waits", "waits for the network"},
	{debug.Operands, "partner", "waits for a partner"},
	{debug.Quiet, "idle", "no work"},
	{debug.Failed, "failed", "has failed"},
}

// stateTone returns the tone of a PE in a state.
func stateTone(a debug.Activity) string {
	for _, t := range motionTones {
		if t.state == a {
			return t.tone
		}
	}
	return "idle"
}

// toneFill returns the fill of a tone: PEs that wait for a partner are hatched, so that they
// differ by more than colour.
func toneFill(tone string) string {
	if tone == "partner" {
		return "url(#k)"
	}
	return "var(--" + tone + ")"
}

// working counts the PEs that run a block or match.
func (f *motionFrame) working() (n int) {
	for _, a := range f.states {
		if a == debug.Runs || a == debug.Matches {
			n++
		}
	}
	return n
}

// best returns the clock at which the most PEs work, counted from the start of the stretch; of several, the earliest.
func (m *Motion) best() int {
	best := 0
	for k := range m.frames {
		if m.frames[k].working() > m.frames[best].working() {
			best = k
		}
	}
	return best
}

// title returns the title: how many PEs work and how many packets move.
func (m *Motion) title() string {
	crossed := 0
	for _, h := range m.hops {
		if h.clock >= 0 {
			crossed++
		}
	}
	return fmt.Sprintf("%s: %d of %d PEs work at once, and %s packets set out on links in %d clocks", m.Program,
		m.frames[m.best()].working(), m.topology.N, number(float64(crossed)), len(m.frames))
}

// about returns a description of what is drawn.
func (m *Motion) about() string {
	last := m.From + uint64(len(m.frames)) - 1
	words := fmt.Sprintf("clocks %s to %s", number(float64(m.From)), number(float64(last)))
	if m.Length > 0 {
		words += " of " + number(float64(m.Length))
	}
	return words + fmt.Sprintf(" at %d a second; rows are groups, columns members, and member 0 stands at the right "+
		"again", motionClocks)
}

// MotionFigure draws a recorded stretch as a moving picture of the machine.
// It fails if the run has ended before the stretch, or if the picture gets too large.
func MotionFigure(m *Motion) (Figure, error) {
	if len(m.frames) == 0 {
		return Figure{}, simerr.Usagef("%s has ended before clock %d: choose an earlier --from", m.Program, m.From)
	}
	f := Figure{Name: "motion", Title: m.title(), Source: "any run", SVG: m.svg()}
	if len(f.SVG) > motionMost {
		return f, simerr.Usagef("the picture has %d kB, and at most %d are useful on a page: choose fewer clocks with "+
			"--clocks, or fewer PEs", len(f.SVG)/1000, motionMost/1000)
	}
	return f, nil
}

// moving is a moving picture being written: its elements, and the rules of their motion.
type moving struct {
	*Motion
	grid
	body, rules strings.Builder
	still       int     // the clock that is shown without motion
	total       int     // clocks until the motion repeats
	dot         float64 // half the size of a packet
}

// put writes to the body as fmt.Fprintf does, with at most two decimals of a float64.
func (w *moving) put(format string, values ...any) {
	for i, v := range values {
		if v, ok := v.(float64); ok {
			values[i] = short(v)
		}
	}
	fmt.Fprintf(&w.body, format, values...)
}

// svg returns the picture. CSS rules move packets and change PEs; without motion, it shows the clock at which the most
// PEs work.
func (m *Motion) svg() []byte {
	high := min(620, 44+float64(37*m.topology.Groups))
	if m.topology.Groups <= 4 {
		high = 34 + float64(72*m.topology.Groups)
	}
	w := &moving{Motion: m, grid: newGrid(m.topology, motionWide, high), still: m.best()}
	w.total, w.dot = len(m.frames)+motionRest, max(1.6, min(5, float64(w.tall*0.16)))
	whole := motionHead + high + motionFoot
	w.put(`<rect y="-%d" width="%d" height="%v" fill="var(--paper)"/>`+"\n", motionHead, motionWide, whole)
	w.words()
	w.put(`<pattern id="k" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect width="6" height="6" fill="var(--partner)"/>` +
		`<path d="M0,0V6" stroke="var(--edge)" stroke-width="1.6" opacity=".4"/></pattern>` + "\n")
	w.heads()
	w.links()
	for i := range w.N {
		state := w.changes(fmt.Sprintf("s%d", i), func(k int) string {
			tone := stateTone(w.Motion.frames[k].states[i])
			return fmt.Sprintf("fill:%s;color:var(--on-%s)", toneFill(tone), tone)
		})
		w.pe(i, w.corner(i).x, w.box, state)
		if i%w.Members == 0 {
			w.put(`<g class="again">`)
			w.pe(i, w.again(i+w.Members-1), min(w.box, float64(w.pitchX*0.34)), state)
			w.put("</g>\n")
		}
	}
	w.waits()
	w.flights()
	w.foot(high)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%d" height="%s" `+
		`viewBox="0 -%d %[1]d %[2]s">`+"\n<title>%[4]s</title>\n<style>\n", motionWide, short(whole), motionHead,
		html.EscapeString(m.title()))
	out.WriteString(themed("svg", palette))
	hop := float64(m.hopClocks)
	fmt.Fprintf(&out, motionRules, fontStack, short(float64(w.total)/motionClocks), 1./motionClocks, w.percent(hop),
		w.percent(hop+0.01), w.percent(1), w.percent(float64(len(m.frames))))
	out.WriteString(w.rules.String() + "</style>\n" + w.body.String() + "</svg>\n")
	return []byte(out.String())
}

// motionRules are the CSS rules that all elements of a kind share. The variable --t holds the time of a packet, or of a
// clock in the foot.
const motionRules = `svg{font-family:%s}
text{fill:var(--ink);font-size:13px;dominant-baseline:central}
.f{fill:var(--faint)}.b{font-weight:bold}.n{fill:none;stroke:var(--link)}
.s rect{stroke:var(--edge);stroke-width:.7}.again{opacity:.45}
.s text,.s .q{fill:currentColor;stroke:none;font-size:11px}
.w{stroke:var(--ink);stroke-width:1.8;fill:var(--paper);opacity:0}.d{fill:var(--ink);stroke:var(--paper)}
.s,.q,.w,.h,.c,.now{animation-duration:%[2]ss;animation-iteration-count:infinite}
.s,.q,.w,.c{animation-timing-function:step-end}.h,.now{animation-timing-function:linear}
.h,.c{opacity:0;animation-delay:calc(var(--t)*%[3]vs - %[2]ss)}.q,.now{transform-box:fill-box}
.h{offset-path:var(--p);animation-name:h}.c{animation-name:c}.now{animation-name:now}
@keyframes h{0%%{opacity:1;offset-distance:0%%}%[4]s{opacity:1;offset-distance:100%%}%[5]s,100%%{opacity:0}}
@keyframes c{0%%{opacity:1}%[6]s,100%%{opacity:0}}
@keyframes now{0%%{transform:scaleX(0)}%[7]s,100%%{transform:scaleX(1)}}
@media(prefers-reduced-motion:reduce){*{animation:none!important}}
@media(prefers-reduced-motion:no-preference){.still{display:none}}
`

// short formats a number with at most two decimals.
func short(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// percent returns a clock as a part of the time until the motion repeats.
func (w *moving) percent(clock float64) string { return short(100*clock/float64(w.total)) + "%" }

// changes adds an animation with a style for every clock. It returns the style without motion together with the
// animation's name, or only the style if that never changes.
func (w *moving) changes(name string, value func(clock int) string) string {
	var values []string
	at, last := map[string][]string{}, ""
	for k := range w.Motion.frames {
		v := value(k)
		if at[v] == nil {
			values = append(values, v)
		}
		if k == 0 || v != last {
			at[v] = append(at[v], w.percent(float64(k)))
			last = v
		}
	}
	if len(values) == 1 {
		return last
	}
	at[last] = append(at[last], "100%")
	fmt.Fprintf(&w.rules, "@keyframes %s{", name)
	for _, v := range values {
		fmt.Fprintf(&w.rules, "%s{%s}", strings.Join(at[v], ","), v)
	}
	w.rules.WriteString("}\n")
	return value(w.still) + ";animation-name:" + name
}

// words writes the title and the second line.
func (w *moving) words() {
	title := boldStyle(sansStyle(19, draw.XLeft, draw.YTop))
	for title.Width(w.title()) > motionWide-40 {
		title.Font.Size--
	}
	w.put(`<text class="b" x="20" y="-42" style="font-size:%vpx">%s</text>`+"\n", title.Font.Size.Points(),
		html.EscapeString(w.title()))
	w.put(`<text class="f" x="20" y="-18">%s</text>`+"\n", html.EscapeString(w.about()))
}

// heads names the columns.
func (w *moving) heads() {
	for c := range w.Members + 1 {
		x, name := w.again(w.Members-1), "0 again"
		if c < w.Members {
			x, name = w.corner(c).x, fmt.Sprintf("member %d", c)
		}
		if w.pitchX < 90 {
			name = strconv.Itoa(c % w.Members)
		}
		for block := 0.0; block*w.rows < float64(w.Groups); block++ {
			w.put(`<text class="f" x="%v" y="12">%s</text>`+"\n", x+float64(block*w.wide), name)
		}
	}
}

// path returns a link's curve as SVG path data.
func (g grid) path(i, port int) string {
	c := g.link(i, port)
	text := "M" + c[0].String()
	if c[0].y == c[3].y {
		return text + "H" + short(c[3].x)
	}
	return text + fmt.Sprintf("C%v %v %v", c[1], c[2], c[3])
}

// String formats a point as SVG does.
func (p point) String() string { return short(p.x) + "," + short(p.y) }

// links draws every link, without packets.
func (w *moving) links() {
	w.put(`<path class="n" d="`)
	for i := range w.N {
		w.put("%s%s", w.path(i, omega.InGroup), w.path(i, omega.OutGroup))
	}
	w.put("\"/>\n")
}

// pe draws a PE: its state as colour, its address, and its FIFO as a bar along the lower edge.
func (w *moving) pe(i int, x, wide float64, state string) {
	y := w.corner(i).y
	w.put(`<g class="s" style="%s"><rect x="%v" y="%v" width="%v" height="%v" rx="%v"/>`, state, x, y, wide, w.tall,
		min(5, w.tall/5))
	if w.tall >= 12 {
		w.put(`<text x="%v" y="%v">%d,%d</text>`, x+6, y+float64(w.tall*0.42), i/w.Members, i%w.Members)
	}
	if wide == w.box { // not the repeated PE
		full := max(1, w.fifoWords)
		fifo := w.changes(fmt.Sprintf("q%d", i), func(k int) string {
			return "scale:" + short(float64(min(full, w.Motion.frames[k].fifo[i]))/float64(full)) + " 1"
		})
		w.put(`<rect class="q" style="%s" x="%v" y="%v" width="%v" height="%v"/>`, fifo, x+5, y+w.tall-5, wide-10,
			min(3, w.tall/8))
	}
	w.put("</g>\n")
}

// waits draws held packets as rings: before the PE whose input they have reached, or at the PE
// that cannot send them.
func (w *moving) waits() {
	shown := map[bool]string{true: "opacity:1", false: "opacity:0"}
	for i := range w.N {
		for in := range omega.Own + 1 {
			for n := 0; ; n++ {
				at := heldAt{i, in, n}
				if !slices.ContainsFunc(w.Motion.frames, func(f motionFrame) bool { return f.held[at] }) {
					break
				}
				style := w.changes(fmt.Sprintf("w%d_%d_%d", i, in, n),
					func(k int) string { return shown[w.Motion.frames[k].held[at]] })
				p := w.waiting(i, in, n, w.dot)
				w.put(`<circle class="w" style="%s" cx="%v" cy="%v" r="%v"/>`+"\n", style, p.x, p.y, w.dot)
			}
		}
	}
}

// flights draws packets that glide along links and, without motion, stand at the still clock.
func (w *moving) flights() {
	w.put(`<defs><g id="p"><path d="M0,-%v L-%v,0 0,%[1]vz" fill="var(--faint)" opacity=".45"/>`+
		`<circle class="d" r="%[1]v"/></g>`, w.dot, float64(5*w.dot))
	w.put(`<path id="m" class="d" d="M0,-%v L%[1]v,0 0,%[1]v-%[1]v,0z"/></defs>`+"\n", float64(1.9*w.dot))
	shape := map[bool]string{false: "p", true: "m"}
	byLink := map[[2]int][]motionHop{}
	for _, h := range w.hops {
		byLink[[2]int{h.pe, h.port}] = append(byLink[[2]int{h.pe, h.port}], h)
	}
	for i := range w.N {
		for port := range omega.Own {
			hops := byLink[[2]int{i, port}]
			if len(hops) == 0 {
				continue
			}
			w.put(`<g style="--p:path('%s')">`, w.path(i, port))
			for _, h := range hops {
				w.put(`<use href="#%s" class="h" style="--t:%d"/>`, shape[h.search], h.clock)
			}
			w.put("</g>\n")
			for _, h := range hops {
				if t := float64(w.still-h.clock) / float64(w.hopClocks); t >= 0 && t < 1 {
					p := along(w.link(i, port), t)
					w.put(`<use href="#%s" class="still" x="%v" y="%v"/>`+"\n", shape[h.search], p.x, p.y)
				}
			}
		}
	}
}

// foot writes the clock, a bar of progress, and the legend of the colours.
func (w *moving) foot(high float64) {
	y := high + 12
	for k := range w.Motion.frames {
		clock := number(float64(w.From) + float64(k))
		if k == w.still {
			w.put(`<text class="b still" x="20" y="%v">clock %s</text>`, y, clock)
		}
		w.put(`<text class="c b" style="--t:%d" x="20" y="%v">clock %s</text>`, k, y, clock)
	}
	w.put("\n"+`<rect class="now" x="20" y="%v" width="%d" height="3" fill="var(--here)"/>`+"\n", y+16, motionWide-40)
	x, style := 140.0, sansStyle(13, draw.XLeft, draw.YCenter)
	for _, t := range motionTones {
		some := func(f motionFrame) bool { return slices.Contains(f.states, t.state) }
		if !slices.ContainsFunc(w.Motion.frames, some) {
			continue
		}
		w.put(`<rect x="%v" y="%v" width="12" height="12" rx="2" fill="%s" stroke="var(--edge)"/>`, x, y-6,
			toneFill(t.tone))
		w.put(`<text x="%v" y="%v">%s</text>`+"\n", x+17, y, t.words)
		x += 17 + style.Width(t.words).Points() + 14
	}
}
