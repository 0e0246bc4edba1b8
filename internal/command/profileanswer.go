package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"emsim/internal/inspect/profile"
	"emsim/internal/machine/run"
)

// profileAnswer is the answer of 'emsim profile'; docs/TRACING.md describes the
// keys.
type profileAnswer struct {
	Program   string            `json:"program"`
	Args      []int64           `json:"args"`
	Machine   string            `json:"machine"`
	PEs       int               `json:"pes"`
	Params    map[string]string `json:"params"`
	Seed      uint64            `json:"seed"`
	Result    []uint64          `json:"result"`
	Clocks    uint64            `json:"clocks"`
	From      uint64            `json:"from"` // clock of the run at which the profile begins
	Total     map[string]uint64 `json:"total"`
	Templates []profileRow      `json:"templates"`
	Blocks    []profileRow      `json:"blocks"`
	Lines     []profileRow      `json:"lines"`
	Path      *profilePath      `json:"path"` // null if no word has left the machine

	title  string
	result string
	chosen []string
	total  profile.Counts
	rows   [3][]profile.Row
	top    int
}

// profileRow is a place and its counts.
type profileRow struct {
	Template string            `json:"template,omitempty"`
	Block    string            `json:"block,omitempty"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
	Counts   map[string]uint64 `json:"counts"`
}

// profilePath is the critical path.
type profilePath struct {
	Clocks uint64            `json:"clocks"`
	Steps  int               `json:"steps"`
	Parts  map[string]uint64 `json:"parts"`
	Blocks []pathBlock       `json:"blocks"`
	WhatIf []whatIf          `json:"what_if"`
}

type pathBlock struct {
	Block  string            `json:"block"`
	Steps  int               `json:"steps"`
	Clocks uint64            `json:"clocks"`
	Parts  map[string]uint64 `json:"parts"`

	took profile.Split
}

type whatIf struct {
	Case   string `json:"case"`
	Clocks uint64 `json:"clocks"`

	says string
}

func newProfileAnswer(s *run.Batch, p *profile.Profile, a *run.Answer, top int) *profileAnswer {
	x := &profileAnswer{
		Program: a.Program, Args: a.Args, Machine: a.Machine, PEs: a.PEs, Params: a.Params, Seed: a.Seed, Result: a.Result, Clocks: a.Clocks,
		From: a.Clocks - p.Clocks(), total: p.Total(), chosen: a.Chosen, title: a.Heading(), result: (&runAnswer{Answer: a}).resultText(), top: top,
	}
	x.Total = countsOf(&x.total)
	for l, list := range []*[]profileRow{&x.Templates, &x.Blocks, &x.Lines} {
		x.rows[l] = p.Rows(profile.Level(l))
		*list = []profileRow{}
		for _, r := range x.rows[l] {
			*list = append(*list, profileRow{r.Template, r.Block, r.File, r.Line, countsOf(&r.Counts)})
		}
	}
	if path := p.Path(); path != nil {
		x.Path = newProfilePath(p, path)
	}
	return x
}

func newProfilePath(p *profile.Profile, path []profile.PathStep) *profilePath {
	x := &profilePath{Clocks: p.Longest(), Steps: len(path), Parts: map[string]uint64{}, Blocks: []pathBlock{}, WhatIf: []whatIf{}}
	for _, r := range p.PathRows() {
		b := pathBlock{Block: r.Block, Steps: r.Steps, Clocks: r.Took.Sum(), Parts: map[string]uint64{}, took: r.Took}
		for part, n := range r.Took {
			b.Parts[profile.Part(part).String()] = uint64(n)
			x.Parts[profile.Part(part).String()] += uint64(n)
		}
		x.Blocks = append(x.Blocks, b)
	}
	for _, e := range p.Estimates() {
		x.WhatIf = append(x.WhatIf, whatIf{e.Name, e.Clocks, e.Says})
	}
	return x
}

func countsOf(c *profile.Counts) map[string]uint64 {
	all := map[string]uint64{}
	for _, column := range countColumns {
		all[column.key] = column.of(c)
	}
	return all
}

// table prints the answer for people.
func (x *profileAnswer) table(w io.Writer) error {
	fmt.Fprintln(w, x.title)
	if len(x.chosen) > 0 {
		fmt.Fprintln(w, strings.Join(x.chosen, " "))
	}
	since := ""
	if x.From > 0 {
		since = fmt.Sprintf(", of which the profile has those from %s on", count(x.From))
	}
	fmt.Fprintf(w, "\nresult %s\n%s clocks%s; with %d PEs %s PE-clocks\n\n", x.result, count(x.Clocks), since, x.PEs, count(x.total.Clocks()))
	tables := []*grid{x.waits()}
	for l := range profile.ByInstruction {
		tables = append(tables, x.counts(l))
	}
	if x.Path != nil {
		tables = append(tables, x.pathGrids()...)
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := t.write(w); err != nil {
			return err
		}
	}
	if x.Path != nil {
		fmt.Fprintln(w, "estimated with packets in the order of this run; 'emsim run --set' measures a real change")
	}
	return nil
}

// share prints a part of a whole.
func share(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

func (x *profileAnswer) waits() *grid {
	t := newGrid("what the EXUs did", "PE-clocks", "share")
	for _, w := range []profile.Wait{
		profile.Executes, profile.ForSwitch, profile.ForPort, profile.ForIBU, profile.ForFMU, profile.ForMIB, profile.ForOperand, profile.Nothing,
	} {
		if n := x.total.EXU[w]; n > 0 {
			t.addRow(w.Words(), count(n), share(n, x.total.Clocks()))
		}
	}
	return t
}

func (x *profileAnswer) counts(l profile.Level) *grid {
	t := newGrid("by "+l.String(), "instructions", "PE-clocks", "share", "execute", "wait", "packets", "spilled", "hops")
	t.most = x.top
	for _, r := range x.rows[l] {
		c := &r.Counts
		t.addRow(r.Name(l), count(c.Instructions), count(c.Clocks()), share(c.Clocks(), x.total.Clocks()), count(c.EXU[profile.Executes]),
			count(c.Waiting()), count(c.Packets), count(c.Spilled), count(c.Hops))
	}
	return t
}

func (x *profileAnswer) pathGrids() []*grid {
	p := x.Path
	parts := newGrid("the critical path", "clocks", "share")
	for part := range profile.Parts {
		if n := p.Parts[part.String()]; n > 0 {
			parts.addRow(part.Words(), count(n), share(n, p.Clocks))
		}
	}
	cases := newGrid("about how long with", "clocks", "gain")
	for _, e := range p.WhatIf {
		cases.addRow(e.says, count(e.Clocks), share(p.Clocks-min(e.Clocks, p.Clocks), p.Clocks))
	}
	blocks := newGrid("the critical path by block", "steps", "clocks", "share", "execute", "match", "hop", "wait")
	blocks.most = x.top
	for _, b := range p.Blocks {
		execute, match, hop := uint64(b.took[profile.Execute]), uint64(b.took[profile.MatchIt]), uint64(b.took[profile.Hop])
		blocks.addRow(b.Block, strconv.Itoa(b.Steps), count(b.Clocks), share(b.Clocks, p.Clocks), count(execute), count(match), count(hop), count(b.Clocks-execute-match-hop))
	}
	return []*grid{parts, blocks, cases}
}
