package figures

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"emsim/em4"
	"emsim/packet"
	"emsim/programs"
	"emsim/trace"
)

// em4PrefetchFigures are the pictures of a PE's prefetch register: how a search
// fills it, and what calls do that find it empty.
func em4PrefetchFigures() []Figure {
	figure := func(name, title string, rows vg.Length, draw func(register) Drawing) Figure {
		return Figure{
			Name: name, Title: title, Source: "ours", Width: 24 * vg.Centimeter, Height: vg.Length(rows * vg.Centimeter),
			Draw: func(ctx context.Context) (Drawing, error) {
				r, err := registerOf(ctx, em4.Small12(), 12)
				if err != nil {
					return nil, err
				}
				return draw(r), nil
			},
		}
	}
	return []Figure{
		figure("em4-prefetch", "a search with MLPE gets an operand segment before the call that will use it", 7, register.prefetch),
		figure("em4-fallback", "calls that find the prefetch register empty go where the policy says", 8, register.fallback),
	}
}

// register is what happens to the prefetch register of one PE in a run: a search
// for the least loaded PE, which gets a segment there, and the calls that look
// for one. fallback of the calls, one after the other, find none.
type register struct {
	title    string
	pe       packet.PE
	searches []search
	calls    []lookup
	first    int // the first of the calls that find the register empty
}

// search is one MLPE packet and what comes of it, by clocks.
type search struct {
	sent     uint64    // the EXU makes the packet
	home     uint64    // it is in the input buffer
	found    uint64    // its block begins, which asks the PE found
	asked    uint64    // the request is made
	reached  uint64    // it is in the input buffer of the PE found
	reserves uint64    // there the block begins that takes a segment
	answered uint64    // the answer is made
	back     uint64    // it is in the input buffer
	filled   uint64    // the register has the segment
	at       packet.PE // the PE found
}

// lookup is a call that reads the register.
type lookup struct {
	clock  uint64
	search int       // the one whose segment it takes; -1: of a search before the run
	empty  bool      // the register is empty
	to     packet.PE // where the call goes
}

// registerOf runs fib with MLPE and follows the register of the first PE that
// has calls with an empty register between calls with a full one.
func registerOf(ctx context.Context, c em4.Config, n uint64) (register, error) {
	obj, err := programs.Assemble("fib", map[string]string{"mlpe": "on"})
	if err != nil {
		return register{}, err
	}
	w, err := watch(ctx, c, obj, n)
	if err != nil {
		return register{}, err
	}
	instr := obj.Instructions()
	for pe := range w.m.Config().PEs {
		f := registerFollower{watched: w, register: register{pe: w.m.Net.Address(pe)}, number: uint32(pe), instr: instr, full: true, from: -1}
		for i := range w.events {
			f.see(&w.events[i])
		}
		if r := f.register; r.choose() {
			r.title = fmt.Sprintf("fib(%d) with MLPE on %d PEs", n, w.m.Config().PEs)
			return r, nil
		}
	}
	return register{}, errors.New("no PE has calls with an empty register between others")
}

// choose looks for calls with an empty register: at least two, one after the other, with
// calls around them that find a segment.
func (r *register) choose() bool {
	for i := 1; i < len(r.calls); i++ {
		if !r.calls[i].empty || r.calls[i-1].empty || r.calls[i-1].search < 0 {
			continue
		}
		end := i
		for end < len(r.calls) && r.calls[end].empty {
			end++
		}
		if end-i >= 2 && end < len(r.calls) {
			r.first = i
			return true
		}
	}
	return false
}

// registerFollower finds in the events of a run what happens to a register.
type registerFollower struct {
	*watched
	register
	number uint32 // of the PE
	instr  func(pc uint32) string
	full   bool
	from   int      // the search whose segment the register has
	id     trace.ID // the packet that the present search consists of
	reads  bool     // a call has read an empty register and not yet asked
}

func (f *registerFollower) see(e *trace.Event) {
	if e.PE == f.number {
		f.call(e)
	}
	last := len(f.searches) - 1
	if last < 0 {
		return
	}
	s := &f.searches[last]
	begun := e.Kind == trace.Begun && trace.IDOf(&e.Packet) == f.id
	switch {
	case (e.Kind == trace.Queued || e.Kind == trace.Spilled) && trace.IDOf(&e.Packet) == f.id:
		for _, arrival := range []*uint64{&s.home, &s.reached, &s.back} {
			if *arrival == 0 {
				*arrival = e.Clock
				break
			}
		}
	case begun && s.found == 0:
		s.found = e.Clock
	case begun && s.reserves == 0:
		s.reserves = e.Clock
	case begun:
		s.filled, f.full, f.from, f.id = e.Clock, true, last, trace.ID{}
	case e.Kind == trace.Made && s.found > 0 && s.asked == 0 && e.PE == f.number && f.in(e.PC, "found"):
		s.asked, s.at, f.id = e.Clock, e.Packet.Dest, trace.IDOf(&e.Packet)
	case e.Kind == trace.Made && s.reserves > 0 && s.answered == 0 && f.m.Net.Address(int(e.PE)) == s.at && f.in(e.PC, "reserve"):
		s.answered, f.id = e.Clock, trace.IDOf(&e.Packet)
	}
}

