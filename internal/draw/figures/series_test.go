package figures

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
)

const pdesSeries = "time,worker,lps,doing,slot_clocks,inbox\n" +
	"0,0,1,slot,0,0\n0,1,1,idle,0,0\n100,0,1,slot,50,0\n100,1,1,idle,0,2\n150,0,1,idle,100,0\n150,1,1,slot,25,0\n"

func TestSeriesLoads(t *testing.T) {
	s, err := (seriesFile{"s.csv", []byte(pdesSeries)}).readLoads()
	require.NoError(t, err)
	for at, want := range map[float64][2]float64{
		1: {0.5, 0}, 99: {0.5, 0}, 101: {1, 0.5}, 150: {1, 0.5},
		999: {1, 0.5},
	} {
		require.Equal(t, want, [2]float64{s.loadAt(at, 0), s.loadAt(at, 1)}, at)
	}
	require.InDelta(t, 1, s.greatestLoad(), 0)
	s, err = (seriesFile{
		"m.csv",
		[]byte("time,worker,x,y,action\n0,0,3,0,idle\n10,0,7,0,PROC\n10,0,0,0,idle\n"),
	}).readLoads()
	require.NoError(t, err)
	require.InDelta(t, 3, s.loadAt(5, 0), 0)
	require.InDelta(t, 7, s.greatestLoad(), 0)
	// Of an unknown machine it shows the column after the worker.
	s, err = (seriesFile{"b.csv", []byte("time,worker,waiting,place\n0,0,5,true\n9,0,8,false\n")}).readLoads()
	require.NoError(t, err)
	require.InDelta(t, 5, s.loadAt(5, 0), 0)
	require.InDelta(t, 8, s.greatestLoad(), 0)
	require.Equal(t, "For every worker: waiting", s.kind.words)
}

// em4Series has a run of two windows and one of a single window.
const em4Series = "run,time,clocks,busy_pes,exu_fmu,ibu_only,network_wait,idle\n" +
	"1,100,100,6,0.5,0.25,0.125,0.125\n1,140,40,2,0.25,0,0,0.75\n2,50,50,1,1,0,0,0\n"

// The windows of a run of the EM-4 lie side by side, and each state's area is as high as
// its share.
func TestStatesOverTime(t *testing.T) {
	f := seriesFile{"s.csv", []byte(em4Series)}
	runs, err := f.readStates()
	require.NoError(t, err)
	require.Equal(t, []*stateSeries{
		{run: 1, edges: []float64{0, 100, 140}, share: [4][]float64{{.5, .25}, {.25, 0}, {.125, 0}, {.125, .75}}},
		{run: 2, edges: []float64{0, 50}, share: [4][]float64{{1}, {0}, {0}, {0}}},
	}, runs)
	fig, err := Series(f.file, f.text, OwnSize{Height: 12})
	require.NoError(t, err)
	data, err := Encode(t.Context(), fig, "s.png")
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	count := map[color.RGBA]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			r, g, b, a := picture.At(x, y).RGBA()
			count[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}]++
		}
	}
	// In clocks times per cent: 100 x 50 + 40 x 25 + 50 x 100 at work, 100 x 25 with only the IBU.
	work, ibu := color.RGBAModel.Convert(states[0]).(color.RGBA), color.RGBAModel.Convert(states[1]).(color.RGBA)
	require.InEpsilon(t, 11000./2500, float64(count[work])/float64(count[ibu]), .15, "%d and %d pixels", count[work],
		count[ibu])
}

func TestSeriesFigure(t *testing.T) {
	for _, text := range []string{
		pdesSeries,
		"time,worker,rows,doing,calc_s,wait_s\n0.0,0,9,compute,0,0\n0.5,0,9,done,0.25,0\n",
		"time,worker,x,y,action\n0,0,3,0,idle\n10,0,7,0,PROC\n",
		"time,worker,tasks,doing,busy_s\n0.0,0,9,task,0\n0.5,0,8,task,0.5\n", em4Series,
	} {
		f, err := Series("s.csv", []byte(text), OwnSize{Height: 6})
		require.NoError(t, err)
		data, err := Encode(t.Context(), f, "s.svg")
		require.NoError(t, err)
		require.Contains(t, string(data), "<svg")
	}
}

// Every error of a file names its place.
func TestBadSeries(t *testing.T) {
	const head = "time,worker,lps,doing,slot_clocks,inbox\n"
	for text, want := range map[string]string{
		"":                                 "expected the head of a file of --series: one of\n  time,worker,x,y,action",
		em4Series + "2,50,50,1,1,0,0\n":    "s.csv:5:1: wrong number of fields",
		em4Series + "2,90,50,1,1,0,0,0\n":  "s.csv:5:1: expected the window that begins at clock 50",
		em4Series + "3,9,9,1,1,0,0,none\n": "s.csv:5:15: \"none\" is not a number",
		"run,time,clocks,idle\n1,1,1,1\n":  "the head has no column exu_fmu",
		"run,time,clocks,busy_pes,exu_fmu,ibu_only,network_wait,idle\n": "no window",
		"a,b\n1,2\n":                       "s.csv:1:1: expected the head",
		"clock,worker,x,y,action\n":        "s.csv:1:1: the column clock is now called time; write the file again",
		"run,clock,clocks,idle\n1,1,1,1\n": "s.csv:1:5: the column clock is now called time",
		"time,rank,rows\n":                 "s.csv:1:6: the column rank is now called worker",
		head:                               "s.csv: fewer than two samples",
		head + "0,0,1,slot,0,0\n":          "fewer than two samples",
		head + "0,0,1,slot,x,0\n": "s.csv:2:12: \"x\" is not a number, 0 or more\n    0,0,1,slot,x,0\n " +
			"              ^",
		head + "-1,0,1,slot,0,0\n":                       `s.csv:2:1: "-1" is not a number`,
		head + "0,0,1\n":                                 "s.csv:2:1: wrong number of fields",
		head + "0,1,1,slot,0,0\n":                        "s.csv:2:3: expected the next PP of a sample",
		head + "5,0,1,a,0,0\n0,0,1,a,0,0\n":              "s.csv:3:3: expected the next PP",
		head + "0,0,1,a,0,0\n0,1,1,a,0,0\n5,0,1,a,0,0\n": "the sample at 5 has 1 PPs, the first has 2",
		head + "0,0,1,a,0,0\n0,0,1,a,0,0\n":              "all samples have the same time",
	} {
		_, err := Series("s.csv", []byte(text), OwnSize{})
		require.ErrorContains(t, err, want, text)
		require.ErrorAs(t, err, new(*simerr.Usage))
		require.True(t, errors.As(err, new(srcerr.Errors)))
	}
}
