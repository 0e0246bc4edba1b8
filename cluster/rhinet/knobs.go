package rhinet

import (
	"math"
	"time"

	"emsim/internal/base/knob"
)

// Knob documents one parameter of a Config.
type Knob = knob.Knob[Config]

// maxNetwork is the upper limit of the networks' parameters.
const maxNetwork = 1_000_000

// Knobs lists the parameters in this order: run, load, host, applications and networks.
func Knobs() []Knob {
	return []Knob{
		{
			Key: "nodes", Flag: "nodes", Unit: "hosts", Min: 1, Max: MaxNodes, Source: "[001 §5.3]: 8, 16, 32, 64",
			Doc: "number of ranks, each on a host of its own", Ref: func(c *Config) any { return &c.Nodes },
		},
		{
			Key: "network", Flag: "network", Values: knob.Words(Networks()...), Source: "[001 §5.1]",
			Doc: "what connects the hosts", Ref: func(c *Config) any { return (*string)(&c.Network) },
		},
		{
			Key: "policy", Flag: "policy", Values: knob.Words(append(PaperPolicies(), WLB)...),
			Source: "[001 §4.1]; wlb: ours",
			Doc:    "the balancing policy: which ranks balance with each other",
			Ref:    func(c *Config) any { return (*string)(&c.Policy) },
		},
		{
			Key: "loaded", Flag: "loaded", Values: loadWords, Also: "a list such as 1,3,6",
			Source: "[001 §5.3]; a list: ours",
			Doc: "which hosts run a competing process: none, one of every eight, two (that one and its mate), or " +
				"the hosts of a list",
			Ref: func(c *Config) any { return knob.Word{Is: c.Load.word, Parse: c.Load.parse} },
		},
		{
			Key: "seed", Flag: "seed", Source: "chosen",
			Doc: "seed of the node speeds and of the phases of the time slices",
			Ref: func(c *Config) any { return &c.Seed },
		},
		{
			Key: "application", Flag: "application", Values: knob.Words(SOR, Heat),
			Source: "sor: [001 §5.2.1]; heat chosen",
			Doc:    "what the ranks compute", Ref: func(c *Config) any { return (*string)(&c.Application) },
		},
		{
			Key: "rows", Flag: "rows", Unit: "rows", Min: 1, Max: maxRows, Source: "[001 §5.2.1]",
			Doc: "number of rows in the application",
			Ref: func(c *Config) any { return knob.Same{&c.SOR.Rows, &c.Heat.Rows} },
		},
		{
			Key: "group", Flag: "group", Unit: "ranks", Min: 1, Max: math.MaxInt64, Source: "[001 §5.2.1]",
			Doc: "number of ranks in a group (gnolb, glb, igclb, igdlb)", Ref: func(c *Config) any { return &c.Group },
		},
		{
			Key: "interval", Flag: "interval", Unit: "loops", Min: 1, Max: math.MaxInt64, Source: "[001 table 1]",
			Doc: "loops between two balancing phases", Ref: func(c *Config) any { return &c.Every },
		},
		{
			Key: "exchange", Flag: "exchange", Unit: "loops", Min: 1, Max: math.MaxInt64,
			Source: "fitted: comm of table 2",
			Doc:    "sor: loops between two exchanges of the unknowns",
			Ref:    func(c *Config) any { return &c.SOR.Exchange },
		},
		{
			Key: "omega", Flag: "omega", Real: knob.Interval{High: 2, OpenLow: true, OpenHigh: true}, Source: "chosen",
			Doc: "sor: relaxation factor", Ref: func(c *Config) any { return &c.SOR.Omega },
		},
		{
			Key: "steps", Flag: "steps", Unit: "loops", Min: 1, Max: maxLoop, Source: "chosen",
			Doc: "heat: time steps", Ref: func(c *Config) any { return &c.Heat.Steps },
		},
		{
			Key: "loaded_host", Flag: "loaded-host", Max: loadUnit - 1, Source: "chosen: an odd one",
			Doc: "which of every eight hosts is loaded", Ref: func(c *Config) any { return &c.Host.LoadedPosition },
		},
		{
			Key: "move_every", Flag: "move-every", Max: int64(maxTime), Zero: "it stays", Source: "[001 §5.3]",
			Doc: "interval after which the load moves to the next of the eight hosts",
			Ref: func(c *Config) any { return &c.Host.MoveEvery },
		},
		{
			Key: "slice_on", Flag: "slice-on", Min: int64(time.Microsecond), Max: int64(maxTime),
			Source: "fitted with slice_off: table 5, total of 8 and of 64",
			Doc:    "mean time slice of the program on a loaded host",
			Ref:    func(c *Config) any { return &c.Host.SliceOn },
		},
		{
			Key: "slice_off", Flag: "slice-off", Max: int64(maxTime), Source: "fitted, see slice_on",
			Doc: "time slice of the competing process", Ref: func(c *Config) any { return &c.Host.SliceOff },
		},
		{
			Key: "slice_jitter", Flag: "slice-jitter", Max: int64(maxTime),
			Source: "chosen: insensitive from 10 to 60 ms",
			Doc:    "half the width of the range of slice_on", Ref: func(c *Config) any { return &c.Host.SliceJitter },
		},
		{
			Key: "row_cost", Min: TickNs, Max: int64(maxCost), Source: "fitted: table 3, calc of 8",
			Doc: "CPU time to relax one row", Ref: func(c *Config) any { return &c.Host.RowCost },
		},
		{
			Key: "ethernet_cost", Real: knob.Interval{High: 8, OpenLow: true}, Source: "fitted: table 2, calc of 8",
			Doc: "factor by which row_cost grows under Ethernet",
			Ref: func(c *Config) any { return &c.Host.EthernetCost },
		},
		{
			Key: "spread", Real: knob.Interval{High: 1, OpenHigh: true}, Source: "fitted: table 3, comm of 8",
			Doc: "node speeds are spread evenly over 1 ± spread", Ref: func(c *Config) any { return &c.Host.Spread },
		},
		{
			Key: "rhinet_message", Min: TickNs, Max: int64(time.Second), Source: "fitted: table 3, comm of 16",
			Doc: "CPU time to send or receive a message under RHiNET-2",
			Ref: func(c *Config) any { return &c.Host.RHiNETMessage },
		},
		{
			Key: "ethernet_message", Min: TickNs, Max: int64(time.Second), Source: "fitted: table 2, comm of 64",
			Doc: "CPU time to send or receive a message under Ethernet",
			Ref: func(c *Config) any { return &c.Host.EthernetMessage },
		},
		{
			Key: "mpi_message", Max: int64(time.Second),
			Source: "chosen: 0, it is in rhinet_message and ethernet_message; the layers: [001 fig. 3]",
			Doc: "CPU time of the MPI library to send or receive a message, " +
				"in addition to PMv2 and the layers below it",
			Ref: func(c *Config) any { return &c.Host.MPIMessage },
		},
		{
			Key: "copy_kib", Max: int64(time.Second), Source: "chosen: 0, RHiNET-2 copies nothing [001 §2]",
			Doc: "CPU time to copy a KiB of a message when it is sent, and when it is received",
			Ref: func(c *Config) any { return &c.Host.CopyKiB },
		},
		{
			Key: "decide", Max: int64(time.Second), Source: "chosen: small against the messages of the phase",
			Doc: "CPU time, for each node of the run, to work out a new split",
			Ref: func(c *Config) any { return &c.Host.Decide },
		},
		{
			Key: "gap_from", Unit: "ranks", Min: 1, Max: math.MaxInt64, Source: "[001 §5.4.1]",
			Doc: "number of participants from which the senders of a gather wait in turn under RHiNET-2",
			Ref: func(c *Config) any { return &c.Host.GapFrom },
		},
		{
			Key: "gap", Max: int64(time.Second), Source: "fitted: table 3, comm of 64",
			Doc: "unit of that wait: sender r waits r times this long before it sends",
			Ref: func(c *Config) any { return &c.Host.Gap },
		},
		{
			Key: "rho", Real: knob.Interval{High: 1, OpenLow: true, OpenHigh: true}, Source: "chosen",
			Doc: "sor: a_ij is -rho^|i-j|", Ref: func(c *Config) any { return &c.SOR.Rho },
		},
		{
			Key: "dominance", Real: knob.Interval{Low: 1, High: math.Inf(1), OpenLow: true},
			Source: "fitted with exchange: growth of calc × nodes in tables 2 and 3",
			Doc:    "sor: a_ii divided by the sum of the other elements in the middle row",
			Ref:    func(c *Config) any { return &c.SOR.Dominance },
		},
		{
			Key: "tolerance", Real: knob.Interval{High: math.Inf(1), OpenLow: true}, Source: "chosen",
			Doc: "sor: the run has converged when every unknown is closer than this to its exchanged value",
			Ref: func(c *Config) any { return &c.SOR.Tolerance },
		},
		{
			Key: "max_loops", Unit: "loops", Min: 1, Max: maxLoop,
			Source: "chosen: 20 times what the runs of the paper need",
			Doc:    "sor: give up after this many loops", Ref: func(c *Config) any { return &c.SOR.MaxLoops },
		},
		{
			Key: "columns", Unit: "points", Min: 1, Max: 1<<28 - 1, Source: "chosen",
			Doc: "heat: number of columns in the grid; an edge row takes 8 bytes per point",
			Ref: func(c *Config) any { return &c.Heat.Columns },
		},
		{
			Key: "courant", Real: knob.Interval{High: 0.25, OpenLow: true}, Source: "chosen",
			Doc: "heat: dt/dx²", Ref: func(c *Config) any { return &c.Heat.Courant },
		},
		{
			Key: "heat_row_cost", Min: TickNs, Max: int64(maxCost), Source: "chosen",
			Doc: "heat: CPU time to update one row", Ref: func(c *Config) any { return &c.Heat.RowCost },
		},
		{
			Key: "wlb_slow", Real: knob.Interval{High: 1, OpenLow: true}, Source: "chosen",
			Doc: "wlb: a rank may be told to rest only if its speed is below this share of the median",
			Ref: func(c *Config) any { return &c.WLB.Slow },
		},
		{
			Key: "wlb_jerky", Real: knob.Interval{Low: 1, High: math.Inf(1)}, Source: "chosen",
			Doc: "wlb: a rank may be told to rest only if its longest loop takes at least this many " +
				"times its mean loop",
			Ref: func(c *Config) any { return &c.WLB.Jerky },
		},
		{
			Key: "wlb_probe", Unit: "rows", Min: 1, Max: maxRows, Source: "chosen",
			Doc: "wlb: rows a resting rank relaxes only to see whether its load has gone",
			Ref: func(c *Config) any { return &c.WLB.Probe },
		},
		{
			Key: "torus_x", Flag: "torus-x", Unit: "switches", Min: 1, Max: maxSide, Source: "[001 §5.1]",
			Doc: "torus: switches along X, with four hosts each", Ref: func(c *Config) any { return &c.Torus.Width },
		},
		{
			Key: "torus_y", Flag: "torus-y", Unit: "switches", Min: 1, Max: maxSide, Source: "[001 §5.1]",
			Doc: "torus: switches along Y", Ref: func(c *Config) any { return &c.Torus.Height },
		},
		{
			Key: "firmware_ticks", Unit: "ticks", Max: maxNetwork,
			Source: "chosen: 0, it is in rhinet_message; the layers: [001 fig. 3]",
			Doc:    "torus: time of the NI's firmware for each packet that leaves or arrives",
			Ref:    func(c *Config) any { return &c.Torus.FirmwareTicks },
		},
		{
			Key: "switch_ticks", Unit: "ticks", Min: 1, Max: maxNetwork, Source: "chosen: tables insensitive to 3×",
			Doc: "torus: time that a header takes through a switch; a tick is 8 ns",
			Ref: func(c *Config) any { return &c.Torus.SwitchTicks },
		},
		{
			Key: "link_ticks", Unit: "ticks", Min: 1, Max: maxNetwork, Source: "chosen: as switch_ticks",
			Doc: "torus: time that a header takes along a link", Ref: func(c *Config) any { return &c.Torus.LinkTicks },
		},
		{
			Key: "head_flits", Unit: "flits", Max: maxNetwork, Source: "chosen",
			Doc: "torus: header and trailer of a packet, at 8 bytes a flit",
			Ref: func(c *Config) any { return &c.Torus.HeadFlits },
		},
		{
			Key: "mtu", Unit: "bytes", Min: 8, Max: maxNetwork, Source: "chosen: as switch_ticks",
			Doc: "torus: largest payload of a packet", Ref: func(c *Config) any { return &c.Torus.MTU },
		},
		{
			Key: "dma_bytes", Unit: "bytes/tick", Min: 1, Max: maxNetwork,
			Source: "chosen: 250 MB/s of 64 bit/66 MHz [001 §5.1]",
			Doc:    "torus: speed of DMA over the PCI bus, in each direction",
			Ref:    func(c *Config) any { return &c.Torus.DMABytes },
		},
		{
			Key: "dma_header", Unit: "bytes", Max: maxNetwork, Source: "chosen",
			Doc: "torus: size of the header that DMA moves with each packet",
			Ref: func(c *Config) any { return &c.Torus.DMAHeader },
		},
		{
			Key: "frame_payload", Unit: "bytes", Min: 1, Max: maxNetwork,
			Source: "derived: 1500 less IP and library header",
			Doc:    "Ethernet: largest payload of a frame", Ref: func(c *Config) any { return &c.Hub.Payload },
		},
		{
			Key: "frame_header", Unit: "bytes", Max: maxNetwork, Source: "chosen",
			Doc: "Ethernet: size of the IP and library headers", Ref: func(c *Config) any { return &c.Hub.Header },
		},
		{
			Key: "min_frame", Unit: "bytes", Max: maxNetwork, Source: "standard",
			Doc: "Ethernet: smallest payload of a frame", Ref: func(c *Config) any { return &c.Hub.MinFrame },
		},
		{
			Key: "frame_bytes", Unit: "bytes", Max: maxNetwork, Source: "standard",
			Doc: "Ethernet: preamble, header, checksum and gap of a frame",
			Ref: func(c *Config) any { return &c.Hub.FrameBytes },
		},
		{
			Key: "ticks_per_byte", Unit: "ticks", Min: 1, Max: maxNetwork, Source: "[001 §5.1]: 100 Mb/s",
			Doc: "Ethernet: time to send a byte", Ref: func(c *Config) any { return &c.Hub.TicksPerByte },
		},
		{
			Key: "hub_ticks", Unit: "ticks", Min: 1, Max: maxNetwork, Source: "chosen: 10 µs",
			Doc: "Ethernet: store-and-forward latency of the hub", Ref: func(c *Config) any { return &c.Hub.HubTicks },
		},
	}
}
