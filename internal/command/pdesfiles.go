package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/machines"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
)

// readGraph reads the program of --graph.
func readGraph(name string) (*lpgraph.Graph, error) {
	text, err := machines.ReadFile("pdes", "graph", name)
	if err != nil {
		return nil, usagef("--graph: %w", err)
	}
	return lpgraph.Parse(name, text)
}

// readMap reads the map of --map for a machine.
func readMap(name string, c *pdes.Config) (mapping.Map, error) {
	text, err := machines.ReadFile("pdes", "map", name)
	if err != nil {
		return nil, usagef("--map: expected conventional, greedy, exact, anneal, round-robin or a file: %w", err)
	}
	return c.ParseMap(name, text)
}

// pdesFiles are the files of 'pdes run'.
type pdesFiles struct {
	graph, series, events string
	sample                int64
}

func (f *pdesFiles) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.graph, "graph", "", "read a program of your own instead of the banyan from this `FILE`")
	fs.StringVar(&f.series, "series", "", "write what every PP hosts and does over time to this CSV `FILE`")
	fs.Int64Var(&f.sample, "sample", 10_000, "clocks from one sample of --series to the next")
	fs.StringVar(&f.events, "events", "", "write the end of every operation to this CSV `FILE`")
}

// claim checks the files before any work is done.
func (f *pdesFiles) claim(a *app, cmd *cobra.Command, mapFile string) error {
	if f.sample < 1 {
		return usagef("--sample %d: expected 1 clock or more", f.sample)
	}
	a.note([]idleFlags{{[]string{"sample"}, f.series == "", "there is no --series FILE"}}, cmd.Flags().Changed)
	return claim([]output{{flag: "--series", name: f.series}, {flag: "--events", name: f.events}}, f.graph, mapFile)
}

// run runs the machine and writes the files, up to where the run ends.
func (f *pdesFiles) run(ctx context.Context, s *pdes.Setup, c pdes.Config) (*machines.PDES, *pdes.Result, error) {
	var w pdes.Watch
	series, err1 := createCSV("series", f.series, []string{"clock", "pp", "lps", "doing", "slot_clocks", "inbox"})
	events, err2 := createCSV("events", f.events, []string{"clock", "pp", "event", "lp", "began", "sent"})
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, err
	}
	if f.series != "" {
		w.Every = f.sample
		w.Sample = func(clock int64, pps []pdes.SampleOfPP) {
			for i, p := range pps {
				series.write(clock, i, p.LPs, p.Doing, p.Slotted, p.Inbox)
			}
		}
	}
	if f.events != "" {
		w.Event = func(e pdes.Event) {
			lp := ""
			if e.LP >= 0 {
				lp = c.LPName(e.LP)
			}
			events.write(e.Clock, e.PP, e.Kind, lp, e.Began, e.Sent)
		}
	}
	out, r, err := machines.RunPDESWatched(ctx, s, c, w)
	return out, r, cmp.Or(errors.Join(series.close(), events.close()), err)
}

// noteIdlePDES tells of flags that change nothing. They are no mistake: a loop over
// settings has them for all.
func (a *app) noteIdlePDES(s *pdes.Setup, set func(name string) bool) {
	notes := []idleFlags{
		{[]string{"stages", "wiring", "load", "queue"}, s.Graph != nil, "the program is that of --graph"},
		{[]string{"migrate-every"}, s.MigrateAt == pdes.Never, "nothing migrates; add --migrate-at"},
		{[]string{"neighbour", "objective"}, s.MigrateAt == pdes.Never && (s.Placing == "conventional" || s.Placing == "round-robin"), fmt.Sprintf("the map is %s and nothing migrates", s.Placing)},
		{[]string{"c"}, s.Objective == mapping.ByLoad, "the objective load looks at ports; leave --objective out"},
	}
	a.note(notes, set)
}
