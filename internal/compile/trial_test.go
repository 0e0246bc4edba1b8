package compile

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
)

func goProgram(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(fmt.Sprintf("../../programs/go/%s/%[1]s.go", name))
	require.NoError(t, err)
	return src
}

// A trial gives the program's answer, whatever the policy, the blocks and the
// guards, and the same counts every time.
func TestTrialAnswers(t *testing.T) {
	m := em4.Small12()
	r, err := newRoutes(m)
	require.NoError(t, err)
	for _, p := range []struct {
		name string
		arg  int64
	}{{"fib", 9}, {"knapsack", 7}, {"queens", 5}, {"loop", 9}, {"sum", 700}} {
		by, err := programs.Assemble(p.name, nil)
		require.NoError(t, err)
		want, err := programs.Answer(p.name, by, []uint64{uint64(p.arg)}, m.PEs)
		require.NoError(t, err)
		for _, opt := range []Options{{}, {Guards: Callee}, {Blocks: Medium}, {Blocks: Finest, Guards: Callee}} {
			c, err := lowered(p.name+".go", goProgram(t, p.name), opt)
			require.NoError(t, err)
			code, err := newTrialCode(c)
			require.NoError(t, err)
			for _, policy := range programs.Policies() {
				for _, search := range []bool{false, true} {
					a, b := newTrial(code, r, policy, search), newTrial(code, r, policy, search)
					require.NoError(t, a.run([]int64{p.arg}), p.name)
					require.NoError(t, b.run([]int64{p.arg}))
					require.Equal(t, want[0], a.answer, "%s %+v %s", p.name, opt, policy)
					require.Equal(t, a.count, b.count)
				}
			}
		}
	}
}
