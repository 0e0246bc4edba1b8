package verify

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"emsim/cluster/spmd"
	"emsim/internal/study/ensemble"
)

// paper002 returns the suite for the workstation cluster [002]. Tables 1 and 2 are means of 16 seeds on T*, and the
// claims of §3.3 are tested seed by seed.
func paper002() Suite {
	return Suite{
		Paper: "002", Machine: "workstation cluster", Means: "means of 16 seeds",
		OneByOne: true,
		New: func(_ context.Context, _ *ensemble.Crew, _ []Claim) func(context.Context, Claim) (Value, error) {
			return new(session002).measure
		},
	}
}

const seeds002 = 16 // chosen: the means of 16 seeds vary by less than a task

type session002 struct {
	store[spmd.Policy, []*spmd.Result]
}

func (s *session002) results(ctx context.Context, m spmd.Policy) ([]*spmd.Result, error) {
	return s.once(ctx, m, func(ctx context.Context) ([]*spmd.Result,
		error,
	) {
		return spmd.RunSeeds(ctx, spmd.Paper(m), seeds002)
	})
}

func (s *session002) measure(ctx context.Context, c Claim) (Value, error) {
	switch c.Quantity {
	case "tasks_fall", "end_falls":
		return s.falls(ctx, c)
	case "tasks_mean_error":
		return s.meanError(ctx, c, "tasks", func(model, paper float64) float64 { return model - paper })
	case "end_mean_error":
		return s.meanError(ctx, c, "end_time",
			func(model, paper float64) float64 { return float64(100 * (model/paper - 1)) })
	}
	if c.Cond["method"] == "" {
		return noArrows(ctx)
	}
	rs, err := s.results(ctx, spmd.Policy(c.Cond["method"]))
	if err != nil {
		return Value{}, err
	}
	if c.Quantity == "tasks_sum" {
		return Number(spmd.MeanOf(rs, func(r *spmd.Result) (sum int64) {
			for _, n := range r.Tasks {
				sum += int64(n)
			}
			return sum
		})), nil
	}
	return cell002(c, rs)
}

// cell002 returns one cell of table 1 or 2.
func cell002(c Claim, rs []*spmd.Result) (Value, error) {
	p, err := strconv.Atoi(c.Cond["processor"])
	if err != nil || p < 0 || p >= len(rs[0].Tasks) {
		return Value{}, fmt.Errorf("there is no processor %q", c.Cond["processor"])
	}
	switch c.Quantity {
	case "tasks":
		return Number(spmd.MeanOf(rs, func(r *spmd.Result) int64 { return int64(r.Tasks[p]) })), nil
	case "end_time":
		return Number(spmd.MeanOf(rs, func(r *spmd.Result) int64 { return r.EndUS[p] }) / 1e6), nil
	}
	return Value{}, fmt.Errorf("quantity %q is not measured", c.Quantity)
}

// meanError returns the mean of |error| over the cells of one quantity and method.
func (s *session002) meanError(ctx context.Context, c Claim, quantity string,
	of func(model, paper float64) float64,
) (Value, error) {
	rs, err := s.results(ctx, spmd.Policy(c.Cond["method"]))
	if err != nil {
		return Value{}, err
	}
	claims, err := Claims(c.PaperNo)
	if err != nil {
		return Value{}, err
	}
	sum, n := 0.0, 0
	for _, cell := range claims {
		if cell.Quantity != quantity || cell.Cond["method"] != c.Cond["method"] {
			continue
		}
		v, err := cell002(cell, rs)
		if err != nil {
			return Value{}, err
		}
		paper, err := strconv.ParseFloat(cell.Paper, 64)
		if err != nil {
			return Value{}, err
		}
		sum += math.Abs(of(v.Number, paper))
		n++
	}
	return Number(sum / float64(n)), nil
}

// falls compares one loaded processor under both methods, for every seed.
func (s *session002) falls(ctx context.Context, c Claim) (Value, error) {
	static, err := s.results(ctx, spmd.Static)
	if err != nil {
		return Value{}, err
	}
	proposed, err := s.results(ctx, spmd.Proposed)
	if err != nil {
		return Value{}, err
	}
	p, err := strconv.Atoi(c.Cond["processor"])
	if err != nil {
		return Value{}, err
	}
	n := 0
	for i := range static {
		less := proposed[i].EndUS[p] < static[i].EndUS[p]
		if c.Quantity == "tasks_fall" {
			less = proposed[i].Tasks[p] < static[i].Tasks[p]
		}
		if less {
			n++
		}
	}
	return Holds(n == len(static), "in %d of %d seeds", n, len(static)), nil
}

func noArrows(ctx context.Context) (Value, error) {
	for _, m := range spmd.Policies() {
		c := spmd.Paper(m)
		c.Topology = make(spmd.Topology, len(c.Topology))
		r, err := spmd.Run(ctx, c)
		if err != nil {
			return Value{}, err
		}
		// This is the number 100, not c.Tasks: the model must not be compared with itself.
		if slices.ContainsFunc(r.Tasks, func(n int) bool { return n != 100 }) {
			return TextValue(fmt.Sprintf("%v under %s", r.Tasks, m)), nil
		}
	}
	return TextValue("100 each"), nil
}
