package compile

import (
	"fmt"
	"go/ast"
	"go/types"
)

// An array argument of an instance is copied, with a packet for each word. A word is loaded only when the segment of
// the instance is known. If the instance requested the words from their owner, each would take two packets. Inlined
// functions read an array where it lies, unless they change it.

// arrayWord is a parameter that stands for one word of a parameter that is an array.
type arrayWord struct {
	of *types.Var
	i  int64
}

// addParam makes the words of a variable parameters of a function.
func (c *compiler) addParam(f *function, at ast.Node, whole *types.Var) {
	for _, v := range c.wordsOf(whole) {
		switch n := c.wordsIn(v.Type()); {
		case arrayType(v.Type()) == nil:
			f.params = append(f.params, v)
		case !c.goodValue(at, v.Type()):
		case n > mostLocal:
			c.rejectAbout(at, types.TypeString(v.Type(), nil), largeValue, mostLocal, segmentWords)
		default:
			f.arrays = append(f.arrays, v)
			for i, t := range c.wordTypes(v.Type()) {
				p := types.NewVar(v.Pos(), c.pkg, fmt.Sprint(v.Name(), "_", i), t)
				c.arrayWords[p] = arrayWord{v, int64(i)}
				f.params = append(f.params, p)
			}
		}
	}
}

// wordIn returns a word of an array parameter, which is not loaded yet.
func (l *lowerer) wordIn(p arrayWord) operand {
	return operand{r: none, array: l.arrays[p.of].word(p.i)}
}

// load loads an operand that is a word of an array, and returns other operands unchanged.
func (l *lowerer) load(o operand) operand {
	if o.array == nil {
		return o
	}
	return l.loadWord(o.array)
}

// keepWord stores operand i of an instance if it is a word of an array.
func (l *lowerer) keepWord(f *function, i int) {
	if i >= len(f.params) {
		return
	}
	if p, ok := l.c.arrayWords[f.params[i]]; ok {
		l.put(l.wordIn(p).array, inReg(l.vars[f.params[i]]))
		delete(l.vars, f.params[i])
	}
}

// bindArrays binds the array parameters of an inlined function to its arguments, or to copies if code, the part that is
// inlined, changes them. unbind restores the bindings of an outer call of the same function.
func (l *lowerer) bindArrays(f *function, args []operand, code ast.Node) (unbind func()) {
	before := map[*types.Var]*spot{}
	for _, v := range f.arrays {
		before[v] = l.arrays[v]
		delete(l.arrays, v)
	}
	for i, p := range f.params {
		w, ok := l.c.arrayWords[p]
		if !ok || w.i > 0 || args[i].array == nil {
			continue
		}
		whole := *args[i].array
		whole.words = l.c.wordsIn(w.of.Type())
		l.arrays[w.of] = &whole
	}
	for _, v := range f.arrays {
		from := l.arrays[v]
		if from != nil && !l.c.assigned(code, v) {
			continue
		}
		if l.arrays[v] = l.newArray("", l.c.wordsIn(v.Type())); from != nil {
			l.copyArray(l.arrays[v], from)
		}
	}
	return func() {
		for _, v := range f.arrays {
			if delete(l.arrays, v); before[v] != nil {
				l.arrays[v] = before[v]
			}
		}
	}
}
