package command

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/answer/terminal"
	"emsim/verify"
)

// sensed returns two settings of a knob with four rows each, in different orders.
func sensed() []verify.Sensed {
	rows := func(deviations ...float64) []verify.Row {
		list := []verify.Row{
			{
				ID: "003.t1.time", PaperNo: "003", Quantity: "time", Unit: "ms", Paper: 2.0, Model: 2.1,
				Deviation: &deviations[0], Verdict: verify.Inside,
			},
			{
				ID: "003.t1.calls", PaperNo: "003", Quantity: "calls", Unit: "1", Paper: 9.0, Model: 9.0,
				Verdict: verify.Inside,
			},
			{
				ID: "003.t1.util", PaperNo: "003", Quantity: "utilisation", Unit: "%", Paper: 50.0, Model: 48.5,
				Deviation: &deviations[1], Verdict: verify.Outside,
			},
			{
				ID: "003.x.end", PaperNo: "003", Quantity: "outcome", Paper: "ok", Model: "deadlock",
				Verdict: verify.Drifted,
			},
		}
		return list
	}
	second := rows(-0.1, 2)
	second[0], second[2] = second[2], second[0]
	second[2].Verdict, second[3].Verdict, second[3].Model = verify.Outside, verify.Closed, "ok"
	return []verify.Sensed{
		{Knob: "hop_clocks", Value: "1", Chosen: true, Rows: rows(0.052, -1.54321)},
		{Knob: "hop_clocks", Value: "2", Rows: second},
	}
}

// The answer has a line for each setting with the rows outside their tolerances.
func TestSensitivityTable(t *testing.T) {
	var b bytes.Buffer
	terminal.Write(&b, sensitivitySaid(sensed()), terminal.Layout{Width: 80})
	require.Equal(t, `2 settings                                                             paper 003

setting                     outside  which rows, and how far they are from the
                                     paper
hop_clocks = 1 (published)        2  t1.util -1.5 pt, x.end deadlock
hop_clocks = 2                    2  t1.util +2.0 pt, t1.time -10.0 %

next: emsim verify --explain ID  what the knobs do to one row
`, b.String())
}

// The file has a line for each setting and row.
func TestSensitivityFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.csv")
	require.NoError(t, (&app{}).writeSensitivity(file, sensed()))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, `knob,value,chosen,id,paper,model,deviation,ok
hop_clocks,1,true,003.t1.time,2,2.1,0.052,true
hop_clocks,1,true,003.t1.calls,9,9,,true
hop_clocks,1,true,003.t1.util,50,48.5,-1.54321,false
hop_clocks,1,true,003.x.end,ok,deadlock,,false
hop_clocks,2,false,003.t1.util,50,48.5,2,false
hop_clocks,2,false,003.t1.calls,9,9,,true
hop_clocks,2,false,003.t1.time,2,2.1,-0.1,false
hop_clocks,2,false,003.x.end,ok,ok,,true
`, string(text))
	require.Error(t, (&app{}).writeSensitivity(filepath.Join(file, "s.csv"), sensed()))
}

// Without names every uncertain knob is measured; otherwise the named ones, in that order.
func TestUncertain(t *testing.T) {
	all, err := uncertain(nil)
	require.NoError(t, err)
	require.Equal(t, verify.UncertainKnobs003(), all)
	n := 0
	for _, k := range all {
		n += len(k.Values)
	}
	require.Equal(t, n, settings(all))
	two, err := uncertain([]string{all[3].Key, all[0].Key})
	require.NoError(t, err)
	require.Equal(t, []verify.UncertainKnob{all[3], all[0]}, two)
	require.Equal(t, len(all[0].Values)+len(all[3].Values), settings(two))
}
