package mnc

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/agenda"
	"emsim/internal/base/simerr"
)

func heavy16(t testing.TB) Config {
	c := Default(wiring(t, "mnc", 16))
	c.Items, c.Loops = 20_000, 1000
	return c
}

// TestDeadPE checks that the rest of the machine continues, the run ends in a stall, and the lost data are in the
// dead PE or in rings to it.
func TestDeadPE(t *testing.T) {
	c := heavy16(t)
	c.Events = []Event{DeadAt(1_000_000, 5)}
	m := build(t, c)
	err := m.Run(context.Background())
	require.ErrorAs(t, err, new(*Deadlock))
	require.Equal(t, err, m.Step(), "the failure lasts")
	var stall *Stall
	require.True(t, errors.As(err, &stall))
	require.Equal(t, "stalled", simerr.Kind(err))
	var dead *Deadlock
	require.ErrorAs(t, err, &dead)
	require.Equal(t, stall.Clock, dead.Clock)
	require.Contains(t, err.Error(), "\n  "+strings.Replace(dead.Waits[0].Who, " data", "", 1))
	require.Equal(t, []int{5}, stall.Dead)
	require.Equal(t, stall.LastY+4_000_000, stall.Clock)
	require.NotEmpty(t, stall.Held)
	require.Equal(t, c.Items, stall.Delivered+len(stall.Held))
	for _, p := range stall.Held {
		require.Equal(t, 5, p.PE, "datum %d is in %s", p.ID, p)
	}
	require.NoError(t, m.Check())
	require.Len(t, stall.Details()["undelivered"], len(stall.Held))
	require.ErrorContains(t, err, "dead PEs: [5]")
	require.True(t, m.Held(5).Dead)

	s := m.Stats()
	checkStats(t, c, s)
	c.Events = nil
	alive := build(t, c)
	require.NoError(t, alive.RunTo(context.Background(), 1_000_000))
	want := alive.Stats().PE[5].Times
	want.Idle += s.Clocks - 1_000_000
	require.Equal(t, want, s.PE[5].Times, "until its death it worked, part of an action included; then it did nothing")
}

// TestAllDead checks that with all PEs dead every datum is still found.
func TestAllDead(t *testing.T) {
	c := heavy16(t)
	for pe := range 16 {
		c.Events = append(c.Events, DeadAt(int64(10_000*pe), pe))
	}
	m := build(t, c)
	err := m.Run(context.Background())
	require.ErrorAs(t, err, new(*Deadlock))
	require.NoError(t, m.Check())
	var stall *Stall
	require.ErrorAs(t, err, &stall)
	require.Positive(t, stall.Unsent)
	require.Equal(t, c.Items, stall.Delivered+len(stall.Held)+stall.Unsent)
	require.ErrorContains(t, err, "are unsent, from ")
}

// TestSlowPE checks that a PE that slows down for a while makes the run longer, keeps all data, and does less than
// its neighbours.
func TestSlowPE(t *testing.T) {
	c := heavy16(t)
	_, plain := run(t, c)
	c.Events = []Event{SlowAt(100_000, 5, 1000)}
	m, s := run(t, c)
	require.NoError(t, m.Check())
	require.Greater(t, s.Clocks, plain.Clocks)
	require.Less(t, float64(s.Clocks), 1.2*float64(plain.Clocks))
	require.Less(t, s.PE[5].Processed, plain.PE[5].Processed/4)

	c.Events = append(c.Events, SlowAt(500_000, 5, 100))
	_, back := run(t, c)
	require.Less(t, back.Clocks, s.Clocks, "back at full speed")

	c.Events = []Event{SlowAt(0, 5, 1000)}
	_, event := run(t, c)
	c.Events, c.Slow = nil, slow(16, 100)
	c.Slow[5] = 1000
	_, static := run(t, c)
	require.Equal(t, static, event, "slow from clock 0 is slow")
}

// TestBusy checks that PEs collide on their boards only if their actions end at the same clock.
func TestBusy(t *testing.T) {
	c := Default(wiring(t, "mnc", 2))
	m := build(t, c)
	require.NoError(t, m.RunTo(context.Background(), 1)) // both PEs have left reset, one clock apart
	require.Zero(t, m.Stats().Busy)

	m = build(t, c)
	m.pes[1].act.end = 0 // let both PEs leave reset at once
	require.NoError(t, m.Step())
	require.EqualValues(t, 2, m.Stats().Busy, "each read meets the other's write")
	require.EqualValues(t, 2, m.qprs[0].Stats().Busy, "on their common board")
	for i := range 2 {
		want := int64(4*2 + 8 + 1*(2*2+8) + 2 + 2) // and a retry; PE 0 is on the sink board too
		if i == 0 {
			want += 2
		}
		require.Equal(t, want, m.pes[i].act.work)
	}
}

