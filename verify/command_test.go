package verify

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each kind of row has its command. Tests of internal/command run some of these commands and parse all of them.
func TestCommand(t *testing.T) {
	for id, want := range map[string]string{
		"000.exact.9": "mnc run --pes 16 --loops 100 --policy auto --topology net16 --items 2000",
		"000.rel.1":   "verify 000.rel.1",
		"000.rel.10":  "verify 000.rel.10",
		"001.t4.16.share": "rhinet run --nodes 16 --network ethernet --policy clb --loaded " +
			"one --seeds 8",
		"001.claim.loops.4":                  "rhinet run --nodes 4 --network rhinet2 --policy clb --loaded none",
		"001.claim.oneload.glb":              "verify 001.claim.oneload.glb",
		"001.claim.comm.slower64":            "verify 001.claim.comm.slower64",
		"001.claim.slow64":                   "verify 001.claim.slow64",
		"001.claim.waiting.slices":           "verify 001.claim.waiting.slices",
		"002.t1.static.p3":                   "spmd run --policy static --seeds 16",
		"002.c.p1.end":                       "verify 002.c.p1.end",
		"003.t1.1.time":                      "run fib 20 --policy ring --runs 8",
		"003.t1.2.time":                      "verify 003.t1.2.time",
		"003.w.t3.mlpe.wait":                 "verify 003.w.t3.mlpe.wait",
		"003.t1.5.util":                      "verify 003.t1.5.util",
		"003.x.line.22m":                     "run fib 22 --policy line --mlpe --runs 8",
		"003.c.f7.share":                     "verify 003.c.f7.share",
		"003.c.t3.more":                      "verify 003.c.t3.more",
		"003.c.f8.worst":                     "verify 003.c.f8.worst",
		"003.c.t1.line":                      "verify 003.c.t1.line",
		"004.t1.optimal.sd":                  "verify 004.t1.optimal.sd",
		"004.acc.nstar.hxb4x3.sd_ratio_1500": "verify 004.acc.nstar.hxb4x3.sd_ratio_1500",
		"004.acc.nstar.slow_pps":             "verify 004.acc.nstar.slow_pps",
		"004.c.3stage":                       "pdes cost --network hxb --shape 4x4 --stages 3 --wiring omega",
		"004.c.4stage": "pdes cost --network hxb --shape 4x4x2 --stages 4 --wiring omega " +
			"--neighbour xbar",
		"004.acc.cost.hxb8x4.xbar": "pdes cost --network hxb --shape 8x4 --stages 4 --wiring omega " +
			"--neighbour xbar",
		"004.f1.hxb.3":      "verify 004.f1.hxb.3",
		"004.acc.b.uniform": "pdes calibrate --network hxb --shape 4x4",
		"004.acc.golden.3b.sunk": "pdes run --network hxb --shape 4x4 --stages 3 --wiring " +
			"butterfly --slots 300",
		"004.t1.quiet.ratio":   "verify 004.t1.quiet.ratio",
		"004.acc.objective":    "verify 004.acc.objective",
		"004.acc.switch.sinks": "verify 004.acc.switch.sinks",
	} {
		claims, err := Claims(id[:3])
		require.NoError(t, err)
		i := slices.IndexFunc(claims, func(c Claim) bool { return c.ID == id })
		require.GreaterOrEqual(t, i, 0, id)
		require.Equal(t, "emsim "+want, Reproduce(claims[i]).Command, id)
	}
	odd := Reproduce(Claim{ID: "004.x", PaperNo: "004", Cond: map[string]string{"measure": "runtime", "arg": "64 8"}})
	require.Equal(t, Reproduction{Command: "emsim verify 004.x", Reading: Reading{Key: "0.model"}}, odd)
	require.Equal(t, "emsim verify 003.y", Reproduce(Claim{ID: "003.y", PaperNo: "003", Quantity: "time"}).Command)
}

// If no other command gives a row's value, the row names the commands that show its runs.
func TestRunsBehindRows(t *testing.T) {
	for id, want := range map[string][]string{
		"000.rel.10": {"emsim mnc run --pes 16 --loops 1000 --items 100000 --dead-at 5000000:5"},
		"002.c.p1.end": {
			"emsim spmd run --policy static --seeds 16",
			"emsim spmd run --policy proposed --seeds 16",
		},
		"002.a.static.end": {"emsim spmd run --policy static --seeds 16"},
		"002.c.noarrows":   nil,
		"003.c.t3.more": {
			"emsim run fib 24 --policy ring --mlpe --runs 8",
			"emsim run fib 24 --policy ring --runs 8",
		},
		"003.c.t1.fastest": {
			"emsim run fib 20 --policy ring --runs 8",
			"emsim run fib 20 --policy ring-round-robin --runs 8",
			"emsim run fib 20 --policy ring-random --runs 8 --seeds 8",
		},
		"003.t1.1.time":     nil,
		"004.t1.optimal.sd": {"emsim pdes scatter --network hxb --shape 4x4 --stages 3 --wiring omega --runs 300"},
		"004.f1.hxb.3":      {"emsim pdes patterns"},
		"004.t1.quiet.ratio": {
			"emsim pdes run --network hxb --shape 4x4 --stages 3 --wiring omega --map conventional --cell 64 " +
				"--window 8 --slots 2000",
			"emsim pdes run --network hxb --shape 4x4 --stages 3 --wiring omega --map exact --cell 64 " +
				"--window 8 --slots 2000",
		},
	} {
		claims, err := Claims(id[:3])
		require.NoError(t, err)
		i := slices.IndexFunc(claims, func(c Claim) bool { return c.ID == id })
		require.Equal(t, want, Reproduce(claims[i]).Behind, id)
	}
	claims, err := Claims("003")
	require.NoError(t, err)
	for _, c := range claims {
		switch c.ID {
		case "003.c.s41.software":
			require.Contains(t, Reproduce(c).Behind,
				"emsim run fib 24 --policy ring --param mlpe=software --param mlpe_when=call --runs 8")
		case "003.t1.3.util": // no other answer has the expected best of four
			require.Equal(t, []string{"emsim run fib 20 --policy round-robin --runs 8"}, Reproduce(c).Behind)
		}
	}
}
