package mnc

import (
	"fmt"
	"slices"
	"strconv"
)

// Limits of the wiring.
const (
	Ports         = 4   // ports of a QPR, and QPRs of a PE [000 §2: "4 ポート共有メモリ"]
	PaperPEs      = 128 // largest machine that the paper simulates [000 §5]
	MaxPEs        = 1024
	MaxNeighbours = Ports * (Ports - 1)

	noPE = -1 // an unused port
)

// A Board is one QPR with the PEs plugged into it.
type Board struct {
	Name  string
	Ports [Ports]int // number of the PE at each port, -1 for an unused one
}

// An Incidence says which PE touches which QPR: the whole wiring of a machine. The order of boards and ports matters:
// a PE considers its neighbours in this order, so the order decides ties.
type Incidence struct {
	Name    string
	PEs     int
	Boards  []Board
	Source  int      // board into which the host puts X
	Sink    int      // board from which the host takes Y
	PENames []string // one per PE; nil means the numbers

	// Further boards of the host, beyond the paper: the host puts X into all sources in turn, and takes Y from all
	// sinks.
	MoreSources, MoreSinks []int
}

// Sources lists all boards into which the host puts X.
func (in Incidence) Sources() []int { return append([]int{in.Source}, in.MoreSources...) }

// Sinks lists all boards from which the host takes Y.
func (in Incidence) Sinks() []int { return append([]int{in.Sink}, in.MoreSinks...) }

// blocks are the base blocks of the cyclic construction: board q holds the
// slots q+o mod M. The differences of a block are distinct mod M, so two PEs
// share at most one board. [chosen: the paper defines MNC in words only]
var blocks = [...]struct {
	upTo  int // largest M that uses the block
	block [Ports]int
}{
	{25, [Ports]int{0, 1, 4, 6}},
	{49, [Ports]int{0, 1, 9, 12}},
	{PaperPEs, [Ports]int{0, 1, 16, 20}},
	{256, [Ports]int{0, 1, 15, 39}}, // from here on found by a search for short paths
	{512, [Ports]int{0, 1, 53, 98}},
	{MaxPEs, [Ports]int{0, 1, 11, 123}},
}

// planeBoards is the number of boards of the smallest machine in which a PE
// can have twelve neighbours: the projective plane of order 3 [derived].
const planeBoards = 13

// fillOrder is the order in which machines of fewer than 13 PEs fill the slots
// of the plane [chosen: source and sink stay in use].
var fillOrder = [planeBoards]int{0, 1, 3, 4, 5, 6, 12, 2, 7, 8, 9, 10, 11}

// Topology returns a named wiring: "mnc" of 1 to 1024 PEs, or "net16" of 16.
func Topology(name string, pes int) (Incidence, error) {
	switch {
	case name == "mnc":
		return MNC(pes)
	case name != "net16":
		return Incidence{}, usagef("topology %q: expected mnc or net16", name)
	case pes != net16PEs:
		return Incidence{}, usagef("topology net16 has %d PEs, not %d", net16PEs, pes)
	}
	return Net16(), nil
}

// MNC returns the maximum neighbour connection of n PEs, 1 to 1024; the paper has at most 128. With 13 or more PEs
// every PE has twelve distinct neighbours; with fewer, every PE is a neighbour of every other. The source is the
// first board, the sink the last; they share PE 0.
func MNC(n int) (Incidence, error) {
	if n < 1 || n > MaxPEs {
		return Incidence{}, usagef("%d PEs: expected 1 to %d (each is held in memory; the paper has up to %d)", n,
			MaxPEs, PaperPEs)
	}
	boards := max(n, planeBoards)
	slot := slices.Repeat([]int{noPE}, boards) // slot -> PE
	for pe := range n {
		if n < planeBoards {
			slot[fillOrder[pe]] = pe
		} else {
			slot[pe] = pe
		}
	}
	b := 0
	for boards > blocks[b].upTo {
		b++
	}
	in := Incidence{Name: "mnc", PEs: n, Sink: boards - 1}
	for q := range boards {
		board := Board{Name: strconv.Itoa(q)}
		for port, o := range blocks[b].block {
			board.Ports[port] = slot[(q+o)%boards]
		}
		in.Boards = append(in.Boards, board)
	}
	return in, nil
}

