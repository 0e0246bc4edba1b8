package instrument

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"emsim/internal/base/moves"
	"emsim/internal/base/vcd"
)

// waves collects the signals of a value change dump. A signal holds names, with the number of times that each was
// added. A numeric signal shows the total, a text signal the names.
type waves struct {
	*vcd.File
	held   map[string]map[string]int // names and their counts, by signal
	empty  map[string]string         // what a text signal without names shows, by signal; numbers have no entry
	deltas []delta
}

// A delta adds a name to a signal at a time, or removes it.
type delta struct {
	at         int64
	code, name string
	by         int
}

func (x *waves) text(name, empty string) string {
	code := x.Text(name, empty)
	x.empty[code] = empty
	return code
}

// number adds a signal for a count, of 31 bits, and returns its code.
func (x *waves) number(name string) string { return x.Number(name, 31) }

// add adds a name to a signal from one time to another; OnTheWay means no end.
func (x *waves) add(code, name string, by int, from, to int64) {
	if x.deltas = append(x.deltas, delta{from, code, name, by}); to != moves.OnTheWay {
		x.deltas = append(x.deltas, delta{to, code, name, -by})
	}
}

// write writes all changes in the order of time; changes at the same time are in the order of their codes.
func (x *waves) write(end int64) error {
	slices.SortStableFunc(x.deltas, func(a, b delta) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.code, b.code))
	})
	x.Begin(0)
	for i, d := range x.deltas {
		names := x.held[d.code]
		if names == nil {
			names = map[string]int{}
			x.held[d.code] = names
		}
		if names[d.name] += d.by; names[d.name] == 0 {
			delete(names, d.name)
		}
		if i+1 < len(x.deltas) && x.deltas[i+1].at == d.at && x.deltas[i+1].code == d.code {
			continue
		}
		x.At(uint64(d.at))
		if empty := x.empty[d.code]; empty != "" {
			list := slices.SortedFunc(maps.Keys(names), byNumber)
			x.SetText(d.code, cmp.Or(strings.Join(list, "+"), empty))
		} else {
			x.SetNumber(d.code, uint64(names[""]))
		}
	}
	x.At(uint64(end))
	return x.Close()
}

// byNumber compares names. Shorter ones come first, so that numbers are in numeric order.
func byNumber(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }

// WriteBoards writes a run of the MNC computer as a value change dump. For each board it shows the data in each ring
// and the PEs that transfer through it; for each PE its action and its data.
func (r *Run) WriteBoards(w io.Writer, comments ...string) error {
	type ring struct {
		via, kind string
		from, to  int
	}
	x := &waves{vcd.New(w, "mnc", comments...), map[string]map[string]int{}, map[string]string{}, nil}
	on, rings, held := map[string]string{}, map[ring]string{}, make([]map[string]string, r.Workers)
	for _, m := range r.Moves {
		if m.Via != "" {
			rings[ring{m.Via, m.Kind, m.From, m.To}] = ""
		}
	}
	list := slices.SortedFunc(maps.Keys(rings), func(a, b ring) int {
		return cmp.Or(byNumber(a.via, b.via), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
			strings.Compare(a.kind, b.kind))
	})
	for i, k := range list {
		if on[k.via] == "" {
			x.Scope(strings.ToLower(vcd.Word(k.via)))
			on[k.via] = x.text("on", "none")
		}
		if k.from != moves.Outside && k.to != moves.Outside {
			rings[k] = x.number(fmt.Sprintf("%s_%d_to_%d", strings.ToLower(k.kind), k.from, k.to))
		}
		if i+1 == len(list) || list[i+1].via != k.via {
			x.Leave()
		}
	}
	for w := range r.Workers {
		x.Scope(fmt.Sprintf("pe_%d", w))
		action := x.text("action", "idle")
		held[w] = map[string]string{"X": x.number("x"), "Y": x.number("y")}
		x.Leave()
		for _, s := range r.spans[w] {
			x.add(action, s.Doing, 1, s.From, s.To)
		}
	}
	for _, m := range r.Moves {
		busy := func(w int, at int64) { // shows the worker on the board while its operation moves the data
			if n := r.lastBefore(w, at); n >= 0 && m.Via != "" {
				x.add(on[m.Via], fmt.Sprint(w), 1, r.spans[w][n].From, r.spans[w][n].To)
			}
		}
		if m.From != moves.Outside && m.Left != moves.OnTheWay {
			x.add(held[m.From][m.Kind], "", -m.Count, m.Left, moves.OnTheWay)
			busy(m.From, m.Left)
		}
		if m.To != moves.Outside && m.Came != moves.OnTheWay {
			x.add(held[m.To][m.Kind], "", m.Count, m.Came, moves.OnTheWay)
			busy(m.To, m.Came)
		}
		if code := rings[ring{m.Via, m.Kind, m.From, m.To}]; code != "" && m.Left != moves.OnTheWay {
			x.add(code, "", m.Count, m.Left, m.Came)
		}
	}
	return x.write(r.End)
}
