package emcr

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/plural"
	"emsim/packet"
)

// The kinds of faults, as in the command's JSON errors.
const (
	SegmentOverflow   = "segment_overflow"   // no operand segment is free
	StructureOverflow = "structure_overflow" // no run of structure memory is long enough
	MIBOverflow       = "mib_overflow"       // the memory input buffer is full
	ProgramError      = "program_error"      // the program did something invalid
)

// Fault is the error that stops the machine: which PE failed, when, what happened and what to do.
type Fault struct {
	kind   string
	PE     packet.PE
	Clock  uint64 // clocks from the start of the machine
	PC     uint32 // code address of the instruction, if Code is true
	Code   bool   // an instruction caused the fault
	Text   string // what happened, and what to do
	Name   string // PC as a symbol, such as main+2; filled in by a caller that has the symbols
	Source string // PC as a source line, such as prog.s:4; filled in like Name

	Packet       *FaultPacket   // the packet that caused the fault, or nil
	Waiting      []CodeLocation // nodes of the released segment at which operands wait
	Holders      []Holder       // templates whose instances hold the operand segments, if no segment is free
	FreeSegments *FreeSegments  // where segments are free, if this PE has none; filled in by the machine
}

// FreeSegments lists the free operand segments of the machine, for a PE that has none.
type FreeSegments struct {
	PEs      int         `json:"pes"`                // number of PEs of the machine
	Full     []packet.PE `json:"full"`               // PEs without a free segment
	Free     int         `json:"free"`               // free segments of the other PEs
	Policies []string    `json:"policies,omitempty"` // placement policies that use all PEs; filled in by a caller
}

// mostFull is the largest number of full PEs in a message [chosen: they fit on one line].
const mostFull = 8

// text returns the lines of Fault.Error about r, one for each fact.
func (r *FreeSegments) text() string {
	names := make([]string, 0, mostFull+1)
	for _, pe := range r.Full[:min(len(r.Full), mostFull)] {
		names = append(names, pe.String())
	}
	if more := len(r.Full) - mostFull; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	s := fmt.Sprintf("\n  full: %d of %d PEs, %s; segments free on the others: %d", len(r.Full), r.PEs,
		strings.Join(names, ", "), r.Free)
	if len(r.Policies) > 0 && r.Free > 0 {
		s += "\n  policies that send calls to all PEs: " + strings.Join(r.Policies, ", ")
	}
	return s
}

// FaultPacket is the packet that caused a fault, with its destination and its sender.
type FaultPacket struct {
	packet.Packet
	Node     *CodeLocation // the node or system block that the packet is for, or nil if its address holds no code
	Template *CodeLocation // template of the operand segment that the packet is for, or nil
	Sender   packet.PE     // the PE that made it; filled in by the machine
	At       *CodeLocation // the instruction that made it, or nil if the host made it
	Argument string        // name of the host's argument in the packet; filled in by a caller that has the symbols
}

// Holder says how many operand segments are held by instances of a template.
type Holder struct {
	Template CodeLocation `json:"template"`
	Segments int          `json:"segments"`
}

// Error returns one line with the PE, clock, code address and cause, and further lines with the notes.
func (f *Fault) Error() string {
	at := ""
	if f.Code {
		at = fmt.Sprintf(", code address %#x%s", f.PC, (&CodeLocation{Name: f.Name, Source: f.Source}).NameAndSource())
	}
	return fmt.Sprintf("PE %v, clock %d%s: %s%s", f.PE, f.Clock, at, f.Text, f.notes())
}

// notes returns the further lines of Error. They say what the packet was for, which PE sent it, and what the operand
// segments hold.
func (f *Fault) notes() string {
	var b strings.Builder
	if x := f.Packet; x != nil {
		if x.Node != nil {
			fmt.Fprintf(&b, "\n  the packet is for %s", NodeText(x.Node, x.Template))
		}
		switch {
		case x.At != nil:
			fmt.Fprintf(&b, "\n  PE %v sent it at %s", x.Sender, x.At.Text())
		case x.Argument != "":
			fmt.Fprintf(&b, "\n  the host sent it: the argument %s", x.Argument)
		default:
			b.WriteString("\n  the host sent it")
		}
	}
	for i := range f.Waiting {
		fmt.Fprintf(&b, "\n  an operand waits at %s", f.Waiting[i].Text())
	}
	for i := range f.Holders {
		h := &f.Holders[i]
		fmt.Fprintf(&b, "\n  %s %s to instances of %s", plural.Of(h.Segments, "segment"),
			plural.Verb(h.Segments, "belongs", "belong"), h.Template.Text())
	}
	if f.FreeSegments != nil {
		b.WriteString(f.FreeSegments.text())
	}
	return b.String()
}