const net16PEs = 16

// Net16 returns the machine of 16 PEs and 16 QPRs whose source is QPR26 and whose sink is QPR38. It is the affine
// plane of order 4 without one parallel class, drawn on a grid of 4 rows and 8 columns: PEs in the odd columns, QPRs
// in the even ones. The paper gives only these two names; the wiring and the other names are a guess [chosen: fits
// both names and maximal neighbourhood].
func Net16() Incidence {
	const order = 4
	in := Incidence{Name: "net16", PEs: order * order}
	for x := range order {
		for y := range order {
			in.PENames = append(in.PENames, fmt.Sprintf("%d%d", y+1, 2*x+1))
		}
	}
	for m := range order {
		for b := range order {
			board := Board{Name: fmt.Sprintf("%d%d", b+1, 2*m+2)}
			for x := range order {
				board.Ports[x] = order*x + (gf4Product[m][x] ^ b)
			}
			in.Boards = append(in.Boards, board)
		}
	}
	in.Source = slices.IndexFunc(in.Boards, func(b Board) bool { return b.Name == "26" })
	in.Sink = slices.IndexFunc(in.Boards, func(b Board) bool { return b.Name == "38" })
	return in
}

// gf4Product is multiplication in the field of four elements, where 2 is a root of
// x²+x+1.
var gf4Product = [4][4]int{{0, 0, 0, 0}, {0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}}

// PEName returns the name of a PE in the machine's drawing.
func (in Incidence) PEName(pe int) string {
	if pe < len(in.PENames) {
		return in.PENames[pe]
	}
	return strconv.Itoa(pe)
}

// Neighbours returns the PEs that share a board with pe, in the order in which
// pe considers them: boards ascending, ports ascending inside a board.
func (in Incidence) Neighbours(pe int) []int {
	var list []int
	for _, b := range in.Boards {
		if !slices.Contains(b.Ports[:], pe) {
			continue
		}
		for _, k := range b.Ports {
			if k != noPE && k != pe {
				list = append(list, k)
			}
		}
	}
	return list
}

// SinkHops returns every PE's distance from the nearest sink in PE-to-PE transfers: 0 for the PEs on a sink board, -1
// for PEs that cannot reach a sink.
func (in Incidence) SinkHops() []int {
	var start []int
	for _, q := range in.Sinks() {
		start = append(start, in.Boards[q].Ports[:]...)
	}
	return in.hopsFrom(start)
}

// Distances returns the distance from pe to every PE in transfers, -1 if there is no path.
func (in Incidence) Distances(pe int) []int { return in.hopsFrom([]int{pe}) }

