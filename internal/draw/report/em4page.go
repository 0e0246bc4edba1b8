package report

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// EM4Run is a run of a program, and what was recorded of it.
type EM4Run struct {
	Name     string // distinguishes it from the others
	Target   *run.Target
	Answer   *run.Answer
	Portrait *portrait.Portrait
	Profile  []answer.List
}

// NewEM4Page makes a page about runs of programs.
func NewEM4Page(ctx context.Context, version string, runs []EM4Run) (*RunPage, error) {
	var seen []Seen
	var drawn []figures.OwnRun
	times := &Timeline{ClockNS: runs[0].Portrait.ClockNS, States: portrait.StateWords[:]}
	for _, r := range runs {
		c := r.Target.Config()
		x := Seen{
			Name: r.Name, Length: plural.Commas(r.Answer.Clocks) + " clocks", Answer: r.Answer.Said(),
			Knobs: knob.Bind(em4.Knobs(), &c),
		}
		if from := r.Portrait.From - r.Portrait.Start; from > 0 {
			x.Length += ", of which this page shows those from " + plural.Commas(from) + " on"
		}
		if seen != nil {
			x.Length += fmt.Sprintf(", %.3f times the first", float64(r.Answer.Clocks)/
				float64(max(1, runs[0].Answer.Clocks)))
		}
		seen = append(seen, x)
		times.Runs = append(times.Runs, timelineRun(r.Name, r.Portrait))
		drawn = append(drawn, figures.OwnRun{Name: r.Name, Program: r.Target.Call(), Portrait: r.Portrait})
	}
	p := newRunPage(runs[0].Target.Heading(), version, seen)
	p.Timeline = times
	if err := paintRuns(ctx, p, figures.OwnFigures(), drawn); err != nil {
		return nil, err
	}
	p.Sections = append(p.Sections, p.waits(runs), p.calls(runs), p.profiles(runs), p.settings(parameters(runs)))
	return p, nil
}

// waits returns the clocks that units waited, by reason.
func (p *RunPage) waits(runs []EM4Run) Section {
	l := p.byRun("clocks of all PEs, and their share of the PE-clocks", "a unit waits")
	for _, u := range []trace.Unit{trace.EXU, trace.FMU, trace.IBU, trace.SU} {
		for _, st := range trace.Statuses() {
			why, waited := whyWaits[u][st], func(r EM4Run) uint64 { return r.Portrait.Waits[u][st] }
			if why == "" || !slices.ContainsFunc(runs, func(r EM4Run) bool { return waited(r) > 0 }) {
				continue
			}
			row := []any{u.String() + ": " + why}
			for _, r := range runs {
				row = append(row, fmt.Sprintf("%s (%s)", plural.Commas(waited(r)),
					answer.PartInPercent(waited(r), r.Portrait.Clocks()*uint64(r.Portrait.Topology.N))))
			}
			l.Rows = append(l.Rows, row)
		}
	}
	return Section{
		ID: "waits", Title: "What the units waited for", Parts: []Part{{Tables: []Table{tableOf("", l)}}},
		Reads: "A clock counts for each unit that waits in it, so the lines do not add up. Of a switch (SU) " +
			"each packet that waits counts, and one switch holds up to seven: its share may pass 100 %. EXUs" +
			" that wait for the FMU, for operands or for the MIB run no block; the others wait within one.",
	}
}

// calls returns the calls by function, and the tree of calls level by level.
func (p *RunPage) calls(runs []EM4Run) Section {
	s := Section{
		ID: "calls", Title: "Who called whom",
		Reads: "A call makes a function instance: an operand segment gets its first operand. Its caller is the " +
			"instance whose block made that operand, or that asked a system block to do so. The depth of an " +
			"instance is the number of its direct and indirect callers. A tree that is broad early gives all" +
			" PEs work; a deep and narrow one cannot.",
	}
	for i, r := range runs {
		calls, all := &r.Portrait.Calls, uint64(0)
		name := func(pc uint32) string {
			if pc == portrait.NoCaller {
				return "(host)"
			}
			return r.Target.Object.CodeName(pc)
		}
		by := answer.List{Title: "calls by function", Heads: []string{
			"caller", "function", "calls", "on the caller's PE",
		}, Whole: true}
		for _, e := range calls.Edges {
			by.Add(name(e.Caller), name(e.Callee), plural.Commas(e.Calls), answer.PartInPercent(e.Local, e.Calls))
			all += e.Calls
		}
		if by.Rows == nil {
			s.Parts = append(s.Parts, p.part(i, []string{"No function was called."}))
			continue
		}
		tree := answer.List{
			Title: "the tree of calls, level by level", Heads: []string{"depth", "instances", "share"}, Whole: true,
		}
		for depth, n := range calls.Depth {
			tree.Add(depth, plural.Commas(n), answer.PartInPercent(n, all))
		}
		s.Parts = append(s.Parts, p.part(i, nil, by, tree))
	}
	return s
}

// profiles returns the profile of each run, with its critical path.
func (p *RunPage) profiles(runs []EM4Run) Section {
	s := Section{ID: "profile", Title: "Profile: where the clocks went", Parts: []Part{{Says: []string{
		"Every clock of every EXU belongs to an instruction, or passes without a block. A packet counts where it was " +
			"made. 'emsim profile' prints the same with more detail.",
		"The last word to the host came from a packet, which a block made, which began when its last operand " +
			"was there, and so on back to the start: this chain, the critical path, has as many clocks as the run.",
	}}}}
	for i, r := range runs {
		s.Parts = append(s.Parts, p.part(i, nil, r.Profile...))
	}
	return s
}

// parameters returns a row for each parameter of the program, and for the seed.
func parameters(runs []EM4Run) (rows [][]any) {
	row := func(name, doc string, of func(t *run.Target) string) {
		values := lists.Of(runs, func(r EM4Run) any { return of(r.Target) })
		rows = append(rows, slices.Concat([]any{name}, values, []any{doc}))
	}
	for _, name := range slices.Sorted(maps.Keys(runs[0].Target.Object.Chosen())) {
		row(name, "parameter of the program", func(t *run.Target) string { return t.Object.Chosen()[name] })
	}
	row("seed", "of random numbers", func(t *run.Target) string { return strconv.FormatUint(t.Seed, 10) })
	return rows
}

// whyWaits says what a unit with a status waits for. Other statuses are not waits.
var whyWaits = map[trace.Unit]map[trace.Status]string{
	trace.EXU: {
		trace.WaitIBU:    "the IBU has the memory port",
		trace.WaitSwitch: "the switch has not taken the packet that the EXU holds",
		trace.WaitPort:   "the output port, or the output buffer, has no room",
		trace.WaitFMU:    "the FMU is still matching the next node",
		trace.WaitMIB:    "all packets are in the MIB", trace.WaitOperand: "operands wait for partners that have not " +
			"arrived",
	},
	trace.FMU: {
		trace.WaitIBU: "the IBU has the memory port", trace.WaitMemory: "the EXU has the memory port",
		trace.WaitEXU: "the EXU runs another block", trace.WaitMIB: "all packets are in the MIB",
	},
	trace.IBU: {
		trace.WaitMemory: "the EXU has the memory port", trace.WaitFMU: "the FMU has not taken the head of the FIFO",
		trace.WaitMIB: "the MIB is full",
	},
	trace.SU: {
		trace.WaitBank:   "the bank downstream is full or not yet free again",
		trace.WaitIntake: "the PE's intake register is full",
		trace.WaitOutput: "another packet holds the output", trace.WaitInput: "another packet holds the input",
		trace.WaitTurn: "another packet won the arbiter",
	},
}
