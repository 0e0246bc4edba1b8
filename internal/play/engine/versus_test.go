package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine/markup"
)

// pairOf opens fib 10 on 12 PEs twice, each time with a change.
func pairOf(t *testing.T, changes ...func(s *Setup)) [2]*Session {
	t.Helper()
	p := NewPair()
	for i, s := range p {
		setup := Setup{
			Main: "fib.s", Args: []string{"10"}, PEs: 12, Params: map[string]string{},
			Sets: map[string]string{},
		}
		changes[i](&setup)
		require.Empty(t, s.Open(context.Background(), setup).Error)
	}
	return p
}

func nothing(*Setup) {}

// plainly steps two machines one clock at a time until look differs, and returns the clock of the run.
func plainly(t *testing.T, p [2]*Session, look func(s *Session) any) uint64 {
	t.Helper()
	for clock := uint64(0); ; clock++ {
		if look(p[0]) != look(p[1]) {
			return clock
		}
		for _, s := range p {
			_, err := s.Do(context.Background(), "step")
			require.NoError(t, err)
			require.False(t, s.Frame().Ended)
		}
	}
}

// Part finds the first clock at which two runs diverge: for one program by the whole state, for different programs by
// the actions of their PEs. The result does not depend on earlier comparisons.
func TestPart(t *testing.T) {
	state := func(s *Session) any {
		h, err := s.Hash()
		require.NoError(t, err)
		return h
	}
	doing := func(s *Session) any {
		var b strings.Builder
		for pe := range 12 {
			p := s.batch().PE(pe)
			code := s.currentCode(p)
			operation, _, _ := strings.Cut(code.Text, " ")
			fmt.Fprint(&b, s.d.Shown(pe), code.When, operation, p.IBU().FIFOWords(), p.SegmentsInUse())
		}
		for _, m := range s.Frame().Packets {
			fmt.Fprint(&b, m.PE, m.In, m.Out, m.Kind, m.To)
		}
		return b.String()
	}
	for name, x := range map[string]struct {
		look func(s *Session) any
		a, b func(s *Setup)
		at   string // the beginning of the description, and a part of it
		told string
	}{
		"hops": {state, nothing, func(s *Setup) { s.Sets["hop_clocks"] = "1" }, "[2,1] SU: A ", "ready in clock 114"},
		"fifo": {
			state, nothing, func(s *Setup) { s.Sets["fifo_words"] = "4" }, "[1,0] EXU: A ",
			"waits for the memory port, which the IBU has",
		},
		"random": {
			doing, nothing, func(s *Setup) { s.Params["policy"] = "random" }, "[0,0] EXU: A ",
			"(place.s:240): ld",
		},
		"line": {
			doing, nothing, func(s *Setup) { s.Params["policy"] = "line" }, "[0,0] SU: A ",
			"[0,0].7 to [0,1] new",
		},
	} {
		p := pairOf(t, x.a, x.b)
		got, err := p[1].Part(context.Background(), 500)
		require.NoError(t, err)
		require.Contains(t, got.At, x.at, name)
		require.Contains(t, got.At, x.told, name)
		require.Positive(t, got.Clock)
		once := *got
		html, err := p[0].Compared(0)
		require.NoError(t, err)
		require.Contains(t, html, fmt.Sprintf(`The first packet that differs is <button class="link" `+
			`data-act="at %d %d">at `+"clock %[1]d</button>: %[3]s", once.PacketClock, once.PacketPE, markup.Format("%s", once.Packet)), name)
		require.GreaterOrEqual(t, once.PacketClock, once.Clock)
		require.Equal(t, once.Clock, plainly(t, p, x.look), name)

		p = pairOf(t, x.a, x.b)
		for to := uint64(1); to <= once.Clock; to += 7 {
			got, err = p[0].Part(context.Background(), to)
			require.NoError(t, err)
			if got.At == "" {
				require.Equal(t, &Parting{Clock: to, PE: -1}, got)
			}
		}
		got, err = p[0].Part(context.Background(), 500)
		require.NoError(t, err)
		require.Equal(t, once, *got, name)
	}
}

// Equal runs never diverge. For machines of different sizes, Part reports the sizes as the difference. After a run is
// opened again, the comparison starts again.
func TestPartOfOtherRuns(t *testing.T) {
	ctx := context.Background()
	p := pairOf(t, nothing, func(s *Setup) { s.Seed = 1 }) // as if none was given
	for range 2 {
		x, err := p[0].Part(ctx, 5000)
		require.NoError(t, err)
		require.Equal(t, &Parting{Clock: 5000, PE: -1}, x)
		p = pairOf(t, nothing, nothing)
	}
	p[1].Open(ctx, Setup{Main: "fib.s", Args: []string{"10"}, PEs: 80})
	x, err := p[0].Part(ctx, 5000)
	require.NoError(t, err)
	require.Equal(t, -1, x.PE)
	require.Regexp(t, `^machine: A .*12 PEs.*; B .*80 PEs`, x.At)
	p[1].Open(ctx, Setup{Main: "none.s"})
	_, err = p[0].Part(ctx, 5000)
	require.ErrorContains(t, err, "there are no two runs to compare")
	_, err = (&Session{}).Part(ctx, 5000)
	require.ErrorContains(t, err, "there are no two runs to compare")
}
