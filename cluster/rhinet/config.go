package rhinet

import "time"

// The model's tick, and the sizes of the cluster.
const (
	// TickNs is the length of a tick: 8 Gb/s [001 §2] on a 64-bit path is
	// 125 MHz (chosen: one flit is then one tick).
	TickNs = 8
	// PaperNodes is the size of the cluster [001 §5.1].
	PaperNodes = 64
	// MaxNodes is the size of the largest cluster.
	MaxNodes = hostsPerSwitch * maxSide * maxSide
	maxSide  = 16
	// hostsPerSwitch hosts share a switch; the other ports of its 8 lead to
	// the four neighbours in the torus [001 §5.1].
	hostsPerSwitch = 4
	// loadUnit is the number of hosts after which the load patterns repeat [001 §5.3].
	loadUnit = 8
)

// Seconds converts ticks to seconds.
func Seconds(ticks int64) float64 { return float64(ticks) * TickNs / 1e9 }

// ticksOf converts a duration to the nearest tick.
func ticksOf(d time.Duration) int64 { return (int64(d) + TickNs/2) / TickNs }

// A Config describes the whole machine and its program. Default returns the one set of parameters used for all rows of
// the paper. Source tags: [001 §x] the paper, fitted (to which cell), chosen (why).
type Config struct {
	Nodes       int         // ranks 0..Nodes-1 on hosts 0..Nodes-1 [001 §5.3: 8, 16, 32, 64]
	Network     Network     // RHiNET-2 or Ethernet
	Policy      Policy      // the balancing policy
	Load        Load        // which hosts a competing process slows down
	Application Application // what the ranks compute
	Seed        uint64      // seed of node speeds and time slices

	Group int // ranks in a group [001 §5.2.1: 2]
	Every int // loops between two balancing phases [001 table 1: 50]

	Host  Host
	Own   *Own // the user's own hosts or policy; nil for none
	SOR   SORParams
	Heat  HeatParams
	WLB   WLBParams
	Torus TorusParams
	Hub   HubParams
}

// Host is a PC with its operating system and message library.
type Host struct {
	RowCost      time.Duration // CPU time to relax one row of the 8192 (fitted: table 3, calc of 8)
	EthernetCost float64       // factor on RowCost under Ethernet (fitted: table 2, calc of 8; no cause given)
	Spread       float64       // node speeds are uniform in 1±Spread (fitted: table 3, comm of 8)

	RHiNETMessage   time.Duration // CPU time to send or to receive a message (fitted: table 3, comm of 16)
	EthernetMessage time.Duration // the same under Ethernet (fitted: table 2, comm of 64)
	MPIMessage      time.Duration // CPU time of MPI in addition [001 fig. 3] (chosen: 0, it is in the two above)
	CopyKiB         time.Duration // CPU time to copy a KiB, at each end (chosen: 0; RHiNET-2 copies nothing [001 §2])
	Decide          time.Duration // CPU time per node to compute a split (chosen: small against the phase's messages)

	GapFrom int           // least number of participants for which RHiNET-2 spaces the gather out [001 §5.4.1: 64]
	Gap     time.Duration // sender r first waits r times this long (fitted: table 3, comm of 64)

	LoadedPosition int           // the loaded host of eight (chosen: odd; even are inner nodes of the binomial tree)
	SliceOn        time.Duration // mean slice on a loaded host (fitted with SliceOff: table 5, total of 8 and of 64)
	SliceOff       time.Duration // slice of the competitor (fitted, see SliceOn; the kernel's nominal slice is 60 ms)
	SliceJitter    time.Duration // half width of the uniform spread of SliceOn (chosen: insensitive from 10 to 60 ms)
	MoveEvery      time.Duration // time after which the load moves to the next host of eight; 0 means never [001 §5.3]
}

// SORParams is the solver's problem and method.
type SORParams struct {
	Rows int     // unknowns [001 §5.2.1: 8192]
	Rho  float64 // a_ij = -Rho^|i-j|: dense, but a sweep costs O(n) (chosen)
	// a_ii over the off-diagonal sum of the middle row (fitted with Exchange: growth of calc × nodes in tables 2 and 3)
	Dominance float64
	Omega     float64 // relaxation factor, 0..2 (chosen)
	Exchange  int     // loops between two exchanges of the unknowns [001 §5.2.1: "every few"] (fitted: comm of table 2)
	Tolerance float64 // converged when no unknown differs by more than this from its exchanged value (chosen)
	MaxLoops  int     // the run fails after this many loops (chosen: 20 times what the paper's runs need)
}

