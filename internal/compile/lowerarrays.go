package compile

import (
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
)

// Arrays of an instance lie in its segment. Loads and stores of one array keep their order, unless it is known that
// they are of different words. A word that is only stored elsewhere, sent or returned is loaded when that is done.

// findMoved finds loads of a region whose words are only stored, sent or returned, once, and do not change before.
func (x *former) findMoved(r *ir.Region) {
	open := map[*ir.Value]*ir.Instr{} // loads whose words have not changed since
	move := func(v *ir.Value) {
		if i := open[v]; i != nil {
			x.moved[i] = true
			delete(open, v)
		}
	}
	for _, n := range r.Nodes {
		x.c.meter.countSteps(1 + len(open))
		i, isInstr := n.(*ir.Instr)
		switch {
		case isInstr && i.Op == ir.Store:
			move(i.Args[1])
		case isInstr && i.Callee != nil:
			for _, v := range i.Args {
				move(v)
			}
		}
		x.touches(n, func(i *ir.Instr) {
			for v, o := range open {
				if x.conflict(i, o) {
					delete(open, v)
				}
			}
		})
		if isInstr && i.Op == ir.Load && !i.Memory.Table && i.Results[0].Name == "" && x.uses[i.Results[0]] == 1 {
			open[i.Results[0]] = i
		}
		inside, _ := ir.Parts(n)
		for _, r := range inside {
			x.findMoved(r)
		}
	}
	if exitTo(r.Exit) == x.form.End && r.Exit != nil {
		for _, v := range r.Exit.Values {
			move(v)
		}
	}
}

// touches calls do for the loads and stores of arrays of the instance that a node makes, and for calls that use
// arrays of package df.
func (x *former) touches(n ir.Node, do func(i *ir.Instr)) {
	if i, ok := n.(*ir.Instr); ok {
		if (i.Op == ir.Load || i.Op == ir.Store) && !i.Memory.Table && !x.moved[i] {
			do(i)
		}
		if i.Op == ir.Call && x.c.callee(x.x.sites[i]).touches || x.hears(i) {
			do(i)
		}
		for _, v := range i.Args {
			if load := x.made[v]; x.moved[load] {
				do(load)
			}
		}
		return
	}
	inside, _ := ir.Parts(n)
	for _, r := range inside {
		for _, n := range r.Nodes {
			x.touches(n, do)
		}
	}
}

// conflict reports a load and a store, or two stores, that may be of the same word, and calls of which one changes
// arrays of package df.
func (x *former) conflict(a, b *ir.Instr) bool {
	if a.Callee != nil && b.Callee != nil && (x.c.alone(x.x.sites[a]) || x.c.alone(x.x.sites[b])) {
		return true
	}
	if x.hears(a) || x.hears(b) {
		return x.hearConflict(a, b)
	}
	if a.Memory != b.Memory || a.Memory == nil || a.Op == ir.Load && b.Op == ir.Load {
		return false
	}
	i, j := a.Args[0], b.Args[0]
	known := i == j || i.Constant && j.Constant
	return !known || i.Word+a.Offset == j.Word+b.Offset
}

// hears reports an instruction that receives, or calls what may receive.
func (x *former) hears(i *ir.Instr) bool {
	return i.Op == ir.Receive || i.Op == ir.Call && x.c.streams(x.c.callee(x.x.sites[i]).decl.Type)
}

// hearConflict reports instructions of which one receives and that are not in progress together: two that receive from
// the same channel, or of which one receives several words, whose sender waits for the questions of all; one that
// receives and one that hands its channel on; and one that uses an array of package df, because the sender may have
// changed it, too.
func (x *former) hearConflict(a, b *ir.Instr) bool {
	uses := func(i *ir.Instr) bool { return i.Op == ir.Call && x.c.touches(x.x.sites[i]) }
	return a.Op == ir.Receive && b.Op == ir.Receive && (len(a.Results) > 1 || len(b.Results) > 1) || x.sameEnd(a, b) ||
		x.hears(a) && uses(b) || x.hears(b) && uses(a)
}

// sameEnd reports whether two instructions may use the same receiving end, or two ends of which one may have no item
// before the other one has been asked: then Go may wait for ever at the first, and so has the machine to.
func (x *former) sameEnd(a, b *ir.Instr) bool {
	return slices.ContainsFunc(a.Args, func(v *ir.Value) bool {
		return v.Type == ir.End && slices.ContainsFunc(b.Args, func(w *ir.Value) bool {
			return w.Type == ir.End && (v == w || !x.apart(v) && !x.apart(w))
		})
	})
}

// apart reports a receiving end whose sender has nothing to do with other channels of the function: a piece of an array,
// or a function that has been started without any other end.
func (x *former) apart(v *ir.Value) bool {
	i := x.made[v]
	if _, varies := x.ends[v]; varies || i == nil {
		return false
	}
	return i.Op == ir.Call || i.Op == ir.Start && len(i.Results) == 1 &&
		!slices.ContainsFunc(i.Args, func(v *ir.Value) bool { return v.Type == ir.End })
}

