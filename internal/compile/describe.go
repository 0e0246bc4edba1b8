package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/plural"
)

// describe describes the arguments, the results and the calls of an instance of a function.
func (c *compiler) describe(f *function) string {
	text := fmt.Sprintf("%s in and %s out, %s", plural.Of(len(f.params), "word"), outOf(f), c.callsOf(f))
	if len(f.params) > 0 && f.front > 0 {
		text += "; the caller tests whether a call ends at once"
	}
	if f.own != nil {
		text += fmt.Sprintf("; with fewer than %d free segments on a PE, one call after the other on the caller's", 1<<spareBits)
	}
	return text
}

// outOf describes the output of an instance.
func outOf(f *function) string {
	switch {
	case f.array != nil && f == f.array.access["Stream"]:
		return "a stream"
	case len(f.outs) > 0:
		return plural.Of(len(f.outs), "stream")
	case f.answers():
		if n := f.answerWords(); n > 1 {
			return plural.Of(n, "word")
		}
		return "one word"
	}
	return "nothing"
}

// callsOf describes the calls that a function makes.
func (c *compiler) callsOf(f *function) string {
	heavy, self := 0, false
	for _, x := range f.calls {
		if g := c.callee(x); !g.inlined {
			heavy++
			self = self || g == f
		}
	}
	switch {
	case f.fills():
		return "a tree over all PEs, which fill their parts of " + f.array.obj.Name()
	case f.lit != nil && isFloat(f.result):
		return "a tree that halves its range; iterations are spread evenly, whatever the policy"
	case f.lit != nil:
		return "a tree over the PEs, which share the iterations evenly, whatever the policy"
	case f.array != nil:
		return "on the PE that owns the piece of " + f.array.obj.Name()
	case heavy == 0:
		return "which calls nothing"
	case self && f.loops && !c.streams(f.decl):
		return "which calls itself in a loop, a number of times that its argument decides"
	case self:
		return "which calls itself"
	}
	return "which makes calls"
}

// readsOf describes, for each read of an array, on which PE the word is.
func (c *compiler) readsOf(f *function) (out []string) {
	for _, x := range f.calls {
		g := c.callee(x)
		if !g.oneWord() || g.writes {
			continue
		}
		piece := types.ExprString(x.Args[0])
		text := fmt.Sprintf("%s reads %s from the PE that holds piece %s", c.lineName(c.lineOf(x)), types.ExprString(x), piece)
		switch {
		case f.lit != nil && c.ofIteration(f, x):
			text += ", where the iteration runs: no packets."
		case c.sameForAll(f, x.Args[0]):
			sum := c.callFor(f)
			text += fmt.Sprintf(": all iterations of df.Sum(%s, %s) (%s) ask this one owner at once.", types.ExprString(sum.Args[0]), types.ExprString(sum.Args[1]), c.lineName(c.lineOf(sum)))
		default:
			text += ": a packet there and one back, unless it is the own PE."
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// sameForAll reports whether an expression has the same value in all iterations of a parallel loop.
func (c *compiler) sameForAll(f *function, e ast.Expr) bool {
	inside := func(v *types.Var) bool { return within([]token.Pos{v.Pos()}, f.lit) }
	own := f.lit == nil || len(c.heavy(e)) > 0
	ast.Inspect(e, func(n ast.Node) bool {
		x, _ := n.(ast.Expr)
		own = own || slices.ContainsFunc(c.namedWords(x), inside)
		return !own
	})
	return !own
}

// callFor returns the call that stands for a parallel loop.
func (c *compiler) callFor(f *function) *ast.CallExpr {
	for _, g := range c.order {
		for _, x := range g.calls {
			if c.callee(x) == f {
				return x
			}
		}
	}
	return nil
}
