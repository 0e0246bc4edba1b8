package sink

import (
	"bufio"
	"fmt"

	"emsim/packet"
	"emsim/trace"
)

// konata writes Kanata 0004. A packet is an operation with the stages SU, IBU, MIB, FMU, OPW (the operand waits in
// memory) and EXU (the block that the packet fired). Time in the format only increases, so commands for the next clock
// are kept until then.
type konata struct {
	w    *bufio.Writer
	info *trace.Info
	at   uint64
	next []func()          // commands of the next clock
	ops  map[trace.ID]*kop // packets that have not retired
	run  map[uint32]*kop   // by PE: the packet whose block the EXU runs
	last int               // number of operations so far
	done int               // number of operations that have retired
}

// kop is a packet in the file.
type kop struct {
	number int
	stage  string
	id     trace.ID
}

func newKonata(w *bufio.Writer, info *trace.Info) trace.Sink {
	fmt.Fprint(w, "Kanata\t0004\n")
	if info.Recipe != "" {
		fmt.Fprintf(w, "# %s\n", info.Recipe) // viewers ignore unknown commands
	}
	fmt.Fprintf(w, "C=\t%d\n", info.From)
	return &konata{w: w, info: info, at: info.From, ops: map[trace.ID]*kop{}, run: map[uint32]*kop{}}
}

func (x *konata) Event(e *trace.Event) {
	x.advance(e.Clock)
	id := trace.IDOf(&e.Packet)
	switch e.Kind {
	case trace.Entered:
		x.stage(x.operation(e), "SU")
	case trace.Made:
		made, from := *e, x.run[e.PE]
		x.later(func() {
			o := x.operation(&made)
			x.stage(o, "SU")
			if from != nil {
				fmt.Fprintf(x.w, "W\t%d\t%d\t0\n", o.number, from.number)
			}
		})
	case trace.Moved:
		o, to := x.operation(e), x.info.PEs[e.PE]
		fmt.Fprintf(x.w, "L\t%d\t1\t%d: SU %v %s to %s; \n", o.number, e.Clock, to, trace.SlotName(e.Slot),
			trace.PortName(e.Out))
		switch {
		case e.Out != trace.Own && o.stage == "":
			x.stage(o, "SU")
		case e.Out == trace.Own && e.Packet.ToHost:
			x.later(func() { x.retire(o) })
		case e.Out == trace.Own:
			x.later(func() { x.stage(o, "IBU") })
		}
	case trace.Spilled, trace.Refilled:
		o, to := x.operation(e), "MIB"
		if e.Kind == trace.Refilled {
			to = "IBU"
		}
		x.later(func() { x.stage(o, to) })
	case trace.Filled:
		o := x.operation(e)
		x.later(func() { x.retire(o) })
	case trace.Taken:
		x.stage(x.operation(e), "FMU")
	case trace.Stored:
		o := x.operation(e)
		x.later(func() { x.stage(o, "OPW") })
	case trace.Matched:
		if p := x.ops[e.Partner]; p != nil {
			fmt.Fprintf(x.w, "W\t%d\t%d\t0\n", x.operation(e).number, p.number)
			x.later(func() { x.retire(p) })
		}
	case trace.Begun:
		if !id.None() {
			o := x.operation(e)
			x.run[e.PE] = o
			fmt.Fprintf(x.w, "L\t%d\t0\t runs %s\n", o.number, x.info.Where(e.PC))
			x.stage(o, "EXU")
		}
	case trace.Fetched:
		if o := x.run[e.PE]; o != nil {
			fmt.Fprintf(x.w, "L\t%d\t1\t%d: EXU %s %s; \n", o.number, e.Clock, x.info.Where(e.PC), x.info.Instr(e.PC))
		}
	case trace.Ended:
		if o := x.run[e.PE]; o != nil {
			delete(x.run, e.PE)
			x.later(func() { x.retire(o) })
		}
	}
}

// Close completes the file. It leaves packets in flight without an end.
func (x *konata) Close(end uint64) error {
	x.advance(end)
	return x.w.Flush()
}

func (x *konata) later(f func()) { x.next = append(x.next, f) }

// advance moves the file's time to a clock. Commands that wait for the next clock are written when time reaches it.
func (x *konata) advance(clock uint64) {
	if clock == x.at {
		return
	}
	if len(x.next) > 0 {
		fmt.Fprint(x.w, "C\t1\n")
		x.at++
		for _, f := range x.next {
			f()
		}
		x.next = x.next[:0]
	}
	if clock > x.at {
		fmt.Fprintf(x.w, "C\t%d\n", clock-x.at)
		x.at = clock
	}
}

// operation returns the operation of the event's packet. If the packet was made before the trace began, or by a PE that
// is not watched, its operation begins here.
func (x *konata) operation(e *trace.Event) *kop {
	id := trace.IDOf(&e.Packet)
	o := x.ops[id]
	if o == nil {
		o = &kop{number: x.last, id: id}
		x.last++
		x.ops[id] = o
		thread := id.Src
		if thread == packet.Host {
			thread = uint32(len(x.info.PEs))
		}
		fmt.Fprintf(x.w, "I\t%d\t%d\t%d\n", o.number, id.Seq, thread)
		fmt.Fprintf(x.w, "L\t%d\t0\t%s %s\n", o.number, x.info.PacketName(id), content(&e.Packet))
	}
	return o
}

func (x *konata) stage(o *kop, name string) {
	if o.stage == name {
		return
	}
	if o.stage != "" {
		fmt.Fprintf(x.w, "E\t%d\t0\t%s\n", o.number, o.stage)
	}
	o.stage = name
	fmt.Fprintf(x.w, "S\t%d\t0\t%s\n", o.number, name)
}

func (x *konata) retire(o *kop) {
	if o.stage != "" {
		fmt.Fprintf(x.w, "E\t%d\t0\t%s\n", o.number, o.stage)
	}
	fmt.Fprintf(x.w, "R\t%d\t%d\t0\n", o.number, x.done)
	x.done++
	delete(x.ops, o.id)
}
