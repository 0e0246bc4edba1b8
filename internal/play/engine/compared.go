package engine

import (
	"fmt"
	"reflect"
	"slices"

	"emsim/emcr"
	"emsim/internal/base/answer"
	"emsim/internal/base/plural"
)

// two holds the final states of two runs, or their current ones.
type two struct {
	sessions [2]*Session
	frames   [2]*Frame
}

// both returns the two runs of a pair.
func (s *Session) both() (*two, error) {
	p, err := s.paired()
	if err != nil {
		return nil, err
	}
	x := &two{sessions: p.sessions}
	for i, one := range x.sessions {
		x.frames[i] = one.Frame()
	}
	return x, nil
}

// arrived reports whether both runs have a result.
func (x *two) arrived() bool {
	return !slices.ContainsFunc(x.frames[:], func(f *Frame) bool {
		return !f.Ended || f.Failure != "" || f.Result.Clocks == 0
	})
}

// length returns the clocks up to the later result; 0 if it is unknown.
func (x *two) length() uint64 {
	a, b := x.sessions[0].length, x.sessions[1].length
	if a == 0 || b == 0 {
		return 0
	}
	return max(a, b)
}

// times says which run is faster, and by how much.
func (x *two) times() string {
	a, b := x.frames[0].Result.Clocks, x.frames[1].Result.Clocks
	if a == b {
		return "A and B are as fast"
	}
	return fmt.Sprintf("%s is %.2f times as fast", map[bool]string{true: "A", false: "B"}[a < b],
		float64(max(a, b))/float64(min(a, b)))
}

// columns are the numbers of a run that are compared; the second is a share.
var columns = [...]string{"clocks", "utilisation", "calls", "PEs with calls", "most on a PE", "spilled"}

// numbers returns the columns of a run.
func (x *two) numbers(i int) [len(columns)]float64 {
	s, f := x.sessions[i], x.frames[i]
	work, all := s.work()
	n := [len(columns)]float64{float64(s.shownClock()), work / max(1, all)}
	if f.Result != nil {
		n[0], n[1] = float64(f.Result.Clocks), f.Result.Utilisation
	}
	for pe, calls := range f.Calls {
		n[2] += float64(calls)
		n[3] += float64(min(1, calls))
		n[4] = max(n[4], float64(calls))
		n[5] += float64(f.Spilled[pe])
	}
	return n
}

// work returns the PE-clocks of the run so far in which any unit of a PE was at work, and the number of all PE-clocks.
func (s *Session) work() (work, all float64) {
	for i := range s.batch().Config().PEs {
		for activity, n := range s.batch().PE(i).Clocks {
			all += float64(n)
			if activity < 2 {
				work += float64(n)
			}
		}
	}
	return work, all
}

// Compared returns, as HTML, what two runs have in common and where they differ, with their numbers. differ is the
// number of PEs that differ now.
func (s *Session) Compared(differ int) (string, error) {
	x, err := s.both()
	if err != nil {
		return "", err
	}
	q, a, b, p := s.pair.parting, x.frames[0], x.frames[1], &sheet{}
	ended := a.Ended && b.Ended
	if x.arrived() {
		p.Add(`<p class="won">A takes %s clocks, B %s: %s.</p>`,
			plural.Commas(a.Result.Clocks), plural.Commas(b.Result.Clocks), x.times())
	}
	switch {
	case reflect.DeepEqual(x.sessions[0].setup, x.sessions[1].setup):
		p.WriteString(`<p>B is a copy of A, so both do the same. Give the chosen run <button class="link" ` +
			`data-act="form">another program, machine or parameter</button>.`)
	case q.At != "":
		p.Add(`<p><button class="link" data-act="at %d %d">They part at clock %s</button>: %s.`, q.Clock, q.PE,
			plural.Commas(q.Clock), q.At)
		if q.Packet != "" {
			p.Add(` The first packet that differs is <button class="link" data-act="at %d %d">at clock %s</button>: `+
				"%s.", q.PacketClock, q.PacketPE, plural.Commas(q.PacketClock), q.Packet)
		}
	case ended && q.Clock >= max(a.Clock, b.Clock), x.length() > 0 && q.Clock >= x.length():
		p.WriteString("<p>Both do the same up to their ends.")
	default:
		p.Add("<p>Up to clock %s both do the same.", plural.Commas(q.Clock))
	}
	if differ > 0 {
		p.Add(" PEs that differ now (◤): %d.", differ)
	}
	p.WriteString(`</p><table class="sum"><tr><th>run</th><th>result</th>`)
	for _, name := range columns {
		p.Add("<th>%s</th>", name)
	}
	for i, f := range x.frames {
		result := f.Answer
		if !f.Ended {
			result = "at clock " + plural.Commas(f.Clock)
		} else if f.Failed != "" {
			result = f.Failed
		}
		p.Add("</tr><tr><th>%s</th><td>%s</td>", "AB"[i:i+1], result)
		for k, n := range x.numbers(i) {
			words := plural.Commas(uint64(n))
			if k == 1 {
				words = answer.InPercent(n)
			}
			p.Add("<td>%s</td>", words)
		}
	}
	same := ""
	if ended {
		same = map[bool]string{true: "=", false: "≠"}[a.Answer == b.Answer]
	}
	p.Add(`</tr><tr class="none"><th>B to A</th><td>%s</td>`, same)
	other := x.numbers(1)
	for k, n := range x.numbers(0) {
		words := fmt.Sprintf("× %.2f", other[k]/n)
		if n == other[k] {
			words = "="
		} else if n == 0 {
			words = "≠"
		}
		p.Add("<td>%s</td>", words)
	}
	p.WriteString("</tr></table>")
	return p.String(), nil
}

