package em4

import (
	"fmt"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/ibu"
	"emsim/omega"
	"emsim/packet"
)

// Config describes a whole machine. Knobs documents every field: unit, range,
// source.
type Config struct {
	PEs                int     `toml:"pes"`
	ClockNS            float64 `toml:"clock_ns"`
	HopClocks          int     `toml:"hop_clocks"`
	InjectClocks       int     `toml:"inject_clocks"`
	BankClocks         int     `toml:"bank_clocks"`
	Banks              int     `toml:"banks"`
	MLPECompare        bool    `toml:"mlpe_compare"`
	FIFOWords          int     `toml:"fifo_words"`
	MIBWords           int     `toml:"mib_words"`
	BurstRefill        bool    `toml:"burst_refill"`
	RefillBlocksIntake bool    `toml:"refill_blocks_intake"`
	SpillInterrupts    bool    `toml:"spill_interrupts"`
	IBUOwnMemory       bool    `toml:"ibu_own_memory"`
	MLPERoute          string  `toml:"mlpe_route"`
	SwitchPriority     int     `toml:"switch_priority"`
	IBUPriority        int     `toml:"ibu_priority"`
	PrefetchRegisters  int     `toml:"prefetch_registers"`
	OutPackets         int     `toml:"out_packets"`
	MemoryWords        int     `toml:"memory_words"`
	SegmentWords       int     `toml:"segment_words"`
	Segments           int     `toml:"segments"`
	StructureWords     int     `toml:"structure_words"`
}

// mlpeRoutes lists the values of mlpe_route in the order of the packet kinds.
func mlpeRoutes() []string { return []string{"reverse", "group", "both"} }

// maxSegmentWords bounds segment_words [chosen].
const maxSegmentWords = 64

// Knob documents one field of Config.
type Knob struct {
	Key      string
	Unit     string
	Min, Max int      // range, if it is an integer
	Values   []string // allowed values, if it is a text
	Source   string
	Doc      string
	Ref      func(c *Config) any // *int, *float64, *bool or *string
}

