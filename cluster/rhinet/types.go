package rhinet

import (
	"fmt"
	"strings"
)

// A Network connects the hosts.
type Network int

// The two networks of [001 §5.1].
const (
	RHiNET2  Network = iota // 4×4 torus of 8-port switches, 8 Gb/s links
	Ethernet                // 100 Mb/s Fast Ethernet behind a switching hub
)

// An Algorithm decides when and among whom rows move.
type Algorithm int

// The algorithms of [001 §4.1], their baselines of [001 §5.3], and WLB, which
// is ours: the paper names it as future work.
const (
	NoLB   Algorithm = iota // no balancing; baseline of CLB and DLB
	GnoLB                   // no balancing, collectives by group; baseline of the grouped algorithms
	CLB                     // central load balancing: rank 0 is the balancer
	DLB                     // distributed: all ranks get all reports and reach the same decision
	GLB                     // inside groups only
	IGCLB                   // GLB and, in turn, CLB among the groups
	IGDLB                   // GLB and, in turn, DLB among the groups
	WLB                     // ours: CLB that may let a rank rest if waiting for it costs more than it contributes
	numAlg = iota
)

// A Load says which hosts a competing process slows down [001 §5.3].
type Load int

// The load patterns; eight hosts form a unit.
const (
	NoLoad  Load = iota // none
	OneLoad             // one host of eight
	TwoLoad             // that host and its mate in the pair
)

// An Application is what the ranks compute.
type Application int

// The applications.
const (
	SOR  Application = iota // dense linear equations by successive over-relaxation [001 §5.2.1]
	Heat                    // explicit heat conduction in a square: halo exchange, no collective
)

var (
	networkNames     = []string{"rhinet2", "ethernet"}
	algorithmNames   = []string{"nolb", "gnolb", "clb", "dlb", "glb", "igclb", "igdlb", "wlb"}
	loadNames        = []string{"noload", "oneload", "twoload"}
	applicationNames = []string{"sor", "heat"}
)

// PaperAlgorithms returns the five algorithms of [001 §4.1] and their two
// baselines, baselines first.
func PaperAlgorithms() []Algorithm { return []Algorithm{NoLB, GnoLB, CLB, DLB, GLB, IGCLB, IGDLB} }

// Networks returns both networks.
func Networks() []Network { return []Network{RHiNET2, Ethernet} }

// Loads returns the three load patterns.
func Loads() []Load { return []Load{NoLoad, OneLoad, TwoLoad} }

// Baseline returns what the paper compares a with: GnoLB for the grouped
// algorithms, NoLB for the others [001 §5.3].
func (a Algorithm) Baseline() Algorithm {
	if a.Grouped() {
		return GnoLB
	}
	return NoLB
}

// Grouped reports whether the ranks form groups under a.
func (a Algorithm) Grouped() bool { return a == GnoLB || a == GLB || a == IGCLB || a == IGDLB }

// Balances reports whether rows move at all under a.
func (a Algorithm) Balances() bool { return a != NoLB && a != GnoLB }

func (n Network) String() string     { return nameOf(networkNames, int(n)) }
func (a Algorithm) String() string   { return nameOf(algorithmNames, int(a)) }
func (l Load) String() string        { return nameOf(loadNames, int(l)) }
func (a Application) String() string { return nameOf(applicationNames, int(a)) }

// ParseNetwork reads "rhinet2" or "ethernet".
func ParseNetwork(s string) (Network, error) { return parse[Network]("network", networkNames, s) }

// ParseAlgorithm reads an algorithm's name in small letters, as in "igclb".
func ParseAlgorithm(s string) (Algorithm, error) {
	return parse[Algorithm]("algorithm", algorithmNames, s)
}

// ParseLoad reads "noload", "oneload" or "twoload".
func ParseLoad(s string) (Load, error) { return parse[Load]("load", loadNames, s) }

// ParseApplication reads "sor" or "heat".
func ParseApplication(s string) (Application, error) {
	return parse[Application]("application", applicationNames, s)
}

func nameOf(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("unknown(%d)", i)
	}
	return names[i]
}

func parse[T ~int](what string, names []string, s string) (T, error) {
	for i, n := range names {
		if n == s {
			return T(i), nil
		}
	}
	return 0, usagef("%s %q is unknown; choose %s", what, s, strings.Join(names, ", "))
}
