package compile

import (
	"fmt"
	"go/ast"
	"slices"
)

// Why a program may take longer on more PEs, and what to write instead. Packets have further to go, and work that
// begins on all PEs begins on more of them.
const (
	callsFarther = "%s: each call is waited for before anything else begins, and it has further to go. " +
		"With //emsim:at own above %[1]s it stays on the caller's PE%s"
	recursive    = ", whose segments then have to hold all levels of the recursion"
	itemsFarther = "%s: each item has further to go. With //emsim:at own above %[1]s it starts on the caller's PE"
	manyFarther  = "%s: each item has further to go, and what a loop or a recursion starts is spread over the PEs. " +
		"Another policy may help: --placement auto, or --policy"
	pairsFarther = "%s: calls that are made together go to other PEs, and these are further away. " +
		"If they are shorter than the way, //emsim:at own above %[1]s and the other function is better"
	policies = "%s: its calls go where the policy says, and that is further away. Another policy may help: " +
		"--placement auto, or --policy"
	treeFarther = "the loop in %s: a tree over the PEs that have iterations begins and ends them, and has more levels. " +
		"If iterations are short, add up parts of the range with a loop in each: fewer iterations are on fewer PEs"
	fillFarther = "%s.Fill: all PEs take part, also those without a piece"
	readFarther = "%s: each word from another PE has further to go"
	asksPEs     = "df.PEs() in %s: with more PEs the program may do more"
)

// farther explains why the work of a function may take longer on more PEs. For the entry, it also lists where the
// program asks for the number of PEs.
func (c *compiler) farther(f *function) (why []string) {
	if f == c.entry {
		for _, g := range c.order {
			ast.Inspect(g.decl, func(n ast.Node) bool {
				if x, ok := n.(*ast.CallExpr); ok && c.dfCall(x) == "PEs" {
					why = append(why, fmt.Sprintf(asksPEs, c.lineName(c.lineOf(x))))
				}
				return true
			})
		}
	}
	if f.array != nil || f.lit != nil || f.place != "own" && (f != c.entry || c.reaches(f, f)) {
		why = append(why, c.callsFarther(f))
	}
	return why
}

// callsFarther explains why the calls of a function may take longer on more PEs.
func (c *compiler) callsFarther(f *function) string {
	name, line := f.decl.Name.Name, c.lineName(c.lineOf(f.decl))
	again := c.reaches(f, f)
	parallel := func(g *function) bool { // any number of instances of g may run at the same time
		within := func(h *function) bool { return h == g || h != nil && c.reaches(g, h) }
		return g.lit != nil || g.array != nil || g.unbounded && g != f || slices.ContainsFunc(g.besides, within)
	}
	beside := slices.ContainsFunc(c.order, func(g *function) bool {
		return g.of == nil && c.reaches(g, f) && parallel(g)
	})
	switch {
	case f.fills():
		return fmt.Sprintf(fillFarther, f.array.obj.Name())
	case f.array != nil:
		return fmt.Sprintf(readFarther, f.array.obj.Name())
	case f.lit != nil:
		return fmt.Sprintf(treeFarther, line)
	case f.started && (again || len(f.many) > 0 || f.called || beside):
		return fmt.Sprintf(manyFarther, name)
	case f.started:
		return fmt.Sprintf(itemsFarther, name)
	case beside || parallel(f) || f.unbounded:
		return fmt.Sprintf(policies, name)
	case len(f.besides) > 0:
		return fmt.Sprintf(pairsFarther, name)
	case again:
		return fmt.Sprintf(callsFarther, name, recursive)
	}
	return fmt.Sprintf(callsFarther, name, "")
}
