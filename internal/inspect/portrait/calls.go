package portrait

import (
	"cmp"
	"slices"

	"emsim/trace"
)

// Calls counts the function instances by place and by function.
type Calls struct {
	Pairs map[[2]int]uint64 // by the PEs of caller and callee; -1 stands for the host or an unknown caller
	Edges []Edge            // by caller and callee, in descending order of calls
	Depth []uint64          // number of instances by the number of their callers

	family *Family
	edges  map[[2]uint32]*Edge
}

// Edge counts the calls of one function by another.
type Edge struct {
	Caller, Callee uint32 // code addresses of their templates; NoCaller for the host or an unknown caller
	Calls          uint64
	Local          uint64 // calls on the caller's own PE
}

// NoCaller stands for the host or an unknown caller.
const NoCaller = ^uint32(0)

// nobody stands for a caller that is not a known function instance.
var nobody = Instance{Template: NoCaller, PE: -1}

func (c *Calls) init(m Machine, pes int) {
	*c = Calls{Pairs: map[[2]int]uint64{}, family: NewFamily(m, pes, false), edges: map[[2]uint32]*Edge{}}
}

// event counts the instance that an event creates, and reports whether it creates one.
func (c *Calls) event(e *trace.Event) (born bool) {
	x := c.family.Event(e)
	if x == nil {
		return false
	}
	by := cmp.Or(x.Parent, &nobody)
	c.Pairs[[2]int{by.PE, x.PE}]++
	k := [2]uint32{by.Template, x.Template}
	if c.edges[k] == nil {
		c.edges[k] = &Edge{Caller: k[0], Callee: k[1]}
	}
	c.edges[k].Calls++
	if by.PE == x.PE {
		c.edges[k].Local++
	}
	for len(c.Depth) <= x.Depth {
		c.Depth = append(c.Depth, 0)
	}
	c.Depth[x.Depth]++
	return true
}

// finish fills Edges, sorted by the number of calls, the highest first.
func (c *Calls) finish() {
	for _, e := range c.edges {
		c.Edges = append(c.Edges, *e)
	}
	slices.SortFunc(c.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	})
}
