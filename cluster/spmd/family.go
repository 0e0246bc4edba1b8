package spmd

import (
	"maps"
	"slices"

	"emsim/internal/base/lists"
)

// families are the topologies of any number of processors, all but the planes chosen:
// the readers of processor i of n, in the order of their turns. Numbers of no other
// processor are left out.
var families = []struct {
	name    string
	readers func(i, n int) []int
}{
	{"tree", func(i, _ int) []int { return []int{(i - 1) / 2, 2*i + 1, 2*i + 2} }}, // binary, with the root 0: parent, then children
	{"ring", func(i, n int) []int { return []int{(i + 1) % n} }},
	{"line", func(i, _ int) []int { return []int{i - 1, i + 1} }},
	{"star", func(i, n int) []int { // with 0 in the middle
		if i == 0 {
			return everybody(n)
		}
		return []int{0}
	}},
	{"grid", func(i, n int) []int { // as square as can be, row by row
		w := 1
		for w*w < n {
			w++
		}
		beside := []int{i - w, i + w}
		if i%w > 0 {
			beside = append(beside, i-1)
		}
		if i%w < w-1 {
			beside = append(beside, i+1)
		}
		return beside
	}},
	{"cube", func(i, n int) (beside []int) { // numbers that differ in one bit
		for bit := 1; bit < n; bit *= 2 {
			beside = append(beside, i^bit)
		}
		return beside
	}},
	{"plane", func(i, n int) []int { return lists.Of(planes[n], func(d int) int { return (i + d) % n }) }},
	{"all", func(_, n int) []int { return everybody(n) }},
}

// planes are the projective planes of q²+q+1 points, by that number: point i is on the
// line of all i+d, and every two points are on one line. The family that [002 §1] builds on
// gives each of N processors a set of about sqrt(N); which line goes with which
// processor is chosen.
var planes = map[int][]int{
	7: {0, 1, 3}, 13: {0, 1, 3, 9}, 21: {0, 1, 4, 14, 16}, 31: {0, 1, 3, 8, 12, 18},
	57: {0, 1, 3, 13, 32, 36, 43, 52}, 73: {0, 1, 3, 7, 15, 31, 36, 54, 63},
}

func everybody(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Families lists the names that Family takes.
func Families() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// Family returns the topology of a name in Families with n processors, 1 to 1000. The
// error is a *Usage.
func Family(name string, n int) (Topology, error) {
	k := slices.Index(Families(), name)
	switch {
	case k < 0:
		return nil, badValue("topology", "%q is not one of %v", name, Names())
	case name == "plane" && planes[n] == nil:
		return nil, badValue("processors", "%d; a plane has one of %v", n, slices.Sorted(maps.Keys(planes)))
	}
	t := make(Topology, n)
	for i := range t {
		t[i] = slices.DeleteFunc(append([]int{}, families[k].readers(i, n)...), func(r int) bool { return r < 0 || r >= n || r == i })
	}
	return t, nil
}

// must is a topology that there is.
func must(t Topology, _ error) Topology { return t }

// Fano returns the plane of seven points, each on three lines of three.
func Fano() Topology { return must(Family("plane", 7)) }

// Tree returns the binary tree of n processors.
func Tree(n int) Topology { return must(Family("tree", n)) }