// TestHostFindsFaults checks that a datum that arrives twice, was never sent or has changed ends the run with an
// error.
func TestHostFindsFaults(t *testing.T) {
	c := Default(wiring(t, "mnc", 1))
	c.Items = 2000
	for _, f := range []struct {
		spoil func(d *Datum)
		err   string
	}{
		{func(d *Datum) { d.ID = 0 }, "Y 0 arrived twice"},
		{func(d *Datum) { d.ID = 2000 }, "Y 2000 was never sent"},
		{func(d *Datum) { d.Value++ }, "holds 101, expected 100"},
	} {
		m := build(t, c)
		require.NoError(t, m.RunTo(context.Background(), 200_000))
		f.spoil(m.pes[0].x.At(0))
		err := m.Run(context.Background())
		require.ErrorContains(t, err, f.err)
		var fault *Fault
		require.ErrorAs(t, err, &fault)
		require.Equal(t, "model_fault", fault.Kind())
	}
	m := build(t, c)
	require.NoError(t, m.RunTo(context.Background(), 200_000))
	m.pes[0].x.At(0).ID = 0
	require.ErrorContains(t, m.Check(), "datum 0 is at the sink and in the X memory of PE 0")
}

// TestProperLoad checks that with form L, load in proportion to ability is a fixed point of equation (2); with the
// other forms it is one only if all abilities are equal.
func TestProperLoad(t *testing.T) {
	e := &pe{n: 3}
	e.ability = newAbility(3)
	hold := func(x int, of ...int) {
		e.x = dataOf(x)
		for k, v := range of {
			e.view.x[k], e.view.sx[k] = v-v/3, v/3 // partly in flight
		}
	}
	for _, f := range []Form{FormL, FormS, FormW, FormN} {
		hold(40, 40, 40, 40)
		require.EqualValues(t, 40<<16, e.ability.proper(e, f), "%s: equal PEs", f)
	}
	e.ability.pa = [MaxNeighbours]int64{One / 2, One, 2 * One}
	e.ability.sumAbilities(3)
	hold(40, 20, 40, 80)
	want := map[Form]int64{
		FormL: 40 << 16,
		FormS: (180 << 16) * 2 / 9, // 180 / 4.5
		FormW: (250 << 16) * 2 / 9, // 250 / 4.5
		FormN: (250 << 16) / 4,
	}
	for f, v := range want {
		require.Equal(t, v, e.ability.proper(e, f), "form %s", f)
	}
}

// TestImbalance compares equation (3)'s integrand with real arithmetic.
func TestImbalance(t *testing.T) {
	require.EqualValues(t, 0, Imbalance(0, 0))
	require.EqualValues(t, -One, Imbalance(0, 1))
	for x := int64(1); x < 70; x++ {
		for o := int64(0); o < 200; o++ {
			d := float64(x - o)
			want := max(-1, min(1, d*max(d, -d)/float64(x*x)))
			require.InDelta(t, want, float64(Imbalance(x, o))/One, 1.0/One, "x=%d other=%d", x, o)
		}
	}
}

// TestAbilityUpdate checks that once per interval PA changes by gain times the mean imbalance, within its bounds.
func TestAbilityUpdate(t *testing.T) {
	c := Default(wiring(t, "mnc", 2))
	e := &pe{n: 1}
	e.ability = newAbility(1)
	e.x, e.view.x[0] = dataOf(10), 5 // imbalance +1/4
	require.False(t, e.ability.integrate(e, &c, 0))
	require.False(t, e.ability.integrate(e, &c, 19_999))
	require.True(t, e.ability.integrate(e, &c, 20_000))
	require.EqualValues(t, One+One/4, e.ability.pa[0])
	e.view.x[0] = 20 // imbalance -1; the previous sample holds up to here
	require.False(t, e.ability.integrate(e, &c, 30_000))
	require.True(t, e.ability.integrate(e, &c, 40_000))
	require.EqualValues(t, One+One/4+(One/4-One)/2, e.ability.pa[0])
	for at := int64(60_000); at < 400_000; at += 20_000 {
		e.ability.integrate(e, &c, at)
	}
	require.EqualValues(t, One/16, e.ability.pa[0])
	require.EqualValues(t, One/16, e.ability.lowest)
}

// dataOf returns a local memory with n data.
func dataOf(n int) (f agenda.FIFO[Datum]) {
	for range n {
		f.Push(Datum{})
	}
	return f
}
