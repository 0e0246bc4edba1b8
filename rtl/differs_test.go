package rtl_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/needs"
	"emsim/rtl"
)

// The test's own program can stand between a test and the chips, and change one byte. These environment variables
// control it: proxied names the program of the chips, flipped the byte.
const (
	proxied = "EMSIM_RTL_PROXIED"
	flipped = "EMSIM_RTL_FLIPPED" // "to" or "from", and the number of the byte
)

func TestMain(m *testing.M) {
	if exe := os.Getenv(proxied); exe != "" {
		if err := proxy(exe, os.Getenv(flipped)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// proxy passes on all bytes between the test and the chips, but changes one.
func proxy(exe, what string) error {
	var way string
	var at int64
	if _, err := fmt.Sscan(what, &way, &at); err != nil {
		return err
	}
	in, out := io.Reader(os.Stdin), io.Writer(os.Stdout)
	cmd := exec.Command(exe)
	cmd.Stderr = os.Stderr
	if way == "to" {
		in = &flip{in: in, left: at}
	}
	cmd.Stdin, cmd.Stdout = in, out
	if way == "to" {
		return cmd.Run()
	}
	cmd.Stdout = nil
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_, err = io.Copy(out, &flip{in: from, left: at})
	return err
}

// flip is a reader that changes one byte of what it reads.
type flip struct {
	in   io.Reader
	left int64 // bytes before the byte to change
}

func (f *flip) Read(b []byte) (int, error) {
	n, err := f.in.Read(b)
	if f.left >= 0 && f.left < int64(n) {
		b[f.left] ^= 0x40
	}
	f.left -= int64(n)
	return n, err
}

// change arranges for one byte to be changed between the test and the chips, and returns the program to run.
func change(t *testing.T, exe, what string) string {
	t.Setenv(proxied, exe)
	t.Setenv(flipped, what)
	self, err := os.Executable()
	require.NoError(t, err)
	return self
}

// Chips that receive other data than the model differ from the model. The error names the first clock, the PE and both
// values.
func TestDifferencesAreFound(t *testing.T) {
	machine, switches := build(t, rtl.MachineTarget), build(t, rtl.SwitchTarget)
	_, p := program(t, "fib", nil)
	r := rtl.Run{Config: em4.Small12(), Program: p, Seed: 1, Args: []uint64{4}}

	var d *rtl.Difference
	_, err := r.Compare(t.Context(), change(t, machine, "to 12")) // the base of the operand segments
	require.ErrorAs(t, err, &d)
	require.Regexp(t, `^after clock \d+, PE \[0,0\]: .*model 0x[0-9a-f]+, chip 0x[0-9a-f]+`, d.Error())

	_, err = r.Compare(t.Context(), change(t, machine, "from 80")) // the digest of the 11th clock
	require.EqualError(t, err, "the digests differ after clock 11, but no register does")

	traffic := trafficRun(1, 0, 12, 1500)
	traffic.Offer = 40
	_, err = traffic.Compare(t.Context(), change(t, switches, "to 4")) // how often a PE offers a packet
	require.ErrorAs(t, err, &d)
	require.Regexp(t, `^after clock \d+, PE \[\d,\d\]: .*model 0x`, d.Error())
	_, err = traffic.Compare(t.Context(), change(t, switches, "from 8800"))
	require.EqualError(t, err, "the digests differ after clock 1101, but no register does")

	_, err = r.Compare(t.Context(), change(t, filepath.Join(t.TempDir(), "no-chips"), "to 0"))
	require.ErrorContains(t, err, "the simulation of the chips has ended: ")
	require.ErrorContains(t, err, "no-chips")
	_, err = r.Compare(t.Context(), filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A simulation is built once for each text of its sources. The compiler's messages are reported.
func TestBuild(t *testing.T) {
	needs.Verilator(t)
	cache := t.TempDir()
	target := rtl.Target{Top: "wire_pair", Main: "main.cpp"}
	s := rtl.Sources{
		"wire_pair.sv": "module wire_pair(input logic a, output logic b);\n  assign b = inverse_pkg::INVERSE ^ " +
			"a;\nendmodule\n",
		"inverse_pkg.sv": "package inverse_pkg;\n  localparam logic INVERSE = 1;\nendpackage\n",
		"sim/main.cpp": "#include \"Vwire_pair.h\"\n#include <cstdio>\nint main() { Vwire_pair w; w.a = 1; w.eval(); " +
			"printf(\"%d\\n\", w.b); return 0; }\n" +
			"double sc_time_stamp() { return 0; }\n",
	}
	exe, err := s.Build(t.Context(), target, cache)
	require.NoError(t, err)
	said, err := exec.Command(exe).Output()
	require.NoError(t, err)
	require.Equal(t, "0\n", string(said))

	// The program is kept: another program in its place is used without a new build.
	require.NoError(t, os.WriteFile(exe, []byte("#!/bin/sh\necho kept\n"), 0o700))
	again, err := s.Build(t.Context(), target, cache)
	require.NoError(t, err)
	require.Equal(t, exe, again)
	said, err = exec.Command(again).Output()
	require.NoError(t, err)
	require.Equal(t, "kept\n", string(said))

	s["wire_pair.sv"] = "module wire_pair(input logic a, output logic b)\n  assign b = ~a;\nendmodule\n"
	_, err = s.Build(t.Context(), target, cache)
	require.ErrorContains(t, err, "verilator cannot build wire_pair: ")
	require.ErrorContains(t, err, "wire_pair.sv:2")
	require.ErrorContains(t, s.Lint(t.Context(), "wire_pair"), "verilator --lint-only -Wall, wire_pair: ")
	left, err := os.ReadDir(cache)
	require.NoError(t, err)
	require.Len(t, left, 1, "a build that failed leaves nothing")

	// It is an error if the new program cannot be put into its place.
	fake := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(fake, "verilator"), []byte("#!/bin/sh\necho fake\n"), 0o700))
	t.Setenv("PATH", fake+":"+os.Getenv("PATH"))
	exe, err = s.Build(t.Context(), target, cache)
	require.NoError(t, err)
	_, err = s.Build(t.Context(), target, cache) // the last build made no program, but its folder is in the way
	require.ErrorIs(t, err, os.ErrExist)
	require.NoError(t, os.RemoveAll(filepath.Dir(exe)))

	t.Setenv("PATH", t.TempDir())
	_, err = s.Build(t.Context(), target, cache)
	require.ErrorIs(t, err, rtl.ErrNoVerilator)
	require.True(t, strings.Contains(err.Error(), "apt-get install"))
}
