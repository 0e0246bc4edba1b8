package figures

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"emsim/asm"
	"emsim/em4"
	"emsim/packet"
	"emsim/programs"
	"emsim/trace"
)

//go:embed em4packet.s
var em4PacketSource []byte

// em4TourFigures are the pictures of the guided tour, docs/tour.md.
func em4TourFigures() []Figure {
	return []Figure{
		{
			Name: "em4-packet", Title: "one packet of the EM-4 from its send to the match and the block that it fires",
			Source: "ours", Width: 24 * vg.Centimeter, Height: 9.5 * vg.Centimeter,
			Draw: func(ctx context.Context) (Drawing, error) { return em4Packet(ctx, em4.Small12()) },
		},
		{
			Name: "em4-fib10", Title: "fib(10) on 12 PEs of the EM-4: what every unit does in every clock",
			Source: "ours", Width: 24 * vg.Centimeter, Height: 17 * vg.Centimeter,
			Draw: func(ctx context.Context) (Drawing, error) { return em4Fib(ctx, em4.Small12(), 10) },
		},
	}
}

// watched is a run with all its events.
type watched struct {
	obj    *asm.Object
	m      *em4.Machine
	start  uint64 // first clock of the run
	end    uint64 // first clock after it
	result em4.Result
	events []trace.Event
}

// booted returns a machine with a program whose init blocks have run.
func booted(ctx context.Context, c em4.Config, obj *asm.Object) (*em4.Machine, error) {
	prog, err := programs.Load(obj)
	if err != nil {
		return nil, err
	}
	m, err := em4.New(c, prog, 1)
	if err != nil {
		return nil, err
	}
	return m, m.Boot(ctx, 0)
}

// watch runs a program and records its events.
func watch(ctx context.Context, c em4.Config, obj *asm.Object, args ...uint64) (*watched, error) {
	m, err := booted(ctx, c, obj)
	if err != nil {
		return nil, err
	}
	w := &watched{obj: obj, m: m, start: m.Clock()}
	r := trace.NewRecorder(trace.Func(func(e *trace.Event) { w.events = append(w.events, *e) }), m.Config().PEs, trace.All(m.Config().PEs))
	m.Watch(r, w.start, ^uint64(0))
	w.result, err = m.Run(ctx, args, em4.RunOptions{})
	w.end = r.End()
	return w, err
}

// at is the name of a unit of a PE.
func (w *watched) at(pe uint32, unit string) string {
	return fmt.Sprintf("%v %s", w.m.Net.Address(int(pe)), unit)
}

// em4Packet follows the packet that PE [3,0] sends in em4packet.s.
func em4Packet(ctx context.Context, c em4.Config) (Drawing, error) {
	obj, _, err := asm.Assemble("em4packet.s", asm.Options{Open: func(string) ([]byte, error) { return em4PacketSource, nil }})
	if err != nil {
		return nil, err
	}
	w, err := watch(ctx, c, obj, 30)
	if err != nil {
		return nil, err
	}
	far := uint32(w.m.Net.Index(packet.PE{GA: 3}))
	f := &follower{watched: w, id: trace.ID{Src: far, Seq: 1}, instr: obj.Instructions(), status: trace.Idle}
	for i := range w.events {
		f.see(&w.events[i])
	}
	d := timeline{
		title: fmt.Sprintf("30 + 12 = %d: the right operand goes from PE [3,0] to [0,0], where the left one waits", w.result.Words[0]),
		note:  "dark: the unit works on it; grey: it waits; pale: it lies in a buffer, on a link or in memory",
		rows:  f.rows, from: f.first - min(f.first, 2), to: w.end + 1, tick: 5, left: 76,
	}
	return d, nil
}

// follower draws the path of one packet.
type follower struct {
	*watched
	id      trace.ID
	instr   func(pc uint32) string
	rows    []timeRow
	first   uint64
	from    uint64 // when the packet reached its present place
	status  trace.Status
	ready   uint64
	fetched uint64
	text    string
	runs    bool
}

// row returns a row by its name; new ones come below the others.
func (f *follower) row(name string) *timeRow {
	for i := range f.rows {
		if f.rows[i].name == name {
			return &f.rows[i]
		}
	}
	f.rows = append(f.rows, timeRow{name: name, gap: len(f.rows) > 0 && strings.Fields(f.rows[len(f.rows)-1].name)[0] != strings.Fields(name)[0]})
	return &f.rows[len(f.rows)-1]
}

func (f *follower) box(name string, from, to uint64, kind int, text string) {
	if to > from {
		r := f.row(name)
		r.boxes = append(r.boxes, timeBox{from, to, kind, text})
	}
}

