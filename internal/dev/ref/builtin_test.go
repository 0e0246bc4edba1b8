package ref_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/ref"
	"emsim/programs"
)

// choice is a choice of parameters. own is a parameter of the program, as NAME=VALUE, or empty.
type choice struct{ policy, mlpe, own string }

// ownPrograms lists parameter values that make a program behave like a different program.
var ownPrograms = map[string][]string{"sum": {"numbers=counted"}, "pi": {"division=reciprocal"}}

// Every program gives its answer in every order of packets, and leaves nothing behind in memory. Unless a program
// relies on it, packets from one PE to another may also overtake each other; words to the host may then arrive in
// another order. If placement is static and without random numbers, the numbers of calls, blocks, instructions and
// packets equal the machine's.
func TestProgramsEqualMachine(t *testing.T) {
	for _, p := range programs.List() {
		name := p.Name
		cases := []choice{
			{"ring", "off", ""},
			{"line", "off", ""},
			{"random", "off", ""},
			{"ring-round-robin", "off", ""},
			{"ring", "on", ""},
			{"line", "software", ""},
		}
		for _, own := range ownPrograms[name] {
			cases = append(cases, choice{"line", "off", own}, choice{"ring", "on", own})
		}
		for _, c := range cases {
			params := map[string]string{"policy": c.policy, "mlpe": c.mlpe}
			if key, value, found := strings.Cut(c.own, "="); found {
				params[key] = value
			}
			o, err := programs.Assemble(name, params)
			require.NoError(t, err)
			for _, pes := range []int{4, 12} {
				m, err := machine(o, prototype(pes), 7)
				require.NoError(t, err)
				all := orders(1)
				for i := range slices.Clone(all) {
					all = append(all, all[i])
					all[len(all)-1].Unordered = true
				}
				var refs []*ref.Machine
				for _, opt := range all {
					opt.PEs, opt.ProgramSeed = pes, 7
					r, err := ref.New(o, opt)
					require.NoError(t, err)
					require.NoError(t, r.Boot())
					refs = append(refs, r)
				}
				for _, n := range p.Small {
					want, err := runTimed(m, o, n...)
					require.NoError(t, err)
					answer, err := programs.Answer(name, o, n, pes)
					require.NoError(t, err)
					require.Equal(t, answer, want.Words)
					for i, r := range refs {
						what := fmt.Sprintf("%s %v, %+v, %d PEs, %+v", name, n, c, pes, all[i])
						got, err := r.Run(n...)
						require.NoError(t, err, what)
						require.Empty(t, got.Waiting, what)
						if all[i].Unordered {
							require.ElementsMatch(t, answer, got.Words, what)
						} else {
							require.Equal(t, answer, got.Words, what)
						}
						require.Equal(t, want.Calls, got.Calls, what)
						if c.mlpe == "off" && (c.policy == "ring" || c.policy == "line") {
							require.Equal(t, [3]uint64{want.Blocks, want.Instructions, want.Sent},
								[3]uint64{got.Blocks, got.Instructions, got.Sent}, what)
						}
						for pe := range pes {
							if c.mlpe == "off" {
								require.Zero(t, r.SegmentsInUse(pe), what)
							}
						}
					}
				}
			}
		}
	}
}
