package study

import (
	"context"

	"emsim/pdes"
	"emsim/pdes/mapping"
)

// mapRun returns the run of a case under a map.
func mapRun(c Case, m mapping.Map, cell, window, slots int64) (pdes.Config, error) {
	cfg, err := c.under(m, cell, slots)
	if err != nil {
		return cfg, err
	}
	cfg.Window = window
	return cfg, cfg.Validate()
}

// RunMap runs a case under a map (nil is the conventional one) and returns
// the clocks per slot.
func RunMap(ctx context.Context, c Case, m mapping.Map, cell, window, slots int64) (float64, error) {
	cfg, err := mapRun(c, m, cell, window, slots)
	if err != nil {
		return 0, err
	}
	r, err := pdes.Run(ctx, cfg)
	if err != nil {
		return 0, err
	}
	return float64(r.Clocks) / float64(slots), nil
}

// Speedup returns the clocks per slot under the conventional map, divided by the clocks per slot under m: above 1, m
// is faster.
func Speedup(ctx context.Context, c Case, m mapping.Map, cell, window, slots int64) (float64, error) {
	conventional, err := RunMap(ctx, c, nil, cell, window, slots)
	if err != nil {
		return 0, err
	}
	other, err := RunMap(ctx, c, m, cell, window, slots)
	if err != nil {
		return 0, err
	}
	return conventional / other, nil
}

// A Point is one map with its score and its run time.
type Point struct {
	Score  mapping.Score
	Clocks float64 // per slot
}

// RandomMaps runs a case under n random maps. If ctx ends, the completed points are returned with the error. told, if
// not nil, is called with the number of finished maps.
func RandomMaps(ctx context.Context, c Case, w mapping.Weights, n int, cell, window, slots int64,
	told func(done, of int),
) ([]Point, error) {
	p, err := c.Problem(w, slots)
	if err != nil {
		return nil, err
	}
	var points []Point
	for seed := range uint64(n) {
		m := mapping.Random(p.Graph.LPs, p.Net.Nodes(), seed)
		clocks, err := RunMap(ctx, c, m, cell, window, slots)
		if err != nil {
			return points, err
		}
		if points = append(points, Point{p.Score(m), clocks}); told != nil {
			told(len(points), n)
		}
	}
	return points, nil
}

// Correlations returns Pearson's r of the run time with the cost and with the maximum port load.
func Correlations(points []Point) (cost, load float64) {
	var x, y, z []float64
	for _, p := range points {
		x, y, z = append(x, p.Score.Cost), append(y, float64(p.Score.MaxLoad)), append(z, p.Clocks)
	}
	return Correlation(x, z), Correlation(y, z)
}
