package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
	"emsim/rtl"
)

const chip = `// a == b
  input  logic [3:0] a,
  assign x = a == b && !c;   // not here: d == e
  always_ff @(posedge clk) begin
    full_q <= 1'b1;
    if (n < 3'd7) n_q <= n_q + 3'd1;
  end
  assign probe = {a == b,
                  c == d};
    assert (a == b);         // nor here
  assign y = a | b;
`

// Every operator, constant and register assignment is a point. Comments, assertions, pins and the probe contain none.
func TestHardwarePoints(t *testing.T) {
	var all []string
	for _, m := range hardwarePoints("chip.sv", chip) {
		require.NotEqual(t, chip, string(m.mutate([]byte(chip))))
		all = append(all, chip[m.start:m.end]+" => "+m.with)
		require.NotZero(t, m.Line)
	}
	require.Equal(t, []string{
		"== => !=", "&& => ||", "! => ",
		"full_q <= 1'b1; => ;",
		" <  =>  >= ", "3'd7 => 3'd0", "n_q <= n_q + 3'd1; => ;",
		" |  =>  & ",
	}, all)
}

func TestChangedWord(t *testing.T) {
	for old, want := range map[string]string{
		"1'b1": "1'd0", "4'b0111": "4'd8", "18'd262143": "18'd0",
		"a_q <= b;": ";",
	} {
		require.Equal(t, want, changedWord(old))
	}
}

// Each of the project's modules has enough points.
func TestPlaces(t *testing.T) {
	s := rtl.Embedded()
	for _, m := range s.Modules() {
		if m != "emcr.sv" && m != "machine.sv" {
			require.NotEmpty(t, hardwarePoints(m, s[m]), m)
		}
	}
}

// An unknown module gives an error with its name; each module is a package of its own.
func TestModules(t *testing.T) {
	list, err := packagesAndModules(t.Context(), "../..", []string{"rtl/ibu.sv", "su.sv"})
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "rtl/su.sv", list[1].Name)
	_, err = packagesAndModules(t.Context(), "../..", []string{"rtl/none.sv"})
	require.EqualError(t, err, "there is no module rtl/none.sv")
}

// A mutant is equivalent if, and only if, a solver proves that its outputs equal the original's. Examples are the value
// of an unused signal, and the step of a table.
func TestProof(t *testing.T) {
	needs.Tool(t, "yosys")
	prove := func(file, old, changed string) bool {
		s, original, mutant := rtl.Embedded(), t.TempDir(), t.TempDir()
		require.NoError(t, s.Write(original))
		require.Contains(t, s[file], old)
		s[file] = strings.Replace(s[file], old, changed, 1)
		require.NoError(t, s.Write(mutant))
		same, err := provenSame(t.Context(), file, original, mutant)
		require.NoError(t, err)
		return same
	}
	require.True(t, prove("fpu.sv", "apart    = 8'd0", "apart    = 8'd1"))
	require.False(t, prove("load.sv", "17'd128", "17'd129"))
	t.Setenv("PATH", "")
	_, err := provenSame(t.Context(), "load.sv", "", "")
	require.ErrorIs(t, err, exec.ErrNotFound)
}
