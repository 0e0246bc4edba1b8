package figures

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
)

const pdesSeries = "clock,pp,lps,doing,slot_clocks,inbox\n0,0,1,slot,0,0\n0,1,1,idle,0,0\n100,0,1,slot,50,0\n100,1,1,idle,0,2\n150,0,1,idle,100,0\n150,1,1,slot,25,0\n"

func TestSeriesLoads(t *testing.T) {
	s, err := readSeries("s.csv", []byte(pdesSeries))
	require.NoError(t, err)
	for at, want := range map[float64][2]float64{1: {0.5, 0}, 99: {0.5, 0}, 101: {1, 0.5}, 150: {1, 0.5}, 999: {1, 0.5}} {
		require.Equal(t, want, [2]float64{s.loadAt(at, 0), s.loadAt(at, 1)}, at)
	}
	require.InDelta(t, 1, s.greatestLoad(), 0)
	s, err = readSeries("m.csv", []byte("clock,pe,x,y,action\n0,0,3,0,idle\n10,0,7,0,PROC\n10,0,0,0,idle\n"))
	require.NoError(t, err)
	require.InDelta(t, 3, s.loadAt(5, 0), 0)
	require.InDelta(t, 7, s.greatestLoad(), 0)
}

func TestSeriesFigure(t *testing.T) {
	for _, text := range []string{pdesSeries, "s,rank,rows,doing,calc_s,wait_s\n0.0,0,9,compute,0,0\n0.5,0,9,done,0.25,0\n", "clock,pe,x,y,action\n0,0,3,0,idle\n10,0,7,0,PROC\n", "s,processor,tasks,doing,busy_s\n0.0,0,9,task,0\n0.5,0,8,task,0.5\n"} {
		f, err := Series("s.csv", []byte(text), OwnSize{Height: 6})
		require.NoError(t, err)
		data, err := Encode(t.Context(), f, "s.svg")
		require.NoError(t, err)
		require.Contains(t, string(data), "<svg")
	}
}

// Every mistake is told with its place.
func TestBadSeries(t *testing.T) {
	const head = "clock,pp,lps,doing,slot_clocks,inbox\n"
	for text, want := range map[string]string{
		"":                                  "expected the head of a file of --series: one of\n  clock,pe,x,y,action",
		"a,b\n1,2\n":                        "s.csv:1:1: expected the head",
		head:                                "s.csv: fewer than two samples",
		head + "0,0,1,slot,0,0\n":           "fewer than two samples",
		head + "0,0,1,slot,x,0\n":           "s.csv:2:12: \"x\" is not a number, 0 or more\n    0,0,1,slot,x,0\n               ^",
		head + "-1,0,1,slot,0,0\n":          `s.csv:2:1: "-1" is not a number`,
		head + "0,0,1\n":                    "s.csv:2:1: wrong number of fields",
		head + "0,1,1,slot,0,0\n":           "s.csv:2:3: expected the next PP of a sample",
		head + "5,0,1,a,0,0\n0,0,1,a,0,0\n": "s.csv:3:3: expected the next PP",
		head + "0,0,1,a,0,0\n0,1,1,a,0,0\n5,0,1,a,0,0\n": "the sample at 5 has 1 PPs, the first has 2",
		head + "0,0,1,a,0,0\n0,0,1,a,0,0\n":              "all samples are of the same time",
	} {
		_, err := Series("s.csv", []byte(text), OwnSize{})
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*simerr.Usage))
		require.True(t, errors.As(err, new(srcerr.Errors)))
	}
}
