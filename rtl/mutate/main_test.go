package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/rtl"
)

const sample = `// a == b
  input  logic [3:0] a,
  assign x = a == b && !c;   // not here: d == e
  always_ff @(posedge clk) begin
    full_q <= 1'b1;
    if (n < 3'd7) n_q <= n_q + 3'd1;
  end
  assign probe = {a == b,
                  c == d};
  assign y = a | b;
`

// Every operator, constant and assignment of a register is a place for a
// mistake; comments, pins and the probe have none.
func TestMistakes(t *testing.T) {
	var all []string
	for _, m := range mistakes(sample) {
		text := sample[:m.from] + m.text + sample[m.to:]
		require.NotEqual(t, sample, text)
		all = append(all, sample[m.from:m.to]+" => "+m.text)
		require.NotZero(t, m.line)
	}
	require.Equal(t, []string{
		"== => !=", "&& => ||", "! => ",
		"full_q <= 1'b1; => ;",
		" <  =>  >= ", "3'd7 => 3'd0", "n_q <= n_q + 3'd1; => ;",
		" |  =>  & ",
	}, all)
}

func TestChange(t *testing.T) {
	for old, want := range map[string]string{"1'b1": "1'd0", "4'b0111": "4'd8", "18'd262143": "18'd0", "a_q <= b;": ";"} {
		require.Equal(t, want, change(old))
	}
}

// The project's modules have enough places, in each of them.
func TestPlaces(t *testing.T) {
	s := rtl.Embedded()
	for _, m := range s.Modules() {
		if m != "emcr.sv" && m != "pair.sv" {
			require.NotEmpty(t, mistakes(s[m]), m)
		}
	}
}
