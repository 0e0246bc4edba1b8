package programs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// For any number of registers and any search: before the start a PE has as
// many segments as registers, and when the machine is quiet every segment in
// use is one that a register holds: none was lost or replaced, none was asked
// for beyond the registers. The answer is right with small and with large
// blocks.
func TestEveryRegisterIsUsed(t *testing.T) {
	for _, registers := range []int{1, 2, 3, 8} {
		for _, mlpe := range []string{"on", "software"} {
			for _, p := range []params{
				{"registers": "all"},
				{"registers": "all", "mlpe_reach": "far"},
				{"registers": "all", "grain": "large"},
				{"registers": "all", "mlpe_reach": "far", "grain": "large", "mlpe_call": "second"},
			} {
				p["mlpe"] = mlpe
				t.Run(fmt.Sprintf("%d %v", registers, p), func(t *testing.T) {
					c := config(12)
					c.PrefetchRegisters, c.MLPERoute = registers, "both"
					m, o := boot(t, c, p)
					held := func() (asked, used int) {
						for pe := range m.Config().PEs {
							n := int(variable(t, m, o, pe, "asked", 0))
							require.LessOrEqual(t, n, registers)
							asked += n
							used += m.PE(pe).SegmentsInUse()
						}
						return
					}
					asked, used := held()
					require.Equal(t, registers*m.Config().PEs, asked)
					require.Equal(t, asked, used)
					r, err := m.Run(t.Context(), []uint64{11}, em4.RunOptions{MaxClocks: 2_000_000})
					require.NoError(t, err)
					require.Equal(t, []uint64{89}, r.Words)
					require.EqualValues(t, 177, r.Calls)
					require.Positive(t, r.MLPECalls)
					asked, used = held()
					require.Equal(t, asked, used)
				})
			}
		}
	}
}
