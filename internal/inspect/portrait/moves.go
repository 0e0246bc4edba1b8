package portrait

import (
	"slices"

	"emsim/internal/base/moves"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// Moves is a trace.Sink that records a run of the EM-4 in the same form as the runs of other machines. Its items are
// calls, which are function instances. A call begins at the PE that sends its first operand, moves to the PE of its
// operand segment, and ends there when the segment is released. PEs run blocks, and learn of others' loads by MLPE
// packets. A Moves must see all PEs from the start of the run.
type Moves struct {
	rec    *moves.Record
	m      Machine
	number map[packet.PE]int
	start  uint64                 // clock of the machine at which the run started
	rule   string                 // the rule by which the program places calls
	where  func(pc uint32) string // returns the name of a code address

	family  *Family
	sent    map[trace.ID]sending // packets on their way
	started map[Segment]*started // calls whose first operand is in flight
	lives   []map[uint32]int     // by PE: the numbers of its calls, by segment
	found   map[Segment]*search  // the searches that reserved a segment
	ended   []moves.Span         // blocks that end in the current clock
	doing   []block              // by PE: the block that the EXU runs
	used    []uint64             // by PE: segments in use
	calls   int
}

// sending is the origin of a packet.
type sending struct {
	at     int64
	search *search // the search whose block sent it, or nil
}

// started is a call that has begun but has not arrived.
type started struct {
	item int
	way  *moves.Move // nil if it stays at the PE where it began
}

// search is the state of an MLPE packet's search.
type search struct {
	by   int
	at   int64          // when the packet came back
	knew []moves.Belief // the PEs that had the least load so far
}

// block is the block that an EXU runs.
type block struct {
	moves.Span
	search *search // the search to which it belongs, or nil
}

// NewMoves returns a sink that fills a record from the clock at which a run starts. rule describes how the program
// places calls that no search places.
func NewMoves(rec *moves.Record, m Machine, pes []packet.PE, start uint64, rule string,
	where func(pc uint32) string,
) *Moves {
	x := &Moves{
		rec: rec, m: m, number: map[packet.PE]int{}, start: start, rule: rule, where: where,
		family: NewFamily(m, len(pes), false), sent: map[trace.ID]sending{}, started: map[Segment]*started{},
		found: map[Segment]*search{}, doing: make([]block, len(pes)), used: make([]uint64, len(pes)),
	}
	rec.Workers = len(pes)
	for i, pe := range pes {
		x.number[pe], x.lives = i, append(x.lives, map[uint32]int{})
	}
	return x
}

// Event records the calls, blocks and searches that an event begins or ends.
func (x *Moves) Event(e *trace.Event) {
	pe, t, id := int(e.PE), int64(e.Clock-x.start), trace.IDOf(&e.Packet)
	x.endBlocks(t)
	if born := x.family.Event(e); born != nil {
		x.arrive(born, t)
	}
	switch e.Kind {
	case trace.Entered:
		x.sent[id] = sending{t, nil}
	case trace.Made:
		x.send(pe, t, e)
	case trace.Rewritten:
		load, at := mlpe.FromPayload(x.m.PE(pe).Format(), e.Value)
		if s := x.sent[id].search; s != nil {
			s.knew = append(s.knew, moves.Belief{Worker: x.number[at], Load: float64(load), At: t})
		}
	case trace.Filled, trace.Stored:
		delete(x.sent, id)
	case trace.Begun:
		x.begin(pe, t, e)
	case trace.Ended:
		b := &x.doing[pe]
		b.To = t + 1
		x.ended = append(x.ended, b.Span)
	case trace.Levelled:
		switch e.Level {
		case trace.Load:
			x.rec.Be(moves.Truth{Worker: pe, At: t, Load: float64(e.Value)})
		case trace.Segments:
			if e.Value < x.used[pe] {
				x.release(pe, t)
			}
			x.used[pe] = e.Value
		}
	}
}

// Close records the blocks that end in the last clock. Moves that have not ended by then stay open.
func (x *Moves) Close(end uint64) error {
	x.endBlocks(int64(end - x.start))
	return nil
}

// endBlocks records the blocks that ended before a clock, so that the record is in the order of time.
func (x *Moves) endBlocks(t int64) {
	if len(x.ended) > 0 && x.ended[0].To <= t {
		for _, s := range x.ended {
			x.rec.Do(s)
		}
		x.ended = x.ended[:0]
	}
}

// send records a packet that an EXU made: a search, a segment that a search reserved, or the first operand of a call.
func (x *Moves) send(pe int, t int64, e *trace.Event) {
	p, s := &e.Packet, sending{at: t}
	here := x.m.PE(pe)
	switch {
	case p.ToHost:
		return
	case p.Kind.Search():
		load, _ := mlpe.FromPayload(here.Format(), p.Data)
		s.search = &search{by: pe, knew: []moves.Belief{{Worker: pe, Load: float64(load), At: t}}}
	case p.Direct:
		s.search = x.doing[pe].search
	}
	x.sent[trace.IDOf(p)] = s
	if by := x.doing[pe].search; by != nil {
		if c := here.Format().Cont(p.Data); x.number[c.PE] == pe {
			if at, free := x.unborn(pe, c.Addr); free {
				x.found[at] = by
			}
		}
	}
	if to, ok := x.number[p.Dest]; ok && !p.Direct {
		if at, free := x.unborn(to, p.Addr); free && x.started[at] == nil {
			x.started[at] = x.call(pe, at, t)
		}
	}
}

// unborn returns the segment that contains an address, and reports whether it is reserved for a call without operands.
func (x *Moves) unborn(pe int, addr uint32) (Segment, bool) {
	base, used := x.m.PE(pe).SegmentOf(addr)
	return Segment{pe, base}, used && !x.m.PE(pe).Instance(base)
}

// call records the start of a call. The PE numbered `by` sends the call's first operand to the segment `to`.
func (x *Moves) call(by int, to Segment, t int64) *started {
	cause := &moves.Cause{Rule: x.rule, By: by, At: t}
	if s := x.found[to]; s != nil {
		cause = &moves.Cause{Rule: "MLPE: the least load that its packet met", By: s.by, At: s.at, Knew: s.knew}
		delete(x.found, to)
	}
	if to.PE == by {
		return &started{item: x.begins(cause, by, t)}
	}
	// What the search knew is recorded only once, with the move.
	c := &started{item: x.begins(&moves.Cause{Rule: cause.Rule, By: cause.By, At: cause.At}, by, t)}
	c.way = x.rec.Pass(moves.Move{
		Cause: cause, Kind: callKind, Item: c.item, Count: 1, From: by, To: to.PE, Left: t, Came: moves.OnTheWay,
	})
	return c
}

// begins records that the next call begins on a PE, and returns its number.
func (x *Moves) begins(cause *moves.Cause, pe int, t int64) int {
	x.calls++
	x.rec.Pass(moves.Move{
		Cause: cause, Kind: callKind, Item: x.calls - 1, Count: 1, From: moves.Outside, To: pe, Left: t, Came: t,
	})
	return x.calls - 1
}

// arrive records that a call has reached its segment.
func (x *Moves) arrive(born *Instance, t int64) {
	at := Segment{born.PE, born.Base}
	c := x.started[at]
	switch delete(x.started, at); {
	case c == nil:
		c = &started{item: x.begins(moves.By("the host", t), at.PE, t)}
	case c.way != nil:
		x.rec.Come(c.way, t)
	}
	if old, ok := x.lives[at.PE][at.Base]; ok { // the segment was released and reserved in one clock
		x.end(at.PE, old, t)
	}
	x.lives[at.PE][at.Base] = c.item
}

// release ends the calls of a PE whose segments have been released.
func (x *Moves) release(pe int, t int64) {
	var items []int
	for base, item := range x.lives[pe] {
		if !x.m.PE(pe).Instance(base) {
			delete(x.lives[pe], base)
			items = append(items, item)
		}
	}
	slices.Sort(items)
	for _, item := range items {
		x.end(pe, item, t)
	}
}

func (x *Moves) end(pe, item int, t int64) {
	x.rec.Pass(moves.Move{
		Cause: moves.By("its segment is released", t), Kind: callKind, Item: item, Count: 1, From: pe,
		To: moves.Outside, Left: t, Came: moves.OnTheWay,
	})
}

// begin records that an EXU begins a block, and the result of the MLPE packet that started it.
func (x *Moves) begin(pe int, t int64, e *trace.Event) {
	id := trace.IDOf(&e.Packet)
	s, known := x.sent[id]
	delete(x.sent, id)
	b := block{moves.Span{Worker: pe, Doing: x.where(e.PC), Use: moves.Work, From: t, Peer: moves.Outside}, s.search}
	switch {
	case b.search != nil:
		b.Use = moves.Balance
	case e.Packet.Direct:
		b.Use = moves.Exchange
	}
	if known && e.Packet.Src != packet.Host {
		b.Peer, b.Sent = int(e.Packet.Src), s.at
	}
	x.doing[pe] = b
	if e.Packet.Kind.Search() && s.search != nil {
		s.search.at = t
		x.rec.Learn(moves.Learned{Belief: s.search.knew[len(s.search.knew)-1], By: pe, Told: t})
	}
}

// callKind is the kind of the EM-4's moves.
const callKind = "call"
