package vcd

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/vcdread"
)

func TestFile(t *testing.T) {
	var b bytes.Buffer
	f := New(&b, "top", "costs $5", "")
	f.Scope("in")
	a := f.Text("a", "none")
	f.Leave()
	n := f.Number("n", 7)
	f.Begin(3)
	f.SetNumber(n, 0)
	f.At(3) // no line
	f.SetText(a, "x y~\u00e4")
	f.At(9)
	require.Equal(t, uint64(9), f.Now())
	f.SetNumber(n, 100)
	require.NoError(t, f.Close())
	require.Equal(t, `$comment costs 5 $end
$comment one unit of time is one clock of the machine $end
$version emsim $end
$timescale 1 ns $end
$scope module top $end
$scope module in $end
$var string 1 ! a $end
$upscope $end
$var reg 7 " n [6:0] $end
$upscope $end
$enddefinitions $end
#3
$dumpvars
snone !
b0 "
$end
b0 "
sx_y~_ !
#9
b1100100 "
`, b.String())
	require.Equal(t, map[string][]vcdread.Change{
		"top.in.a": {{At: 3, Value: "x_y~_"}},
		"top.n":    {{At: 3, Value: "0"}, {At: 9, Value: "100"}},
	}, vcdread.Read(t, b.String()))
	vcdread.RoundTrip(t, b.Bytes())
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestFileSaysThatItIsNotWritten(t *testing.T) {
	require.EqualError(t, New(full{}, "top").Close(), "full")
}

func TestCodes(t *testing.T) {
	seen, f := map[string]bool{}, New(full{}, "top")
	for range 20_000 {
		code := f.code()
		require.False(t, seen[code], code)
		seen[code] = true
		require.Regexp(t, `^[!-~]{1,3}$`, code)
	}
}
