package emcr

import (
	"fmt"

	"emsim/packet"
)

// Kinds of faults, as in the command's JSON errors.
const (
	SegmentOverflow   = "segment_overflow"   // no operand segment is free
	StructureOverflow = "structure_overflow" // no run of structure memory is long enough
	MIBOverflow       = "mib_overflow"       // the memory input buffer is full
	ProgramError      = "program_error"      // the program did something invalid
)

// Fault is what stops the machine: which PE, when, what happened, what to do.
type Fault struct {
	kind   string
	PE     packet.PE
	Clock  uint64 // clocks from the start of the machine
	PC     uint32 // code address of the instruction, if Code is true
	Code   bool   // an instruction caused the fault
	Text   string // what happened, and what to do
	Name   string // PC as a symbol, such as main+2; filled in by a caller that has the symbols
	Source string // PC as a source line, such as prog.s:4; likewise
}

// Error says it in one line.
func (f *Fault) Error() string {
	at := ""
	if f.Code {
		at = fmt.Sprintf(", code address %#x%s", f.PC, (&CodeLocation{Name: f.Name, Source: f.Source}).Known())
	}
	return fmt.Sprintf("PE %v, clock %d%s: %s", f.PE, f.Clock, at, f.Text)
}

// Kind returns one of the kinds above.
func (f *Fault) Kind() string { return f.kind }

// Details returns the further keys of the JSON error.
func (f *Fault) Details() map[string]any {
	d := map[string]any{"pe": []int{int(f.PE.GA), int(f.PE.CA)}, "clock": f.Clock}
	if f.Code {
		d["pc"] = f.PC
		if f.Name != "" {
			d["name"] = f.Name
		}
		if f.Source != "" {
			d["source"] = f.Source
		}
	}
	return d
}

// fail records a fault, unless there is one already.
func (p *PE) fail(t uint64, kind, format string, args ...any) {
	if p.fault == nil {
		p.fault = &Fault{kind: kind, PE: p.address, Clock: t, Text: fmt.Sprintf(format, args...)}
	}
}

// failAt is fail for a fault that the instruction at pc causes.
func (p *PE) failAt(t uint64, pc uint32, kind, format string, args ...any) {
	if p.fault == nil {
		p.fail(t, kind, format, args...)
		p.fault.PC, p.fault.Code = pc, true
	}
}
