package report

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/portrait"
	"emsim/internal/inspect/profile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// Seen is a run that a user chose, and what was recorded of it.
type Seen struct {
	Name     string // distinguishes it from the others
	Target   *run.Target
	Answer   *run.Answer
	Portrait *portrait.Portrait
	Profile  *profile.Profile
}

// OwnPage is a page about runs that a user chose: the first one, and others next to
// it.
type OwnPage struct {
	Title    string
	Version  string
	Runs     []OwnRun
	Timeline *Timeline
	Figures  []Figure
	Numbers  []OwnNumber
	Waits    []OwnNumber
	Settings []OwnNumber
}

// OwnRun is the page's part for one run.
type OwnRun struct {
	ID      string // for links
	Name    string
	Title   string // what ran on which machine
	Chosen  []string
	Clocks  string
	From    string // clock at which the recording begins, if that is not the start
	Flame   template.HTML
	Tables  []OwnTable
	Calls   []OwnCall
	Depths  []OwnDepth
	Parts   []OwnPart
	Cases   []OwnPart
	Longest string
}

// OwnNumber is a line of numbers, one for each run.
type OwnNumber struct {
	Group, Name, Doc string
	Values           []string
}

// OwnTable is a profile at one level.
type OwnTable struct {
	By   string
	Rows [][]string
	Code []string // the first instruction of each line; empty at other levels
	More int      // rows that are left out
}

// OwnCall is the calls of one function by another.
type OwnCall struct{ Caller, Callee, Calls, Local string }

// OwnDepth is the number of instances that have a given number of callers.
type OwnDepth struct {
	Depth     int
	Instances string
	Percent   float64 // of the greatest
}

// OwnPart is a part of the critical path, or a case of what might be faster.
type OwnPart struct {
	Name, Clocks, Share string
	Percent             float64
}

// Write writes the page as HTML. Equal pages have equal bytes.
func (p *OwnPage) Write(w io.Writer) error {
	return writeShown(w, "own.html", p)
}

// NewOwnPage makes a page about runs.
func NewOwnPage(ctx context.Context, version string, seen []Seen) (*OwnPage, error) {
	p := &OwnPage{
		Title: seen[0].Target.Heading(), Version: version,
		Timeline: &Timeline{ClockNS: seen[0].Portrait.ClockNS, States: portrait.StateWords[:]},
	}
	var drawn []figures.OwnRun
	for i, s := range seen {
		p.Runs = append(p.Runs, ownRun(i, s))
		p.Timeline.Runs = append(p.Timeline.Runs, timelineRun(s.Name, s.Portrait))
		drawn = append(drawn, figures.OwnRun{Name: s.Name, Program: s.Target.Call(), Portrait: s.Portrait})
	}
	p.Numbers, p.Waits, p.Settings = ownNumbers(seen), ownWaits(seen), ownSettings(seen)
	var err error
	p.Figures, err = paintRuns(ctx, figures.OwnFigures(), drawn)
	return p, err
}

func ownRun(i int, s Seen) OwnRun {
	x := OwnRun{
		ID: "run" + strconv.Itoa(i), Name: s.Name, Title: s.Target.Heading(), Chosen: s.Target.Chosen(),
		Clocks: plural.Commas(s.Answer.Clocks),
		Flame:  flame(s.Profile.Flame(), "Flame graph of "+s.Name), Longest: plural.Commas(s.Profile.Longest()),
	}
	if from := s.Portrait.From - s.Portrait.Start; from > 0 {
		x.From = plural.Commas(from)
	}
	for l := range profile.ByInstruction {
		x.Tables = append(x.Tables, ownTable(s, l))
	}
	x.calls(s)
	x.setPath(s.Profile)
	return x
}

// mostRows is the largest number of rows that a table of a profile shows.
const mostRows = 60

func ownTable(s Seen, l profile.Level) OwnTable {
	p, instruction := s.Profile, s.Target.Object.Instructions()
	total := p.Total()
	rows := p.Rows(l)
	t := OwnTable{By: l.String(), More: max(0, len(rows)-mostRows)}
	for _, r := range rows[:len(rows)-t.More] {
		c := &r.Counts
		if l == profile.ByLine {
			code := ""
			if r.Code {
				code = instruction(r.PC)
			}
			t.Code = append(t.Code, code)
		}
		t.Rows = append(t.Rows, []string{
			r.Name(l), plural.Commas(c.Instructions), plural.Commas(c.Clocks()), percent(c.Clocks(), total.Clocks()),
			plural.Commas(c.EXU[profile.Executes]), plural.Commas(c.Waiting()),
			plural.Commas(c.Packets), plural.Commas(c.Spilled), plural.Commas(c.Hops),
		})
	}
	return t
}

