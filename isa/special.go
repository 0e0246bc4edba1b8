package isa

import "slices"

// Special is the number of a special register.
type Special int32

// The special registers. All of them except SpecialMLPE are read-only.
const (
	SpecialPE       Special = iota // this PE, as a continuation with address 0
	SpecialGA                      // group address of this PE
	SpecialCA                      // column (member) address of this PE
	SpecialK                       // k: the machine has k+1 members in each of 2^k groups
	SpecialClock                   // clocks since the start of the machine, truncated to one word
	SpecialLoad                    // load value of this PE, 0..15 [003 fig. 3]
	SpecialMLPE                    // continuation of the oldest prefetched segment, or 0; reading removes it [003 §4.1]
	SpecialSegs                    // number of free operand segments (ESEN)
	SpecialStrs                    // number of free structure memory words (ESTN)
	SpecialSeed                    // the run's seed
	SpecialGAPos                   // lowest bit of GA in a continuation; the lowest bit of CA is 18
	SpecialPrefetch                // number of prefetch registers of the PE [remedy, 003 §5]
)

// SpecialNames lists the names of the special registers, in order.
var SpecialNames = [...]string{
	"pe", "ga", "ca", "k", "clock", "load", "mlpe", "segs", "strs", "seed", "gapos",
	"prefetch",
}

// SpecialDocs says what the special registers hold, in order.
var SpecialDocs = [len(SpecialNames)]string{
	"this PE, as a continuation with address 0",
	"group address of this PE",
	"column (member) address of this PE",
	"k: the machine has k+1 members in each of 2^k groups",
	"clocks since the start of the machine, cut to one word",
	"load value of this PE, 0..15 [003 fig. 3]",
	"continuation of the oldest prefetched operand segment, or 0; rds removes it; wrs adds one as the newest, " +
		"replaces the newest if all registers are full, and empties them all if the value is 0; wrs can write no " +
		"other special register [003 §4.1]",
	"number of free operand segments (ESEN)",
	"number of free structure memory words (ESTN)",
	"the run's seed",
	"lowest bit of GA in a continuation; the lowest bit of CA is 18",
	"number of prefetch registers that `mlpe` stands for, 1 in the prototype [remedy, 003 §5]",
}

// LookupSpecial returns the number of the special register with the given name, and whether it
// exists.
func LookupSpecial(name string) (Special, bool) {
	i := slices.Index(SpecialNames[:], name)
	return Special(max(0, i)), i >= 0
}