func (f *follower) see(e *trace.Event) {
	if f.runs && e.Unit == trace.EXU && (e.Kind == trace.Fetched || e.Kind == trace.Ended) {
		f.block(e)
		return
	}
	if trace.IDOf(&e.Packet) != f.id {
		return
	}
	switch e.Kind {
	case trace.Made:
		f.first, f.from = e.Clock, e.Clock+1
		f.box(f.at(e.PE, "EXU"), e.Clock, e.Clock+1, boxWork, "")
	case trace.Changed:
		f.slot(e)
	case trace.Moved:
		f.slotEnd(e, e.Clock+1)
		if e.In == trace.Own {
			f.box(f.at(e.PE, "EXU"), f.first+1, e.Clock+1, boxWait, "sends, and holds the packet until the switch takes it")
		}
		f.from = e.Clock + 1
	case trace.Queued:
		f.box(f.at(e.PE, "IBU"), f.from, e.Clock+1, boxWork, "")
		f.from = e.Clock + 1
	case trace.Taken:
		f.box(f.at(e.PE, "IBU"), f.from, e.Clock, boxHold, "FIFO")
		f.from = e.Clock
	case trace.Fired:
		f.partner(e)
		f.box(f.at(e.PE, "FMU"), f.from, e.Clock+1, boxWork, "match")
		f.ready = e.Clock + 1
	case trace.Begun:
		f.box(f.at(e.PE, "FMU"), f.ready, e.Clock, boxHold, "")
		f.runs = true
	}
}

// slot draws what the packet does in a slot of a switch.
func (f *follower) slot(e *trace.Event) {
	f.slotEnd(e, e.Clock)
	f.from, f.status = e.Clock, e.Status
}

// slotEnd draws what the packet did until a clock.
func (f *follower) slotEnd(e *trace.Event, to uint64) {
	if f.status == trace.Idle {
		return
	}
	kind, text := boxWait, strings.TrimPrefix(f.status.String(), "wait_")
	if f.status == trace.Move {
		kind, text = boxWork, ""
	} else if f.status == trace.Hop {
		kind = boxHold
	}
	f.box(f.at(e.PE, "SU"), f.from, to, kind, text)
	f.status = trace.Idle
}

// partner draws the waiting operand.
func (f *follower) partner(e *trace.Event) {
	for i := range f.events {
		p := &f.events[i]
		if p.Kind == trace.Stored && trace.IDOf(&p.Packet) == e.Partner {
			f.first = min(f.first, p.Clock)
			f.box(f.at(e.PE, "memory"), p.Clock+1, e.Clock+1, boxHold, "the left operand waits for its partner")
		}
	}
}

// block draws the instructions of the block that the packet fired.
func (f *follower) block(e *trace.Event) {
	if f.text != "" {
		to := e.Clock
		if e.Kind == trace.Ended {
			to, f.runs = to+1, false
		}
		f.box(f.at(e.PE, "EXU"), f.fetched, to, boxWork, f.text)
	}
	if e.Kind == trace.Fetched {
		name, _, _ := strings.Cut(f.instr(e.PC), " ")
		f.fetched, f.text = e.Clock, name
	}
}

// em4Fib draws a whole run of fib.
func em4Fib(ctx context.Context, c em4.Config, n uint64) (Drawing, error) {
	obj, err := programs.Assemble("fib", nil)
	if err != nil {
		return nil, err
	}
	w, err := watch(ctx, c, obj, n)
	if err != nil {
		return nil, err
	}
	units := []string{"EXU", "FMU", "IBU", "SU"}
	rows := make([]timeRow, len(units)*w.m.Config().PEs)
	for i := range rows {
		rows[i] = timeRow{name: units[i%len(units)], gap: i%len(units) == 0 && i > 0}
		if i%len(units) == 0 {
			rows[i].name = w.at(uint32(i/len(units)), units[0])
		}
	}
	for i := range w.events {
		e := &w.events[i]
		switch {
		case e.Kind == trace.Moved:
			row := &rows[int(e.PE)*len(units)+3]
			row.add(e.Clock-w.start, e.Clock-w.start+1, boxWork)
		case e.Kind == trace.Changed && e.Unit >= trace.IBU && e.Unit <= trace.EXU:
			row := &rows[int(e.PE)*len(units)+int(trace.EXU-e.Unit)]
			if kind, ok := shadeOf(e.Was); ok {
				row.add(max(e.Since, w.start)-w.start, e.Clock-w.start, kind)
			}
		}
	}
	last := w.end - w.start
	tick := uint64(10)
	for _, t := range []uint64{20, 50, 100, 200, 500, 1000} {
		if last/tick > 12 {
			tick = t
		}
	}
	return timeline{
		title: fmt.Sprintf("fib(%d) on %d PEs: %d in %d clocks, PE utilisation %.0f %%", n, w.m.Config().PEs, w.result.Words[0], w.result.Clocks, 100*w.result.Utilisation()),
		note:  "dark: works (SU: a packet moves); grey: waits for memory, switch or EXU; pale: waits for a packet or a partner; white: idle",
		rows:  rows, to: last, tick: tick, left: 52, fine: true,
	}, nil
}

// add appends a box, or makes the last one longer.
func (r *timeRow) add(from, to uint64, kind int) {
	if n := len(r.boxes); n > 0 && r.boxes[n-1].to >= from && r.boxes[n-1].kind == kind {
		r.boxes[n-1].to = to
		return
	}
	r.boxes = append(r.boxes, timeBox{from: from, to: to, kind: kind})
}

// shadeOf returns the shade of a status in a strip.
func shadeOf(s trace.Status) (kind int, drawn bool) {
	switch s {
	case trace.Idle:
		return 0, false
	case trace.WaitFMU, trace.WaitOperand, trace.WaitMIB:
		return boxLate, true
	}
	if s.IsWait() {
		return boxWait, true
	}
	return boxWork, true
}
