package compile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"emsim/internal/compile/ir"
)

// A loop that waits in every iteration gets an explanation: for which call it waits, why, and what would not wait.

// Reasons why loops are not reduction loops. remedy says what to write instead.
const (
	noSum = "%s takes the result and is no sum. " +
		"Only sums do not wait for it, as in s += f(x) or s = max(s, f(x))"
	mayLeave = "only then is it known whether there is a next iteration. " +
		"Without break and return all calls are in progress together"
	changesArray = "the call changes an array, and the next one may read it. df.Sum runs all iterations side by side"
	usesSum      = "%s uses the sum. If it is used behind the loop only, all calls are in progress together"
	usesChanged  = "what is done with the result uses %s, and the next iteration changes that"
	usesArray    = "what is done with the result uses an array, and the loop changes that"
	storesResult = "a result decides what is stored in an array, and the next iteration may use that. If it does not"
	needsSeveral = "a call, or what is added up, needs the results of several calls"
	innerLoop    = "the loop in %s makes calls, and the next iteration begins when these are done"
	severalWords = "what is added up as it comes is one word, and %s gives %d. " +
		"With one word, or a function for each of them, all calls are in progress together"
	moreThanAdds = "what is done with the result is more than to add it up"
)

// fail records why a loop is not a reduction loop, and returns false.
func (a *reductionFinder) fail(format string, args ...any) bool {
	if a.why == "" {
		a.why = fmt.Sprintf(format, args...)
	}
	return false
}

// carriesResult explains which loop-carried value depends on results and is not a sum, or that results decide what is
// stored in arrays. It returns "" if neither is true. This reason comes before others, because a function for a part of
// the iteration does not help against such a value.
func (a *reductionFinder) carriesResult() string {
	why := a.why
	defer func() { a.why = why }()
	for k, p := range a.loop.Next.Params {
		if _, isSum := a.sums[p]; isSum || !a.results[a.iteration.Exit.Values[k]] {
			continue
		}
		if a.why = ""; a.users[p] > 0 {
			a.failUsed(a.users[p])
		} else {
			a.failSum(p)
		}
		return a.why
	}
	if a.storesLate(a.body.Body, false) {
		does := "does all of it, with the array as an argument,"
		return storesResult + strings.Replace(a.remedy(does), ". Write", ", write", 1)
	}
	return ""
}

// storesLate reports whether results decide what is stored in arrays of the instance. decided says that they decide
// whether the region runs.
func (a *reductionFinder) storesLate(r *ir.Region, decided bool) bool {
	return slices.ContainsFunc(r.Nodes, func(n ir.Node) bool {
		if i, ok := n.(*ir.Instr); ok {
			return i.Op == ir.Store && (decided || usesAny(i, a.results))
		}
		test, isIf := n.(*ir.If)
		inside, _ := ir.Parts(n)
		return slices.ContainsFunc(inside, func(r *ir.Region) bool {
			return a.storesLate(r, decided || isIf && a.results[test.Cond])
		})
	})
}

// remedy returns the advice to write a function for a part of the iteration: one function for each sum that takes
// results.
func (a *reductionFinder) remedy(does string) string {
	var names []string
	for k, p := range a.loop.Next.Params {
		if _, isSum := a.sums[p]; isSum && a.results[a.iteration.Exit.Values[k]] {
			names = append(names, cmp.Or(p.Name, "a sum"))
		}
	}
	each := ""
	if len(names) > 1 {
		each = " for each of " + strings.Join(names, ", ")
	}
	return fmt.Sprintf(". Write a function%s that %s and returns what is added up: then all calls are in progress together", each, does)
}

// failTurn records why a loop is not a reduction loop, and that it would be one if the code were in a function.
func (a *reductionFinder) failTurn(does, why string, args ...any) bool {
	return a.fail("%s%s", fmt.Sprintf(why, args...), a.remedy(does))
}

// failSum records that a value is not a sum.
func (a *reductionFinder) failSum(v *ir.Value) bool {
	if v.Type == ir.Float32 {
		return a.fail("floats are added in Go's order. df.Sum adds them in pairs, with all iterations side by side")
	}
	return a.fail(noSum, cmp.Or(v.Name, "what an iteration computes"))
}

// failUsed records that the code in a line uses a sum.
func (a *reductionFinder) failUsed(line int) bool {
	return a.fail(usesSum, a.c.lineName(line))
}

// noteWait adds a note about a loop that waits in every iteration for its last call.
func (x *former) noteWait(n *ir.Loop, why string) {
	calls := x.callsOf(n.Body)
	last := calls[len(calls)-1]
	x.waitsFor(x.lineOf(n), x.x.sites[last], why)
}

// waitsFor adds a note about a loop that waits for a call in every iteration.
func (l *lowerer) waitsFor(line int, call ast.Expr, why string) {
	at, what := l.c.lineName(l.c.lineOf(call)), types.ExprString(call)
	note := fmt.Sprintf("%s waits in every iteration for %s (%s): %s.", l.c.lineName(line), what, at, why)
	if !slices.Contains(l.u.waits, note) {
		l.u.waits = append(l.u.waits, note)
	}
}
