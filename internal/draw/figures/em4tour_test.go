package figures

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/docs"
	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/internal/dev/golden"
	"emsim/mlpe"
	"emsim/omega"
	"emsim/packet"
	"emsim/programs"
	"emsim/trace"
)

// kept reads a drawing of the documentation.
func kept(t *testing.T, name string) sketch {
	t.Helper()
	svg, err := docs.Drawings.ReadFile("img/" + name + ".svg")
	require.NoError(t, err)
	return readSketch(t, svg)
}

// Kept drawings are figures too, but only as SVG.
func TestDrawingsAreKept(t *testing.T) {
	for _, f := range em4TourFigures() {
		if f.Draw != nil {
			continue
		}
		svg, err := Encode(t.Context(), f, "x.SVG")
		require.NoError(t, err)
		file, err := os.ReadFile("../../../docs/img/" + f.Name + ".svg")
		require.NoError(t, err)
		require.Equal(t, file, svg)
		_, err = Encode(t.Context(), f, "x.png")
		require.EqualError(t, err, `"x.png": `+f.Name+" is a drawing, which is kept as .svg")
		require.ErrorAs(t, err, new(*simerr.Usage))
	}
}

// timeBox is a box of a time line: a unit's state in the clocks from..to-1.
type timeBox struct {
	row      string
	from, to int
	fill     string
}

// Fills of the boxes.
const dark, middle, pale = "#3c3c3c", "#969696", "#d7d7d7"

// timeBoxes reads the boxes of a time line from its drawing, by the lines of its clocks.
func timeBoxes(t *testing.T, s sketch) (list []timeBox) {
	t.Helper()
	lines := s.styled(`stroke="#e1e1e1"`)
	var clocks, places []float64
	for i, line := range lines {
		label := slices.IndexFunc(s.texts, func(w written) bool {
			return w.size == 8 && w.y < 40 && !strings.Contains(w.text,
				" ") && w.x < line.points[0][0] && w.x > line.points[0][0]-12
		})
		require.GreaterOrEqual(t, label, 0, "line %d", i)
		clock, err := strconv.ParseFloat(s.texts[label].text, 64)
		require.NoError(t, err)
		clocks, places = append(clocks, clock), append(places, line.points[0][0])
	}
	last := len(lines) - 1
	clock := func(x float64) int {
		v := clocks[0] + (x-places[0])/(places[last]-places[0])*(clocks[last]-clocks[0])
		require.InDelta(t, float64(int(v+0.5)), v, 0.02, "a box begins and ends with a clock")
		return int(v + 0.5)
	}
	for _, fill := range []string{dark, middle, pale} {
		for _, p := range s.styled(`fill="` + fill) {
			low, high := p.ends(1)
			row := slices.IndexFunc(s.texts, func(w written) bool { return w.size == 9 && w.y > low && w.y < high })
			require.GreaterOrEqual(t, row, 0)
			from, to := p.ends(0)
			list = append(list, timeBox{s.texts[row].text, clock(from), clock(to), fill})
		}
	}
	return list
}

// recorded runs a program on 12 PEs and returns its events.
func recorded(t *testing.T, obj *asm.Object, arg uint64) (m *em4.Machine, events []trace.Event) {
	t.Helper()
	m, err := booted(t.Context(), em4.Small12(), obj)
	require.NoError(t, err)
	r := trace.NewRecorder(trace.Func(func(e *trace.Event) { events = append(events, *e) }), 12, trace.All(12))
	m.Watch(r, m.Clock(), ^uint64(0))
	_, err = m.Run(t.Context(), []uint64{arg}, em4.RunOptions{})
	require.NoError(t, err)
	return m, events
}

