package compile_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/compile"
	"emsim/internal/dev/ref"
	"emsim/internal/machine/machinefile"
	"emsim/programs"
)

// assemble compiles and assembles a Go program.
func assemble(t testing.TB, name, src string, opt compile.Options, params map[string]string) *asm.Object {
	t.Helper()
	text, err := compile.Compile(name, []byte(src), opt)
	require.NoError(t, err, src)
	return assembleText(t, name, text, params)
}

func assembleText(t testing.TB, name, text string, params map[string]string) *asm.Object {
	t.Helper()
	o, _, err := asm.Assemble(name+".s", asm.Options{Params: params, Library: programs.Library(), Open: func(path string) ([]byte, error) {
		if path != name+".s" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}})
	require.NoError(t, err, text)
	return o
}

// onMachine runs a program clock by clock. All segments must be free at the end.
func onMachine(t testing.TB, o *asm.Object, pes int, args ...uint64) (em4.Result, error) {
	t.Helper()
	m, r, err := timed(t, o, pes, args...)
	if err == nil {
		require.Empty(t, m.HalfMatched(1))
		for i := range pes {
			require.Zero(t, m.PE(i).SegmentsInUse())
		}
	}
	return r, err
}

// timed runs a program. Segments may be in use at its end: MLPE keeps some in advance.
func timed(t testing.TB, o *asm.Object, pes int, args ...uint64) (*em4.Machine, em4.Result, error) {
	t.Helper()
	p, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(machinefile.ForSize(pes), p, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(context.Background(), 10_000_000))
	r, err := m.Run(context.Background(), args, em4.RunOptions{MaxClocks: 50_000_000})
	return m, r, err
}

// onReference runs a program on the interpreter without clocks. Its packets overtake each other, unless the
// host sends several arguments, which must stay in order.
func onReference(t testing.TB, o *asm.Object, args ...uint64) (ref.Result, error) {
	t.Helper()
	return reference(t, o, len(args) == 1, args...)
}

func reference(t testing.TB, o *asm.Object, unordered bool, args ...uint64) (ref.Result, error) {
	t.Helper()
	m, err := ref.New(o, ref.Options{PEs: 12, Seed: 1, Unordered: unordered})
	require.NoError(t, err)
	require.NoError(t, m.Boot())
	return m.Run(args...)
}

// word returns a number as a word of the machine.
func word(v int64) uint64 { return uint64(uint32(v)) }

// The Go programs that come with emsim answer as their assembly versions do.
func TestPrograms(t *testing.T) {
	for _, name := range []string{"fib", "knapsack", "queens", "loop", "sum", "pi", "matmul", "sort", "stream"} {
		src, err := os.ReadFile(fmt.Sprintf("../../programs/go/%s/%s.go", name, name))
		require.NoError(t, err)
		by, err := programs.Assemble(name, nil)
		require.NoError(t, err)
		for _, opt := range []compile.Options{{}, {Guards: compile.Callee}, {Blocks: compile.Medium}, {Blocks: compile.Finest}} {
			o := assemble(t, name+".go", string(src), opt, nil)
			for _, n := range []uint64{1, 3, 6} {
				want, err := programs.Answer(name, by, []uint64{n}, 12)
				require.NoError(t, err)
				r, err := onMachine(t, o, 12, n)
				require.NoError(t, err, "%s %d %+v", name, n, opt)
				require.Equal(t, want, r.Words, "%s %d %+v", name, n, opt)
				t.Logf("%s %d %+v: %d clocks", name, n, opt, r.Clocks)
				u, err := reference(t, o, name != "pi", n) // the words of pi have an order
				require.NoError(t, err, "%s %d %+v", name, n, opt)
				require.Equal(t, want, u.Words, "%s %d %+v", name, n, opt)
			}
		}
	}
}
