package knob

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// machine has a field of every type.
type machine struct {
	slots    int
	far      int64
	seed     uint64
	share    float64
	fast     bool
	policy   string
	free     string
	slice    time.Duration
	slow     []string
	gain     int64 // steps of 1/4
	micros   int64
	word     int
	rowsA    int
	rowsB    int
	whatever int
}

var words = []string{"none", "some"}

func table() []Knob[machine] {
	return []Knob[machine]{
		{
			Key: "slots", Flag: "slots", Unit: "data", Min: 1, Max: 32, Source: "chosen", Doc: "data a ring holds",
			Ref: func(m *machine) any { return &m.slots },
		},
		{Key: "far", Unit: "clocks", Max: 1 << 60, Zero: "never", Ref: func(m *machine) any { return &m.far }},
		{Key: "seed", Ref: func(m *machine) any { return &m.seed }},
		{Key: "share", Real: Interval{Low: 0, High: 1, OpenHigh: true}, Ref: func(m *machine) any { return &m.share }},
		{Key: "fast", Doc: "quick", Ref: func(m *machine) any { return &m.fast }},
		{Key: "policy", Values: []string{"auto", "naive"}, Ref: func(m *machine) any { return &m.policy }},
		{Key: "free", Ref: func(m *machine) any { return &m.free }},
		{
			Key: "slice", Min: int64(time.Microsecond), Max: int64(time.Second),
			Ref: func(m *machine) any { return &m.slice },
		},
		{Key: "slow", Ref: func(m *machine) any { return &m.slow }},
		{Key: "gain", Real: Interval{Low: 0.25, High: 256}, Ref: func(m *machine) any { return Fixed{&m.gain, 4} }},
		{Key: "micros", Min: 1000, Max: 1_000_000, Ref: func(m *machine) any { return Micros{&m.micros} }},
		{Key: "word", Values: words, Ref: func(m *machine) any {
			return Word{func() string { return words[m.word] }, func(s string) error {
				for i, w := range words {
					if w == s {
						m.word = i
						return nil
					}
				}
				return errors.New("no such word")
			}}
		}},
		{Key: "rows", Min: 1, Max: 100, Ref: func(m *machine) any { return Same{&m.rowsA, &m.rowsB} }},
		{Key: "whatever", Ref: func(m *machine) any { return &m.whatever }},
	}
}

func start() machine {
	return machine{slots: 4, policy: "auto", slice: time.Millisecond, gain: 4, micros: 5, rowsA: 3, rowsB: 3}
}

