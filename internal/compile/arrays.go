package compile

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"emsim/isa"
)

// An array of a function lies in the operand segment of its instance, or next to the code if it belongs to system code.
// Its elements lie one after the other, row by row.

// spot is the place of an array, or of a word of an array.
type spot struct {
	label   string
	local   bool  // in the operand segment, or next to the system code; otherwise a table
	base    reg   // the register to which its place is relative; none: the segment, or address 0
	off     int64 // words after the label
	words   int64 // number of words
	passing bool  // a temporary, which has no name
}

// rootOf returns the variable of which an expression is a part, or nil.
func (c *compiler) rootOf(e ast.Expr) types.Object {
	for {
		if words := c.namedWords(e); len(words) == 1 {
			return words[0]
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return c.info.ObjectOf(x)
		default:
			return nil
		}
	}
}

// newArray makes room for an array of n words. Without a name it is a temporary, whose words are free again after the
// statement.
func (l *lowerer) newArray(name string, n int64) *spot {
	s := &spot{local: true, base: none, words: n, passing: name == ""}
	free := l.free[n]
	if last := len(free) - 1; s.passing && last >= 0 {
		s.label, l.free[n] = free[last], free[:last]
	} else {
		s.label = l.u.reserveWord(l.c.plain(cmp.Or(name, "array")))
		l.u.sizes[s.label] = n
	}
	if s.passing {
		l.passing = append(l.passing, s)
	}
	return s
}

// releaseArrays frees all temporary arrays except the first n.
func (l *lowerer) releaseArrays(n int) {
	for _, s := range l.passing[n:] {
		n := l.u.sizes[s.label]
		l.free[n] = append(l.free[n], s.label)
	}
	l.passing = l.passing[:n]
}

// variableArray returns the memory of an array variable that is declared here. A declaration in a loop gets the same
// memory in every iteration.
func (l *lowerer) variableArray(obj types.Object) *spot {
	if l.arrays[obj] == nil {
		l.arrays[obj] = l.newArray(obj.Name(), l.c.wordsIn(obj.Type()))
	}
	return l.arrays[obj]
}

// word returns word n of an array.
func (s *spot) word(n int64) *spot {
	to := *s
	to.off, to.passing = to.off+n, false
	return &to
}

// within returns the word at index i of an array.
func (l *lowerer) within(s *spot, i operand) *spot {
	if i.lit {
		return s.word(i.imm)
	}
	to := s.word(0)
	switch {
	case s.base != none:
		to.base = l.binaryOp(isa.ADD, inReg(s.base), i).r
	case s.local && !l.u.system:
		to.base = l.u.newReg()
		l.emit(isa.ADD, def(to.base), fp, use(i.r)).place = s.label
	default:
		to.base = i.r
	}
	return to
}

// place returns the base and the offset with which an instruction addresses a word.
func (l *lowerer) place(s *spot) (base, off arg) {
	off = arg{kind: isLabel, name: s.label, n: s.off}
	if s.local && !l.u.system {
		off.kind = isWord
	}
	switch {
	case s.base != none:
		base = use(s.base)
	case s.local:
		base = l.u.frame()
	default:
		base = r0
	}
	return base, off
}

func (l *lowerer) loadWord(s *spot) operand {
	base, off := l.place(s)
	return l.computed(isa.LD, base, off)
}

// put stores a value in a word.
func (l *lowerer) put(s *spot, value operand) {
	base, off := l.place(s)
	l.emit(isa.ST, l.registerArg(value), base, off)
}

// copyArray copies the words of an array.
func (l *lowerer) copyArray(to, from *spot) {
	for i := range to.words {
		l.put(to.word(i), l.loadWord(from.word(i)))
	}
}

// eachElement calls f for each element of a literal, with the index of its first word, and its type. size returns the
// number of words of a type.
func (c *compiler) eachElement(lit *ast.CompositeLit, size func(t types.Type) int64, f func(from int64, of types.Type, e ast.Expr)) {
	next, t := int64(0), c.info.TypeOf(lit)
	arr := arrayType(t)
	for _, e := range lit.Elts {
		kv, named := e.(*ast.KeyValueExpr)
		if named {
			e = kv.Value
		}
		if arr == nil {
			if s := t.Underlying().(*types.Struct); named {
				next = int64(slices.Index(slices.Collect(s.Fields()), c.info.Uses[kv.Key.(*ast.Ident)].(*types.Var)))
			}
			from, of := fieldAt(t, []int{int(next)}, size)
			f(from, of, e)
		} else {
			if named {
				next, _ = constant.Int64Val(constant.ToInt(c.info.Types[kv.Key].Value))
			}
			f(next*size(arr.Elem()), arr.Elem(), e)
		}
		next++
	}
}
