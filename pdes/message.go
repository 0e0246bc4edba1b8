package pdes

import (
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
)

// A Kind is the kind of a packet's message.
type Kind uint8

// The kinds: three external messages of the simulation, the control packets of the migration's nine steps, and the
// packets of the background.
const (
	Cell    Kind = iota // a cell from LP to LP
	Null                // no cell in this slot
	Credit              // lets the sender send further messages on a channel
	Stop                // step 1: cease sending; also PP 0's flush
	Ack                 // step 2b: stopped; also the flush towards PP 0
	Flush               // step 2b: no external event from the sender to the receiver is in flight
	Ready               // step 2c: no external event is in flight to the sender
	Start               // step 3
	Traffic             // step 4: messages sent by the sender's LPs
	Notify              // step 5: LPs to send away, number to expect
	State               // step 6: an LP
	Moved               // step 7: all LPs of the sender sent and received
	Resume              // step 9: continue with the new map
	foreign             // a packet of a background flow
	kinds
)

var kindNames = [kinds]string{
	"cell", "null", "credit", "stop", "ack", "flush", "ready", "start", "traffic", "notify", "state", "moved", "resume",
	"foreign",
}

func (k Kind) String() string { return kindNames[k] }

// external reports whether a message belongs to the simulated program.
func (k Kind) external() bool { return k <= Credit }

// A message is the content of a packet.
type message struct {
	kind  Kind
	port  int32       // input (cell, null) or output (credit) of lp
	from  int32       // the PP that sends it
	to    int32       // the PP that receives it
	at    int64       // clock at which it entered the network
	lp    int32       // the LP that receives it; state: the LP that moves; foreign: the flow
	slot  banyan.Slot // cell, null
	seq   int64       // cell, null: number on the channel, from 0
	count int64       // cell, credit: number of messages; notify: LPs to expect
	bytes int64       // state: its length in bytes
	body  *body       // the rest of longer control packets
}

// body is the content of the longer control packets.
type body struct {
	traffic []counted   // traffic
	work    []lpWork    // traffic
	moves   []move      // notify
	state   *process    // state
	places  mapping.Map // resume
}

// counted is the traffic of a channel, and the number of packets that carried it.
type counted struct {
	channel          int32
	traffic, packets int64
}

// lpWork is the number of clocks of an LP's slots.
type lpWork struct {
	lp     int32
	clocks int64
}

// move says that an LP goes to another PP.
type move struct{ lp, to int32 }

// length returns the clocks for which a message holds a port.
func (t *Timing) length(m *message) int64 {
	switch m.kind {
	case Cell:
		return t.Cell * max(1, m.count)
	case Null:
		return t.Null
	case Credit:
		return t.Credit
	}
	return max(t.Control, (m.bytes+bytesPerClock-1)/bytesPerClock)
}
