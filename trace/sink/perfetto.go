package sink

import (
	"bufio"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"emsim/packet"
	"emsim/trace"
)

// perfetto writes a track_event trace: a process for every PE, in the process a track for every unit and a counter for
// every level, and flows that follow the packets. One nanosecond of the trace is one clock. Frequent texts are
// interned: written once, and then referred to by number. The packets of the trace are compressed in groups, as
// Perfetto's own tracing service can do.
type perfetto struct {
	w        *bufio.Writer
	info     *trace.Info
	names    map[string]uint64            // numbers of the interned names
	contents map[trace.ID]internedContent // of the packets in flight
	last     uint64                       // number of the last interned content
	interned message                      // entries that are written with the next packet
	group    message                      // packets that are not yet compressed
	begun    bool
	pe       []*pePerfetto // by number
}

// internedContent is the state of a packet of the machine as last shown, and the number of the text that shows it.
type internedContent struct {
	shown  packet.Packet
	number uint64
}

// pePerfetto records which slices are open on the tracks of a PE.
type pePerfetto struct {
	slot    [trace.Slots]bool // the slot's track exists
	open    [perTrack]int     // slices open on each track
	waiting [perTrack]bool    // the innermost slice is a wait
	node    bool              // the slice of the EXU's block is open
	instr   bool              // the slice of an instruction in that block is open
}

// The tracks of a PE, by their offset from its process.
const (
	trackPE    = 1 + int(trace.PE)
	trackIBU   = 1 + int(trace.IBU)
	trackFMU   = 1 + int(trace.FMU)
	trackEXU   = 1 + int(trace.EXU)
	trackSlot  = trackEXU + 1
	trackLevel = trackSlot + trace.Slots
	perTrack   = trackLevel + int(trace.Levels)
	uuidStep   = 64
)

func newPerfetto(w *bufio.Writer, info *trace.Info) trace.Sink {
	x := &perfetto{
		w: w, info: info, names: map[string]uint64{}, contents: map[trace.ID]internedContent{},
		pe: make([]*pePerfetto, len(info.PEs)),
	}
	if info.Recipe != "" {
		x.remark(info.Recipe)
	}
	x.intern(internedAnnotations, annotationPacket, "packet")
	for _, pe := range info.Traced {
		x.pe[pe] = &pePerfetto{}
		var process, track message
		process.uint(processPID, uint64(pe+1))
		process.text(processName, fmt.Sprintf("PE %v", info.PEs[pe]))
		track.uint(trackUUID, uuid(uint32(pe), 0))
		track.submessage(trackProcess, process)
		track.uint(trackOrdering, orderExplicit)
		x.track(track)
		x.child(uint32(pe), trackPE, "state", "")
		for _, u := range []trace.Unit{trace.EXU, trace.FMU, trace.IBU} {
			x.child(uint32(pe), 1+int(u), u.String(), "")
		}
		for l, track := range levelTracks {
			x.child(uint32(pe), trackLevel+l, track[0], track[1])
		}
	}
	return x
}

// levelTracks lists the names and units of the levels' tracks.
var levelTracks = [trace.Levels][2]string{
	trace.FIFOWords: {"IBU depth: FIFO", "words"}, trace.MIBWords: {"IBU depth: MIB", "words"},
	trace.Load:     {"load", "0..15"},
	trace.Operands: {"waiting operands", "operands"}, trace.Segments: {"operand segments", "segments"},
}

func uuid(pe uint32, track int) uint64 { return uint64(pe+1)*uuidStep + uint64(track) }

// child declares a track of a PE. If unit is not empty, the track is a counter.
func (x *perfetto) child(pe uint32, track int, name, unit string) {
	var m message
	m.uint(trackUUID, uuid(pe, track))
	m.text(trackName, name)
	m.uint(trackParent, uuid(pe, 0))
	m.uint(trackRank, uint64(track))
	if unit != "" {
		var c message
		c.text(counterUnitName, unit)
		m.submessage(trackCounter, c)
	}
	x.track(m)
}

func (x *perfetto) begin(clock uint64, pe uint32, track int, name string, more message) {
	x.pe[pe].open[track]++
	x.event(clock, pe, track, sliceBegin, name, more)
}

// closeSlice closes the innermost slice of a track, if that slice was opened in the trace.
func (x *perfetto) closeSlice(clock uint64, pe uint32, track int) {
	if x.pe[pe].open[track] == 0 {
		return
	}
	x.pe[pe].open[track]--
	x.event(clock, pe, track, sliceEnd, "", nil)
}

// status closes the slice of a track's last status, if there is one. If shows is true, it opens a slice for the new
// status.
func (x *perfetto) status(e *trace.Event, track int, shows bool) {
	p := x.pe[e.PE]
	if p.waiting[track] {
		x.closeSlice(e.Clock, e.PE, track)
		p.waiting[track] = false
	}
	if shows {
		x.begin(e.Clock, e.PE, track, e.Status.String(), nil)
		p.waiting[track] = true
	}
}