// HeatParams is the second application: heat conduction in a square plate by the explicit five-point scheme. Each
// rank has a strip of rows and exchanges its edge rows with its neighbours in each loop; it waits for no other rank.
// All parameters are chosen.
type HeatParams struct {
	Rows    int           // rows of the grid
	Columns int           // columns of the grid; an edge row is 8·Columns bytes
	Steps   int           // loops
	Courant float64       // dt/dx², at most 0.25
	RowCost time.Duration // CPU time to update one row
}

// WLBParams are the parameters of WLB, the policy that takes waiting into account. All parameters are chosen.
type WLBParams struct {
	Slow  float64 // a rank may rest only if it is slower than this fraction of the median speed
	Jerky float64 // a rank may rest only if its longest loop takes at least this many times its mean loop
	Probe int     // dummy rows that a resting rank relaxes to see whether its load has gone
}

// TorusParams describes the RHiNET-2 network. A flit is 8 bytes and takes one tick.
type TorusParams struct {
	Width, Height int       // switches along X and Y; four hosts each [001 §5.1: 4 and 4]
	Switches      *Switches // the user's own switches instead; nil for none

	// firmware of the NI, for each packet sent or received [001 fig. 3] (chosen: 0, it is in Host.RHiNETMessage)
	FirmwareTicks int64

	SwitchTicks int64 // time of a header through a switch (chosen: tables insensitive to 3×)
	LinkTicks   int64 // time of a header along a link (chosen, as SwitchTicks)
	HeadFlits   int64 // flits of header and trailer (chosen)
	MTU         int   // payload bytes of a packet (chosen, as SwitchTicks)
	DMABytes    int64 // bytes per tick over the PCI bus, each way (chosen: 250 MB/s of 64 bit/66 MHz [001 §5.1])
	DMAHeader   int64 // bytes of header that the DMA moves too (chosen)
}

// HubParams describes the Ethernet network.
type HubParams struct {
	Payload      int   // payload bytes of a frame (derived: 1500 minus IP and library header)
	Header       int64 // bytes of IP and library header (chosen)
	MinFrame     int64 // shortest Ethernet payload (standard)
	FrameBytes   int64 // preamble, header, check and gap of a frame (standard)
	TicksPerByte int64 // 100 Mb/s [001 §5.1]
	HubTicks     int64 // store-and-forward latency of the hub (chosen: 10 µs)
}

// Default returns the paper's cluster: 64 nodes, RHiNET-2, no load, CLB.
func Default() Config {
	return Config{
		Nodes: 64, Network: RHiNET2, Policy: CLB, Load: NoLoad, Application: SOR, Seed: 1,
		Group: 2, Every: 50,
		Host: Host{
			RowCost: 177 * time.Microsecond, EthernetCost: 1.159, Spread: 0.006,
			RHiNETMessage: 45 * time.Microsecond, EthernetMessage: 60 * time.Microsecond,
			Decide:  time.Microsecond,
			GapFrom: 64, Gap: 780 * time.Microsecond,
			LoadedPosition: 7,
			SliceOn:        133 * time.Millisecond, SliceOff: 70 * time.Millisecond, SliceJitter: 30 * time.Millisecond,
		},
		SOR: SORParams{
			Rows: 8192, Rho: 0.9995, Dominance: 1.447, Omega: 1.2,
			Exchange: 7, Tolerance: 1e-8, MaxLoops: 5000,
		},
		Heat: HeatParams{Rows: 8192, Columns: 8192, Steps: 250, Courant: 0.25, RowCost: 177 * time.Microsecond},
		WLB:  WLBParams{Slow: 0.8, Jerky: 1.1, Probe: 2000},
		Torus: TorusParams{
			Width: 4, Height: 4, SwitchTicks: 30, LinkTicks: 4, HeadFlits: 2, MTU: 2048, DMABytes: 2,
			DMAHeader: 16,
		},
		Hub: HubParams{Payload: 1468, Header: 32, MinFrame: 46, FrameBytes: 38, TicksPerByte: 10, HubTicks: 1250},
	}
}

// SteadyShare returns c with such short slices on loaded hosts that every loop has the mean share of the CPU. This is
// a control: it shows where the waiting in tables 4 and 5 comes from.
func (c Config) SteadyShare() Config {
	c.Host.SliceOn /= 100
	c.Host.SliceOff /= 100
	c.Host.SliceJitter /= 100
	return c
}

// distributedRows returns the number of rows that the application distributes.
func (c *Config) distributedRows() int {
	if c.Application == Heat {
		return c.Heat.Rows
	}
	return c.SOR.Rows
}
