package sink

import (
	"bufio"
	"fmt"

	base "emsim/internal/base/vcd"
	"emsim/trace"
)

// vcd writes a value change dump: one scope per PE, with statuses as strings. A value that ends with a clock changes at
// the beginning of the next clock.
type vcd struct {
	*base.File
	info  *trace.Info
	code  [][]string // identifier codes by PE and signal; nil for a PE that is not watched
	ended []uint32   // PEs whose block ended in this clock
}

// The signals of a PE.
const (
	vcdUnit  = 0                            // trace.PE, SU (unused), IBU, FMU, EXU
	vcdSlot  = vcdUnit + int(trace.EXU) + 1 // slots of the SU
	vcdLevel = vcdSlot + trace.Slots        // one signal for each trace.Level
	vcdPC    = vcdLevel + int(trace.Levels) // code address of the instruction
	vcdNode  = vcdPC + 1                    // name of the running block
	vcdCount = vcdNode + 1
)

// levelBits lists the widths of the levels in bits.
var levelBits = [trace.Levels]int{
	trace.FIFOWords: 14, trace.MIBWords: 18, trace.Load: 4, trace.Operands: 18,
	trace.Segments: 14,
}

func newVCD(w *bufio.Writer, info *trace.Info) trace.Sink {
	x := &vcd{base.New(w, "em4", info.Title, info.Recipe), info, make([][]string, len(info.PEs)), nil}
	for _, pe := range info.Traced {
		codes := make([]string, vcdCount)
		x.code[pe] = codes
		x.Scope(fmt.Sprintf("pe_%d_%d", info.PEs[pe].GA, info.PEs[pe].CA))
		text := func(signal int, name string) { codes[signal] = x.Text(name, "idle") }
		text(int(trace.PE), "state")
		text(int(trace.EXU), "exu")
		codes[vcdNode] = x.Text("node", "none")
		codes[vcdPC] = x.Number("pc", 18)
		text(int(trace.FMU), "fmu")
		text(int(trace.IBU), "ibu")
		for l := range trace.Levels {
			codes[vcdLevel+int(l)] = x.Number(l.String(), levelBits[l])
		}
		for s := range uint8(trace.Slots) {
			text(vcdSlot+int(s), "su_"+trace.SlotName(s))
		}
		x.Leave()
	}
	x.Begin(info.From)
	return x
}

func (x *vcd) Event(e *trace.Event) {
	x.advance(e.Clock)
	codes := x.code[e.PE]
	switch e.Kind {
	case trace.Changed:
		signal := vcdUnit + int(e.Unit)
		if e.Unit == trace.SU {
			signal = vcdSlot + int(e.Slot)
		}
		x.SetText(codes[signal], e.Status.String())
	case trace.Levelled:
		x.SetNumber(codes[vcdLevel+int(e.Level)], e.Value)
	case trace.Fetched:
		x.SetNumber(codes[vcdPC], uint64(e.PC))
	case trace.Begun:
		x.SetText(codes[vcdNode], x.info.Where(e.PC))
	case trace.Ended:
		x.ended = append(x.ended, e.PE)
	}
}

func (x *vcd) advance(clock uint64) {
	if clock == x.Now() {
		return
	}
	if len(x.ended) > 0 {
		x.At(x.Now() + 1)
		for _, pe := range x.ended {
			x.SetText(x.code[pe][vcdNode], "none")
		}
		x.ended = x.ended[:0]
	}
	x.At(clock)
}

func (x *vcd) Close(end uint64) error {
	x.advance(end)
	return x.File.Close()
}
