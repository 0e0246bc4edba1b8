package programs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/programs"
)

// For any number of registers and any search, a PE has as many segments as registers before the start. When the
// machine is quiet, every segment in use is held by a register: none was lost or replaced, and none was requested
// beyond the registers. The answer is right with small and with large blocks.
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

// One search on a machine without other work takes this long, from its start until the segment is in the register:
// with MLPE packets, and in software [003 §4.1].
func TestOneSearch(t *testing.T) {
	const text = `
	.include "lib/place.s"
	.include "lib/call.s"
	.param go, no, yes
	.arg n, 1, 47, main
	.init init
	.template t
x:	nop!
	.endtemplate
main:	out!	r1
	place_blocks t
init:	place_init
	rds	r1, ga
	rds	r2, ca
	or	r1, r1, r2
	bne	r1, r0, .end
	.if go == go.yes
	search
	.endif
.end:	nop!
	place_data
`
	file := filepath.Join(t.TempDir(), "one.s")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	clocks := func(mlpe, search string) uint64 {
		o, err := asm.Load(file, asm.Options{Params: params{"mlpe": mlpe, "go": search}, Library: programs.Library()})
		require.NoError(t, err)
		p, err := programs.Load(o)
		require.NoError(t, err)
		m, err := em4.New(config(80), p, 1)
		require.NoError(t, err)
		require.NoError(t, m.Boot(t.Context(), 1_000_000))
		return m.Clock()
	}
	for mlpe, want := range map[string]uint64{"on": 51, "software": 122} {
		require.Equal(t, want, clocks(mlpe, "yes")-clocks(mlpe, "no"), mlpe)
	}
}

// A search that finds no PE with room is repeated: on a machine with few segments, every PE has a prefetched segment
// when the machine is quiet, run after run.
func TestEveryPESearchesAgain(t *testing.T) {
	for _, reach := range []string{"near", "far"} {
		c := config(80)
		c.Segments = 12
		m, _ := boot(t, c, params{"mlpe": "on", "mlpe_reach": reach})
		for range 3 {
			r, err := m.Run(t.Context(), []uint64{13}, em4.RunOptions{MaxClocks: 2_000_000})
			require.NoError(t, err)
			require.Equal(t, []uint64{233}, r.Words)
			for pe := range c.PEs {
				held := 0
				m.PE(pe).EachPrefetched(func(uint64) { held++ })
				require.Equal(t, 1, held, "%s: PE %d", reach, pe)
			}
		}
	}
}
