package run

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/state"
)

// told returns the answer's JSON keys, with the keys of nested objects added at the top level.
func told(t *testing.T, a *Answer) map[string]any {
	text, err := json.Marshal(a)
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(text, &all))
	whole := maps.Clone(all)
	for _, s := range em4.Statistics() {
		if object, key := s.Place(); object != "" {
			all[s.Key] = whole[object].(map[string]any)[key]
		}
	}
	return all
}

// counted returns an answer in which every counter has a different number.
func counted(t *testing.T) *Answer {
	target, err := spec("fib", "10").Build(t.Context())
	require.NoError(t, err)
	target.Name = "a<b&c"
	s := New(target, Plan{Runs: 1})
	totals := em4.Totals{Clocks: 10}
	c := state.Saver(nil)
	for n := range uint64(reflect.TypeFor[em4.Counters]().Size() / 8) {
		n += 101
		state.Num(c, &n)
	}
	totals.Counters.State(state.Loader(c.Bytes()))
	return s.Answer(OneRun{Result: em4.Result{Totals: totals}})
}

// The shared keys are computed from the counters of each PE.
func TestShared(t *testing.T) {
	target, err := spec("fib", "10").Build(t.Context())
	require.NoError(t, err)
	s := New(target, Plan{Runs: 1, KeepCounters: true, KeepRows: true})
	require.NoError(t, s.Begin())
	one, rows := s.EndRun(s.Advance(t.Context(), em4.ToEnd))
	x := told(t, s.Answer(one))
	var busy, most, calls, away uint64
	for i := range rows.Counters {
		c := &rows.Counters[i]
		busy, most = busy+c.Clocks[emcr.ExuFmu], max(most, c.Clocks[emcr.ExuFmu])
		calls, away = calls+c.RemoteCalls, away+c.SentAway
	}
	require.Equal(t, []any{float64(one.Clocks), float64(calls), float64(away)},
		[]any{x["time"], x["transfers"], x["messages"]})
	require.InDelta(t, float64(busy)/float64(12*one.Clocks), x["efficiency"], 1e-12)
	require.InDelta(t, 12*float64(most)/float64(busy), x["imbalance"], 1e-12)
	require.Positive(t, calls)
	require.Less(t, calls, one.Calls)
	require.Greater(t, x["imbalance"], 1.0)
	require.InDelta(t, 1, em4.Totals{}.Imbalance(), 0, "no work is even")
}

// An answer's keys have the names and the order that scripts expect, and include every statistic. Decoded and encoded
// again, the answer is the same.
func TestAnswerKeys(t *testing.T) {
	a := counted(t)
	text, err := json.Marshal(a)
	require.NoError(t, err)
	var keys []string
	d := json.NewDecoder(bytes.NewReader(text))
	for depth, key := 0, true; d.More() || depth > 0; {
		token, err := d.Token()
		require.NoError(t, err)
		switch x := token.(type) {
		case json.Delim:
			depth += map[json.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[x]
			key = true
		case string:
			if key && depth == 1 {
				keys = append(keys, x)
				key = false
				continue
			}
			key = true
		default:
			key = true
		}
	}
	fixed := strings.Fields(`program args machine pes policy mlpe params seed result clocks start_clock time_ms mips
		states pe_utilisation ibu_waiting instructions calls mlpe_calls mlpe_packets packets segments_peak
		mib_peak_words time efficiency transfers messages imbalance runs knobs wall_seconds pe_clocks_per_second
		fast_share`)
	keys = slices.DeleteFunc(keys, func(k string) bool { return !slices.Contains(fixed, k) })
	require.Equal(t, fixed, keys)

	var all map[string]any
	require.NoError(t, json.Unmarshal(text, &all))
	for _, s := range em4.Statistics() {
		object, key := s.Place()
		in := all
		if object != "" {
			in = all[object].(map[string]any)
		}
		require.NotZero(t, in[key], s.Key)
		require.InEpsilon(t, s.Number(&a.Totals), in[key], 1e-15, s.Key)
	}
	for object, keys := range map[string]string{
		"states":  "exu_fmu ibu_only network_wait idle",
		"packets": "sent spilled hops",
	} {
		for _, key := range strings.Fields(keys) {
			require.Contains(t, all[object], key)
		}
	}
	require.Equal(t, "a<b&c", all["program"])
	var loose bytes.Buffer
	e := json.NewEncoder(&loose)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(a))
	require.Contains(t, loose.String(), `"a<b&c"`)
	require.NotContains(t, string(text), "<")
}

// A checkpoint of an emsim with other statistics is rejected with that reason.
func TestOtherStatistics(t *testing.T) {
	c := state.Saver(nil)
	statisticsState(c)
	l := state.Loader(c.Bytes())
	statisticsState(l)
	require.NoError(t, l.Err())
	b := c.Bytes()
	b[3]++
	l = state.Loader(b)
	statisticsState(l)
	require.EqualError(t, l.Err(), "state: the machine has other statistics than this program's: resume it with the "+
		"emsim that wrote it, or run the program again")
}
