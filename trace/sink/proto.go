package sink

import (
	"bufio"

	"google.golang.org/protobuf/encoding/protowire"
)

// The fields of perfetto.protos.Trace that this package uses, by message.
const (
	tracePacketField = 1 // Trace.packet

	packetTimestamp  = 8
	packetSequence   = 10
	packetTrackEvent = 11
	packetInterned   = 12
	packetFlags      = 13
	packetTrack      = 60

	internedNames = 2 // InternedData.event_names
	nameIID       = 1 // EventName
	nameText      = 2

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

	annotationString = 6 // DebugAnnotation
	annotationName   = 10
)

// Values of these fields.
const (
	sliceBegin = 1
	sliceEnd   = 2
	instant    = 3
	counter    = 4

	stateCleared = 1 // first packet of the sequence
	needsState   = 2 // the packet refers to interned names

	orderExplicit = 3 // children in the order of their ranks
)

// message is a protobuf message that grows.
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

func (m *message) sub(field protowire.Number, s message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), s)
}

// writeTo writes the message as one packet of a Trace.
func (m message) writeTo(w *bufio.Writer) {
	var head message
	head = protowire.AppendTag(head, tracePacketField, protowire.BytesType)
	head = protowire.AppendVarint(head, uint64(len(m)))
	_, _ = w.Write(head) // the writer keeps the error for Close
	_, _ = w.Write(m)
}