func (in Incidence) hopsFrom(start []int) []int {
	hop := slices.Repeat([]int{-1}, in.PEs)
	var queue []int
	for _, pe := range start {
		if pe != noPE && hop[pe] < 0 {
			hop[pe] = 0
			queue = append(queue, pe)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, k := range in.Neighbours(queue[0]) {
			if hop[k] < 0 {
				hop[k] = hop[queue[0]] + 1
				queue = append(queue, k)
			}
		}
	}
	return hop
}

// Validate checks the PE numbers and the wiring: at most four boards per PE, no two PEs with two common boards, a path
// from every PE to a sink, and sources and sinks on different boards with PEs.
func (in Incidence) Validate() error {
	if m := in.misfit(); m != nil {
		return usagef("%s", m.why)
	}
	return nil
}

// A misfit is a mistake in a wiring, and the board where it is, or -1.
type misfit struct {
	board int
	why   string
}

func misfitf(board int, format string, args ...any) *misfit {
	return &misfit{board, fmt.Sprintf(format, args...)}
}

// boardOf returns the index of the first QPR that a PE is on, or -1.
func (in Incidence) boardOf(pe int) int {
	return slices.IndexFunc(in.Boards, func(b Board) bool { return slices.Contains(b.Ports[:], pe) })
}

// misfit returns the first mistake of the wiring, or nil.
func (in Incidence) misfit() *misfit {
	if in.PEs < 1 || in.PEs > MaxPEs {
		return misfitf(-1, "the wiring has %d PEs: expected 1 to %d", in.PEs, MaxPEs)
	}
	if len(in.Boards) > MaxPEs*Ports {
		return misfitf(-1, "the wiring has %d QPRs: at most %d can be in use", len(in.Boards), MaxPEs*Ports)
	}
	if in.PENames != nil && len(in.PENames) != in.PEs {
		return misfitf(-1, "the wiring names %d PEs but has %d", len(in.PENames), in.PEs)
	}
	if m := in.checkPairs(); m != nil {
		return m
	}
	if m := in.checkHostBoards(); m != nil {
		return m
	}
	for pe, d := range in.SinkHops() {
		if d < 0 {
			of := in.boardOf(pe)
			if last := in.PEs - 1; of < 0 && in.boardOf(last) >= 0 {
				return misfitf(in.boardOf(last),
					"there is a PE %s, but PE %s is on no QPR: expected PEs numbered from 0 without a gap",
					in.PEName(last), in.PEName(pe))
			}
			return misfitf(of, "PE %s is disconnected: no path leads from it to the sink QPR %s", in.PEName(pe),
				in.Boards[in.Sink].Name)
		}
	}
	return nil
}

func (in Incidence) checkPairs() *misfit {
	boards := make([]int, in.PEs)        // boards of a PE
	shared := make([]int, in.PEs*in.PEs) // 1 + board that two PEs share
	for q, b := range in.Boards {
		for i, pe := range b.Ports {
			if pe == noPE {
				continue
			}
			if pe < 0 || pe >= in.PEs {
				return misfitf(q, "QPR %s, port %d: PE %d does not exist; expected 0 to %d, or -1 for an empty port",
					b.Name, i, pe, in.PEs-1)
			}
			if boards[pe]++; boards[pe] > Ports {
				return misfitf(q, "PE %s touches more than %d QPRs (the last is QPR %s)", in.PEName(pe), Ports, b.Name)
			}
			for _, k := range b.Ports[:i] {
				if k == noPE {
					continue
				}
				if k == pe {
					return misfitf(q, "QPR %s holds PE %s at two ports", b.Name, in.PEName(pe))
				}
				if was := shared[pe*in.PEs+k]; was != 0 {
					return misfitf(q, "PEs %s and %s share two QPRs, %s and %s; at most one is possible",
						in.PEName(min(k, pe)), in.PEName(max(k, pe)), in.Boards[was-1].Name, b.Name)
				}
				shared[pe*in.PEs+k], shared[k*in.PEs+pe] = q+1, q+1
			}
		}
	}
	return nil
}

func (in Incidence) checkHostBoards() *misfit {
	used := map[int]string{} // never iterated over
	for _, end := range [...]struct {
		name   string
		boards []int
	}{{"source", in.Sources()}, {"sink", in.Sinks()}} {
		of := make([]int, in.PEs) // 1 + the board of this kind that each PE touches
		for _, q := range end.boards {
			if q < 0 || q >= len(in.Boards) {
				return misfitf(-1, "the %s is QPR number %d: expected 0 to %d", end.name, q, len(in.Boards)-1)
			}
			b := in.Boards[q]
			if b.Ports == [Ports]int{noPE, noPE, noPE, noPE} {
				return misfitf(q, "no PE touches the %s QPR %s", end.name, b.Name)
			}
			switch was := used[q]; {
			case was == end.name:
				return misfitf(q, "QPR %s is a %s twice", b.Name, end.name)
			case was != "":
				return misfitf(q, "QPR %s is both source and sink; they must be different QPRs", b.Name)
			}
			used[q] = end.name
			for _, pe := range b.Ports {
				if pe != noPE && of[pe] != 0 {
					return misfitf(q, "PE %s touches two %ss, QPR %s and QPR %s; at most one is possible",
						in.PEName(pe), end.name, in.Boards[of[pe]-1].Name, b.Name)
				}
				if pe != noPE {
					of[pe] = q + 1
				}
			}
		}
	}
	return nil
}
