package sink

import (
	"bytes"
	"compress/zlib"

	"google.golang.org/protobuf/encoding/protowire"
)

func (x *perfetto) track(m message) {
	var p message
	p.submessage(packetTrack, m)
	x.packet(p)
}

// packet writes a packet, with the texts that have been interned for it, and with the fields that all packets have.
func (x *perfetto) packet(p message) {
	if len(x.interned) > 0 {
		p.submessage(packetInterned, x.interned)
		x.interned = x.interned[:0]
	}
	flags := uint64(needsState)
	if !x.begun {
		x.begun, flags = true, stateCleared
	}
	p.uint(packetSequence, 1)
	p.uint(packetFlags, flags)
	x.group.submessage(tracePacket, p)
	if len(x.group) >= groupBytes {
		x.compress()
	}
}

// remark writes a packet of metadata, which viewers show. The packet is not compressed, so that it can be found without
// parsing the trace.
func (x *perfetto) remark(text string) {
	var about, events, p, file message
	about.text(metadataName, "recipe")
	about.text(metadataText, text)
	events.submessage(eventsMetadata, about)
	p.submessage(packetEvents, events)
	file.submessage(tracePacket, p)
	_, _ = x.w.Write(file) // the writer keeps the error for Close
}

// compress compresses the packets of the group, and writes them as one packet.
func (x *perfetto) compress() {
	var zipped bytes.Buffer
	zip, _ := zlib.NewWriterLevel(&zipped, zlib.BestSpeed)
	_, _ = zip.Write(x.group) // a bytes.Buffer never fails
	_ = zip.Close()
	x.group = x.group[:0]
	var outer, file message
	outer.submessage(packetCompressed, zipped.Bytes())
	file.submessage(tracePacket, outer)
	_, _ = x.w.Write(file) // the writer keeps the error for Close
}

// intern gives a string a number, by which the next packets can refer to it.
func (x *perfetto) intern(field protowire.Number, number uint64, text string) {
	var entry message
	entry.uint(internedIID, number)
	entry.text(internedText, text)
	x.interned.submessage(field, entry)
}

// event writes a track event. A name is interned when it is first used.
func (x *perfetto) event(clock uint64, pe uint32, track int, kind uint64, name string, more message) {
	var p, e message
	p.uint(packetTimestamp, clock)
	e.uint(eventType, kind)
	e.uint(eventTrack, uuid(pe, track))
	if name != "" {
		iid := x.names[name]
		if iid == 0 {
			iid = uint64(len(x.names) + 1)
			x.names[name] = iid
			x.intern(internedNames, iid, name)
		}
		e.uint(eventNameIID, iid)
	}
	p.submessage(packetTrackEvent, append(e, more...))
	x.packet(p)
}

// The field numbers of perfetto.protos.Trace that this package uses, by message.
const (
	tracePacket = 1 // Trace.packet

	packetEvents     = 5 // chrome_events
	packetTimestamp  = 8
	packetSequence   = 10
	packetTrackEvent = 11
	packetInterned   = 12
	packetFlags      = 13
	packetCompressed = 50
	packetTrack      = 60

	eventsMetadata = 2 // ChromeEventBundle: metadata
	metadataName   = 1 // ChromeMetadata
	metadataText   = 2

	internedNames       = 2  // InternedData: event_names
	internedAnnotations = 3  // debug_annotation_names
	internedStrings     = 29 // debug_annotation_string_values
	internedIID         = 1  // EventName, DebugAnnotationName, InternedString
	internedText        = 2

	trackUUID     = 1 // TrackDescriptor
	trackName     = 2
	trackProcess  = 3
	trackParent   = 5
	trackCounter  = 8
	trackOrdering = 11
	trackRank     = 12

	processPID  = 1 // ProcessDescriptor
	processName = 6

	counterUnitName = 6 // CounterDescriptor

	eventType        = 9 // TrackEvent
	eventNameIID     = 10
	eventTrack       = 11
	eventCounter     = 30
	eventFlow        = 47
	eventFlowEnd     = 48
	eventAnnotations = 4

	annotationNameIID   = 1 // DebugAnnotation
	annotationString    = 6
	annotationName      = 10
	annotationStringIID = 17
)

// Values of the fields above.
const (
	sliceBegin = 1
	sliceEnd   = 2
	instant    = 3
	counter    = 4

	stateCleared = 1 // first packet of the sequence
	needsState   = 2 // the packet refers to interned names

	orderExplicit = 3 // children in the order of their ranks

	annotationPacket = 1 // number of the annotation's interned name
)

// groupBytes is the number of bytes that are compressed at a time. The proto of TracePacket asks for less than 512 KB
// compressed.
const groupBytes = 400_000

// message is an encoded protobuf message, to which fields are appended.
type message []byte

func (m *message) uint(field protowire.Number, v uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), v)
}

func (m *message) fixed(field protowire.Number, v uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), v)
}

func (m *message) text(field protowire.Number, s string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), s)
}

func (m *message) submessage(field protowire.Number, s message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), s)
}
