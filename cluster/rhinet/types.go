package rhinet

import (
	"fmt"
	"slices"

	"emsim/internal/base/knob"
	"emsim/internal/base/suggest"
)

// A Network is the kind of network between the hosts.
type Network string

// The two networks of [001 §5.1].
const (
	RHiNET2  Network = "rhinet2"  // 4×4 torus of 8-port switches, 8 Gb/s links
	Ethernet Network = "ethernet" // 100 Mb/s Fast Ethernet through a switching hub
)

// A Policy decides when rows move, and between which ranks.
type Policy string

// The policies of [001 §4.1], their baselines of [001 §5.3], and WLB, which is not from the paper: the paper names
// it as future work.
const (
	NoLB  Policy = "nolb"  // no balancing; baseline of CLB and DLB
	GnoLB Policy = "gnolb" // no balancing, collectives by group; baseline of the grouped policies
	CLB   Policy = "clb"   // central load balancing: rank 0 is the balancer
	DLB   Policy = "dlb"   // distributed: all ranks get all reports and reach the same decision
	GLB   Policy = "glb"   // inside groups only
	IGCLB Policy = "igclb" // GLB and CLB among the groups, alternating
	IGDLB Policy = "igdlb" // GLB and DLB among the groups, alternating
	WLB   Policy = "wlb"   // not from the paper: CLB that lets a rank rest if waiting for it costs more than it adds
)

// A Load says on which hosts a competing process runs: a pattern of [001 §5.3], or the hosts' numbers, as in "1,3,6".
type Load string

// The load patterns; eight hosts form a unit.
const (
	NoLoad  Load = "noload"  // no host
	OneLoad Load = "oneload" // one host of eight
	TwoLoad Load = "twoload" // that host and its mate in the pair
)

// An Application is what the ranks compute.
type Application string

// The applications.
const (
	SOR  Application = "sor"  // dense linear equations by successive over-relaxation [001 §5.2.1]
	Heat Application = "heat" // explicit heat conduction in a square: halo exchange, no collective
)

// PaperPolicies returns the five policies of [001 §4.1] and their two
// baselines, baselines first.
func PaperPolicies() []Policy { return []Policy{NoLB, GnoLB, CLB, DLB, GLB, IGCLB, IGDLB} }

// Networks returns both networks.
func Networks() []Network { return []Network{RHiNET2, Ethernet} }

// Loads returns the three load patterns.
func Loads() []Load { return []Load{NoLoad, OneLoad, TwoLoad} }

// loadWords are what users write for Loads.
var loadWords = []string{"none", "one", "two"}

// word returns what users write for the load.
func (l *Load) word() string {
	if i := slices.Index(Loads(), *l); i >= 0 {
		return loadWords[i]
	}
	return string(*l)
}

// parse sets the load from its word, or from a list of loaded ranks.
func (l *Load) parse(word string) error {
	if i := slices.Index(loadWords, word); i >= 0 {
		*l = Loads()[i]
		return nil
	}
	list, err := knob.Numbers(word)
	if err != nil {
		return fmt.Errorf("loaded: expected none, one, two or a list such as 1,3,6, not %q%s", word,
			suggest.DidYouMean(word, loadWords))
	}
	*l = Load(knob.NumbersText(list))
	return nil
}

// hosts returns the numbers of the loaded hosts, or nil for a pattern.
func (l *Load) hosts() ([]int, error) {
	if slices.Contains(Loads(), *l) {
		return nil, nil
	}
	return knob.Numbers(string(*l))
}

// Baseline returns the policy with which the paper compares a: GnoLB for the grouped policies, NoLB for the
// others [001 §5.3].
func (a Policy) Baseline() Policy {
	if a.Grouped() {
		return GnoLB
	}
	return NoLB
}

// Grouped reports whether the ranks form groups under a.
func (a Policy) Grouped() bool { return a == GnoLB || a == GLB || a == IGCLB || a == IGDLB }

// Balances reports whether rows can move under a.
func (a Policy) Balances() bool { return a != NoLB && a != GnoLB }
