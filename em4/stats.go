package em4

import (
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/omega"
)

// Kind says how a statistic is totalled.
type Kind uint8

// The kinds.
const (
	Sum     Kind = iota // the total is the sum; a span of clocks has a sum of its own
	Peak                // the total is the highest value since the statistics began
	Derived             // computed from the totals of other statistics
)

// Level says for which units a statistic is counted.
type Level uint8

// The levels.
const (
	OfPE      Level = iota // each PE
	OfSwitch               // each switching unit
	OfLink                 // each of the three outputs of a switching unit
	OfMachine              // only the machine as a whole
)

// Output is a place where statistics appear, or a set of places.
type Output uint8

// The outputs.
const (
	InJSON   Output = 1 << iota // the answer of 'emsim run --json'
	InStats                     // --stats, one row for each PE or link
	InSeries                    // a column of --series
	InSweep                     // a column of the table of 'emsim sweep'
)

// Statistic describes one statistic of a run. All code that prints, totals, saves or documents statistics uses the list
// of them.
type Statistic struct {
	Key   string // name in CSV files, such as packets_sent
	JSON  string // place in the answer if that is not Key: packets.sent is the key sent of the object packets
	Unit  string // unit of the count; empty if Doc names the things that are counted
	Doc   string // what is counted
	Kind  Kind
	Level Level
	Share bool   // the machine's value is a share 0..1 of all PE-clocks
	Ratio bool   // the machine's value is the largest number over the mean of these numbers
	Not   Output // outputs without this statistic, because their columns were fixed before it was added

	one     func(c *Counters) *uint64    // returns the count of a PE or switch
	links   func(c *Counters) *[3]uint64 // returns the counts of the three links
	derived func(t *Totals) any          // computes it: a float64 for a share or ratio, otherwise a uint64
}

// old is the set of outputs that omit a statistic because, at first, only --stats had it.
const old = InSeries | InSweep

// statistics has a row for every statistic. Add new rows at the end, so that the columns of the others keep their
// places.
var statistics = []*Statistic{
	{Key: "exu_fmu", JSON: "states.exu_fmu", Unit: "clocks", Share: true, Doc: "FMU or EXU at work", one: func(c *Counters) *uint64 { return &c.Clocks[emcr.ExuFmu] }},
	{Key: "ibu_only", JSON: "states.ibu_only", Unit: "clocks", Share: true, Doc: "only the IBU at work", one: func(c *Counters) *uint64 { return &c.Clocks[emcr.IbuOnly] }},
	{Key: "network_wait", JSON: "states.network_wait", Unit: "clocks", Share: true, Doc: "the EXU holds a packet that the switch has not taken, or has no room for its next one", one: func(c *Counters) *uint64 { return &c.Clocks[emcr.NetworkWait] }},
	{Key: "idle", JSON: "states.idle", Unit: "clocks", Share: true, Doc: "no packet to work on", one: func(c *Counters) *uint64 { return &c.Clocks[emcr.Idle] }},
	{Key: "pe_utilisation", Kind: Derived, Level: OfMachine, Share: true, Not: InSeries, Doc: "exu_fmu + ibu_only", derived: func(t *Totals) any { return t.Utilisation() }},
	{Key: "ibu_waiting", Unit: "clocks", Share: true, Not: InSeries, Doc: "the part of ibu_only in which the EXU waited for the switch, as in network_wait", one: func(c *Counters) *uint64 { return &c.IbuWaiting }},
	{Key: "instructions", Doc: "instructions executed", one: func(c *Counters) *uint64 { return &c.Instructions }},
	{Key: "blocks", Not: old, Doc: "strongly connected blocks begun", one: func(c *Counters) *uint64 { return &c.Blocks }},
	{Key: "calls", Doc: "function instances: operand segments that got their first operand", one: func(c *Counters) *uint64 { return &c.Calls }},
	{Key: "mlpe_calls", Doc: "function instances that MLPE placed", one: func(c *Counters) *uint64 { return &c.MLPECalls }},
	{Key: "mlpe_packets", Unit: "packets", Doc: "MLPE packets sent", one: func(c *Counters) *uint64 { return &c.MLPESent }},
	{Key: "packets_sent", JSON: "packets.sent", Unit: "packets", Doc: "all packets sent, local ones included; the machine's figure has the host's too", one: func(c *Counters) *uint64 { return &c.Sent }},
	{Key: "packets_consumed", JSON: "packets.consumed", Unit: "packets", Not: old, Doc: "packets that the FMU or the prefetch register took", one: func(c *Counters) *uint64 { return &c.Consumed }},
	{Key: "packets_spilled", JSON: "packets.spilled", Unit: "packets", Doc: "packets written to the memory input buffer", one: func(c *Counters) *uint64 { return &c.Spilled }},
	{Key: "hops", JSON: "packets.hops", Kind: Derived, Level: OfMachine, Doc: "links between PEs that packets crossed", derived: func(t *Totals) any { return t.Hops() }},
	{Key: "packets", JSON: "links.packets", Unit: "packets", Level: OfLink, Not: old, Doc: "packets that crossed the link", links: func(c *Counters) *[3]uint64 { return &c.Packets }},
	{Key: "wait_clocks", JSON: "links.wait_clocks", Unit: "clocks", Level: OfLink, Not: old, Doc: "clocks in which a packet was ready for the link and did not move, one for each packet and clock", links: func(c *Counters) *[3]uint64 { return &c.WaitClocks }},
	{Key: "segments_peak", Unit: "segments", Kind: Peak, Not: InSeries, Doc: "most operand segments in use at once in one PE", one: func(c *Counters) *uint64 { return &c.SegmentsPeak }},
	{Key: "fifo_peak_words", Unit: "words", Kind: Peak, Not: old, Doc: "most words at once in one FIFO", one: func(c *Counters) *uint64 { return &c.FIFOPeak }},
	{Key: "mib_peak_words", Unit: "words", Kind: Peak, Not: InSeries, Doc: "most words at once in one memory input buffer", one: func(c *Counters) *uint64 { return &c.MIBPeak }},
	{Key: "remote_calls", Not: old, Doc: "of the calls, those whose first operand another PE sent", one: func(c *Counters) *uint64 { return &c.RemoteCalls }},
	{Key: "packets_away", JSON: "packets.away", Unit: "packets", Not: old, Doc: "of the packets sent, those for other PEs, searches of MLPE included", one: func(c *Counters) *uint64 { return &c.SentAway }},
	{Key: "busy_peak", Unit: "clocks", Kind: Peak, Not: old, Doc: "exu_fmu of the busiest PE, in clocks", one: func(c *Counters) *uint64 { return &c.BusyPeak }},
	// The statistics that all machines have in common. The time is the answer's clocks.
	{Key: "time", Unit: "clocks", Kind: Derived, Level: OfMachine, Not: InSeries, Doc: "from the entry of the start packet to the last word to the host", derived: func(t *Totals) any { return t.Clocks }},
	{Key: "efficiency", Kind: Derived, Level: OfMachine, Share: true, Not: InSeries, Doc: "share of the PE-clocks with FMU or EXU at work", derived: func(t *Totals) any { return t.Share(emcr.ExuFmu) }},
	{Key: "transfers", Kind: Derived, Level: OfMachine, Not: InSeries, Doc: "function instances that another PE called", derived: func(t *Totals) any { return t.RemoteCalls }},
	{Key: "messages", Unit: "packets", Kind: Derived, Level: OfMachine, Not: InSeries, Doc: "packets for other PEs, searches of MLPE included", derived: func(t *Totals) any { return t.SentAway }},
	{Key: "imbalance", Kind: Derived, Level: OfMachine, Ratio: true, Not: InSeries, Doc: "of the clocks with FMU or EXU at work: the busiest PE over the mean", derived: func(t *Totals) any { return t.Imbalance() }},
}

