package pdes

import (
	"encoding/binary"
	"errors"

	"emsim/pdes/banyan"
)

// A process is an LP with its channels, which migrate together.
type process struct {
	sw     *banyan.Switch
	in     [2]inputs
	expect [2]int64 // number of the next message on each input channel
	used   [2]int64 // messages taken from it since the last credit
	credit [2]int64 // messages for which each output channel still has room
	sent   [2]int64 // messages sent on it: the kernel's traffic count [004 §3, step 4]
}

// inputs are the messages of a channel that wait for their slot.
type inputs struct {
	slots []banyan.Slot
	head  int
}

func (q *inputs) len() int { return len(q.slots) - q.head }

func (q *inputs) push(s banyan.Slot) {
	if q.head > 0 && len(q.slots) == cap(q.slots) {
		q.slots = q.slots[:copy(q.slots, q.slots[q.head:])]
		q.head = 0
	}
	q.slots = append(q.slots, s)
}

func (q *inputs) pop() banyan.Slot {
	s := q.slots[q.head]
	q.head++
	return s
}

func newProcess(m *banyan.Model, id int, window int64) *process {
	return &process{sw: banyan.NewSwitch(m, id), credit: [2]int64{window, window}}
}

// runnable reports whether the LP can run its next slot: before the end, a
// message on both inputs, room on both outputs.
func (p *process) runnable(m *banyan.Model, slots int64) bool {
	if p.sw.Slot() >= slots {
		return false
	}
	stage := m.Stage(p.sw.ID)
	if stage > 0 && (p.in[0].len() == 0 || p.in[1].len() == 0) {
		return false
	}
	return stage == m.Stages-1 || p.credit[0] > 0 && p.credit[1] > 0
}

// Size of an LP's state in the model: a fixed part and 16 bytes for every
// cell or message that it holds (chosen).
const (
	stateBytes  = 64
	queuedBytes = 16
)

// bytes is the length of the LP's state on the wire.
func (p *process) bytes() int64 {
	return stateBytes + queuedBytes*int64(p.sw.Queued()+p.in[0].len()+p.in[1].len())
}

// append writes the LP as bytes [004 §3, step 6]: the switch with its queues
// and random streams, the waiting messages, sequence numbers and credits.
func (p *process) append(b []byte) []byte {
	b = p.sw.Append(b)
	u := binary.LittleEndian.AppendUint64
	for k := range p.in {
		for _, v := range []int64{p.expect[k], p.used[k], p.credit[k], p.sent[k], int64(p.in[k].len())} {
			b = u(b, uint64(v))
		}
		for _, s := range p.in[k].slots[p.in[k].head:] {
			full := uint64(0)
			if s.Full {
				full = 1
			}
			b = u(b, full)
			b = u(b, uint64(s.Dst)|uint64(s.Src)<<16|uint64(s.Born)<<32)
		}
	}
	return b
}

var errState = errors.New("pdes: the state of an LP is not what was sent")

// restoreProcess reads what append wrote [004 §3, step 7].
func restoreProcess(b []byte) (*process, error) {
	sw, b, err := banyan.Restore(b)
	if err != nil {
		return nil, err
	}
	if len(b)%8 != 0 {
		return nil, errState
	}
	u := func() uint64 {
		if len(b) == 0 {
			err = errState
			return 0
		}
		v := binary.LittleEndian.Uint64(b)
		b = b[8:]
		return v
	}
	p := &process{sw: sw}
	for k := range p.in {
		p.expect[k], p.used[k], p.credit[k], p.sent[k] = int64(u()), int64(u()), int64(u()), int64(u())
		for n := u(); n > 0 && err == nil; n-- {
			full, v := u() == 1, u()
			p.in[k].push(banyan.Slot{Cell: banyan.Cell{Dst: uint16(v), Src: uint16(v >> 16), Born: uint32(v >> 32)}, Full: full})
		}
	}
	if err == nil && len(b) != 0 {
		err = errState
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}
