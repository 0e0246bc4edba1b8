package machines

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"emsim/cluster/rhinet"
	"emsim/internal/base/interrupt"
)

// RHiNET is the answer of 'emsim rhinet run'.
type RHiNET struct {
	Nodes          int           `json:"nodes" unit:"hosts" doc:"hosts of the cluster"`
	Network        string        `json:"network"`
	Algorithm      string        `json:"algorithm"`
	Load           string        `json:"load"`
	Application    string        `json:"application"`
	Seed           uint64        `json:"seed" doc:"of node speeds and slice phases"`
	TotalS         float64       `json:"total_s" unit:"s" of:"total_s" doc:"rank 0's time"`
	CalcS          float64       `json:"calc_s" unit:"s" of:"total_s" doc:"of it, relaxing rows"`
	CommS          float64       `json:"comm_s" unit:"s" of:"total_s" doc:"of it, messages and waiting outside of balancing"`
	LBS            float64       `json:"lb_s" unit:"s" of:"total_s" doc:"of it, balancing phases"`
	OtherS         float64       `json:"other_s" unit:"s" of:"total_s" doc:"total less calc"`
	FinishS        float64       `json:"finish_s" unit:"s" of:"total_s" doc:"when the last rank finished"`
	Iterations     int           `json:"iterations" unit:"loops" doc:"loops of the application"`
	Packets        int64         `json:"packets" unit:"packets" doc:"packets that the network carried"`
	HeaderWaitMaxS float64       `json:"header_wait_max_s" unit:"s" doc:"longest wait of a header for an output"`
	Deviation      float64       `json:"deviation" doc:"sor: largest distance from the true solution"`
	Time           float64       `json:"time" unit:"s" doc:"when the last rank finished"`
	Efficiency     float64       `json:"efficiency" of:"" doc:"share of the ranks' time in compute"`
	Transfers      int           `json:"transfers" unit:"rows" doc:"rows that changed rank"`
	Messages       int64         `json:"messages" doc:"messages that ranks sent"`
	Imbalance      float64       `json:"imbalance" doc:"of the time in compute: the busiest rank over the mean"`
	Ranks          []RHiNETRank  `json:"ranks"`
	Epochs         []RHiNETEpoch `json:"epochs"`
	WallSeconds    float64       `json:"wall_seconds"`
}

// RHiNETRank is one rank of the answer.
type RHiNETRank struct {
	CalcS   float64 `json:"calc_s"`
	LBS     float64 `json:"lb_s"`
	WaitS   float64 `json:"wait_s"`
	FinishS float64 `json:"finish_s"`
}

// RHiNETEpoch is how the rows were split after a balancing phase.
type RHiNETEpoch struct {
	AfterLoop int   `json:"after_loop"`
	Rows      []int `json:"rows"`
}

var rhinetModel = Model{
	Short: "Run one program on the cluster, under one balancing algorithm",
	Long: `run solves the equations once, under one balancing algorithm, and shows where
rank 0's time went, as tables 2 to 5 of the paper do: total, compute,
communication, balancing. With a load, other (total minus compute) is mostly
time spent waiting for the loaded hosts. With --seeds N every number is the mean
of N runs with the seeds from --seed up; the paper's tables are compared with
means over 8. Ctrl-C prints the times so far, or the mean of the completed runs.

--hosts reads speeds and loads of your own, instead of --load:

  # what  hosts  from  until
  speed   0-3    1.25             # rows in the time of one row of speed 1
  load    7      2s    end        # a competing process, in slices
  stop    5      8s    8.5s       # the program does not have the CPU at all

--series writes what every rank does, its rows, computing and waiting time every
--sample of the cluster's time; --events writes the end of every operation.`,
	Example: "  emsim rhinet run --nodes 64 --algorithm igclb --load oneload\n" +
		"  emsim rhinet run --nodes 16 --network ethernet --algorithm glb --load twoload --json\n" +
		"  emsim rhinet run --nodes 64 --load oneload --seeds 8",
	Answer: &RHiNET{}, Time: "total_s", Ends: []string{"no_convergence"},
	Files: []FileKind{
		{"hosts", "read speed and load of each host over time from this `FILE`", textFile("a list of hosts", 1<<24, "half a million lines"), []string{"load", "loaded", "move_every"}, useRHiNETHosts},
	},
	Sampling: Sampling{"sample", 100 * time.Millisecond, []string{"s", "rank", "rows", "doing", "calc_s", "wait_s"}},
	Events:   []string{"s", "rank", "event", "peer", "n", "began_s"},
	ListFlag: [2]string{"ranks", "also list every rank (--json always does, of one seed)"},
	run:      runRHiNET,
	idles: func(config any) []Idle {
		c := config.(*rhinet.Config)
		return []Idle{
			{[]string{"group"}, !c.Algorithm.Grouped(), fmt.Sprintf("%v has no groups; gnolb, glb, igclb and igdlb have", c.Algorithm)},
			{[]string{"every"}, !c.Algorithm.Balances(), fmt.Sprintf("%v does not balance", c.Algorithm)},
			{[]string{"loaded", "move_every", "slice_on", "slice_off", "slice_jitter"}, c.Load == rhinet.NoLoad && c.Own == nil, "nothing is loaded; add --load oneload or twoload"},
			{[]string{"torus_x", "torus_y"}, c.Network == rhinet.Ethernet, "ethernet has a hub"},
			{[]string{"exchange", "omega"}, c.Application != rhinet.SOR, fmt.Sprintf("%v is not sor", c.Application)},
			{[]string{"steps"}, c.Application != rhinet.Heat, fmt.Sprintf("%v is not heat", c.Application)},
		}
	},
}

