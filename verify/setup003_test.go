package verify

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// Every knob of the machine, every parameter of the program and the seed can be read and set. Setting one of them does
// not change the original setup.
func TestSetup003(t *testing.T) {
	base := Standard003()
	for _, k := range UncertainKnobs003() {
		require.GreaterOrEqual(t, len(k.Values), 2, k.Key)
		require.Contains(t, k.Values, base.Value(k.Key), "%s: what is published is among what is tried", k.Key)
		require.NotEmpty(t, k.Why, k.Key)
		for _, v := range k.Values {
			was := base.Value(k.Key)
			s, err := base.With(k.Key, v)
			require.NoError(t, err)
			require.Equal(t, v, s.Value(k.Key), k.Key)
			require.Equal(t, was, base.Value(k.Key), k.Key)
		}
	}
	for key, want := range map[string]string{
		"seed": "1", "pes": "80", "mlpe_route": base.Config.MLPERoute, "fib.policy": "ring", "fib.nosuch": "",
		"nosuch": "",
	} {
		require.Equal(t, want, base.Value(key), key)
	}
	s, err := base.With("seed", "18446744073709551615")
	require.NoError(t, err)
	require.Equal(t, "18446744073709551615", s.Value("seed"))
	_, err = base.With("seed", "-1")
	require.Error(t, err)
	_, err = base.With("nosuch", "1")
	require.ErrorContains(t, err, "nosuch")
	s, err = base.With("fib.ring_first", "in")
	require.NoError(t, err)
	more, err := s.With("fib.ring_table", "next")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"ring_first": "in"}, s.Params)
	require.Equal(t, map[string]string{"ring_first": "in", "ring_table": "next"}, more.Params)
}

// A bench gives information about its machine and about the runs of claims.
func TestBench003Looks(t *testing.T) {
	b := NewBench003(Setup003{Config: em4.Small12(), Seed: 5})
	require.Equal(t, uint64(5), b.Setup().Seed)
	for _, c := range []struct {
		cond map[string]string
		want Run003
	}{
		{
			map[string]string{"program": "fib(24)", "policy": "ring", "mlpe": "yes"},
			Run003{Policy: "ring", MLPE: true, N: 24, Runs: 8, Seeds: 1},
		},
		{
			map[string]string{"program": "fib(20)", "policy": "ring-random", "mlpe": "no"},
			Run003{Policy: "ring-random", N: 20, Runs: 8, Seeds: 8},
		},
		{
			map[string]string{"program": "fib(20)", "policy": "random"},
			Run003{Policy: "random", N: 20, Runs: 8, Seeds: 8},
		},
	} {
		r, ok := RunOf(Claim{Cond: c.cond})
		require.True(t, ok)
		require.Equal(t, c.want, r)
	}
	_, ok := RunOf(Claim{Cond: map[string]string{"program": "sum(3)"}})
	require.False(t, ok)
	_, err := run003(map[string]string{"program": "sum(3)"})
	require.EqualError(t, err, `program "sum(3)" is not fib(N)`)

	require.True(t, hasPrefix("003.t1.1.time", []string{"003.t2", "003.t1"}))
	require.False(t, hasPrefix("003.t1.1.time", []string{"t1", "003.t1.2"}))
	require.False(t, hasPrefix("003.t1.1.time", nil))

	overhead := runsOf(Claim{
		Quantity: "instruction_overhead",
		Cond:     map[string]string{"program": "fib(9)", "policy": "line", "mlpe": "yes"},
	})
	require.Equal(t, []bool{true, false}, []bool{overhead[0].MLPE, overhead[1].MLPE})
	require.Len(t, runsOf(Claim{Quantity: "time", Cond: map[string]string{"program": "fib(9)", "policy": "line"}}), 1)
	require.Len(t, runsOf(Claim{ID: "003.c.f6.busy", PaperNo: "003", Quantity: "relation"}), 2)
	require.Empty(t, runsOf(Claim{Cond: map[string]string{"program": "sum(3)"}}))

	var numbers []uint64
	for n := range uint64(11) {
		numbers = append(numbers, fibonacci(n))
	}
	require.Equal(t, []uint64{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55}, numbers)
	require.Equal(t, uint64(12586269025), fibonacci(50))
}

// A bench measures the rows that its prefixes select, once and in the paper's order. A prefix that no id has selects no
// rows.
func TestBench003Rows(t *testing.T) {
	config := em4.Small12()
	config.Segments = 8 // every run ends early with a fault, which is a valid result
	b := NewBench003(Setup003{Config: config, Seed: 1, Runs: 1, Seeds: 1})
	rows, err := b.Rows(t.Context(), "003.t1.2", "003.t1.1")
	require.NoError(t, err)
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	require.Equal(t, []string{"003.t1.1.time", "003.t1.1.util", "003.t1.2.time", "003.t1.2.util"}, ids)
	require.Equal(t, "segment overflow", rows[0].Model)
	again, err := b.Rows(t.Context(), "003.t1.1")
	require.NoError(t, err)
	require.Equal(t, rows[:2], again)
	none, err := b.Rows(t.Context(), "004")
	require.NoError(t, err)
	require.Empty(t, none)
	require.True(t, slices.IsSorted(ids))

	_, err = b.Machine(t.Context(), Run003{Policy: "nosuch", N: 15})
	require.ErrorContains(t, err, "nosuch")
	_, err = b.Best(t.Context(), Run003{Policy: "nosuch", N: 15, Runs: 1})
	require.ErrorContains(t, err, "nosuch")
}
