package engine

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/programs"
)

// The clocks, states and answers of small runs of all programs are recorded. A test of the command also runs this one
// in WebAssembly.
func TestRuns(t *testing.T) {
	var all strings.Builder
	for _, p := range programs.List() {
		var args []string
		for _, v := range p.Small[len(p.Small)-1] {
			args = append(args, fmt.Sprint(v))
		}
		s := opened(t, Setup{Main: p.Name + ".s", Args: args, PEs: 12})
		for _, line := range []string{"step 300", "continue"} {
			x := do(t, s, line)
			hash, err := s.Hash()
			require.NoError(t, err)
			sum := fnv.New64a()
			sum.Write(s.Call(t.Context(), "frame", nil))
			fmt.Fprintf(&all, "%s %v clock %d state %016x frame %016x\n", p.Name, args, x.Frame.Clock, hash, sum.Sum64())
		}
	}
	golden.Check(t, "runs.txt", []byte(all.String()))
}
