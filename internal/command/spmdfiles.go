package command

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/cluster/spmd"
)

func (f *spmdFlags) registerFiles(fs *pflag.FlagSet) {
	fs.StringVar(&f.series, "series", "", "write tasks and work of every processor over time to this CSV `FILE`")
	fs.DurationVar(&f.sample, "sample", time.Second, "time from one sample of --series to the next")
	fs.StringVar(&f.events, "events", "", "write the events of the run to this CSV file")
}

func (f *spmdFlags) watches() bool { return f.series != "" || f.events != "" }

// claim checks the files before any work is done.
func (f *spmdFlags) claim(a *app, cmd *cobra.Command) error {
	if f.sample < time.Microsecond {
		return usagef("--sample %v: expected 1us or more", f.sample)
	}
	a.note([]idleFlags{{[]string{"sample"}, f.series == "", "there is no --series FILE"}}, cmd.Flags().Changed)
	files := []output{{flag: "--series", name: f.series}, {flag: "--events", name: f.events}}
	for _, o := range files {
		if o.name != "" && f.seeds != 1 {
			return usagef("%s: the file is of one run; leave --seeds out", o.flag)
		}
	}
	return claim(files, f.topology, f.hosts)
}

// runWatched runs once and writes the files, up to where the run ends.
func (f *spmdFlags) runWatched(ctx context.Context, c spmd.Config) ([]*spmd.Result, error) {
	var w spmd.Watch
	series, err1 := createCSV("series", f.series, []string{"s", "processor", "tasks", "doing", "busy_s"})
	events, err2 := createCSV("events", f.events, []string{"at_us", "processor", "event", "peer", "n"})
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if f.series != "" {
		w.EveryUS = f.sample.Microseconds()
		w.Sample = func(at int64, processors []spmd.SampleOfProcessor) {
			for i, p := range processors {
				series.write(seconds(at), i, p.Tasks, p.Doing, seconds(p.BusyUS))
			}
		}
	}
	if f.events != "" {
		w.Event = func(e spmd.Event) {
			peer := ""
			if e.Peer >= 0 {
				peer = strconv.Itoa(e.Peer)
			}
			events.write(e.AtUS, e.Processor, e.Kind.String(), peer, e.N)
		}
	}
	r, err := spmd.RunWatched(ctx, c, w)
	if files := errors.Join(series.close(), events.close()); files != nil {
		err = files
	}
	if r == nil {
		return nil, err
	}
	return []*spmd.Result{r}, err
}

// seconds are microseconds in s.
func seconds(us int64) float64 { return float64(us) / 1e6 }
