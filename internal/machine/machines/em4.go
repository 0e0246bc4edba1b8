package machines

import (
	"slices"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/omega"
	"emsim/packet"
)

// em4Model is the part of the EM-4's Model that is like the other Models: its rows and the terms of its record. Package
// run runs its programs.
var em4Model = Model{
	Sampling: Sampling{"sample", int64(1000)},
	Rows: []Rows{
		{"stats", "write every counter per PE and per link to this CSV `FILE`", statsColumns},
		{
			"series", "write busy PEs, states and counts over time to this CSV `FILE`",
			append([]string{"run", "time", "clocks", "busy_pes"},
				lists.Of(em4.StatisticsIn(em4.InSeries), func(s em4.Statistic) string { return s.Key })...),
		},
		Events(),
	},
	Next:  answer.Next{Command: "profile", Why: "where the clocks went, and what made the run so long"},
	Terms: Terms{"PE", "call", "calls", "call", "load value", false, "clocks", 1, false},
}

// statsColumns are the columns of --stats, which has one observation per row.
var statsColumns = []string{"run", "unit", "ga", "ca", "to_ga", "to_ca", "counter", "value"}

// The names of the units in --stats.
var (
	linkUnits  = [...]string{omega.InGroup: "in_group", omega.OutGroup: "out_of_group", omega.Own: "own"}
	localUnits = map[em4.Level]string{em4.OfPE: "pe", em4.OfSwitch: "switch"} // of a PE and its switch
)

// CountedFor returns the statistics of the given levels that --stats includes.
func CountedFor(levels ...em4.Level) []em4.Statistic {
	return slices.DeleteFunc(em4.StatisticsIn(em4.InStats), func(s em4.Statistic) bool {
		return !slices.Contains(levels, s.Level)
	})
}

// Stats writes the counters of a run on the EM-4. fed is the number of packets that the host sent during the run,
// through the port of [0,0].
func Stats(write func(cells ...any), run int, t omega.Topology, list []em4.Counters, fed uint64) {
	write(run, "host", 0, 0, "", "", "packets_sent", fed)
	local := CountedFor(em4.OfPE, em4.OfSwitch)
	for i := range list {
		at := t.Address(i)
		for n := range local {
			s := &local[n]
			write(run, localUnits[s.Level], int(at.GA), int(at.CA), "", "", s.Key, s.CountOf(&list[i], 0))
		}
	}
	for i := range list {
		LinkStats(write, run, t, t.Address(i), &list[i])
	}
}

// LinkStats writes the counters of the three links out of a switch.
func LinkStats(write func(cells ...any), run int, t omega.Topology, at packet.PE, counters *em4.Counters) {
	list := CountedFor(em4.OfLink)
	for o, unit := range linkUnits {
		to := at
		if o != omega.Own {
			to = t.Next(at, o)
		}
		for n := range list {
			s := &list[n]
			write(run, unit, int(at.GA), int(at.CA), int(to.GA), int(to.CA), s.Key, s.CountOf(counters, o))
		}
	}
}
