package diff

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/run"
	"emsim/packet"
)

// fib returns a run of fib on 12 PEs.
func fib(n string, seed uint64, params map[string]string, sets ...string) run.Spec {
	pes := 12
	return run.Spec{
		Machine: run.Machine{Sets: sets, PEs: &pes}, Program: "fib", Args: []string{n}, Params: params,
		Seed: seed,
	}
}

// Two runs diverge where the hashes of the machines first differ, also after an interval, and never after the last
// clock.
func TestFirst(t *testing.T) {
	line := map[string]string{"policy": "line"}
	plain := fib("12", 1, line, "fifo_words=128")
	for _, other := range []run.Spec{
		fib("12", 2, line, "fifo_words=128"), fib("12", 1, line, "fifo_words=96"),
		fib("12", 1, line, "fifo_words=128", "hop_clocks=2"), fib("11", 1, line, "fifo_words=128"),
	} {
		a, b := begun(t, plain, 0), begun(t, other, 0)
		clock, parted := hashes(t.Context(), a, b, false)
		place, moved, err := First(t.Context(), begun(t, plain, 0), begun(t, other, 0), em4.ToEnd)
		require.NoError(t, err)
		if !parted {
			require.Nil(t, place)
			continue
		}
		require.Equal(t, clock, place.Clock, other.Sets)
		report, err := NewPair(begun(t, plain, 0), begun(t, other, 0)).Compare(t.Context())
		require.NoError(t, err)
		require.Equal(t, report.Packet, moved)
		require.NotNil(t, moved)
		if clock > 0 {
			place, _, err = First(t.Context(), begun(t, plain, 0), begun(t, other, 0), clock-1)
			require.NoError(t, err)
			require.Nil(t, place, other.Sets)
		}
	}
}

// For different programs, the actions of the units are compared.
func TestActions(t *testing.T) {
	p := NewPair(begun(t, fib("9", 1, nil), 0), begun(t, fib("9", 1, map[string]string{"policy": "random"}), 0))
	r, err := p.Compare(t.Context())
	require.NoError(t, err)
	require.Equal(t, "actions", p.Compared)
	require.Equal(t, &Difference{
		39, &packet.PE{}, "EXU", "next start+6 (ring.s:8): movpe r3, out, 1",
		"next start+6 (place.s:240): ld r5, r0, 84",
	}, r.Parted)
	require.Equal(t, 1, r.Units)
	require.Equal(t, &Difference{
		42, &packet.PE{}, "SU",
		"from the EXU [0,0].7 to [2,1] new: 0x20030005 = continuation of [0,0] segment 0x30000 got1 right", "nothing",
	},
		r.Packet)
	require.Nil(t, r.Healed)
	require.Equal(t, []uint64{10, 100}, []uint64{r.After[0].Clocks, r.After[1].Clocks})
	require.True(t, p.A.Current.Ended() && p.B.Current.Ended(), "both go on to their ends")

	// A parameter that only moves code changes no actions.
	r, err = NewPair(begun(t, fib("9", 1, nil), 0),
		begun(t, fib("9", 1, map[string]string{"leaves": "instances"}), 0)).Compare(t.Context())
	require.NoError(t, err)
	require.Nil(t, r.Parted)
	require.Empty(t, r.After)
}

// The run at the earlier clock catches up first.
func TestCatchUp(t *testing.T) {
	r, err := NewPair(begun(t, fib("9", 1, nil), 100), begun(t, fib("9", 1, nil), 300)).Compare(t.Context())
	require.NoError(t, err)
	require.Nil(t, r.Parted)
	r, err = NewPair(begun(t, fib("9", 1, nil), 100), begun(t, fib("8", 1, nil), 300)).Compare(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 300, r.Parted.Clock)
}

// Machines of different sizes are compared by their results only.
func TestSizes(t *testing.T) {
	large := fib("9", 1, nil)
	*large.PEs = 32
	p := NewPair(begun(t, fib("9", 1, nil), 0), begun(t, large, 0))
	r, err := p.Compare(t.Context())
	require.NoError(t, err)
	require.Equal(t, "results", p.Compared)
	require.Equal(t, &Report{Parted: &Difference{
		Unit: "machine", A: "fib 9 on emc-r, 12 PEs, seed 1",
		B: "fib 9 on emc-r, 32 PEs, seed 1",
	}, Units: 1, After: []Spread{}}, r)
	require.True(t, p.A.Current.Ended() && p.B.Current.Ended())
}

// The user can interrupt a comparison.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := NewPair(begun(t, fib("9", 1, nil), 0), begun(t, fib("9", 2, nil), 0)).Compare(ctx)
	var stopped *run.Interrupted
	require.ErrorAs(t, err, &stopped)
}