// CodeLocations returns all code locations in f except PC, so that a caller can fill in their names.
func (f *Fault) CodeLocations() []*CodeLocation {
	var list []*CodeLocation
	if x := f.Packet; x != nil {
		for _, l := range []*CodeLocation{x.Node, x.Template, x.At} {
			if l != nil {
				list = append(list, l)
			}
		}
	}
	for i := range f.Waiting {
		list = append(list, &f.Waiting[i])
	}
	for i := range f.Holders {
		list = append(list, &f.Holders[i].Template)
	}
	return list
}

// Kind returns the kind of the fault, one of the constants above.
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
	if f.Packet != nil {
		d["packet"] = f.Packet.details()
	}
	if f.Waiting != nil {
		d["waiting"] = f.Waiting
	}
	if f.Holders != nil {
		d["holders"] = f.Holders
	}
	if f.FreeSegments != nil {
		d["room"] = f.FreeSegments
	}
	return d
}

// details returns the packet's keys in the JSON error.
func (x *FaultPacket) details() map[string]any {
	d := map[string]any{
		"address": x.Addr, "match": x.Match.String(), "data": x.Data, "node": x.Node,
		"template": x.Template,
	}
	switch {
	case x.At != nil:
		d["sender"], d["at"] = x.Sender, x.At
	default:
		d["sender"], d["argument"] = "host", x.Argument
	}
	return d
}

// fail records a fault, unless the PE already has one.
func (p *PE) fail(t uint64, kind, format string, args ...any) {
	if p.fault == nil {
		p.fault = &Fault{kind: kind, PE: p.address, Clock: t, Text: fmt.Sprintf(format, args...)}
	}
}

// refuse records a program error caused by the packet that the FMU is matching.
func (p *PE) refuse(t uint64, format string, args ...any) {
	if p.fault == nil {
		p.fail(t, ProgramError, format, args...)
		p.fault.notePacket(p, &p.fmu.pkt)
	}
}

// failAt records a fault caused by the instruction at pc.
func (p *PE) failAt(t uint64, pc uint32, kind, format string, args ...any) {
	if p.fault == nil {
		p.fail(t, kind, format, args...)
		p.fault.PC, p.fault.Code = pc, true
	}
}

// notePacket adds to f the packet that caused it. The block that the loader starts has no packet.
func (f *Fault) notePacket(p *PE, pk *packet.Packet) {
	if pk.Seq == 0 {
		return
	}
	f.Packet = &FaultPacket{Packet: *pk}
	if pk.Src != packet.Host {
		f.Packet.At = &CodeLocation{Code: pk.From}
	}
	if code, ok := p.NodeAddress(pk); ok {
		f.Packet.Node = &CodeLocation{Code: code}
		if !pk.Direct {
			base, _ := p.seg.baseOf(pk.Addr)
			f.Packet.Template = &CodeLocation{Code: uint32(p.mem.Read(base))}
		}
	}
}

// noteWaiting adds to f the nodes of an operand segment at which operands wait.
func (f *Fault) noteWaiting(p *PE, base uint32) {
	for d := uint32(1); d < p.seg.size; d++ {
		if p.mem.Tag(base+d) != tagEmpty {
			f.Waiting = append(f.Waiting, CodeLocation{Code: uint32(p.mem.Read(base)) + d})
		}
	}
}

// noteHolders adds to f the templates whose instances hold the operand segments of the PE.
func (f *Fault) noteHolders(p *PE) {
	p.EachSegment(func(s Segment) bool {
		f.Holders = CountHolder(f.Holders, s.Template)
		return true
	})
}

// CountHolder adds a segment to a list of holders, which is sorted by the addresses of the templates, and returns the
// list.
func CountHolder(list []Holder, template uint32) []Holder {
	i, ok := slices.BinarySearchFunc(list, template,
		func(h Holder, code uint32) int { return int(h.Template.Code) - int(code) })
	if !ok {
		list = slices.Insert(list, i, Holder{Template: CodeLocation{Code: template}})
	}
	list[i].Segments++
	return list
}
