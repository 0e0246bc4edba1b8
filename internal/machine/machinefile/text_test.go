package machinefile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// A complete machine file: a heading, then every knob with its meaning, unit,
// range and source.
func TestWritten(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeEM4(&b, "figure 1", em4.Small12()))
	parts := strings.Split(b.String(), "\n\n")
	require.Equal(t, "# figure 1\n# Use it with 'emsim run PROGRAM --machine FILE.toml'. A key that is left out "+
		"has\n# the prototype's value (emc-r).\nmachine = \"em4\"", parts[0])
	require.Len(t, parts, 1+len(em4.Knobs()))
	for i, k := range em4.Knobs() {
		about := map[string]string{
			"pes":          "unit: PEs; range: 4..1114112; source: " + k.Source + "\npes = 12",
			"clock_ns":     "unit: ns; range: above 10^-10 and below 10^9; source: " + k.Source + "\nclock_ns = 80.0",
			"burst_refill": "range: true, false; source: " + k.Source + "\nburst_refill = true",
			"mlpe_route":   "range: reverse, group, both; source: " + k.Source + "\nmlpe_route = \"reverse\"",
		}[k.Key]
		require.Contains(t, parts[1+i], "# "+k.Doc+"\n#   "+about)
	}
	require.ErrorIs(t, writeEM4(full{}, "x", em4.Small12()), errFull)
}

var errFull = errors.New("no room")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// Every integer is accepted at both ends of its range, if the other knobs permit it, and rejected beyond, with its
// place.
func TestEveryRange(t *testing.T) {
	var c em4.Config
	for _, k := range em4.Knobs() {
		if _, ok := k.Ref(&c).(*int); !ok {
			continue
		}
		for _, v := range []int64{k.Min - 1, k.Max + 1} {
			_, err := readEM4("m.toml", fmt.Appendf(nil, "\n%s = %d\n", k.Key, v))
			require.ErrorContains(t, err,
				fmt.Sprintf("m.toml:2:1: %s is %d, it must be %d..%d %s", k.Key, v, k.Min, k.Max, k.Unit))
		}
		for _, v := range []int64{k.Min, k.Max} {
			if _, err := readEM4("m.toml", fmt.Appendf(nil, "%s = %d\n", k.Key, v)); err != nil {
				require.NotContains(t, err.Error(), fmt.Sprintf("it must be %d..%d", k.Min, k.Max))
			}
		}
		require.Equal(t, fmt.Sprintf("%d..%d", k.Min, k.Max), k.Bind(&em4.Config{}).Range())
	}
}

// Ranges of the other types, and values in the form of the file.
func TestRangesAndValues(t *testing.T) {
	c := em4.Prototype80()
	got := map[string]string{}
	for _, k := range em4.Knobs() {
		got[k.Key] = k.Bind(&c).TOML() + " of " + k.Bind(&c).Range()
	}
	require.Equal(t, "80.0 of above 10^-10 and below 10^9", got["clock_ns"])
	require.Equal(t, `"reverse" of reverse, group, both`, got["mlpe_route"])
	require.Equal(t, "true of true, false", got["burst_refill"])
	require.Regexp(t, `^80 of 4\.\.`, got["pes"])
	for ns, want := range map[float64]string{100: "100.0", 12.5: "12.5", 1e-7: "1e-07", 1e30: "1e+30"} {
		c.ClockNS = ns
		for _, k := range em4.Knobs() {
			if k.Key == "clock_ns" {
				require.Equal(t, want, k.Bind(&c).TOML())
			}
		}
	}
}

// The named machines, the prototype first, can be found by name and by size.
func TestPresetsByName(t *testing.T) {
	require.Equal(t, []string{"emc-r", "12", "80", "1024"}, PresetNames())
	for name, want := range map[string]em4.Config{
		"emc-r": em4.Prototype80(), "80": em4.Prototype80(),
		"12": em4.Small12(), "1024": em4.Target1024(),
	} {
		p, ok := Lookup(name)
		require.True(t, ok)
		require.Equal(t, name, p.Name)
		require.Equal(t, want, p.Config)
		require.Contains(t, p.Doc, "[003 ")
	}
	p, ok := Lookup("")
	require.False(t, ok)
	require.Zero(t, p)
	require.Equal(t, em4.Small12(), ForSize(12))
	require.Equal(t, em4.Prototype80(), ForSize(80))
	require.Equal(t, 81, ForSize(81).PEs, "whether there is such a machine is for Validate to say")
	_, err := Load("no.toml")
	require.EqualError(t,
		err,
		`no machine and no file is called "no.toml": expected emc-r, 12, 80, 1024 or a TOML file, as 'emsim machine show' prints it`)
}

// Errors are in the order of their places: by line, then by column. An unknown table is reported with the others.
func TestErrorOrder(t *testing.T) {
	_, err := readEM4("m.toml", []byte("zeta = 1\nalpha = 2\n[beta]\nx = 1\n"))
	var all Errors
	require.ErrorAs(t, err, &all)
	var told []string
	for _, e := range all {
		told = append(told, fmt.Sprintf("%d:%d %s", e.Line, e.Column, strings.SplitN(e.Message, ";", 2)[0]))
	}
	require.Equal(t, []string{
		`1:1 a machine has no knob "zeta"`,
		`2:1 a machine has no knob "alpha"`,
		`3:2 a machine has no table "beta": its keys belong at the top of the file, as in 'emsim machine show'`,
	}, told)
	_, err = readEM4("m.toml", []byte("hop_clocks = 0\nbanks = 4\nfifo_words = 1\n"))
	require.ErrorAs(t, err, &all)
	require.Equal(t, []int{1, 2, 3}, []int{all[0].Line, all[1].Line, all[2].Line},
		"all values out of range, not the first")
}

// An unknown key is reported only once, whatever its value.
func TestOneErrorAKey(t *testing.T) {
	for text, want := range map[string]string{
		"PES = 'x'":            "m.toml:1:1: a machine has no knob \"PES\"; did you mean \"pes\"?",
		"[pes]\nx = 1":         "m.toml:1:2: pes is a value, not a table: write pes = ...",
		"pes = 12\npes = 'x'":  "m.toml:2:1: this is not TOML: key pes is already defined",
		"\n\npes = 81":         "m.toml:3:1: no circular omega network has 81 PEs (",
		"\n fifo_words = 33":   "m.toml:2:2: fifo_words is 33, it must be an even number",
		"pes = 'x'\nbanks = 9": "m.toml:1:7: pes is a whole number (PEs), not the string \"x\"",
	} {
		_, err := readEM4("m.toml", []byte(text))
		var all Errors
		require.ErrorAs(t, err, &all)
		require.Len(t, all, 1, text)
		require.Contains(t, messages(err), want)
	}
}
