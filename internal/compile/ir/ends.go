package ir

// EndState says what a value of type End may be.
type EndState uint8

// The states.
const (
	MayBeOpen EndState = 1 << iota // a receiving end
	MayBeNone                      // the constant 0: there is no end
)

// EndStates returns what each label parameter of type End, and each value that an exit gives such a parameter, may be.
// A value that is not in the map is a receiving end.
func (f *Func) EndStates() map[*Value]EndState {
	givers := map[*Value][]*Value{} // by label parameter: the values that exits give it
	note := func(to *Label, values []*Value) {
		for i, p := range to.Params {
			if p.Type == End {
				givers[p] = append(givers[p], values[i])
			}
		}
	}
	f.Body.EachRegion(func(r *Region) {
		if r.Exit != nil {
			note(r.Exit.To, r.Exit.Values)
		}
		for _, n := range r.Nodes {
			if l, ok := n.(*Loop); ok {
				note(l.Next, l.First)
			}
		}
	})
	takers, states := map[*Value][]*Value{}, map[*Value]EndState{}
	var due []*Value
	for p, list := range givers {
		for _, v := range list {
			takers[v] = append(takers[v], p)
			if v.Constant {
				states[v] = MayBeNone
			} else if givers[v] == nil {
				states[v] = MayBeOpen
			}
			due = append(due, v)
		}
	}
	for ; len(due) > 0; due = due[1:] { // the order does not change the fixpoint
		for _, p := range takers[due[0]] {
			if more := states[p] | states[due[0]]; more != states[p] {
				states[p] = more
				due = append(due, p)
			}
		}
	}
	return states
}
