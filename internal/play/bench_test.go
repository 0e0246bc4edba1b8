package play

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// BenchmarkPage measures how long a user waits, in milliseconds: until the page is ready, and until a step and a step
// back are drawn. It measures steps on the usual and on the largest machine (median and least of 21 times). It also
// measures a run of fib 20, and its ratio to the native time.
func BenchmarkPage(bench *testing.B) {
	for bench.Loop() {
		b := open(bench, nil)
		bench.ReportMetric(eval[float64](bench, b, "emsim.ready"), "ready-ms")
		for _, pes := range []int{80, 1024} {
			b.follow(bench, &engine.View{
				Setup: engine.Setup{Main: "fib.s", Args: []string{"20"}, PEs: pes},
				Clock: 1000,
			})
			median := func(what, act string) {
				ms := eval[[]float64](bench, b, fmt.Sprintf(`(async () => {
					const times = [];
					for (let i = 0; i < 21; i++) {
						const begin = performance.now();
						await %s;
						times.push(performance.now() - begin);
					}
					return times.sort((a, b) => a - b);
				})()`, act))
				bench.ReportMetric(ms[10], fmt.Sprintf("%s-%d-ms", what, pes))
				bench.ReportMetric(ms[0], fmt.Sprintf("%s-%d-least-ms", what, pes))
			}
			median("step", `emsim.motion.once("step")`)
			median("back", `emsim.motion.once("back")`)
			median("far-back", `emsim.motion.once("goto " + (emsim.run.net.start + 50 + i * 37 % 800))`)
			median("frame", `emsim.engine.call("frame")`)
			median("draw", `emsim.run.machine.draw()`)
			median("pe", `emsim.engine.call("pe", 0)`)
			// Runs in the page and of the same engine here take turns; the least of five times counts.
			setup := engine.Setup{Main: "fib.s", Args: []string{"20"}, PEs: pes}
			page, here := math.Inf(1), math.Inf(1)
			for range 5 {
				b.follow(bench, &engine.View{Setup: setup})
				page = min(page, eval[float64](bench, b,
					`(async () => { const begin = performance.now(); await emsim.motion.once("continue"); return performance.now() - begin; })()`))
				require.Equal(bench, "6765", eval[string](bench, b, "emsim.run.frame.answer"))
				s := &engine.Session{}
				require.Empty(bench, s.Open(context.Background(), setup).Error)
				begin := time.Now()
				_, err := s.Do(context.Background(), "continue")
				require.NoError(bench, err)
				here = min(here, float64(time.Since(begin).Microseconds())/1000)
			}
			bench.ReportMetric(page, fmt.Sprintf("fib20-%d-ms", pes))
			bench.ReportMetric(page/here, fmt.Sprintf("fib20-%d-native-times", pes))
		}
	}
}
