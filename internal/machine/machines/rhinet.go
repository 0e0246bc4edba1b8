package machines

import (
	"context"
	"fmt"
	"slices"
	"time"

	"emsim/cluster/rhinet"
	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/base/ordered"
	"emsim/internal/base/plural"
)

var rhinetModel = Model{
	Summary: "The RHiNET-2 PC cluster and its load balancing policies",
	About: `rhinet models a cluster of up to 64 PCs, connected by RHiNET-2 or Ethernet, that
solves 8192 equations while some of its hosts are busy with other work.`,
	Next:   answer.Next{Command: "run --vs policy=igclb", Why: "another policy on the same cluster"},
	Beside: "policy=igclb",
	Use:    "run", Short: "Run one program on the cluster, under one balancing policy",
	Long: `run solves the equations once, under one balancing policy, and shows where
rank 0's time went, as tables 2 to 5 of the paper do: total, compute,
communication, balancing. With a load, other (total minus compute) is mostly
time spent waiting for the loaded hosts. With --seeds N every number is the mean
of N runs with the seeds from --seed up; the paper's tables are compared with
means over 8. Ctrl-C prints the times so far, or the mean of the completed runs.

--hosts reads speeds and loads of your own, instead of --loaded:

  # what  hosts  from  until
  speed   0-3    1.25             # rows in the time of one row of speed 1
  load    7      2s    end        # a competing process, in slices
  stop    5      8s    8.5s       # the program does not have the CPU at all

--switches reads a network of your own, instead of the torus: for each switch its
hosts, and the switches of lines above to which it has a link, up to eight in all.
Packets take a shortest path:

  switch  left   0-5
  switch  right  6 7  left

--series writes what every rank does, its rows, computing and waiting time every
--sample of the cluster's time; --events writes the end of every operation.` + resumes,
	Example: "  emsim rhinet run --nodes 64 --policy igclb --loaded one\n" +
		"  emsim rhinet run --nodes 16 --network ethernet --policy glb --loaded two --json\n" +
		"  emsim rhinet run --nodes 64 --loaded one --seeds 8\n" +
		"  emsim rhinet run --nodes 8 --seeds 8 --vs network=ethernet --vs mpi_message=20us",
	Saved: true, Time: "total_s", Ends: []string{"no_convergence"},
	Files: []FileKind{
		{"hosts", "read speed and load of each host over time from this `FILE`", textFile("a list of hosts", 1<<24,
			"half a million lines"), []string{"loaded", "loaded_host", "move_every"}, useRHiNETHosts},
		{
			"switches", "read the switches of RHiNET-2, their hosts and links, from this `FILE`",
			textFile("a list of switches", 1<<20, "all hosts and links of 1024 hosts"),
			[]string{"torus_x", "torus_y"},
			useSwitches,
		},
	},
	Sampling: Sampling{"sample", 100 * time.Millisecond},
	Rows:     []Rows{Series("rows", "doing", "calc_s", "wait_s"), Events()},
	Switches: []Switch{{"each", "also list every rank (--json always does, of one seed)", true}},
	Terms:    Terms{"rank", "row", "rows", "row", "rows/s", true, "s", 1_000_000_000 / rhinet.TickNs, false},
	Run:      runRHiNET,
	Describe: func(x *answer.Answer) {
		describeRHiNET(x, &rhinet.Config{}, &rhinet.Result{Ranks: make([]rhinet.RankResult, 1)}, false)
	},
	Idles: func(config any) []Idle {
		c := config.(*rhinet.Config)
		return []Idle{
			{
				[]string{"group"},
				!c.Policy.Grouped(),
				fmt.Sprintf("%v has no groups; gnolb, glb, igclb and igdlb have", c.Policy),
			},
			{[]string{"interval"}, !c.Policy.Balances(), fmt.Sprintf("%v does not balance", c.Policy)},
			{
				[]string{"loaded_host", "move_every"},
				!slices.Contains(rhinet.Loads(), c.Load),
				"--loaded lists the hosts",
			},
			{[]string{"loaded_host", "move_every", "slice_on", "slice_off", "slice_jitter"}, c.Load == rhinet.NoLoad &&
				c.Own == nil, "nothing is loaded; add --loaded one, two or a list"},
			{[]string{"torus_x", "torus_y"}, c.Network == rhinet.Ethernet, "ethernet has a hub"},
			{[]string{"exchange", "omega"}, c.Application != rhinet.SOR, fmt.Sprintf("%v is not sor", c.Application)},
			{[]string{"steps"}, c.Application != rhinet.Heat, fmt.Sprintf("%v is not heat", c.Application)},
		}
	},
}

