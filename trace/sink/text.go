package sink

import (
	"bufio"
	"fmt"
	"strings"

	"emsim/packet"
	"emsim/trace"
)

// text writes one event per line:
//
//	clock PE unit event packet key=value...
type text struct {
	w    *bufio.Writer
	info *trace.Info
	line []byte
}

func newText(w *bufio.Writer, info *trace.Info) trace.Sink {
	fmt.Fprintf(w, "# emsim trace 1: %s\n", info.Title)
	if info.Recipe != "" {
		fmt.Fprintf(w, "# %s\n", info.Recipe)
	}
	fmt.Fprintf(w, "#%9s %-8s %-4s %-8s %-12s %s\n", "clock", "pe", "unit", "event", "packet", "details")
	return &text{w: w, info: info}
}

func (x *text) Event(e *trace.Event) {
	name, details := x.describe(e)
	if name == "" {
		return
	}
	x.line = fmt.Appendf(x.line[:0], "%10d %-8v %-4v %-8s %-12s %s", e.Clock, x.info.PEs[e.PE], e.Unit, name,
		x.info.PacketName(trace.IDOf(&e.Packet)), details)
	for len(x.line) > 0 && x.line[len(x.line)-1] == ' ' {
		x.line = x.line[:len(x.line)-1]
	}
	x.line = append(x.line, '\n')
	_, _ = x.w.Write(x.line) // the writer keeps the error for Close
}

func (x *text) Close(end uint64) error {
	fmt.Fprintf(x.w, "# end at clock %d\n", end)
	return x.w.Flush()
}

// describe returns the contents of the columns "event" and "details".
func (x *text) describe(e *trace.Event) (name, details string) {
	name = e.Kind.String()
	switch e.Kind {
	case trace.Entered:
		return name, content(&e.Packet)
	case trace.Left:
		return name, fmt.Sprintf("word=%d", e.Value)
	case trace.Made:
		return name, content(&e.Packet) + " at=" + x.info.Where(e.PC)
	case trace.Moved:
		return name, fmt.Sprintf("in=%s out=%s", trace.SlotName(e.Slot), trace.PortName(e.Out))
	case trace.Filled:
		return name, fmt.Sprintf("data=%#x", e.Packet.Data)
	case trace.Rewritten:
		return name, fmt.Sprintf("data=%#x new=%#x", e.Packet.Data, e.Value)
	case trace.Taken, trace.Stored:
		if e.Packet.Direct { // these packets are not stored
			return name, "node=" + x.info.Where(e.Packet.Addr)
		}
		return name, fmt.Sprintf("addr=%#x match=%v", e.Packet.Addr, e.Packet.Match)
	case trace.Matched:
		return name, fmt.Sprintf("addr=%#x partner=%s", e.Packet.Addr, x.info.PacketName(e.Partner))
	case trace.Fired, trace.Begun:
		details = "node=" + x.info.Where(e.PC)
		if !e.Partner.None() {
			details += " partner=" + x.info.PacketName(e.Partner)
		}
		return name, details
	case trace.Fetched, trace.Ended:
		details = "pc=" + x.info.Where(e.PC)
		if in := x.info.Instr(e.PC); in != "" && e.Kind == trace.Fetched {
			details += " : " + in
		}
		return name, details
	case trace.Faulted:
		return name, ": " + strings.ReplaceAll(e.Text, "\n", " ")
	case trace.Levelled:
		return name, fmt.Sprintf("%v=%d", e.Level, e.Value)
	case trace.Changed:
		return x.status(e)
	}
	return name, ""
}

// status returns the name and the details of a change of status. A PE's status is always shown. A unit's status is
// shown only if a wait begins or ends, because other events show what else the unit does.
func (x *text) status(e *trace.Event) (name, details string) {
	waited := ""
	if e.Was.IsWait() {
		waited = fmt.Sprintf("waited=%d", e.Clock-e.Since)
	}
	if e.Unit == trace.PE {
		return "state", strings.TrimSpace(fmt.Sprintf("state=%v %s", e.Status, waited))
	}
	if e.Unit == trace.SU {
		waited = strings.TrimSpace("in=" + trace.SlotName(e.Slot) + " " + waited)
	}
	switch {
	case e.Status.IsWait():
		return "wait", strings.TrimSpace("why=" + strings.TrimPrefix(e.Status.String(), "wait_") + " " + waited)
	case e.Was.IsWait():
		return "go", waited
	}
	return "", ""
}

// content returns what a packet carries.
func content(p *packet.Packet) string {
	switch {
	case p.ToHost:
		return fmt.Sprintf("to=host data=%#x", p.Data)
	case p.Kind.Search():
		return fmt.Sprintf("to=%v kind=mlpe entry=%#x data=%#x", p.Dest, p.Addr, p.Data)
	case p.Direct:
		return fmt.Sprintf("to=%v entry=%#x data=%#x", p.Dest, p.Addr, p.Data)
	}
	return fmt.Sprintf("to=%v addr=%#x match=%v data=%#x", p.Dest, p.Addr, p.Match, p.Data)
}
