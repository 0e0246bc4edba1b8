//go:build slow

package mnc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMillion checks the recorded runs of 1,000,000 data, auto and naive, at eight sizes and both loads: the table in
// docs/MNC.md. It takes about a minute.
func TestMillion(t *testing.T) {
	type result struct{ transfers, clocks int64 }
	for _, c := range []struct {
		pes, loops  int
		auto, naive result
	}{
		{1, 100, result{2_000_000, 440_998_656}, result{2_000_000, 440_998_656}},
		{2, 100, result{2_534_259, 235_992_368}, result{2_605_368, 237_668_296}},
		{4, 100, result{2_764_564, 127_235_946}, result{2_980_767, 129_802_242}},
		{8, 100, result{3_032_248, 70_974_598}, result{3_704_208, 76_002_244}},
		{16, 100, result{3_697_081, 42_674_165}, result{4_694_648, 45_555_661}},
		{32, 100, result{4_587_450, 23_163_341}, result{4_728_859, 31_023_228}},
		{64, 100, result{5_099_207, 18_685_531}, result{5_115_941, 31_963_001}},
		{128, 100, result{5_149_934, 20_412_974}, result{5_199_276, 32_607_819}},
		{1, 1000, result{2_000_000, 4_079_994_048}, result{2_000_000, 4_079_994_048}},
		{2, 1000, result{2_504_071, 2_069_247_084}, result{2_504_069, 2_068_433_252}},
		{4, 1000, result{2_750_221, 1_059_800_318}, result{2_771_265, 1_055_896_038}},
		{8, 1000, result{3_010_145, 555_933_278}, result{3_164_123, 550_296_118}},
		{16, 1000, result{3_560_990, 297_374_381}, result{4_128_739, 287_242_281}},
		{32, 1000, result{4_550_053, 149_733_190}, result{4_827_188, 144_459_691}},
		{64, 1000, result{5_298_799, 74_174_768}, result{5_467_153, 83_069_873}},
		{128, 1000, result{6_477_715, 37_370_443}, result{5_513_950, 82_906_089}},
	} {
		cfg := Default(wiring(t, "mnc", c.pes))
		cfg.Loops = c.loops
		for _, p := range []Policy{Auto, Naive} {
			cfg.Policy = p
			m, s := run(t, cfg)
			require.NoError(t, m.Check())
			want := c.auto
			if p == Naive {
				want = c.naive
			}
			require.Equal(t, want, result{s.Transfers, s.Clocks}, "N=%d loops %d %s", c.pes, c.loops, p)
			t.Logf("N=%-3d loops %-4d %-5s efficiency %.3f speed-up %6.2f used PEs %5.1f PA %.3f..%.3f",
				c.pes, c.loops, p, s.Efficiency, s.Speedup, s.UsedPEs, s.AbilityLow, s.AbilityHigh)
		}
	}
}