// describeRHiNET fills in the answer of a run.
func describeRHiNET(x *answer.Answer, c *rhinet.Config, r *rhinet.Result, lists bool) {
	var ranks, epochs []ordered.Object
	lines, calc := answer.List{Heads: []string{"rank", "calc s", "lb s", "wait s", "finish s"}},
		make([]int64, len(r.Ranks))
	for i, n := range r.Ranks {
		calc[i] = n.Calc
		work, lb, wait, finish := rhinet.Seconds(n.Calc), rhinet.Seconds(n.LB), rhinet.Seconds(n.Wait),
			rhinet.Seconds(n.Finish)
		ranks = append(ranks, ordered.Object{"calc_s", work, "lb_s", lb, "wait_s", wait, "finish_s", finish})
		lines.Rows = append(lines.Rows, []any{i, work, lb, wait, finish})
	}
	for _, e := range r.Epochs {
		epochs = append(epochs, ordered.Object{"after_loop", e.Loop, "rows", e.Rows})
		lines.Heads = append(lines.Heads, fmt.Sprintf("rows from loop %d", e.Loop+1))
		for i := range lines.Rows {
			lines.Rows[i] = append(lines.Rows[i], e.Rows[i])
		}
	}
	if lists {
		x.Lists = []answer.List{lines}
	}
	x.Title, x.Whole = fmt.Sprint(c.Application), "the ranks' time"
	x.Machine = fmt.Sprintf("%s, %d nodes, %s, %s", map[bool]string{
		false: "RHiNET-2",
		true:  "Ethernet",
	}[c.Network == rhinet.Ethernet], c.Nodes, c.Policy, loadText(c))
	work := share(calc, r.Finish()/rhinet.Seconds(1))
	x.SoFar = fmt.Sprintf("in loop %d, after %.3f s of the cluster's time", r.Iterations, r.Finish())
	x.Keys = map[string]any{"iterations": r.Iterations}
	if c.Application == rhinet.Heat {
		x.Far = answer.Far{Done: int64(r.Iterations), Total: int64(c.Heat.Steps)}
	}
	x.Number("nodes", c.Nodes, "hosts", "hosts of the cluster")
	x.Say("network", c.Network)
	x.Say("algorithm", c.Policy)
	x.Say("load", c.Load)
	x.Say("application", c.Application)
	x.Number("seed", c.Seed, "", "of node speeds and slice phases")
	x.Number("total_s", r.Total(), "s", "rank 0's time", "total_s").Head("time", "%s; the last rank ends at %.3f s",
		plural.Of(r.Iterations, "loop"), r.Finish())
	x.Number("calc_s", r.Calc(), "s", "of it, relaxing rows", "total_s").Detail("compute", "by rank 0")
	x.Number("comm_s", r.Comm(), "s", "of it, messages and waiting outside of balancing", "total_s").
		Detail("communication", "by rank 0, waiting included")
	x.Number("lb_s", r.LB(), "s", "of it, balancing phases", "total_s").Detail("balancing",
		"by rank 0; %d rows moved; the busiest rank %.3f times the mean", r.Moved(), imbalance(calc))
	x.Number("other_s", r.Other(), "s", "total less calc", "total_s").Called("not compute")
	x.Number("finish_s", r.Finish(), "s", "when the last rank finished", "total_s")
	x.Number("iterations", r.Iterations, "loops", "loops of the application")
	x.Number("packets", r.Packets, "packets", "packets that the network carried").Detail("packets", "")
	x.Number("header_wait_max_s", rhinet.Seconds(r.HeaderWait), "s", "longest wait of a header for an output")
	x.Number("deviation", r.Deviation, "", "sor: largest distance from the true solution")
	x.Number("time", r.Finish(), "s", "when the last rank finished")
	x.Share("efficiency", work, "share of the ranks' time in compute").Head("work",
		"of the ranks' time").PartOf(answer.Work, "")
	describeRankTimes(x, c, r, work)
	x.Number("transfers", r.Moved(), "rows", "rows that changed rank")
	x.Number("messages", r.Messages, "", "messages that ranks sent").Detail("messages", "")
	x.Number("imbalance", imbalance(calc), "", "of the time in compute: the busiest rank over the mean")
	x.Say("ranks", ranks)
	x.Say("epochs", epochs)
	x.Say("wall_seconds", 0.)
}

