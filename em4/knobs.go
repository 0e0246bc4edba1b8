package em4

import (
	"emsim/emcr"
	"emsim/internal/base/knob"
	"emsim/omega"
	"emsim/packet"
)

// Knob documents one field of Config for --set, machine files, sweeps, pages and random tests.
type Knob = knob.Knob[Config]

// Knobs lists the fields of Config in order.
func Knobs() []Knob {
	return []Knob{
		{
			Key: "pes", Unit: "PEs", Min: 4, Max: 1114112, Flag: "pes", Source: "[003 §2]; sizes (k+1)·2^k derived",
			Doc: "number of processing elements: 12, 80 (the prototype), 1024 (the target) and so on",
			Ref: func(c *Config) any { return &c.PEs },
		},
		{
			Key: "clock_ns", Unit: "ns", Real: knob.Interval{Low: 1e-10, High: 1e9, OpenLow: true, OpenHigh: true},
			Source: "derived: 12.5 MHz = 1 GIPS / 80 PEs",
			Doc:    "length of one clock", Ref: func(c *Config) any { return &c.ClockNS },
		},
		{
			Key: "hop_clocks", Unit: "clocks", Min: 1, Max: 8, Source: "chosen; guided by 003 table 1 row 2",
			Doc: "time from a packet leaving one switch to its first arbitration in the next",
			Ref: func(c *Config) any { return &c.HopClocks },
		},
		{
			Key: "inject_clocks", Unit: "clocks", Min: 1, Max: 8, Source: "chosen; fitted to 003 table 1 row 1",
			Doc: "time from the clock of a send to the packet's first arbitration in the PE's own switch",
			Ref: func(c *Config) any { return &c.InjectClocks },
		},
		{
			Key: "bank_clocks", Unit: "clocks", Min: 2, Max: 16,
			Source: "derived: a packet of two words, one word a clock",
			Doc:    "time from a packet leaving a bank of a switch until the bank can be filled again",
			Ref:    func(c *Config) any { return &c.BankClocks },
		},
		{
			Key: "banks", Unit: "banks", Min: 1, Max: omega.Banks,
			Source: "derived: 3 make the network free of deadlock",
			Doc:    "buffer banks per network input of a switch; fewer than 3 can deadlock",
			Ref:    func(c *Config) any { return &c.Banks },
		},
		{
			Key: "mlpe_compare", Source: "[003 §4.1]",
			Doc: "whether switches compare and rewrite MLPE packets",
			Ref: func(c *Config) any { return &c.MLPECompare },
		},
		{
			Key: "mlpe_tie", Values: mlpeTies(),
			Source: "chosen against [003 §4.1]: \"smaller\"; guided by 003 table 2",
			Doc: "which PE an MLPE packet names when loads are equal: the one that it passes (inclusive), or the one " +
				"that it already names (strict); in a search by software the program's parameter software_tie decides",
			Ref: func(c *Config) any { return &c.MLPETie },
		},
		{
			Key: "load_counts_execution", Source: "variant; figure 3 lists the buffers only [003 fig. 3]",
			Doc: "true: while the FMU holds a packet or the EXU runs a block, the load value counts two words more " +
				"in the FIFO; false: it counts only the words that wait in the buffers",
			Ref: func(c *Config) any { return &c.LoadCountsExecution },
		},
		{
			Key: "fifo_words", Unit: "words", Min: 2, Max: 8192, Source: "[003 §2]",
			Doc: "size of the on-chip FIFO of the input buffer", Ref: func(c *Config) any { return &c.FIFOWords },
		},
		{
			Key: "mib_words", Unit: "words", Max: 131072, Source: "[003 fig. 3]",
			Doc: "size of the part of the input buffer in memory (MIB)",
			Ref: func(c *Config) any { return &c.MIBWords },
		},
		{
			Key: "burst_refill", Source: "chosen, calibrated",
			Doc: "true: a refill continues until the FIFO is full; " +
				"false: it brings one packet each time the FIFO is empty",
			Ref: func(c *Config) any { return &c.BurstRefill },
		},
		{
			Key: "refill_blocks_intake", Source: "chosen; guided by 003 figure 8",
			Doc: "true: a refill that is due goes before a spill; false: the spill goes first",
			Ref: func(c *Config) any { return &c.RefillBlocksIntake },
		},
		{
			Key: "spill_interrupts", Source: "[003 §4.2]: FMU and EXU stand still; calibrated",
			Doc: "true: the IBU takes the memory port from a running block; " +
				"false: it waits while the EXU wants the port",
			Ref: func(c *Config) any { return &c.SpillInterrupts },
		},
		{
			Key: "match_clocks", Unit: "clocks", Min: emcr.MinMatchClocks, Max: emcr.MaxMatchClocks,
			Source: "chosen; fitted to 003 table 1 row 1",
			Doc: "accesses of the FMU for an operand of a two-operand node: 2: the matching word is read, " +
				"then it is written or the template's address read; " +
				"3: word 0 of the operand segment is read before these",
			Ref: func(c *Config) any { return &c.MatchClocks },
		},
		{
			Key: "getseg_clocks", Unit: "clocks", Min: emcr.MinGetsegClocks, Max: emcr.MaxGetsegClocks,
			Source: "assumed: free list; guided by 003 table 1",
			Doc:    "clocks of the instruction getseg, its fetch included",
			Ref:    func(c *Config) any { return &c.GetsegClocks },
		},
		{
			Key: "ibu_own_memory", Source: "remedy [003 §4.2]",
			Doc: "whether the MIB has a memory of its own", Ref: func(c *Config) any { return &c.IBUOwnMemory },
		},
		{
			Key: "mlpe_route", Values: mlpeRoutes(), Source: "remedy [003 §5]; reverse: [003 §4.1]",
			Doc: "what an MLPE packet goes round: the reverse circuit, the group ring, or both in that order",
			Ref: func(c *Config) any { return &c.MLPERoute },
		},
		{
			Key: "switch_priority", Unit: "level", Max: packet.MaxPriority, Source: "remedy [003 §5]",
			Doc: "which packets switches send before others: 0: none; 1: MLPE packets; " +
				"2: also their answers, that is, the packets to system blocks that follow from them; " +
				"3: all packets to system blocks, including the requests of ordinary calls",
			Ref: func(c *Config) any { return &c.SwitchPriority },
		},
		{
			Key: "ibu_priority", Unit: "level", Max: packet.MaxPriority, Source: "remedy [003 §5]",
			Doc: "which packets use a queue of 8 in the input buffer that goes before FIFO and MIB; " +
				"levels as for switch_priority; when that queue is full, they wait with all the others",
			Ref: func(c *Config) any { return &c.IBUPriority },
		},
		{
			Key: "prefetch_registers", Unit: "registers", Min: 1, Max: emcr.MaxPrefetch, Source: "remedy [003 §5]",
			Doc: "number of operand segments that the special register mlpe holds ready for the next calls; " +
				"a program uses more than one if its parameter is registers=all",
			Ref: func(c *Config) any { return &c.PrefetchRegisters },
		},
		{
			Key: "out_packets", Unit: "packets", Max: 16, Source: "remedy: the successor chip EMC-Y",
			Doc: "size of the output packet buffer between EXU and switch, including the packet on the port; " +
				"the EXU waits only when it is full; " +
				"0: no buffer, so the EXU holds the packet until the switch has taken it",
			Ref: func(c *Config) any { return &c.OutPackets },
		},
		{
			Key: "balanced_routes", Source: "remedy: the successor chip EMC-Y",
			Doc: "which of several shortest paths a packet takes: false: in-group links on its second time round; " +
				"true: the other link first, which loads both kinds of links more evenly",
			Ref: func(c *Config) any { return &c.BalancedRoutes },
		},
		{
			Key: "fair_switch", Source: "remedy for packets that are overtaken without bound",
			Doc: "whether a switch keeps room for one waiting packet at a time, in turn, " +
				"so that none is overtaken without bound",
			Ref: func(c *Config) any { return &c.FairSwitch },
		},
		{
			Key: "memory_words", Unit: "words", Min: 1024, Max: 1 << packet.AddrBits,
			Source: "chosen: 18-bit addresses",
			Doc:    "memory of each PE", Ref: func(c *Config) any { return &c.MemoryWords },
		},
		{
			Key: "segment_words", Unit: "words", Min: 8, Max: maxSegmentWords, Source: "chosen",
			Doc: "size of an operand segment, a power of two", Ref: func(c *Config) any { return &c.SegmentWords },
		},
		{
			Key: "segments", Unit: "segments", Min: 8, Max: 8191, Source: "chosen; range [003 fig. 3] ESEN",
			Doc: "number of operand segments in each PE", Ref: func(c *Config) any { return &c.Segments },
		},
		{
			Key: "structure_words", Unit: "words", Min: 0x16, Max: 0xffff, Source: "[003 fig. 3] ESTN",
			Doc: "structure memory of each PE", Ref: func(c *Config) any { return &c.StructureWords },
		},
	}
}

// Set sets the field with the given key from text, as "--set KEY=VALUE" does. It rejects unknown keys, and text that
// does not fit the type of the field. It does not check ranges: Validate does.
func (c *Config) Set(key, value string) error { return knob.Set(Knobs(), c, key, value) }
