package machinefile

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/simerr"
)

// readEM4 returns the EM-4 that a file's text describes.
func readEM4(file string, text []byte) (em4.Config, error) {
	m := Kinds()[0].NewMachine()
	if err := m.Read(file, text); err != nil {
		return em4.Config{}, err
	}
	return *m.Config.(*em4.Config), nil
}

// writeEM4 writes an EM-4 as a file.
func writeEM4(w io.Writer, title string, c em4.Config) error { return EM4(&c).Write(w, title) }

// Every preset and any other machine can be read back from the output of Write.
func TestRoundTrip(t *testing.T) {
	back := func(t require.TestingT, c em4.Config) {
		var b bytes.Buffer
		require.NoError(t, writeEM4(&b, "test", c))
		got, err := readEM4("m.toml", b.Bytes())
		require.NoError(t, err, "%s", b.String())
		require.Empty(t, cmp.Diff(c, got))
	}
	for _, p := range Presets() {
		require.NoError(t, p.Config.Validate(), p.Name)
		back(t, p.Config)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := em4.Small12()
		for _, r := range knob.Bind(em4.Knobs(), &c) {
			old := c
			r.Draw(func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, r.Key) })
			if c.Validate() != nil {
				c = old // does not fit the other values
			}
		}
		back(t, c)
	})
}

// Every field of the machine is a knob, under the key that the file uses.
func TestKnobsCoverConfig(t *testing.T) {
	var keys []string
	for _, k := range em4.Knobs() {
		keys = append(keys, k.Key)
		require.NotEmpty(t, k.Doc, k.Key)
		require.NotEmpty(t, k.Source, k.Key)
	}
	var fields []string
	for f := range reflect.TypeFor[em4.Config]().Fields() {
		fields = append(fields, f.Tag.Get("toml"))
	}
	require.Equal(t, fields, keys)
}

func TestOmittedKeysAreThePrototypes(t *testing.T) {
	want := em4.Prototype80()
	want.PEs, want.ClockNS, want.BurstRefill = 12, 100, false
	got, err := readEM4("m.toml", []byte("# small\npes = 12\nclock_ns = 100\nburst_refill = false\n"))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			"pes = 80\nbank = 3\nfifowords = 32\n",
			"m.toml:2:1: a machine has no knob \"bank\"; did you mean \"banks\"?\nm.toml:3:1: a machine has no knob " +
				"\"fifowords\"; did you mean \"fifo_words\"?",
		},
		{"zzz = 1", "m.toml:1:1: a machine has no knob \"zzz\"; it has pes, clock_ns"},
		{"PES = 12", "m.toml:1:1: a machine has no knob \"PES\"; did you mean \"pes\"?"},
		{"\"\" = 1", "m.toml:1:1: a machine has no knob \"\""},
		{"[machine]\npes = 12", "m.toml:1:2: a machine has no table \"machine\""},
		{"[[machine]]\npes = 12", "m.toml:1:3: a machine has no table \"machine\""},
		{"[pes]\nx = 1", "m.toml:1:2: pes is a value, not a table: write pes = ..."},
		{"pes.x = 1", "m.toml:1:1: pes is a value, not a table: write pes = ..."},
		{"pes = \"eighty\"", "m.toml:1:7: pes is a whole number (PEs), not the string \"eighty\""},
		{"pes = 80.0", "m.toml:1:7: pes is a whole number (PEs), not 80.0"},
		{"pes = [80]", "m.toml:1:1: pes is a whole number (PEs), not a list"},
		{"pes = {a = 1}", "m.toml:1:1: pes is a value, not a table: write pes = ..."},
		{"pes = 1999-01-01", "m.toml:1:7: pes is a whole number (PEs), not a date"},
		{"mlpe_compare = 1", "m.toml:1:16: mlpe_compare is true or false, not 1"},
		{"mlpe_route = true", "m.toml:1:14: mlpe_route is text in quotes, one of reverse, group, both, not true"},
		{"mlpe_route = 'ring'", "m.toml:1:1: mlpe_route is \"ring\", it must be one of reverse, group, both"},
		{"clock_ns = true", "m.toml:1:12: clock_ns is a number (ns), not true"},
		{"pes = 99999999999999999999", "m.toml:1:7: this is not TOML: decimal number is too large"},
		{"bank = 1\npes = 'x'", "m.toml:1:1: a machine has no knob \"bank\"; did you mean \"banks\"?\nm.toml:2:7: " +
			"pes is a whole number (PEs), not the string \"x\""},
		{
			"\n\nbanks = 4\nhop_clocks = 0",
			"m.toml:3:1: banks is 4, it must be 1..3 banks\nm.toml:4:1: hop_clocks is 0, it must be 1..8 clocks",
		},
		{"pes = 81", "m.toml:1:1: no circular omega network has 81 PEs"},
		{"segment_words = 48", "m.toml:1:1: segment_words is 48, it must be a power of two"},
		{"clock_ns = nan", "m.toml:1:1: clock_ns is NaN, it must be above 10^-10"},
		{"fifo_words = 33", "m.toml:1:1: fifo_words is 33, it must be an even number"},
		{"segments = 8191", "m.toml: memory_words is 262144: "},
		{"pes = 12\npes = 80", "m.toml:2:1: this is not TOML: key pes is already defined"},
		{"pes =", "m.toml:1:5: this is not TOML: expected value"},
		{"pes 80", "m.toml:1:5: this is not TOML: "},
		{"\xff\xfe", "m.toml:1:1: this is not TOML: "},
	} {
		_, err := readEM4("m.toml", []byte(c.text))
		require.Error(t, err, "for %q", c.text)
		require.Contains(t, messages(err), c.want, "for %q", c.text)
		require.NotContains(t, err.Error(), "Config", "Go's names are not for people")
		var e Errors
		require.ErrorAs(t, err, &e)
		require.Len(t, e.Details()["errors"], len(e))
		require.ErrorAs(t, err, new(*simerr.Usage))
	}
}

