package programs_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/machine/machinefile"
	"emsim/programs"
)

// variant is a choice of parameters, "" for the defaults.
type variant struct{ policy, mlpe, key, value string }

func (v variant) params() map[string]string {
	p := map[string]string{}
	for _, kv := range [][2]string{{"policy", v.policy}, {"mlpe", v.mlpe}, {v.key, v.value}} {
		if kv[1] != "" {
			p[kv[0]] = kv[1]
		}
	}
	return p
}

// ready assembles a program and boots a machine with it.
func ready(t testing.TB, name string, pes int, v variant) (*em4.Machine, *asm.Object) {
	t.Helper()
	o, err := programs.Assemble(name, v.params())
	require.NoError(t, err)
	p, err := programs.Load(o)
	require.NoError(t, err)
	c := machinefile.ForSize(pes)
	m, err := em4.New(c, p, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(context.Background(), 10_000_000))
	return m, o
}

// check runs a program on a machine, compares its answer, and checks the state in which it leaves the machine.
func check(t testing.TB, m *em4.Machine, o *asm.Object, name string, pes int, v variant, args ...uint64) em4.Result {
	t.Helper()
	what := fmt.Sprintf("%s %v on %d PEs, %+v", name, args, pes, v)
	r, err := m.Run(context.Background(), args, em4.RunOptions{MaxClocks: 100_000_000})
	require.NoError(t, err, what)
	want, err := programs.Answer(name, o, args, pes)
	require.NoError(t, err)
	require.Equal(t, want, r.Words, what)
	require.Empty(t, m.HalfMatched(1), what)
	for i := range pes {
		used := m.PE(i).SegmentsInUse()
		if v.mlpe == "on" || v.mlpe == "software" { // a PE may have one prefetched on another PE
			continue
		}
		require.Zerof(t, used, "%s: operand segments of PE %d that nobody released", what, i)
	}
	return r
}
