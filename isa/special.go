package isa

// Special is the number of a special register.
type Special int32

// The special registers. All but SpecialMLPE are read-only.
const (
	SpecialPE       Special = iota // own PE as a continuation with address 0
	SpecialGA                      // own group address
	SpecialCA                      // own column (member) address
	SpecialK                       // k: the machine has k+1 members in each of 2^k groups
	SpecialClock                   // the clock, counted from the start of the machine, truncated to the word
	SpecialLoad                    // own load value 0..F [003 fig. 3]
	SpecialMLPE                    // continuation of the oldest prefetched operand segment, 0 if there is none; reading removes it [003 §4.1]
	SpecialSegs                    // free operand segments (ESEN)
	SpecialStrs                    // free structure memory words (ESTN)
	SpecialSeed                    // the run's seed
	SpecialGAPos                   // lowest bit of GA in a continuation; CA's is 18
	SpecialPrefetch                // prefetch registers of the PE [remedy, 003 §5]
)

// SpecialNames lists the names of the special registers, in order.
var SpecialNames = [...]string{"pe", "ga", "ca", "k", "clock", "load", "mlpe", "segs", "strs", "seed", "gapos", "prefetch"}

// SpecialDocs says what the special registers hold, in order.
var SpecialDocs = [len(SpecialNames)]string{
	"own PE, as a continuation with address 0",
	"own group address",
	"own column (member) address",
	"k: k+1 members in each of 2^k groups",
	"the clock, counted from the start of the machine, truncated to the word",
	"own load value 0..15 [003 fig. 3]",
	"continuation of the oldest prefetched operand segment, 0 if there is none; rds removes it; wrs adds one as the newest (in place of the newest if all registers are full; 0 empties them); the only special register that wrs can write [003 §4.1]",
	"free operand segments (ESEN)",
	"free structure memory words (ESTN)",
	"the run's seed",
	"lowest bit of GA in a continuation; CA's is 18",
	"prefetch registers behind `mlpe`, 1 in the prototype [remedy, 003 §5]",
}

// LookupSpecial returns the number of a special register.
func LookupSpecial(name string) (Special, bool) {
	for i, n := range SpecialNames {
		if n == name {
			return Special(i), true
		}
	}
	return 0, false
}
