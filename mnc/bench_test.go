package mnc

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkMillion runs the paper's work on its largest machine: 1,000,000 data on 128 PEs. The goal is 3 s on one
// core.
func BenchmarkMillion(b *testing.B) {
	for _, loops := range []int{100, 1000} {
		b.Run(fmt.Sprintf("loops=%d", loops), func(b *testing.B) {
			cfg := Default(wiring(b, "mnc", 128))
			cfg.Loops = loops
			clocks := int64(0)
			for b.Loop() {
				m := build(b, cfg)
				if err := m.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
				clocks += m.Stats().Clocks
			}
			b.ReportMetric(float64(clocks)*128/b.Elapsed().Seconds(), "PE-clocks/s")
		})
	}
}
