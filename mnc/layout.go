package mnc

// The layout of a QPR's words [chosen; every word has only one writer, so writes
// cannot collide]:
//
//	0-3    status of the PE at each port: X in the high half, Y in the low
//	4-15   control of each ordered pair of ports, written by the first
//	16-19  host index of each port: what the host (source) or the PE (sink) has put
//	20-    rings of Slots data, two words a datum: 12 of X and 12 of Y, one for
//	       each ordered pair, then 4 between the host and each port
const (
	statusBase  = 0
	controlBase = statusBase + Ports
	hostBase    = controlBase + MaxNeighbours
	ringBase    = hostBase + Ports
	pairRings   = MaxNeighbours
	boardRings  = 2*pairRings + Ports

	datumWords = 2 // 8 bytes [000 §5]

	// MaxSlots is the largest ring length that fits a board [derived].
	MaxSlots = (Words - ringBase) / (boardRings * datumWords)
)

// pairOf returns the number, 0 to 11, of an ordered pair of ports.
func pairOf(from, to int) int {
	if to > from {
		to--
	}
	return from*(Ports-1) + to
}

// A Datum is 8 bytes: its number and, for an X, the loop count of f(); for a
// Y, the count that f() reached [000 §5: an X holds the loop count].
type Datum struct {
	ID, Value uint32
}

// A ring is one circular buffer on a board with one producer and one consumer.
// Indices run modulo twice the length, so that full and empty differ; the
// largest, 71, fits the eight bits of a control word's field.
type ring struct {
	base  uint16 // address of the first word
	slots uint16
}

func ringAt(number, slots int) ring {
	return ring{base: uint16(ringBase + number*slots*datumWords), slots: uint16(slots)}
}

func (r ring) address(index uint8) int {
	i := int(index)
	if i >= int(r.slots) {
		i -= int(r.slots)
	}
	return int(r.base) + i*datumWords
}

func (r ring) nextIndex(index uint8) uint8 {
	if i := int(index) + 1; i < 2*int(r.slots) {
		return uint8(i)
	}
	return 0
}

// dataHeld returns the number of data between two indices of the ring.
func (r ring) dataHeld(head, tail uint8) int {
	n := int(tail) - int(head)
	if n < 0 {
		n += 2 * int(r.slots)
	}
	return n
}

func (r ring) putDatum(q *QPR, tail uint8, d Datum) uint8 {
	a := r.address(tail)
	q.write(a, d.ID)
	q.write(a+1, d.Value)
	return r.nextIndex(tail)
}

func (r ring) getDatum(q *QPR, head uint8) (Datum, uint8) {
	a := r.address(head)
	return Datum{q.read(a), q.read(a + 1)}, r.nextIndex(head)
}

func (r ring) peek(q *QPR, index uint8) Datum {
	a := r.address(index)
	return Datum{q.Peek(a), q.Peek(a + 1)}
}

func (r ring) poke(q *QPR, tail uint8, d Datum) uint8 {
	a := r.address(tail)
	q.poke(a, d.ID)
	q.poke(a+1, d.Value)
	return r.nextIndex(tail)
}

// control is one PE's side of the rings shared with a neighbour: how far it
// has filled the rings to the neighbour (tail) and emptied those from it
// (head).
type control struct {
	headX, tailX, headY, tailY uint8
}

func (c control) packed() uint32 {
	return uint32(c.headX)<<24 | uint32(c.tailX)<<16 | uint32(c.headY)<<8 | uint32(c.tailY)
}

func controlOf(w uint32) control {
	return control{uint8(w >> 24), uint8(w >> 16), uint8(w >> 8), uint8(w)}
}

func statusWord(x, y int) uint32 { return uint32(x)<<16 | uint32(y) }
