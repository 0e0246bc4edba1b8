package study

import (
	"context"

	"emsim/internal/base/portable"
	"emsim/pdes"
	"emsim/pdes/mapping"
)

// A Disturbance makes the run times of a comparison vary.
type Disturbance struct {
	Cell       int64 // clocks of a cell
	Slots      int64
	Background pdes.Background // its Seed is replaced by the number of the run
}

// NStar returns the reference disturbance: a background that explains the paper's table 1. It was picked from a grid
// of 36, so it shows only that such a background exists, not that this was the paper's.
func NStar() Disturbance {
	return Disturbance{Cell: 300, Slots: 150, Background: pdes.Background{Flows: 2, Length: 512, SlowPPM: 15_000}}
}

// SlowPPs returns N* without its background flows.
func SlowPPs() Disturbance {
	d := NStar()
	d.Background.Flows = 0
	return d
}

// Shaken holds the clocks of runs under two maps, with the same disturbance for each seed.
type Shaken struct {
	Conventional, Optimal []float64
}

// Shake runs both maps of a case under a disturbance with the seeds 1 to n. If ctx ends, the completed seeds are
// returned with the error. told, if not nil, is called with the number of finished seeds.
func Shake(ctx context.Context, c Case, optimal mapping.Map, d Disturbance, n int, told func(done, of int)) (*Shaken,
	error,
) {
	s := &Shaken{}
	for seed := 1; seed <= n; seed++ {
		var clocks []float64 // conventional, optimal
		for _, m := range []mapping.Map{nil, optimal} {
			cfg, err := c.under(m, d.Cell, d.Slots)
			if err != nil {
				return nil, err
			}
			cfg.Background = d.Background
			cfg.Background.Seed = uint64(seed)
			r, err := pdes.Run(ctx, cfg)
			if err != nil {
				return s, err
			}
			clocks = append(clocks, float64(r.Clocks))
		}
		if s.Conventional, s.Optimal = append(s.Conventional, clocks[0]), append(s.Optimal, clocks[1]); told != nil {
			told(seed, n)
		}
	}
	return s, nil
}

// MeanRatio returns the conventional mean divided by the optimal one.
func (s *Shaken) MeanRatio() float64 { return portable.Mean(s.Conventional) / portable.Mean(s.Optimal) }

// SDRatio returns the conventional standard deviation divided by the optimal one.
func (s *Shaken) SDRatio() float64 { return SD(s.Conventional) / SD(s.Optimal) }

// CV returns the coefficients of variation for both maps.
func (s *Shaken) CV() (conventional, optimal float64) {
	return SD(s.Conventional) / portable.Mean(s.Conventional), SD(s.Optimal) / portable.Mean(s.Optimal)
}

// AtLeast returns the share of n random draws of 5 + 5 runs whose ratio of standard deviations is at least ratio.
// This estimates how likely the paper's result is.
func (s *Shaken) AtLeast(ratio float64, n int) float64 {
	rng := uint64(1)
	draw := func(x []float64) float64 {
		five := make([]float64, 5)
		for i := range five {
			rng = rng*6364136223846793005 + 1442695040888963407
			five[i] = x[(rng>>33)%uint64(len(x))]
		}
		return SD(five)
	}
	hits := 0
	for range n {
		if draw(s.Conventional) >= ratio*draw(s.Optimal) {
			hits++
		}
	}
	return float64(hits) / float64(n)
}

// PaperSDRatio is the paper's ratio of the standard deviations of the run time, the conventional map to the optimal
// one: 10.8 s / 2.83 s [004 table 1].
const PaperSDRatio = 3.82