// conflicts reports whether what a node loads or stores has to come after some loads and stores.
func (x *former) conflicts(n ir.Node, some []*ir.Instr) (found bool) {
	x.touches(n, func(i *ir.Instr) {
		x.c.meter.countSteps(len(some))
		found = found || slices.ContainsFunc(some, func(o *ir.Instr) bool { return x.conflict(i, o) })
	})
	return found
}

// stores reports whether a node stores words of arrays.
func (x *former) stores(n ir.Node) (found bool) {
	x.touches(n, func(i *ir.Instr) { found = found || i.Op == ir.Store })
	return found
}

// storedIn returns the arrays that a region changes.
func storedIn(r *ir.Region) map[*ir.Memory]bool {
	stored := map[*ir.Memory]bool{}
	r.Each(func(i *ir.Instr) {
		if i.Op == ir.Store {
			stored[i.Memory] = true
		}
	})
	return stored
}

// memory returns where an array of the instance lies.
func (x *former) memory(m *ir.Memory) *spot {
	s := x.mems[m]
	if s == nil {
		switch v := x.x.holders[m]; {
		case v != nil:
			s = x.variableArray(v)
		case x.inPlace:
			s = x.newArray("", m.Words)
		default:
			s = x.newArray("array", m.Words)
		}
		x.mems[m] = s
	}
	return s
}

// addressed is an array with an index, whose address is in a register in a block.
type addressed struct {
	at    *block
	mem   *ir.Memory
	index reg
}

// word returns the place of the word that an instruction loads or stores.
func (x *former) word(i *ir.Instr) *spot {
	index := x.operand(i.Args[0])
	if i.Memory.Table {
		return x.within(&spot{label: i.Memory.Name, base: none, off: i.Offset}, index)
	}
	s := x.memory(i.Memory).word(i.Offset)
	if index.lit {
		return x.within(s, index)
	}
	key := addressed{x.here(), i.Memory, index.r}
	if base, known := x.bases[key]; known {
		s.base = base
		return s
	}
	s = x.within(s, index)
	x.bases[key] = s.base
	return s
}

// argsOf returns the arguments of a call: words of arrays where they lie, unless they change before they are sent.
func (x *former) argsOf(i *ir.Instr, changing map[*ir.Memory]bool) []operand {
	f := x.c.callee(x.x.sites[i])
	args := make([]operand, len(i.Args))
	params := f.params
	if n := f.captures(); n > 0 {
		params = params[n-2:] // after the range
	}
	for k, v := range i.Args {
		load := x.made[v]
		inArray := false
		if k < len(params) {
			_, inArray = x.c.arrayWords[params[k]]
		}
		if inArray && x.moved[load] && !changing[load.Memory] {
			args[k] = operand{r: none, array: x.word(load)}
		} else {
			args[k] = x.operand(v)
		}
	}
	switch {
	case f.array != nil:
		args = x.argsAt(f, args)
	case f.inlined || f.front > 0:
		x.inArrays(f, args)
	}
	return args
}

// inArrays puts arguments that are words of arrays into arrays, if they do not lie in one.
func (x *former) inArrays(f *function, args []operand) {
	for k, p := range f.params {
		w, ok := x.c.arrayWords[p]
		if !ok || w.i > 0 {
			continue
		}
		words := args[k:][:x.c.wordsIn(w.of.Type())]
		first := words[0].array
		inOne := first != nil
		for n, o := range words {
			inOne = inOne && o.array != nil && o.array.label == first.label && o.array.base == first.base && o.array.off == first.off+int64(n)
		}
		if inOne {
			continue
		}
		copied := x.newArray("", int64(len(words)))
		for n, o := range words {
			to := copied.word(int64(n))
			x.put(to, x.load(o))
			words[n] = operand{r: none, array: to}
		}
	}
}

// loaded loads the words of arrays that change before they are sent.
func (x *former) loaded(args []operand, changing map[*ir.Memory]bool) []operand {
	return lists.Of(args, func(o operand) operand {
		stays := false
		for m, s := range x.mems {
			stays = stays || o.array != nil && s.label == o.array.label && !changing[m]
		}
		if stays {
			return o
		}
		return x.load(o)
	})
}

// beginTurn gives the parameters of the function their values in the next turn of a tail call.
func (x *former) beginTurn(i *ir.Instr) {
	var params, values []*ir.Value
	var to []*spot
	var words []operand
	for k, p := range x.f.params {
		w, ok := x.c.arrayWords[p]
		if !ok {
			params, values = append(params, x.form.Params[k]), append(values, i.Args[k])
			continue
		}
		s := x.wordIn(w).array
		if load := x.made[i.Args[k]]; x.moved[load] && *x.word(load) == *s {
			continue
		}
		to, words = append(to, s), append(words, x.copied(x.operand(i.Args[k])))
	}
	x.moves(params, values)
	for k, s := range to {
		x.put(s, words[k])
	}
}