func (x *perfetto) Event(e *trace.Event) {
	switch e.Kind {
	case trace.Changed:
		x.changed(e)
	case trace.Levelled:
		var m message
		m.uint(eventCounter, e.Value)
		x.event(e.Clock, e.PE, trackLevel+int(e.Level), counter, "", m)
	case trace.Queued, trace.Spilled, trace.Refilled:
		x.event(e.Clock, e.PE, trackIBU, instant, e.Kind.String(), x.about(e, eventFlow))
	case trace.Filled:
		x.event(e.Clock, e.PE, trackIBU, instant, e.Kind.String(), x.about(e, eventFlowEnd))
	case trace.Taken:
		x.begin(e.Clock, e.PE, trackFMU, "operand "+e.Packet.Match.String(), x.about(e, eventFlow))
	case trace.Stored:
		x.closeSlice(e.Clock+1, e.PE, trackFMU)
	case trace.Made:
		x.event(e.Clock, e.PE, trackEXU, instant, "send", x.about(e, eventFlow))
	case trace.Begun, trace.Fetched, trace.Ended:
		x.block(e)
	case trace.Rewritten:
		x.event(e.Clock, e.PE, trackPE, instant, "MLPE rewrite", x.about(e, eventFlow))
	case trace.Left:
		x.event(e.Clock, e.PE, trackPE, instant, "host word", x.about(e, eventFlowEnd))
	case trace.Faulted:
		x.event(e.Clock, e.PE, trackPE, instant, "fault", fault(e.Text))
	}
}

// changed writes the status changes of an event as slices.
func (x *perfetto) changed(e *trace.Event) {
	p := x.pe[e.PE]
	switch e.Unit {
	case trace.PE:
		x.status(e, trackPE, e.Status != trace.Idle)
	case trace.IBU:
		x.status(e, trackIBU, e.Status == trace.Spill || e.Status == trace.Refill || e.Status.IsWait())
	case trace.EXU:
		x.status(e, trackEXU, e.Status.IsWait())
	case trace.FMU:
		x.status(e, trackFMU, e.Status.IsWait())
		if e.Status == trace.Fire {
			x.closeSlice(e.Clock+1, e.PE, trackFMU)
		}
	case trace.SU:
		track := trackSlot + int(e.Slot)
		if !p.slot[e.Slot] {
			p.slot[e.Slot] = true
			x.child(e.PE, track, "SU "+trace.SlotName(e.Slot), "")
		}
		if p.open[track] == 0 && e.Status != trace.Idle {
			x.begin(e.Clock, e.PE, track, "packet", x.about(e, eventFlow))
		}
		x.status(e, track, e.Status.IsWait())
		if e.Status == trace.Idle {
			x.closeSlice(e.Clock, e.PE, track)
		}
	}
}

// block writes slices for the EXU's blocks and, inside them, for the instructions. An instruction's slice lasts until
// the next instruction is fetched.
func (x *perfetto) block(e *trace.Event) {
	p := x.pe[e.PE]
	if p.instr && e.Kind != trace.Begun {
		x.closeEXUSlice(e, &p.instr)
	}
	switch {
	case e.Kind == trace.Begun:
		m := x.about(e, eventFlowEnd)
		if !e.Partner.None() {
			m.fixed(eventFlowEnd, flowID(e.Partner))
			delete(x.contents, e.Partner)
		}
		x.begin(e.Clock, e.PE, trackEXU, x.info.Where(e.PC), m)
		p.node = true
	case e.Kind == trace.Fetched && p.node:
		name := x.info.Instr(e.PC)
		if name == "" {
			name = x.info.Where(e.PC)
		}
		x.begin(e.Clock, e.PE, trackEXU, name, nil)
		p.instr = true
	case e.Kind == trace.Ended && p.node:
		x.closeEXUSlice(e, &p.node)
	}
}

// closeEXUSlice closes a slice of the EXU: at the end of the clock if the block ends, otherwise at its beginning.
func (x *perfetto) closeEXUSlice(e *trace.Event, open *bool) {
	at := e.Clock
	if e.Kind == trace.Ended {
		at++
	}
	x.closeSlice(at, e.PE, trackEXU)
	*open = false
}

// about returns the fields that link an event to its packet, and show the packet in an annotation.
func (x *perfetto) about(e *trace.Event, field protowire.Number) (m message) {
	id := trace.IDOf(&e.Packet)
	if id.None() {
		return nil
	}
	c := x.contents[id]
	if c.shown != e.Packet { // the packet is new, or it is an MLPE packet that was rewritten
		x.last++
		c = internedContent{e.Packet, x.last}
		x.contents[id] = c
		x.intern(internedStrings, c.number, x.info.PacketName(id)+" "+content(&e.Packet))
	}
	var a message
	a.uint(annotationNameIID, annotationPacket)
	a.uint(annotationStringIID, c.number)
	m.submessage(eventAnnotations, a)
	m.fixed(field, flowID(id))
	if field == eventFlowEnd {
		delete(x.contents, id)
	}
	return m
}

func flowID(id trace.ID) uint64 { return uint64(id.Src)<<32 | uint64(id.Seq) }

// fault returns the annotation that describes a fault.
func fault(text string) (m message) {
	var a message
	a.text(annotationName, "fault")
	a.text(annotationString, text)
	m.submessage(eventAnnotations, a)
	return m
}

// Close closes the open slices and completes the file.
func (x *perfetto) Close(end uint64) error {
	for _, pe := range x.info.Traced {
		for track := range x.pe[pe].open {
			for x.pe[pe].open[track] > 0 {
				x.closeSlice(end, uint32(pe), track)
			}
		}
	}
	x.compress()
	return x.w.Flush()
}
