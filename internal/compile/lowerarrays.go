package compile

import (
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
)

// Arrays of an instance lie in its segment. Loads and stores of an array keep their order, unless they are known to
// access different words. A word that is only copied, sent or returned is loaded where that happens.

// findMoved finds the loads whose value is used only once, by a store, a call or a return, before the word changes.
func (x *former) findMoved(r *ir.Region) {
	open := map[*ir.Value]*ir.Instr{} // by value: loads whose words have not changed since
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

// touches calls do for the instructions of a node that may have to keep their order: loads and stores of the instance's
// arrays, calls that use arrays of package df, receives, and calls that may receive. It visits a moved load at its use.
func (x *former) touches(n ir.Node, do func(i *ir.Instr)) {
	if i, ok := n.(*ir.Instr); ok {
		if (i.Op == ir.Load || i.Op == ir.Store) && !i.Memory.Table && !x.moved[i] {
			do(i)
		}
		if i.Op == ir.Call && x.c.callee(x.x.sites[i]).touches || x.receives(i) {
			do(i)
		}
		for _, v := range i.Args {
			if load := x.definedBy[v]; x.moved[load] {
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

// conflict reports whether two instructions have to keep their order. A load and a store, or two stores, have to if
// they may access the same word. Two calls have to if one of them changes arrays of package df. For receives, see
// receiveConflict.
func (x *former) conflict(a, b *ir.Instr) bool {
	if a.Callee != nil && b.Callee != nil && (x.c.alone(x.x.sites[a]) || x.c.alone(x.x.sites[b])) {
		return true
	}
	if x.receives(a) || x.receives(b) {
		return x.receiveConflict(a, b)
	}
	if a.Memory != b.Memory || a.Memory == nil || a.Op == ir.Load && b.Op == ir.Load {
		return false
	}
	i, j := a.Args[0], b.Args[0]
	known := i == j || i.Constant && j.Constant
	return !known || i.Word+a.Offset == j.Word+b.Offset
}

// receives reports whether an instruction receives, or calls a function that may receive.
func (x *former) receives(i *ir.Instr) bool {
	return i.Op == ir.Receive || i.Op == ir.Call && x.c.streams(x.c.callee(x.x.sites[i]).decl.Type)
}

// receiveConflict reports whether two instructions, of which one receives, must not be in progress together. This holds
// for two instructions that may use the same receiving end. It holds for two receives if one of them receives several
// words, because its sender waits for a request for each word. It also holds for a receive and a call that uses an
// array of package df, because the sender may change the array too.
func (x *former) receiveConflict(a, b *ir.Instr) bool {
	uses := func(i *ir.Instr) bool { return i.Op == ir.Call && x.c.touches(x.x.sites[i]) }
	return a.Op == ir.Receive && b.Op == ir.Receive && (len(a.Results) > 1 || len(b.Results) > 1) || x.sameEnd(a, b) ||
		x.receives(a) && uses(b) || x.receives(b) && uses(a)
}

// sameEnd reports whether two instructions may use the same receiving end, or two ends that may depend on each other.
// If one end may have no item until an item is requested from the other one, Go may wait for ever at the first end. The
// machine then has to wait for ever, too.
func (x *former) sameEnd(a, b *ir.Instr) bool {
	return slices.ContainsFunc(a.Args, func(v *ir.Value) bool {
		return v.Type == ir.End && slices.ContainsFunc(b.Args, func(w *ir.Value) bool {
			return w.Type == ir.End && (v == w || !x.apart(v) && !x.apart(w))
		})
	})
}

// apart reports whether the sender of a receiving end has nothing to do with other channels of the function: it is a
// piece of an array, or a function that has been started without another end.
func (x *former) apart(v *ir.Value) bool {
	i := x.definedBy[v]
	if _, varies := x.ends[v]; varies || i == nil {
		return false
	}
	return i.Op == ir.Call || i.Op == ir.Start && len(i.Results) == 1 &&
		!slices.ContainsFunc(i.Args, func(v *ir.Value) bool { return v.Type == ir.End })
}

// conflicts reports whether a node has to keep its order with any of the given instructions.
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

// memory returns the place of an array of the instance.
func (x *former) memory(m *ir.Memory) *spot {
	s := x.mems[m]
	if s == nil {
		switch v := x.x.holders[m]; {
		case v != nil:
			s = x.variableArray(v)
		case x.inlined:
			s = x.newArray("", m.Words)
		default:
			s = x.newArray("array", m.Words)
		}
		x.mems[m] = s
	}
	return s
}

// addressed is an array and an index whose address a register holds within the block at.
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

// argsOf returns the arguments of a call. A word that goes to an array parameter is loaded only when it is sent. If its
// own array is in changing, it is loaded at once, because it may change before it is sent.
func (x *former) argsOf(i *ir.Instr, changing map[*ir.Memory]bool) []operand {
	f := x.c.callee(x.x.sites[i])
	args := make([]operand, len(i.Args))
	params := f.params
	if n := f.captures(); n > 0 {
		params = params[n-2:] // aligns captured variables with their arguments, after the first two
	}
	for k, v := range i.Args {
		load := x.definedBy[v]
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

// inArrays copies the words of each array argument to a temporary array, unless they already lie one after the other in
// one array.
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

// loaded returns the arguments with words of arrays loaded, except words of the form's own arrays that are not in
// changing.
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

// beginIteration assigns the arguments of a tail call to the parameters of the function.
func (x *former) beginIteration(i *ir.Instr) {
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
		if load := x.definedBy[i.Args[k]]; x.moved[load] && *x.word(load) == *s {
			continue
		}
		to, words = append(to, s), append(words, x.copied(x.operand(i.Args[k])))
	}
	x.moves(params, values)
	for k, s := range to {
		x.put(s, words[k])
	}
}