// Statistics lists all statistics, in the order of every output.
func Statistics() []Statistic {
	var list []Statistic
	for _, s := range statistics {
		list = append(list, *s)
	}
	return list
}

// StatisticOf returns the statistic with a key, such as packets_sent, and whether it exists.
func StatisticOf(key string) (Statistic, bool) {
	i := slices.IndexFunc(statistics, func(s *Statistic) bool { return s.Key == key })
	if i < 0 {
		return Statistic{}, false
	}
	return *statistics[i], true
}

// StatisticsIn lists the statistics that appear in an output.
func StatisticsIn(o Output) []Statistic {
	return slices.DeleteFunc(Statistics(), func(s Statistic) bool { return !s.AppearsIn(o) })
}

// AppearsIn reports whether the statistic appears in an output.
func (s *Statistic) AppearsIn(o Output) bool {
	return s.Not&o == 0 && (o != InStats || s.Level != OfMachine)
}

// Place returns the statistic's place in the answer: a key, or the key of an object and a key inside the object.
func (s *Statistic) Place() (object, key string) {
	if object, key, inside := strings.Cut(s.JSON, "."); inside {
		return object, key
	}
	return "", s.Key
}

// MachineUnit returns the unit of the machine's value.
func (s *Statistic) MachineUnit() string {
	if s.Share {
		return "0..1"
	}
	return s.Unit
}

// MachineDoc returns the description of the statistic's value for the whole machine.
func (s *Statistic) MachineDoc() string {
	if s.Share && s.Level != OfMachine {
		return "share of the PE-clocks: " + s.Doc
	}
	return s.Doc
}

// CountOf returns the count of a PE or switch. For a statistic of links, it returns the count at the given output.
func (s *Statistic) CountOf(c *Counters, output int) uint64 { return *s.number(c, output) }

// Total returns the machine's value: a float64 for a share or ratio, otherwise a uint64.
func (s *Statistic) Total(t *Totals) any {
	if s.Kind == Derived {
		return s.derived(t)
	}
	sum := uint64(0)
	for n := range s.numbers() {
		accumulate(&sum, *s.number(&t.Counters, n), s.Kind)
	}
	if s.Share {
		return t.share(sum)
	}
	return sum
}

// Number returns Total as a float64.
func (s *Statistic) Number(t *Totals) float64 {
	if v, ok := s.Total(t).(uint64); ok {
		return float64(v)
	}
	return s.Total(t).(float64)
}

// numbers returns how many numbers the statistic has for one PE and its switch.
func (s *Statistic) numbers() int {
	switch {
	case s.Kind == Derived:
		return 0
	case s.Level == OfLink:
		return len(SwitchCounters{}.Packets)
	}
	return 1
}

func (s *Statistic) number(c *Counters, n int) *uint64 {
	if s.Level == OfLink {
		return &s.links(c)[n]
	}
	return s.one(c)
}

// Hops returns the number of times that a packet crossed a link between PEs.
func (t Totals) Hops() uint64 { return t.Packets[omega.InGroup] + t.Packets[omega.OutGroup] }
