package experiments

import (
	"fmt"
	"slices"
	"time"

	"emsim/cluster/rhinet"
)

var (
	nodeCounts = [...]int{8, 16, 32, 64}
	loaded     = []rhinet.Load{rhinet.OneLoad, rhinet.TwoLoad}
)

// All lists the experiments.
func All() []Experiment {
	return []Experiment{
		{
			Name: "control", Title: "what the waiting of tables 4 and 5 comes from: the time slices", Source: "ours",
			points: control, across: setting,
			Note: `CLB with one host of eight loaded. "slices" is the model of tables 4 and 5; "steady" gives the competitor the same
share of the CPU in slices a hundred times shorter; "60/114" takes the kernel's nominal slice, "70/70" equal turns.`,
		},
		{
			Name: "groups", Title: "group sizes other than 2", Source: "[001 §6]",
			points: groups, across: setting,
			Note: "A group of 1 is the flat algorithm with the grouped program; one group of all ranks has no rank outside.",
		},
		{
			Name: "waiting", Title: "an algorithm that takes waiting time into account", Source: "[001 §6]",
			points: waiting, across: algorithm,
			Note: `wlb lets a rank rest if waiting for it costs more than its rows contribute; the others are the paper's.`,
		},
		{
			Name: "application", Title: "an application other than SOR", Source: "[001 §6]",
			points: application, across: algorithm,
			Note: `Heat conduction, 8192 × 8192 points, 250 steps: neighbours exchange edge rows, no collective, and rows that
change hands travel (64 KiB each).`,
		},
		{
			Name: "moving", Title: "a load that moves to the next host of eight", Source: "ours",
			points: moving, across: algorithm,
			Note: "The competitor starts on host 7 of each eight and moves to hosts 0, 1, ... after the time of the setting.",
		},
		{
			Name: "frequency", Title: "balancing intervals other than 50 loops", Source: "[001 table 1]",
			points: frequency, across: setting,
			Note: "The paper tried several and found 50 loops the most suitable.",
		},
		{
			Name: "sensitivity", Title: "the effect of the chosen parameters", Source: "ours",
			points: sensitivity, across: setting,
			Note: `CLB. "wires × 3": slower switches, links and hub; "dma / 2": half the PCI bus; "mtu / 2": half the packet;
"jitter" and "loaded" as the flags of rhinet run. Even hosts are inner nodes of the binomial trees.`,
		},
	}
}

func setting(o Observation) string   { return o.Setting }
func algorithm(o Observation) string { return o.Algorithm }

func everyone() []rhinet.Algorithm { return append(rhinet.PaperAlgorithms(), rhinet.WLB) }

func baseConfig(nodes int, load rhinet.Load, a rhinet.Algorithm) rhinet.Config {
	c := rhinet.Default()
	c.Nodes, c.Load, c.Algorithm = nodes, load, a
	return c
}

func control() (out []point) {
	for _, n := range nodeCounts {
		c := baseConfig(n, rhinet.OneLoad, rhinet.CLB)
		slices := func(on, off time.Duration) rhinet.Config {
			d := c
			d.Host.SliceOn, d.Host.SliceOff = on*time.Millisecond, off*time.Millisecond
			return d
		}
		out = append(out,
			point{c, "slices"}, point{c.SteadyShare(), "steady"},
			point{slices(114, 60), "60/114"}, point{slices(70, 70), "70/70"},
		)
	}
	return out
}

// eachMachine calls do with the machine of every load, number of nodes and
// algorithm.
func eachMachine(loads []rhinet.Load, algorithms []rhinet.Algorithm, do func(c rhinet.Config)) {
	for _, load := range loads {
		for _, n := range nodeCounts {
			for _, a := range algorithms {
				do(baseConfig(n, load, a))
			}
		}
	}
}

func groups() (out []point) {
	eachMachine(loaded, []rhinet.Algorithm{rhinet.GnoLB, rhinet.GLB, rhinet.IGCLB, rhinet.IGDLB}, func(c rhinet.Config) {
		for c.Group = 1; c.Group <= c.Nodes; c.Group *= 2 {
			out = append(out, point{c, fmt.Sprintf("group %d", c.Group)})
		}
	})
	return out
}

func waiting() (out []point) {
	eachMachine(rhinet.Loads(), everyone(), func(c rhinet.Config) { out = append(out, point{cfg: c}) })
	return out
}

func application() []point {
	out := waiting()
	for i := range out {
		out[i].cfg.Application = rhinet.Heat
	}
	return out
}

func moving() (out []point) {
	for _, n := range nodeCounts {
		for _, s := range []int{0, 20, 10, 5, 2, 1} {
			for _, a := range everyone() {
				c := baseConfig(n, rhinet.OneLoad, a)
				c.Host.MoveEvery = time.Duration(s) * time.Second
				name := "stays"
				if s > 0 {
					name = fmt.Sprintf("%d s", s)
				}
				out = append(out, point{c, name})
			}
		}
	}
	return out
}

func frequency() (out []point) {
	balancing := slices.DeleteFunc(everyone(), func(a rhinet.Algorithm) bool { return !a.Balances() })
	eachMachine([]rhinet.Load{rhinet.OneLoad}, balancing, func(c rhinet.Config) {
		for _, c.Every = range []int{10, 25, 50, 100} {
			out = append(out, point{c, fmt.Sprintf("every %d", c.Every)})
		}
	})
	return out
}

func sensitivity() (out []point) {
	eachMachine([]rhinet.Load{rhinet.NoLoad, rhinet.OneLoad}, []rhinet.Algorithm{rhinet.CLB}, func(c rhinet.Config) {
		add := func(name string, change func(c *rhinet.Config)) {
			d := c
			change(&d)
			out = append(out, point{d, name})
		}
		add("default", func(*rhinet.Config) {})
		add("wires × 3", func(c *rhinet.Config) {
			c.Torus.SwitchTicks *= 3
			c.Torus.LinkTicks *= 3
			c.Hub.HubTicks *= 3
		})
		add("dma / 2", func(c *rhinet.Config) { c.Torus.DMABytes /= 2 })
		add("mtu / 2", func(c *rhinet.Config) { c.Torus.MTU, c.Hub.Payload = c.Torus.MTU/2, c.Hub.Payload/2 })
		if c.Load == rhinet.NoLoad {
			return
		}
		for _, j := range []time.Duration{10, 60} {
			add(fmt.Sprintf("jitter %d ms", j), func(c *rhinet.Config) { c.Host.SliceJitter = j * time.Millisecond })
		}
		for _, at := range []int{1, 5, 4, 6} {
			add(fmt.Sprintf("loaded %d", at), func(c *rhinet.Config) { c.Host.LoadedPosition = at })
		}
	})
	return out
}
