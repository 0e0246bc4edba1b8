package balance

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/knob"
)

// stretches are the factors by which Tune multiplies the comparison's interval. It tries them with tuneSeeds seeds
// that come after all seeds that the comparison can have [chosen].
var stretches = []float64{0.25, 0.5, 1, 2, 4, 8}

const firstTuneSeed, tuneSeeds = 10_000, 8

// stretched returns the numbers with intervals that are longer by a factor.
func (n Numbers) stretched(times float64) Numbers {
	n.Interval = float64(n.Interval * times)
	n.Every = int(math.Ceil(float64(float64(n.Every) * times)))
	return n
}

// Tune finds, in each cell, the best interval for every policy that acts by a timer. It tries the comparison's
// interval, and intervals up to four times shorter or eight times longer. Its seeds differ from all seeds of the
// comparison.
func (p *Plan) Tune(ctx context.Context, threads int) {
	cells := slices.DeleteFunc(p.cells(),
		func(c cell) bool { return !strings.HasPrefix(p.Policies[c.policy].Decide.Trigger, "timer") })
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

// Turn compares the best policy of a cell before and after one number was changed.
type Turn struct {
	Key      string   `json:"key"`   // the change: a knob, or intervals
	Value    string   `json:"value"` // new value; best: every policy with a timer has its best interval
	Workload string   `json:"workload"`
	N        int      `json:"n"`
	Grain    int      `json:"grain"`
	Before   string   `json:"before"`
	Best     string   `json:"best"`
	Ties     string   `json:"ties"`   // policies that tie with the new best one
	Regret   *float64 `json:"regret"` // how much longer the previous best policy now takes; null if it has no value
	RegLow   *float64 `json:"regret_low"`
	RegHigh  *float64 `json:"regret_high"`
	Changes  bool     `json:"changes"` // the previous best policy is now neither the best nor a tie
}

// settings returns the changes to try, each a key and a value. Each number gets half and twice its value or, if that is
// 0, half and all of the CPU time of a move. The last change gives every policy with a timer its best interval.
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

// Sensitivity compares the policies with one number changed at a time, and returns the turns of all cells. done is
// called with the number of changes done. If ctx ends, the turns of the finished changes are returned.
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

// turns compares the best rows of all cells before and after a change.
func turns(s [2]string, before, after []Row) (list []Turn) {
	for i := range before {
		was := &before[i]
		if was.Regret == nil || *was.Regret != 0 {
			continue
		}
		t := Turn{
			Key: s[0], Value: s[1], Workload: was.Workload, N: was.N, Grain: was.Grain, Before: was.Policy,
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
				t.Best = r.Policy
			case tie:
				t.Ties = strings.TrimSpace(t.Ties + " " + r.Policy)
			}
			if r.Policy == was.Policy {
				t.Regret, t.RegLow, t.RegHigh, t.Changes = r.Regret, r.RegLow, r.RegHigh, *r.Regret > 0 && !tie
			}
		}
		list = append(list, t)
	}
	return list
}
