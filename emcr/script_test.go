package emcr

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/golden"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// scripts runs every script in a folder of testdata. Each script begins with a program. The other commands come from
// answers, with events as input.
func scripts(t *testing.T, folder string) {
	files, err := os.ReadDir("testdata/" + folder)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		t.Run(strings.TrimSuffix(f.Name(), ".txt"), func(t *testing.T) {
			var obj *asm.Object
			golden.Script(t, folder+"/"+f.Name(), func(c golden.Case) string {
				if c.Cmd == "program" {
					obj = assemble(t, c.Place, strings.Join(c.Input, "\n")+"\n")
					return ""
				}
				require.NotNil(t, obj, "%s: no program", c.Place)
				answer := answers()[c.Cmd]
				require.NotNil(t, answer, "%s: no command %s", c.Place, c.Cmd)
				return newBench(t, obj, c.Args).answer(c, answer)
			})
		})
	}
}

func assemble(t testing.TB, name, text string) *asm.Object {
	o, _, err := asm.Assemble(name, asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	return o
}

// answers returns the commands of a script. Each of them prints something about a PE during a number of clocks.
func answers() map[string]func(b *testbench, clocks int, out *strings.Builder) {
	return map[string]func(b *testbench, clocks int, out *strings.Builder){
		"pe": (*testbench).rows, "waits": (*testbench).waits, "trace": (*testbench).events,
		"late": (*testbench).dues, "look": (*testbench).looks, "damage": (*testbench).damage,
		"registers": (*testbench).registers,
	}
}

func (b *testbench) answer(c golden.Case, answer func(b *testbench, clocks int, out *strings.Builder)) string {
	clocks := 0
	for _, a := range c.Args {
		if a.Key == "clocks" {
			clocks, _ = strconv.Atoi(a.Value)
		}
	}
	for _, line := range c.Input {
		if line != "" {
			b.event(line)
		}
	}
	var out strings.Builder
	answer(b, clocks, &out)
	return out.String()
}

// fault prints why the PE stopped, and reports whether it stopped.
func (b *testbench) fault(out *strings.Builder) bool {
	f := b.pe.Fault()
	if f != nil {
		fmt.Fprintf(out, "%s: %v\n", f.Kind(), f)
	}
	return f != nil
}

// rows prints what each unit did, in one row per clock.
func (b *testbench) rows(clocks int, out *strings.Builder) {
	fmt.Fprintln(out, head)
	for range clocks {
		fmt.Fprintln(out, strings.TrimRight(b.step(), " "))
		if b.fault(out) {
			return
		}
	}
}

// waits prints which unit waits for what at the start of each clock, or nothing if no unit waits.
func (b *testbench) waits(clocks int, out *strings.Builder) {
	for range clocks {
		for _, x := range b.pe.Preview(b.clock, false) {
			fmt.Fprintf(out, "%5d %s %v: %v", b.clock, x.Unit, x.Status, x)
			if x.Code != nil {
				fmt.Fprintf(out, " [code %#x]", *x.Code)
			}
			if p := x.Packet; p != nil {
				fmt.Fprintf(out, " [packet %d]", p.Seq)
				if node, ok := b.pe.NodeAddress(p); ok {
					fmt.Fprintf(out, " [node %#x]", node)
				}
			}
			fmt.Fprintln(out)
		}
		b.step()
		if b.fault(out) {
			return
		}
	}
}

// events prints all trace events of the PE, and at the end its counters.
func (b *testbench) events(clocks int, out *strings.Builder) {
	b.pe.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		fmt.Fprintf(out, "%5d %-4v %-7v %s\n", e.Clock, e.Unit, e.Kind, told(e))
	}), 4, []int{int(b.pe.index)}))
	for range clocks {
		b.step()
		if b.pe.Fault() != nil {
			break
		}
	}
	b.counters(out)
}

// told returns the contents of an event, without its kind.
func told(e *trace.Event) string {
	switch e.Kind {
	case trace.Changed:
		return fmt.Sprintf("%v (%v since %d)", e.Status, e.Was, e.Since)
	case trace.Levelled:
		return fmt.Sprintf("%v = %d", e.Level, e.Value)
	case trace.Faulted:
		return fmt.Sprintf("%#x: %s", e.PC, e.Text)
	case trace.Fetched, trace.Ended:
		return fmt.Sprintf("%#x", e.PC)
	}
	s := fmt.Sprintf("%d.%d %v", e.Packet.Src, e.Packet.Seq, e.Packet)
	if e.PC != 0 || e.Kind == trace.Fired || e.Kind == trace.Begun {
		s += fmt.Sprintf(", code %#x", e.PC)
	}
	if !e.Partner.None() {
		s += fmt.Sprintf(", partner %d.%d", e.Partner.Src, e.Partner.Seq)
	}
	return s
}