// For every type, Set reads the texts that Text and TOML write.
func TestTexts(t *testing.T) {
	m := start()
	for _, c := range []struct{ key, text, toml, rang string }{
		{"slots", "0x20", "32", "1..32"},
		{"far", "-1", "-1", "0..1152921504606846976"},
		{"seed", "18446744073709551615", "18446744073709551615", "0..18446744073709551615"},
		{"share", "0.5", "0.5", "at least 0 and below 1"},
		{"share", "0", "0.0", "at least 0 and below 1"},
		{"share", "1e30", "1e+30", "at least 0 and below 1"},
		{"fast", "true", "true", "true, false"},
		{"policy", "naive", `"naive"`, "auto, naive"},
		{"free", "any text", `"any text"`, ""},
		{"slice", "133ms", `"133ms"`, "1µs..1s"},
		{"slow", "odd=400,3=50", `["odd=400", "3=50"]`, ""},
		{"slow", "", `[]`, ""},
		{"gain", "1.25", "1.25", "0.25..256"},
		{"micros", "12µs", `"12µs"`, "1µs..1ms"},
		{"word", "some", `"some"`, "none, some"},
		{"rows", "7", "7", "1..100"},
	} {
		require.NoError(t, Set(table(), &m, c.key, c.text), c)
		r, ok := Find(Bind(table(), &m), c.key)
		require.True(t, ok)
		require.Equal(t, c.toml, r.TOML())
		require.Equal(t, c.rang, r.Range())
		was := r.Get()
		require.NoError(t, r.Set(r.Text()))
		require.Equal(t, was, r.Get())
		require.NoError(t, r.Put(was))
		require.Equal(t, was, r.Get())
	}
	require.Equal(t, machine{
		32, -1, math.MaxUint64, 1e30, true, "naive", "any text", 133 * time.Millisecond, nil, 5,
		12, 1, 7, 7, 0,
	}, m)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"slots", "many", `slots must be a number of data, not "many"`},
		{"seed", "-1", `seed must be a number, not "-1"`},
		{"share", "half", `share must be a number, not "half"`},
		{"fast", "yes", `fast is true or false, not "yes"`},
		{"policy", "up", `policy is one of auto, naive, not "up"`},
		{"slice", "5", `slice must be a duration such as 1.5ms, not "5"`},
		{"gain", "0.01", "gain: 0.01 is less than the step of 1/4"},
		{"gain", "nan", "gain: NaN: expected a number"},
		{"micros", "1500ns", "micros: 1.5µs is not a whole number of microseconds"},
		{"word", "any", `word is one of none, some, not "any"`},
		{"slot", "1", `a machine has no knob "slot"; it has slots, far, seed`},
	} {
		m := start()
		require.ErrorContains(t, Set(table(), &m, c.key, c.text), c.want)
		require.Equal(t, start(), m)
	}
	for _, c := range []struct{ key, text, want string }{
		{"slots", "33", "slots is 33, it must be 1..32 data"},
		{"slots", "0", "slots is 0, it must be 1..32 data"},
		{"share", "1", "share is 1, it must be at least 0 and below 1"},
		{"share", "NaN", "share is NaN, it must be at least 0 and below 1"},
		{"slice", "2s", "slice is 2s, it must be 1µs..1s"},
		{"gain", "257", "gain is 257, it must be 0.25..256"},
		{"micros", "0s", "micros is 0s, it must be 1µs..1ms"},
	} {
		m := start()
		r, _ := Find(Bind(table(), &m), c.key)
		require.NoError(t, r.Check())
		require.NoError(t, r.Set(c.text))
		require.EqualError(t, r.Check(), c.want)
	}
	m := start()
	m.policy = "up"
	r, _ := Find(Bind(table(), &m), "policy")
	require.EqualError(t, r.Check(), `policy is "up", it must be one of auto, naive`)
}

// Draw stays in every range, and reaches the ends, small values and large values.
func TestDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]map[string]bool{}
	m := start()
	for range 3000 {
		for _, row := range Bind(table(), &m) {
			row.Draw(r.Uint64N)
			require.NoError(t, row.Check())
			if seen[row.Key] == nil {
				seen[row.Key] = map[string]bool{}
			}
			seen[row.Key][row.Text()] = true
		}
	}
	for key, most := range map[string]int{
		"free": 1, "slow": 1, "whatever": 1, "fast": 2, "policy": 2, "word": 2,
		"slots": 32,
	} {
		require.Len(t, seen[key], most, key)
	}
	for _, key := range []string{"far", "seed", "share", "slice", "gain", "micros", "rows"} {
		require.Greater(t, len(seen[key]), 50, key)
	}
	for key, ends := range map[string][]string{
		"far": {"0", "1", "1152921504606846976"}, "seed": {"0", "1", "18446744073709551615"}, "rows": {"1", "100"},
		"slice": {"1µs", "1s"}, "share": {"0"}, "gain": {"256"},
	} {
		for _, end := range ends {
			require.True(t, seen[key][end], "%s is never %s", key, end)
		}
	}
	row, _ := Find(Bind(table(), &m), "slots")
	row.Min, row.Max = 7, 8
	for range 100 {
		row.Draw(r.Uint64N)
		require.Contains(t, []int{7, 8}, m.slots)
	}
}

func TestAbout(t *testing.T) {
	m := start()
	rows := Bind(table(), &m)
	require.Equal(t, "unit: data; range: 1..32; source: chosen", rows[0].About())
	require.Equal(t, "data a ring holds [1..32 data]", rows[0].Usage())
	require.Equal(t, "unit: clocks; range: 0..1152921504606846976; 0: never", rows[1].About())
	require.Equal(t, "quick", rows[4].Usage())
	require.Equal(t, "at least 1", Interval{Low: 1, High: math.Inf(1)}.String())
	require.False(t, Interval{Low: 1, High: math.Inf(1)}.Holds(math.Inf(1)))
	require.Equal(t, "above 0 and at most 10^9", Interval{High: 1e9, OpenLow: true}.String())
}
