package em4

import (
	"fmt"
	"slices"

	"emsim/emcr"
	"emsim/ibu"
	"emsim/internal/base/knob"
	"emsim/omega"
	"emsim/packet"
)

// Config describes a whole machine. Knobs documents the unit, range and source of every field.
type Config struct {
	PEs                 int     `toml:"pes"`
	ClockNS             float64 `toml:"clock_ns"`
	HopClocks           int     `toml:"hop_clocks"`
	InjectClocks        int     `toml:"inject_clocks"`
	BankClocks          int     `toml:"bank_clocks"`
	Banks               int     `toml:"banks"`
	MLPECompare         bool    `toml:"mlpe_compare"`
	MLPETie             string  `toml:"mlpe_tie"`
	LoadCountsExecution bool    `toml:"load_counts_execution"`
	FIFOWords           int     `toml:"fifo_words"`
	MIBWords            int     `toml:"mib_words"`
	BurstRefill         bool    `toml:"burst_refill"`
	RefillBlocksIntake  bool    `toml:"refill_blocks_intake"`
	SpillInterrupts     bool    `toml:"spill_interrupts"`
	MatchClocks         int     `toml:"match_clocks"`
	GetsegClocks        int     `toml:"getseg_clocks"`
	IBUOwnMemory        bool    `toml:"ibu_own_memory"`
	MLPERoute           string  `toml:"mlpe_route"`
	SwitchPriority      int     `toml:"switch_priority"`
	IBUPriority         int     `toml:"ibu_priority"`
	PrefetchRegisters   int     `toml:"prefetch_registers"`
	OutPackets          int     `toml:"out_packets"`
	BalancedRoutes      bool    `toml:"balanced_routes"`
	FairSwitch          bool    `toml:"fair_switch"`
	MemoryWords         int     `toml:"memory_words"`
	SegmentWords        int     `toml:"segment_words"`
	Segments            int     `toml:"segments"`
	StructureWords      int     `toml:"structure_words"`
}

// mlpeRoutes lists the values of mlpe_route in the order of the packet kinds.
func mlpeRoutes() []string { return []string{"reverse", "group", "both"} }

// mlpeTies lists the values of mlpe_tie.
func mlpeTies() []string { return []string{"inclusive", "strict"} }

// maxSegmentWords is the largest value of segment_words [chosen].
const maxSegmentWords = 64

// Prototype80 returns the EM-4 prototype [003 §2].
func Prototype80() Config {
	return Config{
		PEs: 80, ClockNS: 80,
		HopClocks: 3, InjectClocks: 1, BankClocks: 2, Banks: omega.Banks, MLPECompare: true, MLPETie: mlpeTies()[0],
		FIFOWords: 32, MIBWords: 8192, BurstRefill: true, RefillBlocksIntake: true, SpillInterrupts: true,
		MatchClocks: 2, GetsegClocks: 2, MLPERoute: mlpeRoutes()[0], PrefetchRegisters: 1,
		MemoryWords: 1 << packet.AddrBits, SegmentWords: 64, Segments: 896, StructureWords: 0xffff,
	}
}

// Target1024 returns the machine for which the prototype was a first step [003 §5]. It has more operand segments than
// the prototype, so that only the prototype shows the paper's segment overflows [chosen].
func Target1024() Config {
	c := Prototype80()
	c.PEs = 1024
	c.Segments = 1024
	return c
}

// Small12 returns a machine with the network of figure 1 [003 fig. 1].
func Small12() Config {
	c := Prototype80()
	c.PEs = 12
	return c
}

// Validate checks that every knob is in its range, and that the parts of the memory fit into the memory.
func (c Config) Validate() error {
	for _, r := range knob.Bind(Knobs(), &c) {
		if err := r.Check(); err != nil && r.Key != "pes" { // ForPEs checks pes and names valid sizes
			return err
		}
	}
	if _, err := omega.ForPEs(c.PEs); err != nil {
		return err
	}
	if c.SegmentWords&(c.SegmentWords-1) != 0 {
		return fmt.Errorf("segment_words is %d, it must be a power of two", c.SegmentWords)
	}
	if err := c.ibuConfig().Validate(); err != nil {
		return err
	}
	_, err := c.layout()
	return err
}

// Network returns the knobs of the switches, for a network without PEs.
func (c Config) Network() omega.Config {
	return omega.Config{
		HopClocks: c.HopClocks, BankClocks: c.BankClocks, Banks: c.Banks, Compare: c.MLPECompare,
		Strict: c.MLPETie == mlpeTies()[1], Priority: c.SwitchPriority, Balanced: c.BalancedRoutes, Fair: c.FairSwitch,
	}
}

func (c Config) ibuConfig() ibu.Config {
	return ibu.Config{
		FIFOWords: c.FIFOWords, MIBWords: c.MIBWords, BurstRefill: c.BurstRefill,
		RefillBlocksIntake: c.RefillBlocksIntake, Priority: c.IBUPriority,
	}
}

// layout returns the parameters of a PE, whose memory is divided like this:
//
//	0 program | structure memory | operand segments | MIB
func (c Config) layout() (emcr.Config, error) {
	mib := c.MemoryWords - c.MIBWords
	segments := (mib - c.Segments*c.SegmentWords) &^ (c.SegmentWords - 1)
	structure := segments - c.StructureWords
	if structure <= 0 {
		return emcr.Config{}, fmt.Errorf("memory_words is %d: mib_words %d, %d segments of %d words and "+
			"structure_words %d leave no room for a program; lower one of them",
			c.MemoryWords, c.MIBWords, c.Segments, c.SegmentWords, c.StructureWords)
	}
	return emcr.Config{
		IBU: c.ibuConfig(), SpillInterrupts: c.SpillInterrupts, MatchClocks: c.MatchClocks,
		GetsegClocks: c.GetsegClocks, IBUOwnMemory: c.IBUOwnMemory, LoadCountsExecution: c.LoadCountsExecution,
		MLPEKind: packet.MLPE + packet.Kind(slices.Index(mlpeRoutes(), c.MLPERoute)), MarkAnswers: max(c.SwitchPriority,
			c.IBUPriority) >= packet.AnswerPriority, PrefetchRegisters: c.PrefetchRegisters, OutPackets: c.OutPackets,
		InjectClocks: uint64(c.InjectClocks),
		SegmentBase:  uint32(segments), SegmentWords: uint32(c.SegmentWords), Segments: c.Segments,
		StructureBase: uint32(structure), StructureWords: uint32(c.StructureWords),
		MIBBase: uint32(mib),
	}, nil
}
