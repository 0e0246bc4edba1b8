package sweep

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/ratios"
)

// BenchmarkRatios measures a whole sweep on one and two workers, including the building of machines and the writing of
// results.
func BenchmarkRatios(b *testing.B) {
	p, err := Read("sweep.toml", []byte(`
[[grid]]
program = "fib 20"
pes = 80
param = { policy = ["ring", "ring-random"], mlpe = ["off", "on"] }
seed = [1, 2, 3, 4]
`))
	require.NoError(b, err)
	on := func(workers int) ratios.Subject {
		return ratios.Subject{Name: fmt.Sprintf("Sweep/jobs=%d", workers), Do: func() (w ratios.Work) {
			s := Store{Dir: b.TempDir()}
			x, err := s.Survey(p)
			require.NoError(b, err)
			require.NoError(b, s.Run(b.Context(), x, workers, nil))
			for _, r := range x.Results {
				w.Clocks += float64(80 * r.number(clocksKey))
			}
			return w
		}}
	}
	ratios.Bench(b, on(1), "one", on(2))
}