// Knobs lists the fields of Config in their order.
func Knobs() []Knob {
	return []Knob{
		{"pes", "PEs", 4, 1114112, nil, "[003 §2]; sizes (k+1)·2^k derived", "processing elements: 12, 80 (prototype), 1024 (target) and so on", func(c *Config) any { return &c.PEs }},
		{"clock_ns", "ns", 0, 0, nil, "derived: 12.5 MHz = 1 GIPS / 80 PEs", "length of a clock", func(c *Config) any { return &c.ClockNS }},
		{"hop_clocks", "clocks", 1, 8, nil, "chosen, calibrated", "from leaving one switch to the packet's first arbitration in the next", func(c *Config) any { return &c.HopClocks }},
		{"inject_clocks", "clocks", 1, 8, nil, "chosen, calibrated", "from the clock of a send to the packet's first arbitration in the own switch", func(c *Config) any { return &c.InjectClocks }},
		{"bank_clocks", "clocks", 2, 16, nil, "chosen, calibrated", "from a packet's leaving a bank of a switch until the bank can be filled again", func(c *Config) any { return &c.BankClocks }},
		{"banks", "banks", 1, omega.Banks, nil, "derived: 3 make the network free of deadlock", "buffer banks per network input of a switch; fewer than 3 can deadlock", func(c *Config) any { return &c.Banks }},
		{"mlpe_compare", "", 0, 0, nil, "[003 §4.1]", "switches compare and rewrite MLPE packets", func(c *Config) any { return &c.MLPECompare }},
		{"fifo_words", "words", 2, 8192, nil, "[003 §2]", "on-chip FIFO of the input buffer", func(c *Config) any { return &c.FIFOWords }},
		{"mib_words", "words", 0, 131072, nil, "[003 fig. 3]", "input buffer in memory (MIB)", func(c *Config) any { return &c.MIBWords }},
		{"burst_refill", "", 0, 0, nil, "chosen, calibrated", "a refill goes on until the FIFO is full; otherwise one packet each time it is empty", func(c *Config) any { return &c.BurstRefill }},
		{"refill_blocks_intake", "", 0, 0, nil, "chosen, calibrated", "a due refill goes before a spill; otherwise the spill goes first", func(c *Config) any { return &c.RefillBlocksIntake }},
		{"spill_interrupts", "", 0, 0, nil, "chosen, calibrated", "the IBU takes the memory port from a running block; otherwise it waits while the EXU wants it", func(c *Config) any { return &c.SpillInterrupts }},
		{"ibu_own_memory", "", 0, 0, nil, "remedy [003 §4.2]", "the MIB lies in a memory of its own", func(c *Config) any { return &c.IBUOwnMemory }},
		{"mlpe_route", "", 0, 0, mlpeRoutes(), "remedy [003 §5]; reverse: [003 §4.1]", "what MLPE packets round: the reverse circuit, the group ring, or the first and then the second", func(c *Config) any { return &c.MLPERoute }},
		{"switch_priority", "level", 0, packet.MaxPriority, nil, "remedy [003 §5]", "packets that switches let go before others: 0 none; 1 MLPE packets; 2 also their answers, the packets to system blocks that follow from them; 3 all packets to system blocks, requests of ordinary calls among them", func(c *Config) any { return &c.SwitchPriority }},
		{"ibu_priority", "level", 0, packet.MaxPriority, nil, "remedy [003 §5]", "packets for which the input buffer has a queue of 8 that goes before FIFO and MIB, levels as switch_priority; when it is full they queue with all others", func(c *Config) any { return &c.IBUPriority }},
		{"prefetch_registers", "registers", 1, emcr.MaxPrefetch, nil, "remedy [003 §5]", "operand segments that the special register mlpe holds for the next calls; programs use more than one with their parameter registers=all", func(c *Config) any { return &c.PrefetchRegisters }},
		{"out_packets", "packets", 0, 16, nil, "remedy: the successor chip EMC-Y", "output packet buffer between EXU and switch, the packet on the port counted: the EXU waits only when it is full; 0: none, the EXU holds the packet until the switch has taken it", func(c *Config) any { return &c.OutPackets }},
		{"memory_words", "words", 1024, 1 << packet.AddrBits, nil, "chosen: 18-bit addresses", "memory of a PE", func(c *Config) any { return &c.MemoryWords }},
		{"segment_words", "words", 8, maxSegmentWords, nil, "chosen", "words of an operand segment, a power of two", func(c *Config) any { return &c.SegmentWords }},
		{"segments", "segments", 8, 8191, nil, "chosen; range [003 fig. 3] ESEN", "operand segments of a PE", func(c *Config) any { return &c.Segments }},
		{"structure_words", "words", 0x16, 0xffff, nil, "[003 fig. 3] ESTN", "structure memory of a PE", func(c *Config) any { return &c.StructureWords }},
	}
}

// Prototype80 is the EM-4 prototype [003 §2].
func Prototype80() Config {
	return Config{
		PEs: 80, ClockNS: 80,
		HopClocks: 2, InjectClocks: 2, BankClocks: 8, Banks: omega.Banks, MLPECompare: true,
		FIFOWords: 32, MIBWords: 8192, BurstRefill: true, SpillInterrupts: true, MLPERoute: mlpeRoutes()[0], PrefetchRegisters: 1,
		MemoryWords: 1 << packet.AddrBits, SegmentWords: 64, Segments: 896, StructureWords: 0xffff,
	}
}

// Target1024 is the machine that the prototype was a step towards [003 §5]. It
// has more operand segments, because the paper's overflows are those of the
// prototype [chosen].
func Target1024() Config {
	c := Prototype80()
	c.PEs = 1024
	c.Segments = 1024
	return c
}

// Small12 is a machine with the network of figure 1 [003 fig. 1].
func Small12() Config {
	c := Prototype80()
	c.PEs = 12
	return c
}