// describeRankTimes adds the parts of the ranks' time, until the last rank finished, that are not compute.
func describeRankTimes(x *answer.Answer, c *rhinet.Config, r *rhinet.Result, work float64) {
	last, wait, lb := int64(0), make([]int64, len(r.Ranks)), make([]int64, len(r.Ranks))
	for _, n := range r.Ranks {
		last = max(last, n.Finish)
	}
	for i, n := range r.Ranks {
		wait[i], lb[i] = n.Wait-n.LBWait+last-n.Finish, n.LB
	}
	waiting, balancing := share(wait, float64(last)), share(lb, float64(last))
	why := map[bool]string{
		true: "mostly for ranks on loaded hosts", false: "for messages of other ranks",
	}[c.Load != rhinet.NoLoad]
	x.Share("waiting", waiting, "share of the ranks' time in which they waited for messages outside of balancing, or "+
		"had finished").Called("waiting").
		PartOf("waiting", fmt.Sprintf("%.3f s a rank, on average, %s", waiting*rhinet.Seconds(last), why))
	x.Share("handling", 1-work-waiting-balancing, "share of the ranks' time in which they sent or received messages "+
		"outside of balancing").Called("sending, receiving").PartOf("messages", "sending and receiving them")
	x.Share("balancing", balancing, "share of the ranks' time in balancing phases, waits for messages included").
		Called("balancing phases").PartOf("balancing", "balancing phases, waits included")
}

// loadText says for people which hosts are loaded.
func loadText(c *rhinet.Config) string {
	switch {
	case c.Own != nil && c.Own.Hosts != nil:
		return "own hosts"
	case c.Load == rhinet.NoLoad:
		return "no load"
	}
	row, _ := knob.Find(knob.Bind(rhinet.Knobs(), c), "loaded")
	return "loaded: " + row.Text()
}

func useRHiNETHosts(config any, f File) error {
	c := config.(*rhinet.Config)
	if c.Nodes < 1 || c.Nodes > rhinet.MaxNodes {
		return c.Validate()
	}
	hosts, err := rhinet.ParseHosts(f.Name, f.Text, c.Nodes)
	c.Own = &rhinet.Own{Hosts: hosts}
	c.Load, c.Host.MoveEvery = rhinet.NoLoad, 0
	return err
}

func useSwitches(config any, f File) (err error) {
	config.(*rhinet.Config).Torus.Switches, err = rhinet.ParseSwitches(f.Name, f.Text)
	return err
}

// runRHiNET runs a *rhinet.Config.
func runRHiNET(ctx context.Context, config any, w *Watch) (*answer.Answer, error) {
	c := *config.(*rhinet.Config)
	watch := rhinet.Watch{
		Every: w.Every / rhinet.TickNs, Record: w.Record, Snapshots: w.Snapshots,
		Progress: w.progress(func(at int64) string {
			return fmt.Sprintf("%.3f s of the cluster's time", rhinet.Seconds(at))
		}),
	}
	if sample := w.Rows["series"]; sample != nil {
		watch.Sample = func(at int64, ranks []rhinet.SampleOfRank) {
			for i, r := range ranks {
				sample(rhinet.Seconds(at), i, r.Rows, r.Doing, rhinet.Seconds(r.Calc), rhinet.Seconds(r.Wait))
			}
		}
	}
	r, err := rhinet.RunWatched(ctx, c, watch)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	x := &answer.Answer{}
	describeRHiNET(x, &c, r, w.On["each"])
	return x, err
}
