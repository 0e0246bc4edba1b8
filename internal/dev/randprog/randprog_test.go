package randprog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/asm"
	"emsim/isa"
)

func assembleText(text string) (*asm.Object, error) {
	o, _, err := asm.Assemble("random.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	return o, err
}

// Every program assembles, with all the assembler's checks on.
func TestProgramsAssemble(t *testing.T) {
	for _, size := range []Size{Small, Medium} {
		rapid.Check(t, func(t *rapid.T) {
			p := Gen(size).Draw(t, "program")
			_, err := assembleText(p.Text)
			require.NoError(t, err)
			require.LessOrEqual(t, p.Calls, size.Calls)
		})
	}
}

// A seed always gives the same program.
func TestSeedRepeats(t *testing.T) {
	for seed := range 20 {
		require.Equal(t, FromSeed(Medium, seed), FromSeed(Medium, seed))
	}
	require.NotEqual(t, FromSeed(Medium, 1), FromSeed(Medium, 2))
}

// The programs cover every instruction and form, recursion, MLPE, and both kinds of packet order.
func TestProgramsReachEverything(t *testing.T) {
	ops := map[string]bool{}
	var dynamic, ordered, fifo, half, many int
	for seed := range 150 {
		p := FromSeed(Medium, seed)
		o, err := assembleText(p.Text)
		require.NoError(t, err, "%v", p)
		for _, s := range o.Sections {
			for _, w := range s.Words {
				if in, err := isa.Decode(w); err == nil && s.Kind == asm.Code {
					ops[isa.Table[in.Op].Name+isa.Suffixes[in.Form()]] = true
				}
			}
		}
		count := func(n *int, b bool) {
			if b {
				*n++
			}
		}
		count(&dynamic, p.Dynamic)
		count(&ordered, p.Ordered)
		count(&fifo, p.PairFIFO)
		count(&half, strings.Contains(p.Text, "_half"))
		count(&many, p.Calls > 20)
	}
	for i := range isa.Table {
		row := &isa.Table[i]
		for form := range isa.FormsOf(isa.Op(i)) {
			name := row.Name + isa.Suffixes[form]
			if name != "cont" { // every token says how it is matched
				require.True(t, ops[name], "no program has %s", name)
			}
		}
	}
	for _, n := range []int{dynamic, ordered, fifo, half, many} {
		require.NotZero(t, n)
	}
	t.Logf("of 150: %d MLPE, %d ordered, %d on pair order, %d half-matched, %d with more than 20 calls", dynamic,
		ordered, fifo, half, many)
}
