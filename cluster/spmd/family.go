package spmd

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"emsim/internal/base/lists"
)

type family struct {
	name  string
	reads func(i, j, n int) bool
}

// families are the topologies for any number of processors; all except the planes are chosen. reads(i, j, n) says
// whether processor j of n processors reads the Power of processor i. Readers take turns in the order of their numbers.
var families = []family{
	{"tree", func(i, j, _ int) bool { return j == (i-1)/2 || i == (j-1)/2 }}, // binary, with root 0
	{"ring", func(i, j, n int) bool { return j == (i+1)%n }},
	{"line", func(i, j, _ int) bool { return j == i-1 || j == i+1 }},
	{"star", func(i, j, _ int) bool { return i == 0 || j == 0 }}, // with 0 in the middle
	{"grid", func(i, j, n int) bool { // as close to a square as possible, row by row
		w := int(math.Ceil(math.Sqrt(float64(n))))
		return max(i, j)-min(i, j) == w || i/w == j/w && (j == i-1 || j == i+1)
	}},
	{"cube", func(i, j, _ int) bool { return bits.OnesCount(uint(i^j)) == 1 }},
	{"plane", nil}, // see planes
	{"all", func(_, _, _ int) bool { return true }},
}

// planes are the projective planes of q²+q+1 points, by their number of points. Line i consists of the points i+d
// for all d in the list, and every two points are on one line. The family of [002 §1] gives each of N processors a
// set of about sqrt(N) processors; the assignment of lines to processors is chosen.
var planes = map[int][]int{
	7: {0, 1, 3}, 13: {0, 1, 3, 9}, 21: {0, 1, 4, 14, 16}, 31: {0, 1, 3, 8, 12, 18},
	57: {0, 1, 3, 13, 32, 36, 43, 52}, 73: {0, 1, 3, 7, 15, 31, 36, 54, 63},
}

// Names returns the names of topologies: T*, the Fano plane, and the families.
func Names() []string {
	return append([]string{"t-star", "fano"}, lists.Of(families, func(f family) string { return f.name })...)
}

// FindTopology returns the topology with the given name, which is one of Names. For a family, n is the number of
// processors, 1 to 1000. The error is a *Usage.
func FindTopology(name string, n int) (Topology, error) {
	k := slices.IndexFunc(families, func(f family) bool { return f.name == name })
	switch {
	case name == "t-star":
		return TStar(), nil
	case name == "fano":
		return Fano(), nil
	case k < 0:
		return nil, badValue("topology", "%q is not one of %v", name, Names())
	case name == "plane" && planes[n] == nil:
		return nil, badValue("processors", "%d; a plane has one of %v", n, slices.Sorted(maps.Keys(planes)))
	}
	t := make(Topology, n)
	for i := range t {
		t[i] = []int{}
		for j := range n {
			if name == "plane" && j > 0 && j < len(planes[n]) { // in the order of the line
				t[i] = append(t[i], (i+planes[n][j])%n)
			}
			if name != "plane" && j != i && families[k].reads(i, j, n) {
				t[i] = append(t[i], j)
			}
		}
	}
	return t, nil
}

// Fano returns the plane of seven points, each on three lines of three.
func Fano() Topology { t, _ := FindTopology("plane", 7); return t }

// Tree returns the binary tree of n processors.
func Tree(n int) Topology { t, _ := FindTopology("tree", n); return t }
