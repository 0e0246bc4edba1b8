package run

import (
	"fmt"

	"emsim/packet"
	"emsim/trace"
)

// TraceInfo is what a sink has to know about the machine and its program, if
// the chosen PEs are watched from a clock on.
func (t *Target) TraceInfo(title string, chosen []int, from uint64) trace.Info {
	info := trace.Info{
		Title: title, PEs: make([]packet.PE, t.Config().PEs), Traced: chosen, From: from,
		Where: t.CodeName, Instr: t.Object.Instructions(),
	}
	for i := range info.PEs {
		info.PEs[i] = t.Net.Address(i)
	}
	return info
}

// CodeName names a code address: label, label+words, or the address itself.
func (t *Target) CodeName(pc uint32) string {
	if name := t.Object.NameAt(pc); name != "" {
		return name
	}
	return fmt.Sprintf("%#x", pc)
}
