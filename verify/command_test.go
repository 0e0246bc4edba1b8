package verify

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The command of a row of each kind; cmd/emsim runs some of them and parses all.
func TestCommand(t *testing.T) {
	for id, want := range map[string]string{
		"000.exact.9":                        "mnc run --pes 16 --loops 100 --policy auto --topology net16 --items 2000",
		"000.rel.1":                          "verify 000.rel.1",
		"000.rel.10":                         "mnc run --pes 16 --loops 1000 --items 100000 --dead-at 5000000:5",
		"001.t4.16.share":                    "rhinet run --nodes 16 --network ethernet --algorithm clb --load oneload",
		"001.claim.loops.4":                  "rhinet run --nodes 4 --network rhinet2 --algorithm clb --load noload",
		"001.claim.oneload.glb":              "verify 001.claim.oneload.glb",
		"001.claim.comm.slower64":            "verify 001.claim.comm.slower64",
		"001.claim.slow64":                   "verify 001.claim.slow64",
		"001.claim.waiting.slices":           "verify 001.claim.waiting.slices",
		"002.t1.static.p3":                   "spmd run --method static --seeds 16",
		"002.c.p1.end":                       "verify 002.c.p1.end",
		"003.t1.1.time":                      "run fib 20 --policy ring --runs 8",
		"003.t1.5.util":                      "run fib 20 --policy ring-round-robin --runs 8",
		"003.x.line.22m":                     "run fib 22 --policy line --mlpe --runs 8",
		"003.c.f7.share":                     "run fib 24 --policy ring --mlpe --runs 8",
		"003.c.t3.more":                      "verify 003.c.t3.more",
		"003.c.f8.worst":                     "verify 003.c.f8.worst",
		"003.c.t1.line":                      "verify 003.c.t1.line",
		"004.t1.optimal.sd":                  "pdes scatter --network hxb --shape 4x4 --stages 3 --wiring omega --runs 300",
		"004.acc.nstar.hxb4x3.sd_ratio_1500": "pdes scatter --network hxb --shape 4x3 --stages 3 --wiring omega --runs 1500",
		"004.acc.nstar.slow_pps":             "verify 004.acc.nstar.slow_pps",
		"004.c.3stage":                       "pdes cost --network hxb --shape 4x4 --stages 3 --wiring omega",
		"004.c.4stage":                       "pdes cost --network hxb --shape 4x4x2 --stages 4 --wiring omega --neighbour xbar",
		"004.acc.cost.hxb8x4.xbar":           "pdes cost --network hxb --shape 8x4 --stages 4 --wiring omega --neighbour xbar",
		"004.f1.hxb.3":                       "pdes patterns",
		"004.acc.b.uniform":                  "pdes calibrate --network hxb --shape 4x4",
		"004.acc.golden.3b.sunk":             "pdes run --network hxb --shape 4x4 --stages 3 --wiring butterfly --slots 300",
		"004.t1.quiet.ratio":                 "pdes run --network hxb --shape 4x4 --stages 3 --wiring omega --map exact --cell 64 --window 8 --slots 2000",
		"004.acc.objective":                  "pdes compare --network torus --shape 8x4 --stages 4 --wiring omega --maps 50 --cell 512 --window 8 --slots 150",
		"004.acc.switch.sinks":               "verify 004.acc.switch.sinks",
	} {
		claims, err := Claims(id[:3])
		require.NoError(t, err)
		i := slices.IndexFunc(claims, func(c Claim) bool { return c.ID == id })
		require.GreaterOrEqual(t, i, 0, id)
		require.Equal(t, "emsim "+want, Command(claims[i]), id)
	}
	require.Equal(t, "emsim verify 004.x", Command(Claim{ID: "004.x", PaperNo: "004", Cond: map[string]string{"measure": "runtime", "arg": "64 8"}}))
}
