package randprog

import "pgregory.net/rapid"

// A recipe holds everything that is drawn for a program. It consists of lists of independent elements, so that a
// failing recipe shrinks by omitting elements. The meaning of a number depends on the choices available when it is
// read.
type recipe struct {
	head  tape
	root  functionRecipe
	other []functionRecipe
}

type functionRecipe struct {
	head, tail tape
	start      stepRecipe
	steps      []stepRecipe
}

type stepRecipe struct {
	head tape
	ops  []tape
}

// tape is a list of choices. After its end all choices are 0, the simplest.
type tape []uint64

// drawRecipe draws a recipe.
func drawRecipe(t *rapid.T, s Size) recipe {
	numbers := func(n int) *rapid.Generator[tape] {
		return rapid.Map(rapid.SliceOfN(rapid.Uint64(), n, n), func(v []uint64) tape { return v })
	}
	step := rapid.Custom(func(t *rapid.T) stepRecipe {
		return stepRecipe{
			head: numbers(16).Draw(t, "head"),
			ops:  rapid.SliceOfN(numbers(12), 0, s.Ops).Draw(t, "ops"),
		}
	})
	function := rapid.Custom(func(t *rapid.T) functionRecipe {
		return functionRecipe{
			head:  numbers(4).Draw(t, "head"),
			start: step.Draw(t, "start"),
			steps: rapid.SliceOfN(step, s.Least, s.Nodes).Draw(t, "steps"),
			tail:  numbers(12).Draw(t, "tail"),
		}
	})
	return recipe{
		head:  numbers(16).Draw(t, "head"),
		root:  function.Draw(t, "root"),
		other: rapid.SliceOfN(function, s.Least, s.Functions).Draw(t, "functions"),
	}
}

// useTape sets the tape for the next choices.
func (g *gen) useTape(t tape) { g.tape = t }

// operations emits the operations of a step that belong to one of its nodes.
func (g *gen) operations(f *function, n *node, part, parts int) {
	rest := g.tape
	for i := part; i < len(g.ops); i += parts {
		g.useTape(g.ops[i])
		g.operation(f, n, 0)
	}
	g.useTape(rest)
}

// nextNumber returns the next number of the tape.
func (g *gen) nextNumber() uint64 {
	if len(g.tape) == 0 {
		return 0
	}
	v := g.tape[0]
	g.tape = g.tape[1:]
	return v
}

// intBetween returns a number lo..hi; in the simplest program it is lo.
func (g *gen) intBetween(lo, hi int) int { return lo + int(g.nextNumber()%uint64(hi-lo+1)) }

// chance returns true once in n times on average, and never in the simplest program.
func (g *gen) chance(n int) bool { return g.intBetween(0, n-1) == n-1 }

func (g *gen) coinToss() bool { return g.chance(2) }

func pickOne[T any](g *gen, list ...T) T { return list[g.intBetween(0, len(list)-1)] }

// constant returns an immediate: a small number, an end of the range, or any number.
func (g *gen) constant() int64 {
	switch g.intBetween(0, 3) {
	case 0:
		return int64(g.intBetween(0, 9))
	case 1:
		return pickOne(g, int64(-1), 31, 32, 33, -1<<18, 1<<18-1, 255, 63, 64)
	}
	v := g.intBetween(0, 1<<19-1)
	return int64(v>>1) ^ -int64(v&1)
}