// call sees calls, and the searches that they start.
func (f *registerFollower) call(e *trace.Event) {
	switch {
	case e.Kind == trace.Fetched && strings.HasPrefix(f.instr(e.PC), "rds ") && strings.HasSuffix(f.instr(e.PC), " mlpe"):
		c := lookup{clock: e.Clock, search: f.from, empty: !f.full}
		if f.full && f.from >= 0 {
			c.to = f.searches[f.from].at
		}
		f.calls = append(f.calls, c)
		f.reads, f.full = c.empty, false
	case e.Kind == trace.Made && e.Packet.Kind == packet.MLPE:
		f.searches = append(f.searches, search{sent: e.Clock})
		f.id = trace.IDOf(&e.Packet)
	case e.Kind == trace.Made && f.reads && e.Packet.Direct && f.obj.NameAt(e.Packet.Addr) == "new":
		f.calls[len(f.calls)-1].to, f.reads = e.Packet.Dest, false
	}
}

// in reports whether a code address is in the block of a name.
func (f *registerFollower) in(pc uint32, block string) bool {
	name, _, _ := strings.Cut(f.obj.NameAt(pc), "+")
	return name == block
}

// prefetch draws the search whose segment the call takes that is followed by
// calls with an empty register.
func (r register) prefetch() Drawing {
	taker := r.calls[r.first-1]
	s := r.searches[taker.search]
	row := func(name string, from, to uint64, kind int, text string) timeRow {
		return timeRow{name: name, boxes: []timeBox{{from, to, kind, text}}}
	}
	return timeline{
		title: fmt.Sprintf("%s: PE %v looks for the least load, and prefetches a segment of %v", r.title, r.pe, s.at),
		note:  "dark: a block runs; grey: a packet waits in an input buffer; pale: a packet is on its way, or the register has a segment",
		rows: []timeRow{
			{name: "1 search", boxes: []timeBox{
				{s.sent, s.home, boxHold, ""}, {s.home, s.found, boxWait, "goes round the reverse circuit, and waits in the input buffer"},
			}},
			row(fmt.Sprintf("2 EXU %v", r.pe), s.found, s.asked+1, boxWork, "found: it names the PE of the least load"),
			{name: "3 request", boxes: []timeBox{{s.asked, s.reached, boxHold, ""}, {s.reached, s.reserves, boxWait, "waits in the input buffer of " + s.at.String()}}},
			row(fmt.Sprintf("4 EXU %v", s.at), s.reserves, s.answered+1, boxWork, "reserve: takes an operand segment"),
			{name: "5 answer", boxes: []timeBox{{s.answered, s.back, boxHold, ""}, {s.back, s.filled, boxWait, "the segment's address"}}},
			row("6 register", s.filled, taker.clock, boxHold, "a segment of "+s.at.String()),
			row("7 the next call", taker.clock, taker.clock+2, boxWork, "takes it"),
		},
		from: s.sent - 2, to: taker.clock + (taker.clock-s.sent)/6, tick: ticks(taker.clock - s.sent), left: 82,
	}
}

// fallback draws calls with an empty register, and those around them.
func (r register) fallback() Drawing {
	from := r.calls[r.first-1].clock
	held := timeRow{name: "register"}
	way := timeRow{name: "search"}
	var calls []timeRow
	end := r.first
	for ; r.calls[end].empty; end++ {
	}
	to := r.calls[end].clock
	for i, c := range r.calls[r.first-1 : end+1] {
		text := fmt.Sprintf("takes the segment of %v, and starts a search", c.to)
		if c.empty {
			text = fmt.Sprintf("the register is empty: goes to %v, as without MLPE", c.to)
		}
		calls = append(calls, timeRow{name: fmt.Sprintf("call %d", i+1), gap: i == 0, boxes: []timeBox{{c.clock, c.clock + 2, boxWork, text}}})
		if !c.empty {
			s := r.searches[c.search]
			text := "segment of " + s.at.String()
			held.boxes = append(held.boxes, timeBox{max(s.filled, from-min(from, 8)), c.clock, boxHold, text})
		}
	}
	for _, s := range r.searches {
		if s.filled > from && s.sent < to && s.sent >= from {
			way.boxes = append(way.boxes,
				timeBox{s.sent, s.home, boxHold, "MLPE packet"}, timeBox{s.home, s.found, boxWait, "in the input buffer"},
				timeBox{s.found, s.filled, boxHold, "request and answer"})
		}
	}
	span := to - from
	return timeline{
		title: fmt.Sprintf("%s: calls on PE %v, and its prefetch register", r.title, r.pe),
		note:  "dark: a call reads the register; grey: the MLPE packet waits behind others; pale: packets get a segment from the PE found, or the register has one",
		rows:  append([]timeRow{held, way}, calls...),
		from:  from - min(from, 8), to: to + span/2, tick: ticks(span), left: 52,
	}
}

// ticks is a distance of ticks for so many clocks.
func ticks(clocks uint64) uint64 {
	tick := uint64(5)
	for _, t := range []uint64{10, 20, 50, 100, 200} {
		if clocks/tick > 14 {
			tick = t
		}
	}
	return tick
}
