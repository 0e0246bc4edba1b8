package emcr

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/packet"
	"emsim/trace"
)

// The scripts record the registers as hardware has them at every clock, and the words that a program keeps.
func TestRegisters(t *testing.T) { scripts(t, "registers") }

// registers prints, at the start of each clock, the registers that are not 0 and have changed, and at the end the words
// that the program keeps.
func (b *testbench) registers(clocks int, out *strings.Builder) {
	var last map[string]string
	for range clocks {
		var r Registers
		b.pe.Registers(b.clock, &r)
		now := map[string]string{}
		flatten("", reflect.ValueOf(r), now)
		flatten("MIBSum", reflect.ValueOf(b.pe.MIBSum(4095)), now)
		var changed []string
		for name, v := range now {
			if last[name] != v && name != "MemorySum" { // the hash means nothing to a reader
				changed = append(changed, name+"="+v)
			}
		}
		for name := range last {
			if now[name] == "" {
				changed = append(changed, name+"=0")
			}
		}
		slices.Sort(changed)
		if len(changed) > 0 {
			fmt.Fprintf(out, "%5d %s\n", b.clock, strings.Join(changed, " "))
		}
		last = now
		b.step()
		if b.fault(out) {
			break
		}
	}
	fmt.Fprint(out, "variables:")
	b.pe.EachVariable(func(w uint64) { fmt.Fprintf(out, " %#x", w) })
	fmt.Fprint(out, "\nprefetched:")
	b.pe.EachPrefetched(func(w uint64) { fmt.Fprintf(out, " %#x", w) })
	b.pe.EachSegment(func(s Segment) bool {
		fmt.Fprintf(out, "\nsegment %#x:", s.Base)
		b.pe.EachOperandWord(s.Base, func(w uint64) { fmt.Fprintf(out, " %#x", w) })
		return true
	})
	fmt.Fprintln(out)
}

// flatten puts the values that are not 0 into a map by name.
func flatten(name string, v reflect.Value, into map[string]string) {
	switch {
	case v.IsZero():
	case v.Type() == reflect.TypeFor[packet.Packet]():
		into[name] = strings.ReplaceAll(fmt.Sprint(v.Interface()), " ", "_")
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			flatten(strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), v.Field(i), into)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			flatten(fmt.Sprintf("%s%d", strings.TrimSuffix(name, "Regs")+"r", i), v.Index(i), into)
		}
	default:
		into[name] = fmt.Sprint(v.Interface())
	}
}

// The registers include the hash of the memory.
func TestMemorySumIsARegister(t *testing.T) {
	obj := assemble(t, "sum", ".start main\nmain: st! r1, r0, main\n")
	b := newBench(t, obj, []golden.Arg{})
	var before, after Registers
	b.pe.Registers(0, &before)
	b.pe.mem.Write(0x4000, 77)
	b.pe.Registers(0, &after)
	require.NotEqual(t, before.MemorySum, after.MemorySum)
}

// A watched PE that catches up reports every clock.
func TestWatchedPECatchesUp(t *testing.T) {
	obj := assemble(t, "busy", ".start main\nmain: add r1, r1, 1\n jmp main\n")
	b := newBench(t, obj, nil)
	b.pe.Boot(b.symbol("main"))
	events := 0
	b.pe.Watch(trace.NewRecorder(trace.Func(func(*trace.Event) { events++ }), 4, []int{int(b.pe.index)}))
	lazy := (*Lazy)(&b.pe)
	lazy.CatchUp(99)
	require.EqualValues(t, 100, lazy.NextClock())
	require.Greater(t, events, 100)
	require.EqualValues(t, 100, b.pe.Instructions)
}
