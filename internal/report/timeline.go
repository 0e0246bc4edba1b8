package report

import (
	"context"
	"encoding/base64"
	"fmt"

	"emsim/emcr"
	"emsim/verify"
)

// Timeline is the state of every PE in every clock of some runs.
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
	Data   string     `json:"data"`   // see pack
	Shares [][]string `json:"-"`      // by PE: per cent of the clocks in each state
}

// statesInWords are the states' names for people.
var statesInWords = [emcr.Activities]string{"FMU or EXU at work", "only the IBU at work", "waiting for the network", "idle"}

// newTimeline runs fib(20) on the circuits' neighbours, static and with MLPE:
// the fastest policy of table 1, and short enough to show clock by clock.
func newTimeline(ctx context.Context, b *verify.Bench003) (*Timeline, error) {
	return timelineOf(ctx, b, 20)
}

func timelineOf(ctx context.Context, b *verify.Bench003, n uint64) (*Timeline, error) {
	t := &Timeline{ClockNS: b.Setup().Config.ClockNS, States: statesInWords[:]}
	for _, mlpe := range []bool{false, true} {
		p, err := b.Profile(ctx, verify.Run003{Policy: "ring", MLPE: mlpe, N: n, Runs: 1}, 1)
		if err != nil {
			return nil, err
		}
		run := TimelineRun{Name: fmt.Sprintf("fib(%d), policy ring, static", n), Clocks: len(p.Ends), Per: 1, Length: uint64(len(p.Ends)), Data: pack(p.Activity)}
		if mlpe {
			run.Name = fmt.Sprintf("fib(%d), policy ring, with MLPE", n)
		}
		for pe := range p.Activity[0] {
			run.PEs = append(run.PEs, b.Address(pe).String())
			run.Shares = append(run.Shares, shares(p.Activity, pe))
		}
		t.Runs = append(t.Runs, run)
	}
	return t, nil
}

// pack writes the states PE by PE, one byte per four clocks, the first clock in
// the lowest two bits; each PE begins with a new byte. The result is base64.
func pack(states [][][emcr.Activities]uint32) string {
	if len(states) == 0 {
		return ""
	}
	clocks := len(states)
	stride := (clocks + 3) / 4
	out := make([]byte, stride*len(states[0]))
	for clock, row := range states {
		for pe, counts := range row {
			for s, n := range counts {
				if n > 0 {
					out[pe*stride+clock/4] |= byte(s) << (clock % 4 * 2)
				}
			}
		}
	}
	return base64.StdEncoding.EncodeToString(out)
}

// shares returns the per cent of the clocks that a PE spent in each state.
func shares(states [][][emcr.Activities]uint32, pe int) []string {
	var sum [emcr.Activities]uint32
	for _, row := range states {
		for s, n := range row[pe] {
			sum[s] += n
		}
	}
	var out []string
	for _, n := range sum {
		out = append(out, fmt.Sprintf("%.1f", 100*float64(n)/float64(len(states))))
	}
	return out
}
