package sink

import (
	"bufio"
	"fmt"
	"strings"

	"emsim/trace"
)

// vcd writes a value change dump: one scope per PE, statuses as strings. What ends with a
// clock changes at the beginning of the next one.
type vcd struct {
	w     *bufio.Writer
	info  *trace.Info
	at    uint64
	code  [][]string // identifier codes by PE and signal; nil for a PE that is not watched
	ended []uint32   // PEs whose block ended in the clock `at`
}

// The signals of a PE in the order of their codes.
const (
	vcdUnit  = 0                            // trace.PE, SU (unused), IBU, FMU, EXU
	vcdSlot  = vcdUnit + int(trace.EXU) + 1 // slots of the SU
	vcdLevel = vcdSlot + trace.Slots        // levels
	vcdPC    = vcdLevel + int(trace.Levels) // code address of the instruction
	vcdNode  = vcdPC + 1                    // name of the block that runs
	vcdCount = vcdNode + 1
)

// levelBits are the widths of the levels.
var levelBits = [trace.Levels]int{trace.FIFOWords: 14, trace.MIBWords: 18, trace.Load: 4, trace.Operands: 18, trace.Segments: 14}

func newVCD(w *bufio.Writer, info *trace.Info) trace.Sink {
	x := &vcd{w: w, info: info, at: info.From, code: make([][]string, len(info.PEs))}
	fmt.Fprintf(w, "$comment %s $end\n", strings.ReplaceAll(info.Title, "$", ""))
	if info.Recipe != "" {
		fmt.Fprintf(w, "$comment %s $end\n", info.Recipe)
	}
	fmt.Fprint(w, "$comment one unit of time is one clock of the machine $end\n$version emsim $end\n$timescale 1 ns $end\n$scope module em4 $end\n")
	n := 0
	for _, pe := range info.Traced {
		codes := make([]string, vcdCount)
		for i := range codes {
			codes[i] = vcdCode(n)
			n++
		}
		x.code[pe] = codes
		fmt.Fprintf(w, "$scope module pe_%d_%d $end\n", info.PEs[pe].GA, info.PEs[pe].CA)
		text := func(signal int, name string) { fmt.Fprintf(w, "$var string 1 %s %s $end\n", codes[signal], name) }
		text(int(trace.PE), "state")
		text(int(trace.EXU), "exu")
		text(vcdNode, "node")
		fmt.Fprintf(w, "$var reg 18 %s pc [17:0] $end\n", codes[vcdPC])
		text(int(trace.FMU), "fmu")
		text(int(trace.IBU), "ibu")
		for l := range trace.Levels {
			fmt.Fprintf(w, "$var reg %d %s %v [%d:0] $end\n", levelBits[l], codes[vcdLevel+int(l)], l, levelBits[l]-1)
		}
		for s := range uint8(trace.Slots) {
			text(vcdSlot+int(s), "su_"+trace.SlotName(s))
		}
		fmt.Fprint(w, "$upscope $end\n")
	}
	fmt.Fprintf(w, "$upscope $end\n$enddefinitions $end\n#%d\n$dumpvars\n", x.at)
	for _, pe := range info.Traced {
		for s, code := range x.code[pe] {
			switch {
			case s == int(trace.SU):
			case s >= vcdLevel && s <= vcdPC:
				fmt.Fprintf(w, "b0 %s\n", code)
			case s == vcdNode:
				fmt.Fprintf(w, "snone %s\n", code)
			default:
				fmt.Fprintf(w, "sidle %s\n", code)
			}
		}
	}
	fmt.Fprint(w, "$end\n")
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
		fmt.Fprintf(x.w, "s%v %s\n", e.Status, codes[signal])
	case trace.Levelled:
		fmt.Fprintf(x.w, "b%b %s\n", e.Value, codes[vcdLevel+int(e.Level)])
	case trace.Fetched:
		fmt.Fprintf(x.w, "b%b %s\n", e.PC, codes[vcdPC])
	case trace.Begun:
		fmt.Fprintf(x.w, "s%s %s\n", vcdWord(x.info.Where(e.PC)), codes[vcdNode])
	case trace.Ended:
		x.ended = append(x.ended, e.PE)
	}
}

func (x *vcd) advance(clock uint64) {
	if clock == x.at {
		return
	}
	if len(x.ended) > 0 {
		x.at++
		fmt.Fprintf(x.w, "#%d\n", x.at)
		for _, pe := range x.ended {
			fmt.Fprintf(x.w, "snone %s\n", x.code[pe][vcdNode])
		}
		x.ended = x.ended[:0]
	}
	if clock != x.at {
		x.at = clock
		fmt.Fprintf(x.w, "#%d\n", clock)
	}
}

func (x *vcd) Close(end uint64) error {
	x.advance(end)
	return x.w.Flush()
}

// vcdCode is the n-th identifier: printable characters, shortest first.
func vcdCode(n int) string {
	code := []byte{}
	for ; ; n = n/94 - 1 {
		code = append(code, byte('!'+n%94))
		if n < 94 {
			return string(code)
		}
	}
}

// vcdWord returns a text without blanks.
func vcdWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, s)
}
