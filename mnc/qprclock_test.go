package mnc

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An Op is the operation that a port requests in one clock.
type Op uint8

// The port operations.
const (
	NoOp Op = iota
	Read
	Write
)

// A Req is one port's request in one clock. Only the eleven low bits of the
// address are wired.
type Req struct {
	Op   Op
	Addr uint16
	Data uint32 // Write only
}

// A Resp is the answer at the end of the same clock. If Busy is set, the request had no effect and must be repeated.
type Resp struct {
	Data uint32 // Read only
	Busy bool
}

// cycle does one clock of the board; it sets the answer of every port with a request. Any number of ports may read
// one word, and accesses to different words never collide. A write blocks the reads of its word in the same clock; of
// two writes to one word, the one from the lower port wins.
func (q *QPR) cycle(req *[Ports]Req, resp *[Ports]Resp) {
	for p := range req {
		r := &req[p]
		switch {
		case r.Op == NoOp:
		case collides(req, p):
			resp[p] = Resp{Busy: true}
			q.stats.Busy++
			if r.Op == Write {
				q.stats.WriteConflicts++
			}
		case r.Op == Read:
			resp[p] = Resp{Data: q.read(int(r.Addr))}
		default:
			resp[p] = Resp{}
		}
	}
	for p := range req { // at the end of the clock
		if req[p].Op == Write && !resp[p].Busy {
			q.write(int(req[p].Addr), req[p].Data)
		}
	}
}

// collides reports whether a port requests a word that another port writes. For a read, any other port counts; for a
// write, only lower ports.
func collides(req *[Ports]Req, p int) bool {
	r := &req[p]
	for w := range req {
		if req[w].Op == Write && (req[w].Addr^r.Addr)&addrMask == 0 && w != p && (w < p || r.Op == Read) {
			return true
		}
	}
	return false
}

// answers returns the answers of one clock.
func (q *QPR) answers(req [Ports]Req) (resp [Ports]Resp) {
	q.cycle(&req, &resp)
	return resp
}

// exchangeByClocks does what exchange does, clock by clock with the requests of all ports.
func (m *Machine) exchangeByClocks(board int, due uint8) {
	q, b := &m.qprs[board], &m.boards[board]
	for owner := range Ports {
		if b.pe[owner] == noPE {
			continue
		}
		var req [Ports]Req
		for p := range req {
			if due>>p&1 != 0 {
				req[p] = Req{Op: Read, Addr: uint16(statusBase + owner)}
			}
		}
		if req[owner].Op != NoOp {
			e := &m.pes[b.pe[owner]]
			req[owner].Op, req[owner].Data = Write, statusWord(e.x.Len(), e.y.Len())
		}
		for slices.ContainsFunc(req[:], func(r Req) bool { return r.Op != NoOp }) {
			resp := q.answers(req)
			for p, r := range req {
				if r.Op == NoOp {
					continue
				}
				v := &m.pes[b.pe[p]].view
				if resp[p].Busy {
					v.busy++
					continue
				}
				if k := b.index[p][owner]; r.Op == Read {
					v.x[k], v.y[k] = int(resp[p].Data>>16), int(resp[p].Data&0xffff)
				}
				req[p] = Req{}
			}
		}
	}
}

// TestExchange compares the exchange of status words with the board's rules, clock by clock, on full boards and on one
// with an empty port.
func TestExchange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		machine := func() *Machine {
			w := Net16()
			w.Boards[3].Ports[2] = noPE
			c := Default(w)
			c.Items, c.Loops = 50, 1
			m, err := New(c)
			require.NoError(t, err)
			return m
		}
		a, b := machine(), machine()
		for range rapid.IntRange(1, 20).Draw(t, "exchanges") {
			pe, board := rapid.IntRange(0, len(a.pes)-1).Draw(t, "pe"), rapid.IntRange(2, 4).Draw(t, "board")
			due := uint8(rapid.IntRange(0, 1<<Ports-1).Draw(t, "due"))
			for p := range Ports {
				if a.boards[board].pe[p] == noPE {
					due &^= 1 << p
				}
			}
			for _, m := range []*Machine{a, b} {
				m.pes[pe].x.Push(Datum{})
				m.pes[pe].y.Push(Datum{})
			}
			a.exchange(board, due)
			b.exchangeByClocks(board, due)
			require.Equal(t, b.qprs[board], a.qprs[board], "due %04b", due)
			for i := range a.pes {
				require.Equal(t, b.pes[i].view, a.pes[i].view)
			}
		}
	})
}
