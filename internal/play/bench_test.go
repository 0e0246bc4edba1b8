package play

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// BenchmarkPage measures what a user waits for, in milliseconds: the page until it is
// ready, and on the usual and on the largest machine a step and a step back, each until
// everything is drawn (the median of 21 times and the least), and a run of fib 20.
func BenchmarkPage(bench *testing.B) {
	for bench.Loop() {
		b := open(bench, nil)
		bench.ReportMetric(eval[float64](bench, b, "emsim.ready"), "ready-ms")
		for _, pes := range []int{80, 1024} {
			b.follow(bench, &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"20"}, PEs: pes}, Clock: 1000})
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
			median("step", `emsim.once("step")`)
			median("back", `emsim.once("back")`)
			median("far-back", `emsim.once("goto " + (emsim.net.start + 50 + i * 37 % 800))`)
			median("frame", `emsim.engine.call("frame")`)
			median("draw", `emsim.machine.draw()`)
			median("pe", `emsim.engine.call("pe", 0)`)
			b.follow(bench, &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"20"}, PEs: pes}})
			ms := eval[float64](bench, b, `(async () => { const begin = performance.now(); await emsim.once("continue"); return performance.now() - begin; })()`)
			require.Equal(bench, []int{6765}, eval[[]int](bench, b, "emsim.frame.words"))
			bench.ReportMetric(ms, fmt.Sprintf("fib20-%d-ms", pes))
		}
	}
}