func (b *testbench) counters(out *strings.Builder) {
	c, u := &b.pe.Counters, b.pe.IBU()
	for s := range Activities {
		fmt.Fprintf(out, "%v %d ", s, c.Clocks[s])
	}
	fmt.Fprintf(out, "(in which the EXU waited for the switch %d)\n", c.IbuWaiting)
	fmt.Fprintf(out, "instructions %d blocks %d calls %d sent %d consumed %d mlpe %d mlpe calls %d remote calls "+
		"%d sent away %d\n",
		c.Instructions, c.Blocks, c.Calls, c.Sent, c.Consumed, c.MLPESent, c.MLPECalls, c.RemoteCalls, c.SentAway)
	fmt.Fprintf(out, "spilled %d FIFO peak %d MIB peak %d segments %d peak %d holds %d\n",
		u.Spilled, u.FIFOPeak, u.MIBPeak, b.pe.SegmentsInUse(), b.pe.SegmentsPeak(), b.pe.PacketsHeld())
}

// dues prints the deadline at the start of each clock, and the new deadline when a packet is delivered or accepted.
func (b *testbench) dues(clocks int, out *strings.Builder) {
	b.pe.image.MeasureDistances()
	clock := func(t uint64) string {
		if t == packet.Never {
			return "never"
		}
		return fmt.Sprintf("+%d", int64(t-b.clock))
	}
	for range clocks {
		marks, in := "", b.pins.InFull
		if b.pe.Quiet() {
			marks += " asleep"
		}
		if b.lazy().Blocked() {
			marks += " blocked"
		}
		due, taken := clock(b.lazy().Deadline()), clock(b.lazy().DeadlineOnAccept(b.clock)) // taken: if accepted
		row := b.step()
		fmt.Fprintf(out, "%s due %-6s%s", row[:51], due, marks)
		b.clock-- // the row describes the clock before
		if b.pins.AcceptedAt == b.clock {
			fmt.Fprintf(out, " taken: %s", taken)
		}
		if !in && b.pins.InFull {
			fmt.Fprintf(out, " arrived: %s", clock(b.cfg.DeadlineOnDelivery(&b.pins.In, b.clock)))
		}
		fmt.Fprintf(out, " moved %d\n", b.lazy().LastActive())
		b.clock++
		if b.fault(out) {
			return
		}
	}
}

// looks prints everything that can be inspected after a number of clocks.
func (b *testbench) looks(clocks int, out *strings.Builder) {
	for range clocks {
		b.step()
		if b.fault(out) {
			return
		}
	}
	p := &b.pe
	x, f := p.EXU(), p.FMU()
	fmt.Fprintf(out, "EXU busy %v pc %#x begun %v left %d holds %v", x.Busy, x.PC, x.Begun, x.Left, x.Holds)
	for r, v := range x.Regs {
		if v != 0 {
			fmt.Fprintf(out, " r%d=%#x", r, v)
		}
	}
	fmt.Fprintf(out, "\nFMU step %d pc %#x left %#x right %#x packet %v\n", f.Step, f.PC, f.Left, f.Right, f.Packet)
	p.EachSegment(func(s Segment) bool {
		fmt.Fprintf(out, "segment %#x template %#x live %v", s.Base, s.Template, s.Live)
		for _, o := range s.Operands {
			fmt.Fprintf(out, ", displacement %d has %v %#x", o.Displacement, o.Have, o.Data)
		}
		fmt.Fprintln(out)
		return true
	})
	fmt.Fprintf(out, "%d operands wait:", p.CountWaitingOperands())
	for _, w := range p.WaitingOperands(100) {
		fmt.Fprintf(out, " %#x+%d of %#x %v %#x", w.Segment, w.Displacement, w.Template, w.Have, w.Data)
	}
	fmt.Fprintln(out)
	p.EachBuffered(func(pk *packet.Packet) { fmt.Fprintf(out, "behind the port: %v\n", pk) })
	for _, name := range b.show {
		switch name {
		case "counters":
			b.counters(out)
			continue
		case "specials":
			for s := range isa.SpecialNames {
				fmt.Fprintf(out, "%s %#x ", isa.SpecialNames[s], p.Special(isa.Special(s), b.clock))
			}
			fmt.Fprintln(out)
			continue
		}
		addr := b.place(name)
		fmt.Fprintf(out, "memory %s (%#x, %s) = %#x\n", name, addr, p.Layout(addr), p.Memory().Read(addr))
	}
	p.ibu.Each(func(pk *packet.Packet) { fmt.Fprintf(out, "in the input buffer: %v\n", pk) })
}