// placed says how many calls MLPE placed in each run, or returns "" if there are none.
func (x *two) placed() string {
	var n [2]uint64
	for i, s := range x.sessions {
		for pe := range s.batch().Config().PEs {
			n[i] += s.batch().PE(pe).MLPECalls
		}
	}
	if n == [2]uint64{} {
		return ""
	}
	return fmt.Sprintf("; MLPE placed %s calls in A, %s in B", plural.Commas(n[0]), plural.Commas(n[1]))
}

// room is the room for the ends of two runs, in pixels of the page.
type room struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Ends returns the ends of two runs: which was faster, maps of the calls on every PE with their difference, and how
// much work was done when. It is empty until both have a result.
func (s *Session) Ends(r room) (string, error) {
	x, err := s.both()
	if err != nil || !x.arrived() {
		return "", err
	}
	n, a, b := [2][len(columns)]float64{x.numbers(0), x.numbers(1)}, x.frames[0], x.frames[1]
	same, maps := len(a.Calls) == len(b.Calls), 2.0
	if same {
		maps = 3
	}
	wide := max(100, min(210, r.Width/2/maps-20))
	next := r.Width - float64(maps*(wide+18)) - 44
	m := &shades{w: wide, h: max(180, min(480, r.Height)), most: max(1, n[0][4], n[1][4])}
	if next < 380 {
		next, m.h = max(260, r.Width-44), max(180, min(200, r.Height))
	}
	p := &m.sheet
	clocks := plural.Commas(a.Result.Clocks) + " clocks each"
	if n, o := min(a.Result.Clocks, b.Result.Clocks), max(a.Result.Clocks, b.Result.Clocks); n < o {
		clocks = plural.Commas(n) + " clocks, not " + plural.Commas(o)
	}
	whole := func(n float64) string { return plural.Commas(uint64(n)) }
	p.Add("<h2>%s</h2><p>%s; the busiest PE got %s calls in A, %s in B; A spilled %s packets, B %s%s</p><div>",
		x.times(), clocks, whole(n[0][4]), whole(n[1][4]), whole(n[0][5]), whole(n[1][5]), x.placed())
	more := make([]float64, len(a.Calls))
	for i, f := range x.frames {
		on := fmt.Sprintf("%.0f of", n[i][3])
		if int(n[i][3]) == len(f.Calls) {
			on = "all"
		}
		list := make([]float64, len(f.Calls))
		for pe, calls := range f.Calls {
			list[pe] = float64(calls)
			if same {
				more[pe] = list[pe] - more[pe]
			}
		}
		m.draw("run-"+"ab"[i:i+1], "Calls in "+"AB"[i:i+1], fmt.Sprintf("on %s %d PEs", on, len(f.Calls)), list,
			x.sessions[i].batch().Net.Topology.Members)
	}
	if same {
		m.signed = true // more is B − A so far, and becomes A − B
		for pe := range more {
			more[pe] = -more[pe]
		}
		m.draw("", "A − B", "more in A: brown", more, s.batch().Net.Topology.Members)
	}
	x.curves(p, next, m.h)
	p.WriteString("</div>")
	return p.String(), nil
}

// done is the work of a run up to a clock, in PE-clocks.
type done struct {
	clock uint64
	work  float64
}

// done returns the work done up to each sample of a run, until its result.
func (s *Session) done() (list []done) {
	end := s.Frame().Result.Clocks
	add := func(clock uint64, states [emcr.Activities]uint64) {
		if len(list) == 0 || list[len(list)-1].clock < end {
			list = append(list, done{min(clock, end), float64(states[0] + states[1])})
		}
	}
	if a := s.ahead; a != nil && a.found.Ended {
		for i, clock := range a.found.Clocks {
			add(clock, a.found.States[i])
		}
		return list
	}
	for _, p := range s.d.Series() {
		add(p.Clock-s.start, p.States)
	}
	return list
}
