package run

import (
	"strings"

	"emsim/em4"
	"emsim/internal/base/state"
)

// snapshot copies the counters of all PEs and their switches into list.
func snapshot(m *em4.Machine, list []em4.Counters) []em4.Counters {
	list = list[:0]
	for i := range m.Config().PEs {
		list = append(list, m.Counters(i))
	}
	return list
}

// statisticsState visits a hash of the names of all that is counted: the counts are
// part of the machine's state, which an emsim with others cannot read.
func statisticsState(c *state.Codec) {
	var keys strings.Builder
	for _, s := range em4.Statistics() {
		if s.Kind != em4.Derived { // which no checkpoint holds
			keys.WriteString(s.Key + " ")
		}
	}
	own := state.Hash([]byte(keys.String()))
	saved := own
	if state.Num(c, &saved); saved != own && c.Err() == nil {
		c.Fail("the machine has other statistics than this program's: resume it with the emsim that wrote it, or run the program again")
	}
}