// em4-packet shows every unit that works on the packet of [3,0], at its clocks.
func TestPacketDrawing(t *testing.T) {
	obj, _, err := asm.Assemble("em4packet.s", asm.Options{Open: os.ReadFile})
	require.NoError(t, err)
	m, events := recorded(t, obj, 30)
	id := trace.ID{Src: uint32(m.Net.Index(packet.PE{GA: 3})), Seq: 1}
	var want []timeBox
	var from, fetched int
	work := func(e *trace.Event, unit string, from, to int) {
		want = append(want, timeBox{fmt.Sprintf("%v %s", m.Net.Address(int(e.PE)), unit), from, to, dark})
	}
	s := kept(t, "em4-packet")
	for i := range events {
		e := &events[i]
		clock, mine := int(e.Clock), trace.IDOf(&e.Packet) == id
		switch {
		case mine && e.Kind == trace.Made:
			work(e, "EXU", clock, clock+1)
		case mine && e.Kind == trace.Moved:
			work(e, "SU", clock, clock+1)
			from = clock + 1
		case mine && e.Kind == trace.Queued:
			work(e, "IBU", from, clock+1)
		case mine && e.Kind == trace.Taken:
			from = clock
		case mine && e.Kind == trace.Fired:
			work(e, "FMU", from, clock+1)
		case mine && e.Kind == trace.Begun:
			fetched = clock
		case fetched > 0 && e.PE == 0 && (e.Kind == trace.Fetched || e.Kind == trace.Ended) && clock >= fetched:
			if e.Kind == trace.Ended {
				work(e, "EXU", fetched, clock+1)
				fetched = 0
				continue
			}
			if clock > fetched {
				work(e, "EXU", fetched, clock)
			}
			name, _, _ := strings.Cut(obj.Instructions()(e.PC), " ")
			s.find(t, name)
			fetched = clock
		}
	}
	var have []timeBox
	for _, b := range timeBoxes(t, s) {
		if b.fill == dark {
			have = append(have, b)
		}
	}
	require.ElementsMatch(t, want, have)
	s.find(t, "30 + 12 = 42: the right operand goes from PE [3,0] to [0,0], where the left one waits")
}

// peIn returns the PE that a text names last.
func peIn(t *testing.T, text string) packet.PE {
	t.Helper()
	all := regexp.MustCompile(`\[(\d+),(\d+)\]`).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, all, text)
	ga, _ := strconv.Atoi(all[len(all)-1][1])
	ca, _ := strconv.Atoi(all[len(all)-1][2])
	return packet.PE{GA: uint16(ga), CA: uint8(ca)}
}

// em4-prefetch shows three packets of a search, and the clocks at which each was made,
// arrived, and began its block.
func TestPrefetchDrawing(t *testing.T) {
	obj, err := programs.Assemble("fib", map[string]string{"mlpe": "on"})
	require.NoError(t, err)
	m, events := recorded(t, obj, 12)
	boxes := timeBoxes(t, kept(t, "em4-prefetch"))
	row := func(number, fill string) timeBox {
		i := slices.IndexFunc(boxes, func(b timeBox) bool {
			return strings.HasPrefix(b.row, number+" ") &&
				b.fill == fill
		})
		require.GreaterOrEqual(t, i, 0, "row %s", number)
		return boxes[i]
	}
	home, found := peIn(t, row("2", dark).row), peIn(t, row("4", dark).row)
	// one follows the packet that a PE made when a row's first box begins.
	one := func(number string, by packet.PE) (way, queue timeBox) {
		way, queue = row(number, pale), row(number, middle)
		var made []trace.ID
		for i := range events {
			e := &events[i]
			if e.Kind == trace.Made && int(e.Clock) == way.from && m.Net.Address(int(e.PE)) == by {
				made = append(made, trace.IDOf(&e.Packet))
			}
		}
		require.Len(t, made, 1, "row %s", number)
		arrived, begun := 0, 0
		for i := range events {
			e := &events[i]
			switch {
			case trace.IDOf(&e.Packet) != made[0]:
			case arrived == 0 && (e.Kind == trace.Queued || e.Kind == trace.Spilled):
				arrived = int(e.Clock)
			case e.Kind == trace.Begun:
				begun = int(e.Clock)
			}
		}
		require.Equal(t, []int{way.to, way.to, queue.to}, []int{arrived, queue.from, begun}, "row %s", number)
		return way, queue
	}
	_, asks := one("1", home)
	request, reserves := one("3", home)
	answer, fills := one("5", found)
	require.Equal(t, timeBox{row("2", dark).row, asks.to, request.from + 1, dark}, row("2", dark))
	require.Equal(t, timeBox{row("4", dark).row, reserves.to, answer.from + 1, dark}, row("4", dark))
	require.Equal(t, fills.to, row("6", pale).from)
	require.Equal(t, row("6", pale).to, row("7", dark).from)
	require.Contains(t, lookups(m, events, obj, home), row("7", dark).from)
}