// Title says what ran.
func (x *RHiNET) Title() string {
	return fmt.Sprintf("%s, %d nodes on %s, %s, %s", x.Application, x.Nodes, x.Network, x.Algorithm, x.Load)
}

// Progress says how far a run is.
func (x *RHiNET) Progress() (string, map[string]any) {
	return fmt.Sprintf("in loop %d, after %.3f s of the cluster's time", x.Iterations, x.FinishS), map[string]any{"iterations": x.Iterations}
}

// Lists are the times and rows of each rank.
func (x *RHiNET) Lists() []List {
	l := List{Heads: []string{"rank", "calc s", "lb s", "wait s", "finish s"}}
	for _, e := range x.Epochs {
		l.Heads = append(l.Heads, fmt.Sprintf("rows from loop %d", e.AfterLoop+1))
	}
	for i, n := range x.Ranks {
		row := []any{i, n.CalcS, n.LBS, n.WaitS, n.FinishS}
		for _, e := range x.Epochs {
			row = append(row, e.Rows[i])
		}
		l.Rows = append(l.Rows, row)
	}
	return []List{l}
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

// runRHiNET runs a *rhinet.Config.
func runRHiNET(ctx context.Context, config any, w Watch) (Answer, error) {
	c := *config.(*rhinet.Config)
	watch := rhinet.Watch{Every: w.Every / rhinet.TickNs}
	if w.Sample != nil {
		watch.Sample = func(at int64, ranks []rhinet.SampleOfRank) {
			for i, r := range ranks {
				w.Sample(rhinet.Seconds(at), i, r.Rows, r.Doing, rhinet.Seconds(r.Calc), rhinet.Seconds(r.Wait))
			}
		}
	}
	if w.Event != nil {
		watch.Event = func(e rhinet.Event) {
			w.Event(rhinet.Seconds(e.At), e.Rank, e.Kind, numberOrNone(e.Peer), e.N, rhinet.Seconds(e.Began))
		}
	}
	r, err := rhinet.RunWatched(ctx, c, watch)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	out := &RHiNET{
		Nodes: c.Nodes, Network: string(c.Network), Algorithm: string(c.Algorithm), Load: string(c.Load),
		Application: string(c.Application), Seed: c.Seed,
		TotalS: r.Total(), CalcS: r.Calc(), CommS: r.Comm(), LBS: r.LB(), OtherS: r.Other(), FinishS: r.Finish(),
		Iterations: r.Iterations, Packets: r.Packets, HeaderWaitMaxS: rhinet.Seconds(r.HeaderWait), Deviation: r.Deviation,
		Time: r.Finish(), Transfers: r.Moved(), Messages: r.Messages,
	}
	calc := make([]int64, len(r.Ranks))
	for i, n := range r.Ranks {
		out.Ranks = append(out.Ranks, RHiNETRank{rhinet.Seconds(n.Calc), rhinet.Seconds(n.LB), rhinet.Seconds(n.Wait), rhinet.Seconds(n.Finish)})
		calc[i] = n.Calc
	}
	out.Imbalance, out.Efficiency = imbalance(calc), share(calc, r.Finish()/rhinet.Seconds(1))
	for _, e := range r.Epochs {
		out.Epochs = append(out.Epochs, RHiNETEpoch{e.Loop, e.Rows})
	}
	return out, err
}

// numberOrNone writes a number, and nothing for one below 0.
func numberOrNone(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}
