package knob

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// script is a Pick that returns the listed numbers and records its arguments.
type script struct {
	gives []uint64
	asked []uint64
}

func (s *script) pick(n uint64) uint64 {
	s.asked = append(s.asked, n)
	x := s.gives[0]
	if len(s.gives) > 1 {
		s.gives = s.gives[1:]
	}
	return x
}

// Numbers in small spans are drawn uniformly. In larger spans the magnitude is drawn first; 0 and the span itself count
// as magnitudes.
func TestDrawn(t *testing.T) {
	for _, c := range []struct {
		span        uint64
		gives, asks []uint64
		want        uint64
	}{
		{0, []uint64{0}, []uint64{1}, 0},
		{63, []uint64{63}, []uint64{64}, 63},
		{64, []uint64{0}, []uint64{9}, 0},
		{64, []uint64{8}, []uint64{9}, 64},
		{64, []uint64{7, 5}, []uint64{9, 65}, 5},
		{1000, []uint64{0}, []uint64{12}, 0},
		{1000, []uint64{11}, []uint64{12}, 1000},
		{1000, []uint64{1, 1}, []uint64{12, 2}, 1},
		{1000, []uint64{2, 3}, []uint64{12, 4}, 3},
		{1000, []uint64{9, 511}, []uint64{12, 512}, 511},
		{1000, []uint64{10, 7}, []uint64{12, 1001}, 7},
		{math.MaxUint64, []uint64{65}, []uint64{66}, math.MaxUint64},
		{math.MaxUint64, []uint64{64, 9}, []uint64{66, math.MaxUint64}, 9},
		{math.MaxUint64, []uint64{63, 9}, []uint64{66, 1 << 63}, 9},
	} {
		s := &script{gives: c.gives}
		require.Equal(t, c.want, drawn(s.pick, c.span), c)
		require.Equal(t, c.asks, s.asked, c)
	}
}

// bounds is a configuration of numbers with all kinds of bounds.
type bounds struct {
	cold, any, many int
	wait            time.Duration
	micros          int64
	gain, part, all float64
	inner           struct{ on bool }
}

func boundTable() []Knob[bounds] {
	return []Knob[bounds]{
		{Key: "cold", Unit: "K", Min: -5, Max: 0, Ref: func(b *bounds) any { return &b.cold }},
		{Key: "any", Ref: func(b *bounds) any { return &b.any }},
		{Key: "many", Min: 2, Max: math.MaxInt64, Ref: func(b *bounds) any { return &b.many }},
		{Key: "wait", Zero: "no wait", Ref: func(b *bounds) any { return &b.wait }},
		{Key: "micros", Min: 1500, Max: 10_000, Ref: func(b *bounds) any { return Micros{&b.micros} }},
		{
			Key: "gain", Unit: "dB", Real: Interval{Low: 2, High: math.Inf(1), OpenLow: true},
			Ref: func(b *bounds) any { return &b.gain },
		},
		{
			Key: "part", Real: Interval{Low: 0, High: 2, OpenLow: true, OpenHigh: true},
			Ref: func(b *bounds) any { return &b.part },
		},
		{Key: "all", Ref: func(b *bounds) any { return &b.all }},
		{Key: "on", Doc: "whether", Source: "chosen", Ref: func(b *bounds) any { return &b.inner.on }},
	}
}

func (b *bounds) row(t *testing.T, key string) Row {
	t.Helper()
	r, ok := Find(Bind(boundTable(), b), key)
	require.True(t, ok)
	return r
}

