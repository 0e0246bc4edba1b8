package em4

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// numbers calls f with the name and the address of every number in a struct.
func numbers(v reflect.Value, name string, f func(name string, p *uint64)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			at := v.Type().Field(i).Name
			if !v.Type().Field(i).Anonymous {
				at = v.Type().String() + "." + at
			}
			numbers(v.Field(i), at, f)
		}
	case reflect.Array:
		for i := range v.Len() {
			numbers(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	default:
		f(name, v.Addr().Interface().(*uint64)) // panics for any other type
	}
}

// Every number that the hardware counts has exactly one statistic, and every statistic reads a number.
func TestEveryCounterIsAStatistic(t *testing.T) {
	var c Counters
	at := map[*uint64]string{}
	for _, s := range statistics {
		for n := range s.numbers() {
			p := s.number(&c, n)
			require.Empty(t, at[p], "%s reads what another one reads", s.Key)
			at[p] = s.Key
		}
	}
	seen := 0
	numbers(reflect.ValueOf(&c).Elem(), "", func(name string, p *uint64) {
		require.NotEmpty(t, at[p], "%s has no row in statistics (em4/stats.go)", name)
		seen++
	})
	require.Len(t, at, seen)
	require.EqualValues(t, seen, reflect.TypeFor[Counters]().Size()/8, "nothing but numbers")
}

// Every row is complete, and no two rows share a name.
func TestStatisticsAreComplete(t *testing.T) {
	keys, places := map[string]bool{}, map[string]bool{}
	word := regexp.MustCompile(`^[a-z][a-z_]*$`)
	for _, s := range Statistics() {
		require.Regexp(t, word, s.Key)
		require.NotEmpty(t, s.Doc, s.Key)
		require.NotContains(t, s.Doc, "`", s.Key)
		object, key := s.Place()
		require.Regexp(t, word, key, s.Key)
		require.False(t, keys[s.Key] || places[object+"."+key], "%s is there twice", s.Key)
		keys[s.Key], places[object+"."+key] = true, true
		require.True(t, s.AppearsIn(InJSON), "%s: nothing fixes the keys of the answer", s.Key)
		require.Equal(t, s.Level != OfMachine, s.AppearsIn(InStats), s.Key)
		require.Equal(t, s.Level == OfMachine, s.Kind == Derived, s.Key)
		require.Equal(t, []bool{s.Level == OfPE || s.Level == OfSwitch, s.Level == OfLink, s.Kind == Derived},
			[]bool{s.one != nil, s.links != nil, s.derived != nil}, "%s: its level says how it is read", s.Key)
		require.False(t, s.Share && s.Kind == Peak, s.Key)
	}
	for key := range places {
		object, _, _ := strings.Cut(key, ".")
		require.False(t, object != "" && places["."+object], "%s is an object and a number", object)
	}
	require.Len(t, StatisticsIn(InJSON), len(statistics))
}

// Over two PEs, sums add up and the higher peak is kept. Between two moments, a sum is the increase, and a peak is the
// value at the later moment.
func TestSumsAndPeaks(t *testing.T) {
	fill := func(first uint64) (c Counters) {
		n := first
		for _, s := range statistics {
			for k := range s.numbers() {
				*s.number(&c, k) = n
				n += 3
			}
		}
		return c
	}
	a, b := fill(100), fill(7)
	both := Totals{Clocks: 20, Counters: a}.Plus(Totals{Clocks: 5, Counters: b})
	require.EqualValues(t, 25, both.Clocks)
	since := both.minus(Totals{Clocks: 20, Counters: a})
	require.EqualValues(t, 5, since.Clocks)
	peaks := 0
	for _, s := range Statistics() {
		for k := range s.numbers() {
			x, y := s.CountOf(&a, k), s.CountOf(&b, k)
			if s.Kind == Peak {
				peaks++
				require.Equal(t, [2]uint64{x, x},
					[2]uint64{s.CountOf(&both.Counters, k), s.CountOf(&since.Counters, k)}, s.Key)
				continue
			}
			require.Equal(t, [2]uint64{x + y, y},
				[2]uint64{s.CountOf(&both.Counters, k), s.CountOf(&since.Counters, k)}, s.Key)
		}
	}
	require.NotZero(t, peaks)
	golden.Same(t, both, Totals{Clocks: 5, Counters: b}.Plus(Totals{Clocks: 20, Counters: a}), "the order of the PEs")
}

// The machine's values are whole numbers, shares of all PE-clocks, and sums over all links.
func TestTotal(t *testing.T) {
	x := Totals{Clocks: 10}
	x.Counters.Clocks = [4]uint64{50, 30, 15, 5}
	x.IbuWaiting, x.Instructions, x.MIBPeak = 20, 7, 64
	x.BusyPeak, x.RemoteCalls, x.SentAway = 8, 5, 9
	x.Packets, x.WaitClocks = [3]uint64{1, 2, 4}, [3]uint64{10, 20, 40}
	got := map[string]any{}
	for _, s := range Statistics() {
		if v := s.Total(&x); v != uint64(0) {
			got[s.Key] = v
		}
	}
	require.Equal(t, map[string]any{
		"exu_fmu": 0.5, "ibu_only": 0.3, "network_wait": 0.15, "idle": 0.05, "pe_utilisation": 0.8, "ibu_waiting": 0.2,
		"instructions": uint64(7), "hops": uint64(3), "packets": uint64(7), "wait_clocks": uint64(70),
		"mib_peak_words": uint64(64),
		"busy_peak":      uint64(8), "remote_calls": uint64(5), "packets_away": uint64(9),
		"time": uint64(10), "efficiency": 0.5, "transfers": uint64(5), "messages": uint64(9),
		"imbalance": 8. / (50. / 10), // over 10 PEs
	}, got)
	x.Counters.Clocks[3]-- // the last clock has not been counted everywhere
	require.InDelta(t, 1.6, x.Imbalance(), 1e-12)
	require.InDelta(t, 1, Totals{Clocks: 10}.Imbalance(), 0, "no work is even")
	peak := Statistic{Kind: Peak, Level: OfLink, links: func(c *Counters) *[3]uint64 { return &c.Packets }}
	require.EqualValues(t, 4, peak.Total(&x))
	one := Statistic{Level: OfSwitch, one: func(c *Counters) *uint64 { return &c.MIBPeak }}
	require.EqualValues(t, 64, one.Total(&x))
	for _, s := range Statistics() {
		require.Equal(t, s.Share, s.MachineUnit() == "0..1", s.Key)
		require.Contains(t, s.MachineDoc(), s.Doc)
	}
}
