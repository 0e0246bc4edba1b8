package balance

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/knob"
)

// stretches are how many times the interval of the comparison a scheme is tried with, on tuneSeeds
// seeds long after the first of the comparison [chosen: after all seeds that it can have].
var stretches = []float64{0.25, 0.5, 1, 2, 4, 8}

const firstTuneSeed, tuneSeeds = 10_000, 8

// stretched has longer intervals.
func (n Numbers) stretched(times float64) Numbers {
	n.Interval = float64(n.Interval * times)
	n.Every = int(math.Ceil(float64(float64(n.Every) * times)))
	return n
}

// Tune gives every scheme that acts by a timer, in each cell, the interval that is best for it:
// the one of the comparison, or one up to four times shorter or eight times longer. The seeds of the
// search differ from all compared ones.
func (p *Plan) Tune(ctx context.Context, threads int) {
	cells := slices.DeleteFunc(p.cells(),
		func(c cell) bool { return !strings.HasPrefix(p.Schemes[c.scheme].Decide.Trigger, "timer") })
	best := make([]float64, len(cells))
	inParallel(ctx, threads, len(cells), func(k int) {
		least := math.Inf(1)
		for _, x := range stretches {
			sum := float64(0)
			for seed := range tuneSeeds {
				s := p.setup(cells[k], firstTuneSeed+seed)
				s.Numbers = p.Numbers.stretched(x)
				o := runWorld(ctx, s)
				if o.err != nil || o.r.NA != "" {
					sum = math.Inf(1)
					break
				}
				sum += float64(o.r.Time) / float64(o.r.Ideal)
			}
			if sum < least {
				least, best[k] = sum, x
			}
		}
	}, nil)
	p.stretch = map[cell]float64{}
	for k, c := range cells {
		p.stretch[c] = best[k]
	}
}

// Turn is the best scheme of a cell with one number changed, next to the best one before.
type Turn struct {
	Key      string   `json:"key"`   // what is changed: a knob, or intervals
	Value    string   `json:"value"` // best: every scheme with a timer has its best interval
	Workload string   `json:"workload"`
	N        int      `json:"n"`
	Grain    int      `json:"grain"`
	Before   string   `json:"before"`
	Best     string   `json:"best"`
	Ties     string   `json:"ties"`   // with the best
	Regret   *float64 `json:"regret"` // how much longer the best one before takes; null if it has no value
	RegLow   *float64 `json:"regret_low"`
	RegHigh  *float64 `json:"regret_high"`
	Changes  bool     `json:"changes"` // it is neither the best nor a tie any more
}

// settings returns the numbers to change: each to half and twice its value, or, from nothing, to what
// a message with a unit takes of a CPU, and twice that; and the best intervals.
func (p *Plan) settings() (list [][2]string) {
	for _, r := range knob.Bind(Knobs(), p) {
		values := []string{strconv.FormatInt(p.Fabric.pause()/2, 10), strconv.FormatInt(p.Fabric.pause(), 10)}
		if x, _ := strconv.ParseFloat(r.Text(), 64); x != 0 {
			values = []string{strconv.FormatFloat(x/2, 'f', -1, 64), strconv.FormatFloat(2*x, 'f', -1, 64)}
		}
		for _, v := range values {
			list = append(list, [2]string{r.Key, v})
		}
	}
	return append(list, [2]string{"intervals", "best"})
}

// Sensitivity compares the schemes with each of the numbers changed alone, and says in which
// cells another one is the best. done is told how many have been changed. If ctx ends, the turns
// belong to the numbers that are done.
func (p *Plan) Sensitivity(ctx context.Context, threads int, done func(settings, of int)) (list []Turn, err error) {
	settings := p.settings()
	done(0, len(settings))
	before, err := p.Compare(ctx, threads, nil)
	list = []Turn{}
	for k := 0; k < len(settings) && err == nil; k++ {
		q, rows := *p, []Row(nil)
		if s := settings[k]; s[1] == "best" {
			q.Tune(ctx, threads)
		} else if err := knob.Set(Knobs(), &q, s[0], s[1]); err != nil {
			return list, err
		}
		if rows, err = q.Compare(ctx, threads, nil); err == nil {
			list = append(list, turns(settings[k], before, rows)...)
		}
		done(k+1, len(settings))
	}
	return list, err
}

// turns compares the best rows of all cells before and after.
func turns(s [2]string, before, after []Row) (list []Turn) {
	for i := range before {
		was := &before[i]
		if was.Regret == nil || *was.Regret != 0 {
			continue
		}
		t := Turn{
			Key: s[0], Value: s[1], Workload: was.Workload, N: was.N, Grain: was.Grain, Before: was.Scheme,
			Changes: true,
		}
		for k := range after {
			r := &after[k]
			if !r.sameCell(was) || r.Regret == nil {
				continue
			}
			tie := r.Tie != nil && *r.Tie
			switch {
			case *r.Regret == 0:
				t.Best = r.Scheme
			case tie:
				t.Ties = strings.TrimSpace(t.Ties + " " + r.Scheme)
			}
			if r.Scheme == was.Scheme {
				t.Regret, t.RegLow, t.RegHigh, t.Changes = r.Regret, r.RegLow, r.RegHigh, *r.Regret > 0 && !tie
			}
		}
		list = append(list, t)
	}
	return list
}
