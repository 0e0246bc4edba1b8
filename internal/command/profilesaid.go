package command

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/inspect/profile"
)

// said returns the answer: the run, a summary of the EXUs' time, and the counts, as keys and as tables.
// docs/TRACING.md describes its keys.
func (x *profileAnswer) said() *answer.Answer {
	ran, total, s := x.run.Said(), x.Total(), x.run.Session
	a := &answer.Answer{
		Title: ran.Title, Result: ran.Result, Machine: ran.Machine, Says: ran.Says,
		Whole: "the EXUs' time",
	}
	a.SayAll("program", s.Name, "args", s.Args, "machine", s.MachineName, "pes", s.Config().PEs, "params",
		s.Object.Chosen(), "seed", s.Seed)
	a.SayAll(s.ResultKeys(x.run.Words)...)
	a.SayAll("clocks", x.run.Clocks, "from", x.from())
	x.sayHead(a, ran.Field("time_ms"), &total)
	a.Say("total", countsOf(&total))
	for l, key := range []string{"templates", "blocks", "lines"} {
		a.Say(key, placeColumns.Objects(lists.Of(x.Rows(profile.Level(l)), func(r profile.Row) placed {
			return placed{r, x.text(profile.Level(l), &r)}
		})))
	}
	a.Say("reads", readColumns(s).Objects(x.reads()))
	a.Say("path", x.path())
	if packet, starved := s.Net.Starved(s.Clock()); starved {
		a.Say("starving", packet.String())
		a.Says = append(a.Says, fmt.Sprintf("A packet starves: %v.", packet))
	}
	a.Lists = x.tables(&total)
	return a
}

// sayHead adds the first rows: the time of the run, what the EXUs did, and the largest part of the critical path.
func (x *profileAnswer) sayHead(a *answer.Answer, time *answer.Field, total *profile.Counts) {
	since := ""
	if x.from() > 0 {
		since = fmt.Sprintf(" from clock %s on", count(x.from()))
	}
	a.Number(time.Key, time.Value, time.Unit, time.Doc).Head("time", "%s clocks; %d PEs had %s PE-clocks%s",
		count(x.run.Clocks), x.run.Session.Config().PEs, count(total.Clocks()), since)
	for w := range profile.Waits {
		f := a.Share(w.String(), float64(total.EXU[w])/float64(max(1, total.Clocks())), w.Words())
		if w == profile.Executes {
			f.Head("executing", "of the EXUs' time").PartOf(answer.Work, "")
		} else {
			f.PartOf(limitOf(w))
		}
	}
	if x.Path() != nil {
		parts := x.pathParts()
		most := slices.Index(parts[:], slices.Max(parts[:]))
		a.Share("chain", float64(parts[most])/float64(max(1, x.Longest())), "largest part of the critical path").
			Conclude("the chain", "of the critical path: %s", profile.Part(most).Words())
	}
}

// limitOf returns the name of a wait, and its description.
func limitOf(w profile.Wait) (name, cause string) {
	_, cause, _ = strings.Cut(w.Words(), ": ")
	return strings.TrimPrefix(w.String(), "wait_"), cause
}

// tables returns the profile as tables: the EXUs' time, by template, block and line, reads of arrays, and the critical
// path.
func (x *profileAnswer) tables(total *profile.Counts) []answer.List {
	tables := []answer.List{waits(total)}
	for l := range profile.ByInstruction {
		t := answer.List{Heads: []string{
			"by " + l.String(), "instructions", "PE-clocks", "share", "execute", "wait",
			"packets", "spilled", "hops",
		}}
		for _, r := range x.Rows(l) {
			c := &r.Counts
			if r.Name(l) == profile.NoBlock { // no place of the program
				if l == profile.ByTemplate {
					t.Notes = []string{fmt.Sprintf("In %s PE-clocks, %s of all, an EXU had no block.",
						count(c.Clocks()), answer.PartInPercent(c.Clocks(), total.Clocks()))}
				}
				continue
			}
			t.Add(x.named(l, &r), count(c.Instructions), count(c.Clocks()), answer.PartInPercent(c.Clocks(),
				total.Clocks()),
				count(c.EXU[profile.Executes]),
				count(c.Waiting()), count(c.Packets), count(c.Spilled), count(c.Hops))
		}
		tables = append(tables, t)
	}
	if t := x.readsList(); t.Rows != nil {
		tables = append(tables, t)
	}
	if x.Path() != nil {
		tables = append(tables, x.pathLists()...)
	}
	return tables
}

// waits returns the table of the EXUs' time by activity.
func waits(total *profile.Counts) answer.List {
	t := answer.List{Heads: []string{"what the EXUs did", "PE-clocks", "share"}, Whole: true}
	for _, w := range []profile.Wait{
		profile.Executes, profile.ForSwitch, profile.ForPort, profile.ForIBU, profile.ForFMU, profile.ForMIB,
		profile.ForOperand, profile.Nothing,
	} {
		if n := total.EXU[w]; n > 0 {
			t.Add(w.Words(), count(n), answer.PartInPercent(n, total.Clocks()))
		}
	}
	return t
}

// pathLists returns the critical path by part and by block, and its length without some parts.
func (x *profileAnswer) pathLists() []answer.List {
	parts, clocks := answer.List{Heads: []string{"the critical path", "clocks", "share"}, Whole: true}, x.Longest()
	for part, n := range x.pathParts() {
		if n > 0 {
			parts.Add(profile.Part(part).Words(), count(uint64(n)), answer.PartInPercent(uint64(n), clocks))
		}
	}
	cases := answer.List{Heads: []string{"about how long with", "clocks", "gain"}, Whole: true, Notes: []string{
		"These are estimates, with packets in the order of this run; 'emsim run --set' measures a real change.",
	}}
	for _, e := range x.Estimates() {
		cases.Add(e.Says, count(e.Clocks), answer.PartInPercent(clocks-min(e.Clocks, clocks), clocks))
	}
	blocks := answer.List{Heads: []string{
		"the critical path by block", "steps", "clocks", "share", "execute", "match",
		"hop", "wait",
	}}
	for _, r := range x.PathRows() {
		sum, execute, match, hop := r.Took.Sum(), uint64(r.Took[profile.Execute]), uint64(r.Took[profile.MatchIt]),
			uint64(r.Took[profile.Hop])
		blocks.Add(r.Block, fmt.Sprint(r.Steps), count(sum), answer.PartInPercent(sum, clocks), count(execute),
			count(match),
			count(hop), count(sum-execute-match-hop))
	}
	return []answer.List{parts, blocks, cases}
}