// lookups returns the clocks at which calls on a PE read its prefetch register.
func lookups(m *em4.Machine, events []trace.Event, obj *asm.Object, pe packet.PE) (clocks []int) {
	instr := obj.Instructions()
	for i := range events {
		e := &events[i]
		if e.Kind == trace.Fetched && m.Net.Address(int(e.PE)) == pe && strings.HasPrefix(instr(e.PC), "rds ") &&
			strings.HasSuffix(instr(e.PC), " mlpe") {
			clocks = append(clocks, int(e.Clock))
		}
	}
	return clocks
}

// em4-fallback shows consecutive calls at the clocks at which they read the register,
// and the PEs of calls that find it empty.
func TestFallbackDrawing(t *testing.T) {
	obj, err := programs.Assemble("fib", map[string]string{"mlpe": "on"})
	require.NoError(t, err)
	m, events := recorded(t, obj, 12)
	s := kept(t, "em4-fallback")
	pe := peIn(t, s.texts[0].text)
	var calls []int
	for _, b := range timeBoxes(t, s) {
		if strings.HasPrefix(b.row, "call ") {
			require.Equal(t, b.from+2, b.to)
			calls = append(calls, b.from)
		}
	}
	all := lookups(m, events, obj, pe)
	first := slices.Index(all, calls[0])
	require.GreaterOrEqual(t, first, 0)
	require.Equal(t, all[first:first+len(calls)], calls)
	empty := 0
	for i, clock := range calls {
		name := s.find(t, fmt.Sprintf("call %d", i+1))
		text := slices.IndexFunc(s.texts,
			func(w written) bool { return w.size == 7 && w.y > name.y-4 && w.y < name.y+4 })
		if !strings.Contains(s.texts[text].text, "is empty") {
			continue
		}
		empty++
		require.True(t, slices.ContainsFunc(events, func(e trace.Event) bool {
			return e.Kind == trace.Made && m.Net.Address(int(e.PE)) == pe && int(e.Clock) > clock &&
				int(e.Clock) < calls[i+1] &&
				e.Packet.Direct && obj.NameAt(e.Packet.Addr) == "new" && e.Packet.Dest == peIn(t, s.texts[text].text)
		}), s.texts[text].text)
	}
	require.Equal(t, len(calls)-2, empty, "all but the first and the last")
}

// em4-mlpe shows the packet after each switch, for the loads in the boxes.
func TestMLPEDrawing(t *testing.T) {
	net, err := omega.ForPEs(80)
	require.NoError(t, err)
	format, s := packet.FormatFor(net.K), kept(t, "em4-mlpe")
	var data uint64
	var loads, shown []string
	for _, w := range s.texts {
		if load, ok := strings.CutPrefix(w.text, "load "); ok {
			loads = append(loads, load)
		} else if strings.HasPrefix(w.text, "[") && w.size == 8.5 {
			shown = append(shown, w.text)
		}
	}
	ring := net.Ring(packet.PE{}, omega.OutGroup)
	require.Len(t, loads, len(ring))
	var want []string
	changed := 0
	for i, pe := range ring {
		load, err := strconv.Atoi(loads[i])
		require.NoError(t, err)
		before := data
		if data = mlpe.Compare(format, data, uint8(load), pe, false); i == 0 {
			data = mlpe.Payload(format, uint8(load), pe)
		} else if data != before {
			changed++
		}
		least, at := mlpe.FromPayload(format, data)
		want = append(want, fmt.Sprintf("[%d,%v]", least, at))
		s.find(t, pe.String())
	}
	last := want[len(want)-1]
	require.Equal(t, append(want[:len(want)-1:len(want)-1], last+" comes back to [0,0]"), shown)
	require.Len(t, s.styled(`fill="#c8c8c8"`), changed)
	s.find(t, "[0,0] looks for the least load: its packet comes back with "+last)
}

