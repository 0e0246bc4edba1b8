package pdes

import (
	"emsim/internal/base/agenda"
	"emsim/pdes/banyan"
)

// A process is an LP with its channels, which migrate together.
type process struct {
	id int32
	logic
	in  []input
	out []output
	// used is the number of clocks of its slots since the last migration.
	used int64
}

// input is the end of a channel at its receiver.
type input struct {
	agenda.FIFO[banyan.Slot] // messages that wait for their slots

	expect int64 // number of the next message
	taken  int64 // messages taken since the last credit
}

// output is the end of a channel at its sender.
type output struct {
	credit  int64 // messages that may still be sent
	sent    int64 // messages sent
	packets int64 // messages sent since the last migration
	traffic int64 // the kernel's traffic count since the last migration [004 §3, step 4]
}

func newProcess(pr *program, id int, window int64) *process {
	p := &process{
		id: int32(id), logic: pr.start(id), in: make([]input, len(pr.ins[id])),
		out: make([]output, len(pr.outs[id])),
	}
	for k := range p.in {
		if pr.ahead { // the empty message of slot 0: without it, no LP in a cycle of full channels could send
			p.in[k].Push(banyan.Slot{})
		}
	}
	for k := range p.out {
		p.out[k].credit = window
	}
	return p
}

// runnable reports whether the LP can run its next slot: it is not at its end, and it has a message on every input
// and a credit on every output.
func (p *process) runnable(slots int64) bool {
	if p.Slot() >= slots {
		return false
	}
	for k := range p.in {
		if p.in[k].Len() == 0 {
			return false
		}
	}
	for k := range p.out {
		if p.out[k].credit <= 0 {
			return false
		}
	}
	return true
}

// Size of an LP's state in the model: a fixed part, and 16 bytes for every cell or message that it holds (chosen).
const (
	stateBytes  = 64
	queuedBytes = 16
)

// bytes returns the length of the LP's state in a packet [004 §3, step 6]: its queues and random streams, the waiting
// messages, sequence numbers and credits.
func (p *process) bytes() int64 {
	held := p.Queued()
	for k := range p.in {
		held += p.in[k].Len()
	}
	return stateBytes + queuedBytes*int64(held)
}
