package command

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/sweep"
)

// --curve measures every requested size and pattern, and draws the curves.
func TestCurve(t *testing.T) {
	file := filepath.Join(t.TempDir(), "curve.svg")
	x := jsonOf(t, "net", "traffic", "--curve", "--workers", "12,32", "--pattern", "uniform,neighbour", "--warm", "100",
		"--clocks", "1000", "-o", file)
	var got []string
	for _, c := range x["curves"].([]any) {
		c := c.(map[string]any)
		got = append(got, strconv.Itoa(int(c["pes"].(float64)))+" "+c["pattern"].(string))
		require.Equal(t, []any{100.0, 1000.0}, []any{c["warm"], c["clocks"]})
	}
	require.Equal(t, []string{"12 uniform", "12 neighbour", "32 uniform", "32 neighbour"}, got)
	svg, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(svg), ">32 PEs<")
	one := jsonOf(t, "net", "traffic", "--curve", "--pes", "32", "--pattern", "neighbour", "--warm", "100", "--clocks",
		"1000", "--threads", "2")
	require.Equal(t, x["curves"].([]any)[3], one["curves"].([]any)[0],
		"a curve does not depend on the others, or on threads")
	require.Len(t, jsonOf(t, "net", "traffic", "--curve", "--pes", "12", "--warm", "10", "--clocks", "100")["curves"],
		4, "all patterns")
}

func TestCurveMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"--curve --clocks 0":                 "--clocks is 0, it must be 1..100000000000000",
		"--warm 200000000000000":             "--warm is 200000000000000, it must be 0..100000000000000",
		"--curve --load 0.3":                 "--load has no effect with --curve",
		"--curve --drain":                    "--drain has no effect with --curve",
		"--curve --stats x.csv":              "--stats has no effect with --curve",
		"--workers 12":                       "--workers has no effect without --curve",
		"-o x.svg":                           "--output has no effect without --curve",
		"--curve -o x.jpg":                   "-o needs a file that ends in .svg or .png, got \"x.jpg\"",
		"--curve --workers 13":               "--workers: no circular omega network has 13 PEs",
		"--curve --workers 12,12":            "--workers has 12 twice",
		"--curve --workers 12 --pes 80":      "--pes and --workers both say how large the network is",
		"--curve --pattern uniform,uniform":  "--pattern has uniform twice",
		"--curve --pattern uniform,neighbor": "no pattern is called \"neighbor\"",
	} {
		status, _, errs := emsim(append([]string{"net", "traffic"}, strings.Fields(line)...)...)
		require.Equal(t, 2, status, line)
		require.Contains(t, errs, want, line)
	}
}

// The command of a sweep's point for the network gives the point's numbers.
func TestSweepOfNetwork(t *testing.T) {
	network := []byte("[[grid]]\nmachine = \"net\"\nset = { pes = 12, pattern = \"hotspot\", load = 0.04, warm = " +
		"100, clocks = 700, banks = 2, hop_clocks = 2 }\nseed = 9\n")
	p, err := sweep.Read("x.toml", network)
	require.NoError(t, err)
	command := p.Points[0].Command()
	require.Equal(t, "emsim net traffic --pes 12 --pattern hotspot --load 0.04 --warm 100 --clocks 700 --set banks=2 "+
		"--set hop_clocks=2 --seed 9", command)
	alone := jsonOf(t, strings.Fields(command)[1:]...)

	dir := t.TempDir()
	file := filepath.Join(dir, "x.toml")
	require.NoError(t, os.WriteFile(file, network, 0o600))
	x := jsonOf(t, "sweep", file, "-o", dir, "--plot", filepath.Join(dir, "x.png"))
	require.Equal(t, filepath.Join(dir, "x.png"), x["plot"])
	text, err := os.ReadFile(filepath.Join(dir, "x.csv"))
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	values := strings.Split(lines[1], ",")
	for i, name := range strings.Split(lines[0], ",") {
		if v, is := alone[name].(float64); is {
			cell, err := strconv.ParseFloat(values[i], 64)
			require.NoError(t, err)
			require.InEpsilon(t, v+1, cell+1, 1e-12, name)
		}
	}
	png, err := os.ReadFile(filepath.Join(dir, "x.png"))
	require.NoError(t, err)
	require.Equal(t, "\x89PNG", string(png[:4]))
	for args, want := range map[string]string{
		"--plot x.gif":                  "--plot needs a file that ends in .svg or .png",
		"--plot x.svg --status":         "--plot has no effect with --status",
		"--reference load=0.1 --status": "--reference has no effect with --status",
		"--reference load=0.3":          "no row of the sweep has the reference's load=0.3",
		"--reference=":                  "the reference is \"\"",
		"--plot x.svg --x banks":        "nothing called \"banks\" varies",
		"--y clocks":                    "--y has no effect without --plot",
	} {
		status, _, errs := emsim(append([]string{"sweep", file, "-o", dir}, strings.Fields(args)...)...)
		require.Equal(t, 2, status, args)
		require.Contains(t, errs, want, args)
	}
}
