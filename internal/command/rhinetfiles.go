package command

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"emsim/cluster/rhinet"
	"emsim/internal/machines"
)

// rhinetHosts is the file of the example for --hosts.
const rhinetHosts = `  # what  hosts  from  until
  speed   0-3    1.25             # rows in the time of one row of speed 1
  load    7      2s    end        # a competing process, in slices
  stop    5      8s    8.5s       # the program does not have the CPU at all`

// rhinetFlags are the flags of 'rhinet run': those of the table, and files.
type rhinetFlags struct {
	*knobFlags
	hosts, series, events string
	sample                time.Duration
}

func (f *rhinetFlags) registerFiles(fs *pflag.FlagSet) {
	fs.StringVar(&f.hosts, "hosts", "", "read speed and load of each host over time from this `FILE`")
	fs.StringVar(&f.series, "series", "", "write rows and times of every rank over time to this CSV `FILE`")
	fs.DurationVar(&f.sample, "sample", 100*time.Millisecond, "time from one sample of --series to the next")
	fs.StringVar(&f.events, "events", "", "write the end of every operation to this CSV `FILE`")
}

func (f *rhinetFlags) watches() bool { return f.series != "" || f.events != "" }

func (f *rhinetFlags) claim(c *rhinet.Config) error {
	if f.sample < time.Microsecond {
		return usagef("--sample %v: expected 1us or more", f.sample)
	}
	if f.watches() {
		if err := c.Validate(); err != nil { // before a file is touched
			return err
		}
	}
	return claim([]output{{flag: "--series", name: f.series}, {flag: "--events", name: f.events}}, f.hosts)
}

// readHosts gives the cluster the traces of --hosts.
func (f *rhinetFlags) readHosts(c *rhinet.Config) error {
	if f.hosts == "" {
		return nil
	}
	if c.Nodes < 1 || c.Nodes > rhinet.MaxNodes {
		return c.Validate()
	}
	text, err := machines.ReadFile("rhinet", "hosts", f.hosts)
	if err != nil {
		return usagef("--hosts: %w", err)
	}
	hosts, err := rhinet.ParseHosts(f.hosts, text, c.Nodes)
	c.Own = &rhinet.Own{Hosts: hosts}
	c.Load, c.Host.MoveEvery = rhinet.NoLoad, 0
	return err
}

// run runs the cluster and writes the files, up to where the run ends.
func (f *rhinetFlags) run(ctx context.Context, c rhinet.Config) (*machines.RHiNET, error) {
	var w rhinet.Watch
	series, err1 := createCSV("series", f.series, []string{"s", "rank", "rows", "doing", "calc_s", "wait_s"})
	events, err2 := createCSV("events", f.events, []string{"s", "rank", "event", "peer", "n", "began_s"})
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if f.series != "" {
		w.Every = int64(f.sample / rhinet.TickNs)
		w.Sample = func(at int64, ranks []rhinet.SampleOfRank) {
			for i, r := range ranks {
				series.write(rhinet.Seconds(at), i, r.Rows, r.Doing, rhinet.Seconds(r.Calc), rhinet.Seconds(r.Wait))
			}
		}
	}
	if f.events != "" {
		w.Event = func(e rhinet.Event) {
			peer := ""
			if e.Peer >= 0 {
				peer = strconv.Itoa(e.Peer)
			}
			events.write(rhinet.Seconds(e.At), e.Rank, e.Kind, peer, e.N, rhinet.Seconds(e.Began))
		}
	}
	out, err := machines.RunRHiNETWatched(ctx, c, w)
	return out, cmp.Or(errors.Join(series.close(), events.close()), err)
}
