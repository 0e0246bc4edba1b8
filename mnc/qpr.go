package mnc

// Words is the number of 32-bit words of a QPR: four 2K x 8 chips in parallel
// [chosen, after the IDT7052 quad-port RAM's data sheet; the paper says only
// that the memory has four ports].
const Words = 2048

const addrMask = Words - 1

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

// QPRStats counts what happened at a board's ports.
type QPRStats struct {
	Reads          int64 `json:"reads"`           // words read
	Writes         int64 `json:"writes"`          // words written
	Busy           int64 `json:"busy"`            // requests refused
	WriteConflicts int64 `json:"write_conflicts"` // refused writes, because of another write
}

// A QPR is one quad-port RAM board: 2048 words, shared by four PEs with one
// port each.
type QPR struct {
	word  [Words]uint32
	stats QPRStats
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

// read does a clock in which only one port has a request, and so does write. The effect is the same as cycle's with
// three idle ports, so the port cannot be busy.
func (q *QPR) read(addr int) uint32 {
	q.stats.Reads++
	return q.word[addr&addrMask]
}

func (q *QPR) write(addr int, data uint32) {
	q.stats.Writes++
	q.word[addr&addrMask] = data
}

// Stats returns the counts so far.
func (q *QPR) Stats() QPRStats { return q.stats }

// Peek returns a word without using a port or a clock, for the ideal host and
// for observers.
func (q *QPR) Peek(addr int) uint32 { return q.word[addr&addrMask] }

// poke writes a word for the ideal host, without using a port or a clock.
func (q *QPR) poke(addr int, data uint32) { q.word[addr&addrMask] = data }