// Validate checks the ranges, and that the parts of the memory fit into it.
func (c Config) Validate() error {
	for _, k := range Knobs() {
		if p, ok := k.Ref(&c).(*int); ok && k.Key != "pes" && (*p < k.Min || *p > k.Max) {
			return fmt.Errorf("%s is %d, it must be %d..%d %s", k.Key, *p, k.Min, k.Max, k.Unit)
		}
	}
	if _, err := omega.ForPEs(c.PEs); err != nil {
		return err
	}
	if !slices.Contains(mlpeRoutes(), c.MLPERoute) {
		return fmt.Errorf("mlpe_route is %q, it must be one of %s", c.MLPERoute, strings.Join(mlpeRoutes(), ", "))
	}
	if !(c.ClockNS > 0 && c.ClockNS < 1e9) {
		return fmt.Errorf("clock_ns is %v, it must be above 0 and below 10^9", c.ClockNS)
	}
	if c.SegmentWords&(c.SegmentWords-1) != 0 {
		return fmt.Errorf("segment_words is %d, it must be a power of two", c.SegmentWords)
	}
	if err := c.ibu().Validate(); err != nil {
		return err
	}
	if _, err := c.layout(); err != nil {
		return err
	}
	return nil
}

func (c Config) ibu() ibu.Config {
	return ibu.Config{FIFOWords: c.FIFOWords, MIBWords: c.MIBWords, BurstRefill: c.BurstRefill, RefillBlocksIntake: c.RefillBlocksIntake, Priority: c.IBUPriority}
}

// layout returns the parameters of a PE, with the parts of its memory at these
// places:
//
//	0 program | structure memory | operand segments | MIB
func (c Config) layout() (emcr.Config, error) {
	mib := c.MemoryWords - c.MIBWords
	segments := (mib - c.Segments*c.SegmentWords) &^ (c.SegmentWords - 1)
	structure := segments - c.StructureWords
	if structure <= 0 {
		return emcr.Config{}, fmt.Errorf("memory_words is %d: mib_words %d, %d segments of %d words and structure_words %d leave no room for a program; lower one of them",
			c.MemoryWords, c.MIBWords, c.Segments, c.SegmentWords, c.StructureWords)
	}
	return emcr.Config{
		IBU: c.ibu(), SpillInterrupts: c.SpillInterrupts, IBUOwnMemory: c.IBUOwnMemory, MLPEKind: packet.MLPE + packet.Kind(slices.Index(mlpeRoutes(), c.MLPERoute)), MarkAnswers: max(c.SwitchPriority, c.IBUPriority) >= packet.AnswerPriority, PrefetchRegisters: c.PrefetchRegisters, OutPackets: c.OutPackets,
		InjectClocks: uint64(c.InjectClocks),
		SegmentBase:  uint32(segments), SegmentWords: uint32(c.SegmentWords), Segments: c.Segments,
		StructureBase: uint32(structure), StructureWords: uint32(c.StructureWords),
		MIBBase: uint32(mib),
	}, nil
}

// Set sets the field of one key from a text, as "--set KEY=VALUE" does.
func (c *Config) Set(key, value string) error {
	knobs := Knobs()
	i := slices.IndexFunc(knobs, func(k Knob) bool { return k.Key == key })
	if i < 0 {
		names := make([]string, len(knobs))
		for j, k := range knobs {
			names[j] = k.Key
		}
		return fmt.Errorf("a machine has no knob %q; it has %s", key, strings.Join(names, ", "))
	}
	ref := knobs[i].Ref(c)
	if b, ok := ref.(*bool); ok {
		if value != "true" && value != "false" {
			return fmt.Errorf("%s is true or false, not %q", key, value)
		}
		*b = value == "true"
		return nil
	}
	if s, ok := ref.(*string); ok {
		if !slices.Contains(knobs[i].Values, value) {
			return fmt.Errorf("%s is one of %s, not %q", key, strings.Join(knobs[i].Values, ", "), value)
		}
		*s = value
		return nil
	}
	var rest string
	if n, err := fmt.Sscanf(value+" ", "%v%s", ref, &rest); n != 1 || err == nil && rest != "" {
		return fmt.Errorf("%s wants a number of %s, not %q", key, knobs[i].Unit, value)
	}
	return nil
}