// messages returns the lines of an error without the excerpts of the file.
func messages(err error) string {
	lines := slices.DeleteFunc(strings.Split(err.Error(), "\n"),
		func(l string) bool { return strings.HasPrefix(l, "    ") })
	return strings.Join(lines, "\n")
}

// An error shows its place in the line.
func TestErrorsShowTheLine(t *testing.T) {
	_, err := readEM4("m.toml", []byte("pes = 80\nhop_clocks = true\n"))
	require.EqualError(t, err, "m.toml:2:14: hop_clocks is a whole number (clocks), not true\n    hop_clocks = "+
		"true\n                 ^")
}

func TestLoad(t *testing.T) {
	c, err := Load("1024")
	require.NoError(t, err)
	require.Equal(t, em4.Target1024(), c)

	_, err = Load("emcr")
	require.ErrorContains(t, err, `no machine and no file is called "emcr"`)
	require.ErrorContains(t, err, `did you mean "emc-r"?`)
	_, err = Load(t.TempDir())
	require.ErrorContains(t, err, "cannot read the machine")

	file := filepath.Join(t.TempDir(), "m.toml")
	require.NoError(t, os.WriteFile(file, []byte("pes = 12\n"), 0o600))
	c, err = Load(file)
	require.NoError(t, err)
	require.Equal(t, em4.Small12(), c)
}

func TestForSize(t *testing.T) {
	require.Equal(t, em4.Target1024(), ForSize(1024))
	want := em4.Prototype80()
	want.PEs = 192
	require.Equal(t, want, ForSize(192))
}

func TestManyErrors(t *testing.T) {
	var b strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	_, err := readEM4("f.toml", []byte(b.String()))
	var all Errors
	require.ErrorAs(t, err, &all)
	require.Len(t, all, 21)
	require.ErrorContains(t, err, `f.toml:20:1: a machine has no knob "k19"`)
	require.ErrorContains(t, err, "\nf.toml: these are the first 20 errors, there may be more")
}

func TestWrongFiles(t *testing.T) {
	dir := t.TempDir()
	for text, message := range map[string]string{
		"EMSIMCKP": "x is a checkpoint, not a machine file: emsim run --resume ",
		"\t.start": "x is assembly text, not a machine file: emsim run ",
		"[[grid]]": "x is a sweep file, not a machine file: emsim sweep ",
		strings.Repeat("# hello\n", 1<<12) +
			"\n": "x is too large: a machine file has at most 32 KiB, more than enough for all knobs with comments",
	} {
		file := filepath.Join(dir, "x")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		_, err := Load(file)
		require.ErrorContains(t, err, "cannot read the machine: ")
		require.ErrorContains(t, err, message)
	}
	_, err := Load(dir)
	require.ErrorContains(t, err, " is a directory: expected a file")
}

// FuzzRead: any text gives an error or a valid machine, and no panic.
func FuzzRead(f *testing.F) {
	var b strings.Builder
	_ = writeEM4(&b, "seed", em4.Prototype80())
	for _, s := range []string{b.String(), "pes = 'x'", "[pes]", "a.b.c = {x = [1, 2]}", "pes = 0x1p3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := readEM4("f.toml", text)
		if err == nil {
			require.NoError(t, c.Validate())
		} else {
			require.NotEmpty(t, err.Error())
		}
	})
}
