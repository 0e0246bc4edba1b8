package mnc

import "emsim/internal/base/agenda"

// An ActionKind is one of the paper's five actions, or a wait [000 §4.2].
type ActionKind uint8

// The actions.
const (
	Idle ActionKind = iota
	Proc            // f(): X to Y in local memory
	XPut            // X from local memory to a QPR
	XGet            // X from a QPR to local memory
	YPut            // Y from local memory to a QPR or the host
	YGet            // Y from a QPR to local memory
	actionKinds
)

func (k ActionKind) String() string {
	return [...]string{"idle", "PROC", "XPUT", "XGET", "YPUT", "YGET"}[k]
}

// hostRing is the index of the rings to and from the host, after the rings to the
// neighbours.
const hostRing = MaxNeighbours

// action is a PE's current action: it began at start, its sensing and
// planning end at work, and everything it moves, moves at end.
type action struct {
	kind             ActionKind
	amount           [MaxNeighbours + 1]uint16 // number of data per ring; Proc: [0]
	total            int
	start, work, end int64
}

// neighbour is a PE that shares a board, and its place on that board.
type neighbour struct {
	pe        uint16
	board     uint16
	toHim     uint8 // number of the ordered pair of ports from this PE to it
	toMe      uint8 // number of the pair from it to this PE
	closer    bool  // nearer to the sink than this PE
	xOut, xIn ring
	yOut, yIn ring
}

// port is one port of one board.
type port struct{ board, port int }

// view is a PE's private view of its neighbours, refreshed in each iteration.
// Plans use nothing else.
type view struct {
	x, y   [MaxNeighbours]int // published counts [000 table 1: X_ij, Y_ij]
	sx, sy [MaxNeighbours]int // sent but unread [SX, SY]
	rx, ry [MaxNeighbours]int // addressed to this PE [RX, RY]
	source int                // X that the host has put
	busy   int64              // reads that had to be repeated
	sumX   int64              // X and all neighbours' X: M_X
	sumY   int64
	allRX  int
	allRY  int
}

// pe is one processor element: its local memory, its registers and its view of its neighbours. No other PE reads this
// state; PEs communicate only through the QPRs.
type pe struct {
	id    int
	n     int // neighbours
	nb    [MaxNeighbours]neighbour
	ports []port
	src   port // place on a source board; board < 0 if the PE is not on one
	snk   port // place on a sink board; board < 0 if the PE is not on one
	feed  int  // index of the source board

	x, y    agenda.FIFO[Datum]     // local memory
	control [MaxNeighbours]control // contents of the control words that this PE writes
	srcHead uint8                  // index of the source ring's next X
	snkTail uint8                  // index of the sink ring's next free place

	view    view
	ability ability
	rot     int   // first neighbour to consider; advances after each transfer
	wait    int64 // length of the next idle wait
	percent int64 // time of f() in per cent of nominal
	passed  int   // consecutive actions other than PROC while a PROC was possible; 0 without a Guard
	dead    bool
	unborn  []*birth // data that will be born in this PE, the next one first

	act   action
	stats PEStats
}

// processTime returns the time of f() for the first n X.
func (e *pe) processTime(c *Config, n int) int64 {
	if c.Work == nil {
		return int64(n) * c.workTime(e.percent)
	}
	sum := int64(0)
	for i := range n {
		sum += c.Cost.f(int64(e.x.At(i).Value), e.percent)
	}
	return sum
}

// slice returns how many X one PROC takes, from the first one on: the number that fits in a slice, but at least one.
func (e *pe) slice(c *Config) int {
	return max(1, e.fittingX(c, c.Slice, e.x.At))
}

// keptX returns the number of X, counted from the last one, that XPUT leaves as the PE's own work.
func (e *pe) keptX(c *Config) int {
	if c.Restraint == Unbound || c.Restraint == ByPolicy && c.Policy == Naive {
		return 0
	}
	return e.fittingX(c, c.KeepClk, func(i int) *Datum { return e.x.At(e.x.Len() - 1 - i) })
}

// fittingX returns how many X the PE can process in the given time; x returns the i-th X to be counted. If all data
// have the same loop count, it does not count them one by one.
func (e *pe) fittingX(c *Config, clocks int64, x func(i int) *Datum) int {
	if c.Work == nil {
		return int(min(clocks/c.workTime(e.percent), int64(c.XCap)))
	}
	n := 0
	for ; n < e.x.Len(); n++ {
		if clocks -= c.Cost.f(int64(x(n).Value), e.percent); clocks < 0 {
			break
		}
	}
	return n
}

// readRings reads every neighbour's control word, computes how many data wait in the shared rings, and sums up the
// view.
func (e *pe) readRings(qprs []QPR, source ring) {
	v := &e.view
	v.sumX, v.sumY = int64(e.x.Len()), int64(e.y.Len())
	v.allRX, v.allRY = 0, 0
	for k := range e.n {
		nb, own := &e.nb[k], e.control[k]
		his := controlOf(qprs[nb.board].read(controlBase + int(nb.toMe)))
		v.sx[k] = nb.xOut.dataHeld(his.headX, own.tailX)
		v.sy[k] = nb.yOut.dataHeld(his.headY, own.tailY)
		v.rx[k] = nb.xIn.dataHeld(own.headX, his.tailX)
		v.ry[k] = nb.yIn.dataHeld(own.headY, his.tailY)
		v.sumX += int64(v.x[k])
		v.sumY += int64(v.y[k])
		v.allRX += v.rx[k]
		v.allRY += v.ry[k]
	}
	v.source = 0
	if e.src.board >= 0 {
		tail := qprs[e.src.board].read(hostBase + e.src.port)
		v.source = source.dataHeld(e.srcHead, uint8(tail))
	}
}

// loadX returns the X of neighbour k as the plan sees it: what it published plus
// what is in flight to it, so that stale counts do not attract too much
// [chosen].
func (v *view) loadX(k int) int { return v.x[k] + v.sx[k] }

func (v *view) loadY(k int) int { return v.y[k] + v.sy[k] }