// The ends of the ranges in em4-load have their column's load, and the numbers next to them
// have another.
func TestLoadDrawing(t *testing.T) {
	const plenty = 1 << 16
	s, c := kept(t, "em4-load"), em4.Prototype80()
	head := s.find(t, "load")
	for name, load := range map[string]func(n int) uint8{
		"FIFO words":     func(n int) uint8 { return mlpe.Load(n, 0, plenty, plenty) },
		"MIB words":      func(n int) uint8 { return mlpe.Load(0, n, plenty, plenty) },
		"free segments":  func(n int) uint8 { return mlpe.Load(0, 0, n, plenty) },
		"free structure": func(n int) uint8 { return mlpe.Load(0, 0, plenty, n) },
	} {
		row, cells := s.find(t, name), 0
		for _, w := range s.texts {
			if w.size != 8 || w.y < row.y-4 || w.y > row.y+4 || w.text == name {
				continue
			}
			cells++
			column := slices.IndexFunc(s.texts, func(h written) bool {
				return h.y == head.y && h.text != "load" && h.x > w.x-20 && h.x < w.x+30 && w.x+
					float64(len([]rune(w.text)))*2 > h.x-6 && w.x < h.x+6
			})
			require.GreaterOrEqual(t, column, 0, "%s: %s", name, w.text)
			want, err := strconv.ParseUint(s.texts[column].text, 16, 8)
			require.NoError(t, err)
			low, high, ranged := strings.Cut(w.text, "–")
			from, err := strconv.ParseUint(low, 16, 32)
			require.NoError(t, err)
			to := from
			if ranged {
				to = max(from, uint64(c.FIFOWords))
				if high != "" {
					to, err = strconv.ParseUint(high, 16, 32)
					require.NoError(t, err)
					require.NotEqual(t, want, uint64(load(int(to)+1)), "%s: %s", name, w.text)
				}
			}
			require.Equal(t, []uint64{want, want}, []uint64{uint64(load(int(from))), uint64(load(int(to)))},
				"%s: %s", name, w.text)
			if from > 0 && name != "free segments" && name != "free structure" {
				require.NotEqual(t, want, uint64(load(int(from)-1)), "%s: %s", name, w.text)
			}
		}
		require.Positive(t, cells, name)
	}
}

// The dark parts of em4-fib10 are as long as the clocks in which units work. The argument is
// smaller, and the machine's timing is fixed, so that a calibration does not change the file.
func TestFibStrips(t *testing.T) {
	c := em4.Small12()
	c.HopClocks, c.InjectClocks, c.BankClocks = 4, 1, 2
	d, err := em4Fib(t.Context(), c, 5)
	require.NoError(t, err)
	golden.Check(t, "em4-fib5.svg", encoded(t, d))
	s := make(strips, 5)
	s.addClocks(0, works, 3, 4)
	s.addClocks(0, works, 4, 6)
	s.addClocks(0, works, 8, 9)
	s.addClocks(4, late, 0, 9)
	require.Equal(t, []uint64{3, 6, 8, 9}, s[0][works])
	p := runPlot("", "", "", 10, s.height(0)+1)
	p.Y.Min = s.height(4) - 1
	p.Add(s)
	drawn := sketched(t, p)
	path := drawn.styled(`stroke="#3c3c3c"`)[0].points
	require.Len(t, path, 4)
	clock := (path[1][0] - path[0][0]) / 3
	require.InDelta(t, path[0][0]+5*clock, path[2][0], 0.02)
	require.InDelta(t, path[0][0]+6*clock, path[3][0], 0.02)
	other := drawn.styled(`stroke="#eeeeee"`)[0]
	require.InDelta(t, path[0][1]-other.points[0][1], 4.4/0.8*other.width(t), 0.1)
}

// Waits for a packet or a partner are pale, other waits grey, and work is dark.
func TestStripShades(t *testing.T) {
	for status, want := range map[trace.Status]int{
		trace.WaitFMU: late, trace.WaitOperand: late, trace.WaitMIB: late,
		trace.WaitInject: waits, trace.Move: works,
	} {
		shade, drawn := shadeOf(status)
		require.True(t, drawn)
		require.Equal(t, want, shade, status)
	}
	_, drawn := shadeOf(trace.Idle)
	require.False(t, drawn)
}
