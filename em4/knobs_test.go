package em4_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
)

// Every integer knob accepts exactly the range in its row of Knobs. For the numbers just below and just above the
// range, the error contains the knob's name and the range.
func TestKnobLimits(t *testing.T) {
	integers := 0
	for _, k := range em4.Knobs() {
		c := em4.Prototype80()
		p, ok := k.Ref(&c).(*int)
		if !ok || k.Key == "pes" {
			continue
		}
		integers++
		for _, v := range []int64{k.Min - 1, k.Max + 1} {
			*p = int(v)
			require.EqualError(t, c.Validate(),
				fmt.Sprintf("%s is %d, it must be %d..%d %s", k.Key, v, k.Min, k.Max, k.Unit))
		}
		// The other parts leave room for the largest value of each knob.
		c = em4.Prototype80()
		c.MIBWords, c.Segments, c.SegmentWords, c.StructureWords = 0, 8, 8, 0x16
		for _, v := range []int64{k.Min, k.Max} {
			if *p = int(v); k.Key == "memory_words" {
				c.Segments, c.SegmentWords = 8, 8
			}
			require.NoError(t, c.Validate(), "%s is %d", k.Key, v)
		}
	}
	require.Greater(t, integers, 10)
}

// The knobs, their ranges and the values of the presets are recorded.
func TestKnobs(t *testing.T) {
	var out strings.Builder
	small, prototype, target := em4.Small12(), em4.Prototype80(), em4.Target1024()
	for _, k := range em4.Knobs() {
		value := func(c *em4.Config) any { return reflect.ValueOf(k.Ref(c)).Elem() }
		fmt.Fprintf(&out, "%-21s %-9s %5d .. %-7d %v  small %v, prototype %v, target %v\n", k.Key, k.Unit, k.Min, k.Max,
			k.Values, value(&small), value(&prototype), value(&target))
		require.NotEmpty(t, k.Doc)
		require.NotEmpty(t, k.Source)
	}
	golden.Check(t, "knobs.txt", []byte(out.String()))
}

func TestClockNSLimits(t *testing.T) {
	for ns, fine := range map[float64]bool{
		0: false, -1: false, 1e-9: true, 1e-10: false, 1e-306: false, 80: true,
		999999999: true, 1e9: false,
	} {
		c := em4.Prototype80()
		c.ClockNS = ns
		if err := c.Validate(); fine {
			require.NoError(t, err, "%v", ns)
		} else {
			require.EqualError(t, err, fmt.Sprintf("clock_ns is %v, it must be above 10^-10 and below 10^9 ns", ns))
		}
	}
}

// Set accepts everything that --set accepts. For other texts, its error says what is wrong.
func TestSet(t *testing.T) {
	c := em4.Prototype80()
	for key, value := range map[string]string{
		"pes": "12", "clock_ns": "62.5", "burst_refill": "false",
		"ibu_own_memory": "true", "mlpe_route": "both", "fifo_words": "0x20",
	} {
		require.NoError(t, c.Set(key, value), key)
	}
	want := em4.Prototype80()
	want.PEs, want.ClockNS, want.BurstRefill, want.IBUOwnMemory, want.MLPERoute, want.FIFOWords = 12, 62.5, false, true,
		"both", 32
	require.Equal(t, want, c)
	for text, kv := range map[string][2]string{
		`burst_refill is true or false, not "yes"`:                         {"burst_refill", "yes"},
		`burst_refill is true or false, not ""`:                            {"burst_refill", ""},
		`mlpe_route is one of reverse, group, both, not "up"`:              {"mlpe_route", "up"},
		`fifo_words must be a number of words, not "many"`:                 {"fifo_words", "many"},
		`fifo_words must be a number of words, not "3x"`:                   {"fifo_words", "3x"},
		`fifo_words must be a number of words, not "3 4"`:                  {"fifo_words", "3 4"},
		`fifo_words must be a number of words, not ""`:                     {"fifo_words", ""},
		`clock_ns must be a number of ns, not "1e"`:                        {"clock_ns", "1e"},
		`pes must be a number of PEs, not "99999999999999999999999999999"`: {"pes", "99999999999999999999999999999"},
	} {
		c := em4.Prototype80()
		require.EqualError(t, c.Set(kv[0], kv[1]), text)
	}
	err := c.Set("fifo", "3")
	require.ErrorContains(t, err, `a machine has no knob "fifo"; it has pes, clock_ns, `)
	require.ErrorContains(t, err, ", structure_words")
}

// The parts of a PE's memory are at their addresses: program, structure memory, operand segments and MIB, without gaps
// if the sizes allow.
func TestLayout(t *testing.T) {
	c := machine(12)
	p := build(t, c, source(t, ".start x\nx: nop!\n")).PE(0)
	for _, part := range []struct {
		name        string
		first, last uint32
	}{
		{"program", 0, 0},
		{"free memory", 1, 0x20000},
		{"structure memory", 0x20001, 0x2ffff},
		{"operand segments", 0x30000, 0x3dfff},
		{"memory input buffer", 0x3e000, 0x3ffff},
	} {
		require.Equal(t, part.name, p.Layout(part.first), "%#x", part.first)
		require.Equal(t, part.name, p.Layout(part.last), "%#x", part.last)
	}
	// This memory is just large enough. One more word of structure memory does not fit.
	c.MIBWords, c.Segments, c.SegmentWords, c.StructureWords, c.MemoryWords = 0, 8, 64, 511, 1024
	require.NoError(t, c.Validate())
	c.StructureWords++
	require.EqualError(t, c.Validate(), "memory_words is 1024: mib_words 0, 8 segments of 64 words and "+
		"structure_words 512 leave no room for a program; lower one of them")
}
