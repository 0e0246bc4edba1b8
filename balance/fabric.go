package balance

import "slices"

// Fabric is the one network of all policies. Times are ticks of CPU time at
// full speed, or of the clock.
type Fabric struct {
	Message int64 // CPU time at each end of a message (o)
	Unit    int64 // CPU time at each end for each unit in it (g)
	Probe   int64 // CPU time at each end of a message about load only; of a peek, at the reader's end
	Latency int64 // from the end of sending to the beginning of receiving, over one link
	Hop     int64 // for each further link
	Hold    int64 // how long a message occupies each link; each unit in it adds the same time
	InOrder bool  // messages, even from a worker to itself, wait in a queue; otherwise they interrupt
	Asks    bool  // a unit that is born for another worker first waits until its request for a place is answered
	Buffer  int   // how much can wait at a worker before messages spill into memory; 0 means no limit
	Spill   int64 // additional CPU time of a message that spills, and of each unit in it
}

// Common returns the fabric of the comparison. Its times are chosen: the grain gives the work of a unit relative to
// them, so only ratios matter. A probe costs as much as a message. In the MNC computer a peek costs about 0.4 of
// moving a datum, as it does here.
func Common() Fabric { return Fabric{Message: 40, Unit: 10, Probe: 40, Latency: 100, Hop: 20} }

// Move returns the CPU time, at both ends together, of moving a unit in a message of its own. The grain is the work of
// a unit divided by it.
func (f Fabric) Move() int64 { return 2 * (f.Message + f.Unit) }

// pause returns the unit of waiting times: a move, but at least one tick, so that time advances even if moves cost
// nothing.
func (f Fabric) pause() int64 { return max(1, f.Move()) }

// A Graph lists, for each worker, the workers at whose load it can peek, in order.
type Graph [][]int32

// offsets are the distances to neighbours in circulant graphs, by the graph's largest size. They are the differences
// of the base blocks of the MNC computer's wiring (docs/MNC.md).
var offsets = [...]struct {
	upTo int
	by   []int
}{
	{25, []int{1, 2, 3, 4, 5, 6}},
	{49, []int{1, 3, 8, 9, 11, 12}},
	{MaxWorkers, []int{1, 4, 15, 16, 19, 20}},
}

// VisibilityGraph returns the visibility graph of the comparison: every worker sees
// twelve others, as in the MNC computer, or all if there are fewer.
func VisibilityGraph(n int) Graph {
	g := make(Graph, n)
	row := 0
	for n > offsets[row].upTo {
		row++
	}
	for i := range g {
		for _, by := range offsets[row].by {
			for _, j := range []int{(i + by) % n, ((i-by)%n + n) % n} {
				if j != i && !slices.Contains(g[i], int32(j)) {
					g[i] = append(g[i], int32(j))
				}
			}
		}
	}
	return g
}

// Circuits are the two circuits through each worker, as in the EM-4. In and Out hold the next worker on each circuit.
type Circuits struct {
	In, Out []int32
	Line    []int32 // the next worker on a line through all workers
}

// TorusCircuits returns the circuits of the comparison: the rows and columns of a torus. The EM-4's circular omega
// network is not used because it has only the sizes (k+1)·2^k.
func TorusCircuits(n int) Circuits {
	rows, cols := shape(n)
	c := Circuits{In: make([]int32, n), Out: make([]int32, n), Line: make([]int32, n)}
	for i := range n {
		x, y := i%cols, i/cols
		c.In[i] = int32(y*cols + (x+1)%cols)
		c.Out[i] = int32((y+1)%rows*cols + x)
		c.Line[i] = int32((i + 1) % n)
	}
	return c
}

// round returns the other workers on i's circuit, in the order of next.
func round(next []int32, i int) []int32 {
	var out []int32
	for j := next[i]; int(j) != i && len(out) < len(next); j = next[j] {
		out = append(out, j)
	}
	return out
}

// shape returns the rows and columns of the torus of n workers that is closest to a square.
func shape(n int) (rows, cols int) {
	rows = 1
	for d := 1; d*d <= n; d++ {
		if n%d == 0 {
			rows = d
		}
	}
	return rows, n / rows
}

// torusDistance returns the distance between two workers in the torus, in links.
func torusDistance(rows, cols, a, b int) int64 {
	dx, dy := abs(a%cols-b%cols), abs(a/cols-b/cols)
	return int64(min(dx, cols-dx) + min(dy, rows-dy))
}

func abs(x int) int { return max(x, -x) }
