package rhinet

import "emsim/internal/base/agenda"

// event is something that happens at a tick. Within a tick the network comes
// first, in the order of packet ids (the order of injection), then the ranks
// in their order; so nothing depends on evaluation order.
type event struct {
	msg   int32 // message under way; unused for a rank
	index int32 // which packet of it
	sw    int16 // network: switch that the header reaches; deliver: the whole message has arrived
	fresh bool  // the header comes from the host, not from another switch
}

// item is an event with its tick and its order: a packet's id, or rankOrder + rank.
type item = agenda.Item[event]

const (
	rankOrder = uint64(1) << 62
	deliver   = int16(-1)
)