func (x *OwnRun) calls(s Seen) {
	name := func(pc uint32) string {
		if pc == portrait.NoCaller {
			return "(host)"
		}
		return s.Target.Object.CodeName(pc)
	}
	for _, e := range s.Portrait.Calls.Edges {
		x.Calls = append(x.Calls, OwnCall{
			name(e.Caller), name(e.Callee), plural.Commas(e.Calls),
			percent(e.Local, e.Calls),
		})
	}
	depths := s.Portrait.Calls.Depth
	for d, n := range depths {
		x.Depths = append(x.Depths, OwnDepth{
			d, plural.Commas(n),
			100 * float64(n) / float64(max(1, slices.Max(depths))),
		})
	}
}

func (x *OwnRun) setPath(p *profile.Profile) {
	var all profile.Split
	for _, r := range p.PathRows() {
		for part, n := range r.Took {
			all[part] += n
		}
	}
	whole := p.Longest()
	for part, n := range all {
		if n > 0 {
			x.Parts = append(x.Parts, OwnPart{
				profile.Part(part).Words(), plural.Commas(uint64(n)),
				percent(uint64(n), whole), 100 * float64(n) / float64(whole),
			})
		}
	}
	slices.SortStableFunc(x.Parts, func(a, b OwnPart) int { return cmp.Compare(b.Percent, a.Percent) })
	for _, e := range p.Estimates() {
		gain := whole - min(e.Clocks, whole)
		x.Cases = append(x.Cases, OwnPart{
			e.Says, plural.Commas(e.Clocks), percent(gain, whole),
			100 * float64(gain) / float64(max(1, whole)),
		})
	}
}

// numberOf returns a line with a value of each run.
func numberOf(seen []Seen, group, name, doc string, of func(s Seen) string) OwnNumber {
	return OwnNumber{group, name, doc, lists.Of(seen, of)}
}

// ownNumbers returns the statistics of the runs.
func ownNumbers(seen []Seen) []OwnNumber {
	line := func(name, doc string, of func(s Seen) string) OwnNumber { return numberOf(seen, "", name, doc, of) }
	list := []OwnNumber{
		line("result", "words to the host",
			func(s Seen) string { return s.Answer.Session.ResultText(s.Answer.Words, mostValues) }),
		line("clocks", "from the entry of the start packet to the last word to the host",
			func(s Seen) string { return plural.Commas(s.Answer.Clocks) }),
		line("time", "at the machine's clock",
			func(s Seen) string { return fmt.Sprintf("%.4g ms", s.Answer.TimeMS()) }),
	}
	if len(seen) > 1 {
		list = append(list, line("clocks relative to the first run", "less than 1 is faster", func(s Seen) string {
			return fmt.Sprintf("%.3f", float64(s.Answer.Clocks)/float64(max(1, seen[0].Answer.Clocks)))
		}))
	}
	for _, stat := range em4.StatisticsIn(em4.InJSON) {
		if stat.Key == "time" {
			continue // the clocks, which are in the list already
		}
		list = append(list, line(strings.ReplaceAll(stat.Key, "_", " "), stat.Doc, func(s Seen) string {
			switch v := stat.Total(&s.Answer.Totals).(type) {
			case float64:
				if stat.Ratio {
					return fmt.Sprintf("%.2f", v)
				}
				return fmt.Sprintf("%.1f %%", 100*v)
			case uint64:
				return plural.Commas(v)
			}
			return ""
		}))
	}
	return list
}

// ownWaits returns the clocks that units waited, by reason.
func ownWaits(seen []Seen) []OwnNumber {
	var list []OwnNumber
	for _, u := range []trace.Unit{trace.EXU, trace.FMU, trace.IBU, trace.SU} {
		for _, st := range trace.Statuses() {
			doc := whyWaits[u][st]
			if doc == "" {
				continue
			}
			waited := func(s Seen) uint64 { return s.Portrait.Waits[u][st] }
			if slices.ContainsFunc(seen, func(s Seen) bool { return waited(s) > 0 }) {
				list = append(list, numberOf(seen, u.String(), strings.TrimPrefix(st.String(), "wait_"), doc,
					func(s Seen) string {
						return plural.Commas(waited(s)) +
							" (" + percent(waited(s), s.Portrait.Clocks()*uint64(s.Portrait.Topology.N)) + ")"
					}))
			}
		}
	}
	return list
}

// ownSettings returns the knobs of the machines.
func ownSettings(seen []Seen) []OwnNumber {
	var list []OwnNumber
	add := func(group, name string, of func(s Seen) string) {
		list = append(list, numberOf(seen, group, name, "", of))
	}
	for _, name := range slices.Sorted(maps.Keys(seen[0].Target.Object.Chosen())) {
		add("program", name, func(s Seen) string { return s.Target.Object.Chosen()[name] })
	}
	add("run", "seed", func(s Seen) string { return strconv.FormatUint(s.Target.Seed, 10) })
	for _, name := range slices.Sorted(maps.Keys(run.KnobValues(seen[0].Target.Config()))) {
		add("machine", name, func(s Seen) string { return fmt.Sprint(run.KnobValues(s.Target.Config())[name]) })
	}
	return list
}
