package report

import (
	"context"
	"encoding/base64"
	"fmt"

	"emsim/internal/base/lists"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/portrait"
	"emsim/verify"
)

// Timeline holds the states of every PE over some runs, in columns of one or more clocks.
type Timeline struct {
	ClockNS float64       `json:"clockNS"`
	States  []string      `json:"states"` // names, in the order of their numbers
	Runs    []TimelineRun `json:"runs"`
}

// TimelineRun is one run of a Timeline.
type TimelineRun struct {
	Name   string     `json:"name"`
	Clocks int        `json:"clocks"` // columns, of Per clocks each
	Per    uint64     `json:"per"`
	First  uint64     `json:"first"`  // clock of the run at which the first column begins
	Length uint64     `json:"length"` // clocks of all columns; the last one may have fewer than Per
	PEs    []string   `json:"pes"`    // their addresses
	Data   string     `json:"data"`   // the states PE by PE as in portrait.Timeline, in base64
	Shares [][]string `json:"-"`      // by PE: per cent of the clocks in each state
}

// timelineOf records two runs of fib(n) under the policy ring, the fastest of table 1: one without and one with MLPE.
func timelineOf(ctx context.Context, b *verify.Bench003, n uint64) (*Timeline, error) {
	t := &Timeline{ClockNS: b.Setup().Config.ClockNS, States: portrait.StateWords[:]}
	for i, name := range []string{"static", "with MLPE"} {
		p, err := figures.Portrait(ctx, b, verify.Run003{Policy: "ring", MLPE: i == 1, N: n}, portrait.Options{})
		if err != nil {
			return nil, err
		}
		t.Runs = append(t.Runs, timelineRun(fmt.Sprintf("fib(%d), policy ring, %s", n, name), p))
	}
	return t, nil
}

// timelineRun returns the state of every PE of a run, column by column.
func timelineRun(name string, p *portrait.Portrait) TimelineRun {
	t := &p.Timeline
	r := TimelineRun{Name: name, Clocks: t.Cells, Per: t.Per, First: p.From - p.Start, Length: p.Clocks()}
	var bits []byte
	for pe := range t.Bits {
		r.PEs = append(r.PEs, p.PE(pe).String())
		bits = append(bits, t.Bits[pe]...)
		var sum [portrait.States]uint64
		for _, row := range p.Cells {
			for state, n := range row[pe].State {
				sum[state] += uint64(n)
			}
		}
		r.Shares = append(r.Shares, lists.Of(sum[:],
			func(n uint64) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(1, r.Length))) }))
	}
	r.Data = base64.StdEncoding.EncodeToString(bits)
	return r
}