// A bound of 0 counts if the other bound is not 0. If both are 0, there are no bounds.
func TestBounds(t *testing.T) {
	var b bounds
	require.Equal(t, "-5..0", b.row(t, "cold").Range())
	require.Empty(t, b.row(t, "any").Range())
	require.Equal(t, "at least 2", b.row(t, "many").Range())
	require.Empty(t, b.row(t, "wait").Range())
	require.Equal(t, "above 2", b.row(t, "gain").Range())
	require.Equal(t, "above 0 and below 2", b.row(t, "part").Range())
	require.Empty(t, b.row(t, "all").Range())
	require.Equal(t, "above 10^-10 and at most 0.001", Interval{Low: 1e-10, High: 1e-3, OpenLow: true}.String())
	require.Equal(t, "at least 0 and below 10^9", Interval{High: 1e9, OpenHigh: true}.String())
	require.Equal(t, "0..2e+09", Interval{High: 2e9}.String())
	require.Equal(t, "-1..10^30", Interval{Low: -1, High: 1e30}.String())
	for _, c := range []struct{ key, text, want string }{
		{"cold", "0", ""},
		{"cold", "-5", ""},
		{"cold", "1", "cold is 1, it must be -5..0 K"},
		{"cold", "-6", "cold is -6, it must be -5..0 K"},
		{"any", "-9223372036854775808", ""},
		{"any", "9223372036854775807", ""},
		{"many", "9223372036854775807", ""},
		{"many", "2", ""},
		{"many", "1", "many is 1, it must be at least 2"},
		{"wait", "-1h", ""},
		{"micros", "1ms", "micros is 1ms, it must be 1.5µs..10µs"},
		{"micros", "10µs", ""},
		{"micros", "1µs", "micros is 1µs, it must be 1.5µs..10µs"},
		{"gain", "2", "gain is 2, it must be above 2 dB"},
		{"gain", "1e300", ""},
		{"gain", "Inf", "gain is +Inf, it must be above 2 dB"},
		{"part", "0", "part is 0, it must be above 0 and below 2"},
		{"part", "1.999", ""},
		{"part", "2", "part is 2, it must be above 0 and below 2"},
		{"all", "-1e300", ""},
		{"all", "NaN", ""},
		{"on", "true", ""},
	} {
		r := b.row(t, c.key)
		require.NoError(t, r.Set(c.text), c)
		if err := r.Check(); c.want == "" {
			require.NoError(t, err, c)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
	for _, c := range []struct{ key, text, want string }{
		{"any", "9223372036854775808", `any must be a number, not "9223372036854775808"`},
		{"cold", "", `cold must be a number of K, not ""`},
		{"all", "1e999", `all must be a number, not "1e999"`},
		{"wait", "1", `wait must be a duration such as 1.5ms, not "1"`},
		{"on", "1", `on is true or false, not "1"`},
	} {
		require.EqualError(t, b.row(t, c.key).Set(c.text), c.want)
	}
}

// Draw returns integers from the lower bound up, durations in steps that can be stored, and real numbers in 1,024
// steps.
func TestDrawOfBounds(t *testing.T) {
	var b bounds
	draw := func(key string, gives ...uint64) []uint64 {
		s := &script{gives: gives}
		b.row(t, key).Draw(s.pick)
		return s.asked
	}
	require.Equal(t, []uint64{6}, draw("cold", 2))
	require.Equal(t, -3, b.cold)
	require.Empty(t, draw("any", 7))
	require.Zero(t, b.any)
	require.Empty(t, draw("wait", 7))
	require.Equal(t, []uint64{2}, draw("on", 1))
	require.True(t, b.inner.on)
	draw("on", 0)
	require.False(t, b.inner.on)
	draw("micros", 13, 3500) // 14 magnitudes and both ends: 5 µs
	require.Equal(t, int64(5), b.micros)
	draw("micros", 13, 3999)
	require.Equal(t, int64(5), b.micros, "parts of a microsecond are cut off")
	draw("micros", 15)
	require.Equal(t, int64(10), b.micros)
	b.micros = 7
	draw("micros", 0)
	require.Equal(t, int64(7), b.micros, "1.5 µs cannot be kept")
	require.Equal(t, []uint64{1025}, draw("gain", 512))
	require.InDelta(t, 52, b.gain, 0)
	require.Equal(t, []uint64{1025, 1025}, draw("gain", 0, 1024), "the open end is drawn again")
	require.InDelta(t, 102, b.gain, 0)
	require.Len(t, draw("part", 1024), 64, "then it stays as it is")
	require.Zero(t, b.part)
	draw("part", 1)
	require.InDelta(t, 2./1024, b.part, 0)
	require.Empty(t, draw("all", 5))
	r := b.row(t, "part")
	r.Real = Interval{Low: 4, High: 8}
	r.Draw((&script{gives: []uint64{256}}).pick)
	require.InDelta(t, 5, b.part, 0)
	r = b.row(t, "cold")
	r.Min, r.Max = 3, 4
	r.Draw((&script{gives: []uint64{1}}).pick)
	require.Equal(t, 4, b.cold)
}

// A row's texts for flags, pages and encoders.
func TestRowTexts(t *testing.T) {
	m := start()
	m.slow = []string{"a", "b"}
	rows := Bind(table(), &m)
	var texts [][2]string
	for _, r := range rows {
		texts = append(texts, [2]string{r.Usage(), r.About()})
	}
	require.Equal(t, [][2]string{
		{"data a ring holds [1..32 data]", "unit: data; range: 1..32; source: chosen"},
		{" [0..1152921504606846976 clocks; 0: never]", "unit: clocks; range: 0..1152921504606846976; 0: never"},
		{" [0..18446744073709551615]", "range: 0..18446744073709551615"},
		{" [at least 0 and below 1]", "range: at least 0 and below 1"},
		{"quick", "range: true, false"},
		{" [auto, naive]", "range: auto, naive"},
		{"", ""},
		{" [1µs..1s]", "range: 1µs..1s"},
		{"", ""},
		{" [0.25..256]", "range: 0.25..256"},
		{" [1µs..1ms]", "range: 1µs..1ms"},
		{" [none, some]", "range: none, some"},
		{" [1..100]", "range: 1..100"},
		{"", ""},
	}, texts)
	for key, want := range map[string]any{
		"slots": int64(4), "seed": uint64(0), "share": 0., "fast": false, "policy": "auto", "slice": "1ms",
		"slow": []string{"a", "b"},
		"gain": 1., "micros": "5µs", "word": "none", "rows": int64(3),
	} {
		r, ok := Find(rows, key)
		require.True(t, ok)
		require.Equal(t, want, r.JSON(), key)
		require.Equal(t, key == "slots" || key == "rows", r.IsInt(), key)
	}
	_, ok := Find(rows, "nosuch")
	require.False(t, ok)
	require.Equal(t, []string{"slots", "far", "seed"}, Keys(rows[:3]))
	for want, v := range map[string]any{`""`: "x", "[]": []string{"x"}, "0s": time.Second, "0": int64(5)} {
		require.Equal(t, want, Nothing(v))
	}
	err := Errorf("slots", "expected %d", 4)
	require.EqualError(t, err, "slots: expected 4")
	require.Equal(t, "usage", err.(*Error).Kind())
	require.Panics(t, func() { Row{Key: "x", ref: 5}.Get() }, "no table can hold it")
}

// Put rounds to the nearest step, and accepts the largest number.
func TestFixed(t *testing.T) {
	var steps int64
	f := Fixed{&steps, 4}
	for x, want := range map[float64]int64{0: 0, 0.25: 1, 0.3: 1, 0.4: 2, -1.5: -6, 0x1p59: 1 << 61} {
		require.NoError(t, f.Put(x))
		require.Equal(t, want, steps)
		require.InDelta(t, float64(want)/4, f.Get(), 0)
	}
	steps = 9
	for x, want := range map[float64]string{
		0x1p60:  "1.152921504606847e+18: expected a number up to 1.152921504606847e+18",
		-0x1p60: "-1.152921504606847e+18: expected a number up to 1.152921504606847e+18",
		0.1:     "0.1 is less than the step of 1/4", -0.1: "-0.1 is less than the step of 1/4",
	} {
		require.EqualError(t, f.Put(x), want)
		require.Equal(t, int64(9), steps)
	}
}
