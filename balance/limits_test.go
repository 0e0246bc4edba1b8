package balance

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// says checks that an error begins with the key of the wrong value, or that there is no error if key is "".
func says(t *testing.T, key string, err error, about string) {
	t.Helper()
	if key == "" {
		require.NoError(t, err, about)
		return
	}
	require.Error(t, err, about)
	require.Regexp(t, "^"+key, err.Error(), about)
}

// Each number of a workload may have its least and its greatest value, and nothing beyond.
func TestWorkloadLimits(t *testing.T) {
	slices := func(on, off, jitter int64) Workload {
		return Workload{Shape: Bag, Units: 1, Work: 1, On: on, Off: off, Jitter: jitter}
	}
	slow := func(of int, percent float64, off int64, slow ...int) Workload {
		return Workload{Shape: Bag, Units: 1, Work: 1, Slow: slow, Of: of, Percent: percent, On: off, Off: off}
	}
	for _, c := range []struct {
		about string
		n     int
		l     Workload
		key   string // expected key of the error
	}{
		{"no shape", 1, Workload{Units: 1, Work: 1}, "shape: "},
		{"no worker", 0, Workload{Shape: Bag, Units: 1, Work: 1}, "0 workers"},
		{"one worker", 1, Workload{Shape: Bag, Units: 1, Work: 1}, ""},
		{"most workers", 65_536, Workload{Shape: Bag, Units: 1, Work: 1}, ""},
		{"more workers", 65_537, Workload{Shape: Bag, Units: 1, Work: 1}, "65537 workers"},
		{"no unit", 1, Workload{Shape: Bag, Units: 0, Work: 1}, "units: "},
		{"most units", 1, Workload{Shape: Bag, Units: 5_000_000, Work: 1}, ""},
		{"more units", 1, Workload{Shape: Bag, Units: 5_000_001, Work: 1}, "units: "},
		{"most units of three", 3, Workload{Shape: Bag, Units: 1_666_666, Work: 1}, ""},
		{"more units of three", 3, Workload{Shape: Bag, Units: 1_666_667, Work: 1}, "units: "},
		{"no work", 1, Workload{Shape: Bag, Units: 1, Work: 0}, "work: "},
		{"most work", 1, Workload{Shape: Bag, Units: 1, Work: 1_000_000_000}, ""},
		{"more work", 1, Workload{Shape: Bag, Units: 1, Work: 1_000_000_001}, "work: "},
		{"spread below", 1, Workload{Shape: Bag, Units: 1, Work: 1, Spread: -1}, "spread: "},
		{"most spread", 1, Workload{Shape: Bag, Units: 1, Work: 1, Spread: 99}, ""},
		{"more spread", 1, Workload{Shape: Bag, Units: 1, Work: 1, Spread: 100}, "spread: "},
		{"no round", 1, Workload{Shape: Loop, Units: 1, Work: 1}, "rounds: "},
		{"one round", 1, Workload{Shape: Loop, Units: 1, Work: 1, Rounds: 1}, ""},
		{"most rounds", 1, Workload{Shape: Loop, Units: 1, Work: 1, Rounds: 100_000}, ""},
		{"more rounds", 1, Workload{Shape: Loop, Units: 1, Work: 1, Rounds: 100_001}, "rounds: "},
		{"no step", 1, Workload{Shape: Mesh, Units: 1, Work: 1}, "rounds: "},
		{"one step", 1, Workload{Shape: Mesh, Units: 1, Work: 1, Rounds: 1}, ""},
		{"rest below", 1, Workload{Shape: Tree, Units: 1, Work: 1, Rest: -1}, "rest: -1"},
		{"most rest", 1, Workload{Shape: Tree, Units: 1, Work: 1, Rest: 99}, ""},
		{"more rest", 1, Workload{Shape: Tree, Units: 1, Work: 1, Rest: 100}, "rest: 100"},
		{"rest of a bag", 1, Workload{Shape: Bag, Units: 1, Work: 1, Rest: 1}, "rest: 1 per cent of a unit of a bag"},
		{"no pattern", 1, slow(0, 50, 0, 0), "of: "},
		{"least pattern", 1, slow(1, 50, 0, 0), ""},
		{"percent below", 1, slow(1, 0.9, 0, 0), "percent: "},
		{"least percent", 1, slow(1, 1, 0, 0), ""},
		{"most percent", 1, slow(1, 100, 0, 0), ""},
		{"percent above", 1, slow(1, 100.1, 0, 0), "percent: "},
		{"no percent, but slices", 1, slow(1, 0, 1, 0), ""},
		{"no percent, nobody slow", 1, slow(0, 0, 0), ""},
		{"slow below", 1, slow(3, 50, 0, -1), "slow: -1"},
		{"first and last slow", 1, slow(3, 50, 0, 0, 2), ""},
		{"slow above", 1, slow(3, 50, 0, 0, 3), "slow: 3; expected 0 to 2"},
		{"off below", 1, slices(9, -1, 0), "on, off, jitter: "},
		{"most off", 1, slices(9, 1_000_000, 0), ""},
		{"more off", 1, slices(9, 1_000_001, 0), "on, off, jitter: "},
		{"on below", 1, slices(-1, 0, 0), "on, off, jitter: "},
		{"most on", 1, slices(1_000_000, 1, 0), ""},
		{"more on", 1, slices(1_000_001, 1, 0), "on, off, jitter: "},
		{"jitter below", 1, slices(9, 1, -1), "on, off, jitter: "},
		{"most jitter", 1, slices(9, 1, 8), ""},
		{"more jitter", 1, slices(9, 1, 9), "on: 9"},
		{"jitter without slices", 1, slices(9, 0, 9), ""},
	} {
		says(t, c.key, c.l.Validate(c.n), c.about)
	}
}

// Each number of a rule may have its least and its greatest value, and nothing beyond.
func TestRuleLimits(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(*Rule)
		key    string
	}{
		{"least probes", func(r *Rule) { r.Probes = 1 }, ""},
		{"most probes", func(r *Rule) { r.Probes = 65_536 }, ""},
		{"more probes", func(r *Rule) { r.Probes = 65_537 }, "probes"},
		{"least threshold", func(r *Rule) { r.Threshold = 0 }, ""},
		{"most threshold", func(r *Rule) { r.Threshold = 5_000_000 }, ""},
		{"more threshold", func(r *Rule) { r.Threshold = 5_000_001 }, "threshold"},
		{"interval below", func(r *Rule) { r.Interval = 0.099 }, "interval"},
		{"least interval", func(r *Rule) { r.Interval = 0.1 }, ""},
		{"most interval", func(r *Rule) { r.Interval = 1e6 }, ""},
		{"more interval", func(r *Rule) { r.Interval = 1e6 + 1 }, "interval"},
		{"least group", func(r *Rule) { r.Group = 2 }, ""},
		{"most group", func(r *Rule) { r.Group = 65_536 }, ""},
		{"more group", func(r *Rule) { r.Group = 65_537 }, "group"},
		{"a difference to nobody", func(r *Rule) { r.Amount = "difference" }, "amount"},
		{"a difference", func(r *Rule) { r.Amount, r.Information = "difference", "all" }, ""},
		{"a share", func(r *Rule) { r.Amount, r.Information = "share", "probe" }, ""},
	} {
		r := DefaultRule()
		c.change(&r)
		key, err := r.Validate()
		require.Equal(t, c.key, key, c.about)
		require.Equal(t, c.key != "", err != nil, c.about)
	}
}

// A comparison needs one of everything, and worlds that can be built.
func TestPlanErrors(t *testing.T) {
	for about, change := range map[string]func(*Plan){
		"scheme":   func(p *Plan) { p.Policies = nil },
		"workload": func(p *Plan) { p.Workloads = nil },
		"workers":  func(p *Plan) { p.Workers = nil },
		"grain":    func(p *Plan) { p.Grains = nil },
		"seed":     func(p *Plan) { p.Seeds = 0 },
	} {
		p := Default(false)
		change(&p)
		says(t, "nothing to compare", p.Validate(), about)
	}
	p := Default(false)
	p.Seeds = 1
	require.NoError(t, p.Validate())
	p.Workers = []int{16, 65_537}
	says(t, "65537 workers", p.Validate(), "workers")
	_, err := p.Compare(t.Context(), 1, nil)
	says(t, "65537 workers", err, "workers")
	_, err = Run(t.Context(), Setup{Workload: Workload{Shape: Bag}, Workers: 1})
	says(t, "units: ", err, "a world")
}

// ticks lets no unit run, and calls each, if it is set, at every tick.
type ticks struct {
	Hooks
	each func(now int64)
}

func (p ticks) Timer(int) {
	p.each(p.W.Now())
	p.W.After(1, 0)
}

// stuck runs two workers that do no work; worker 0 ticks if each is set.
func stuck(ctx context.Context, each func(now int64)) error {
	_, err := Run(ctx, Setup{
		Policy: Policy{Name: "ticks", New: func(w *Worker) Agent {
			w.Pause()
			if w.ID == 0 && each != nil {
				w.After(1, 0)
			}
			return ticks{Hooks{w}, each}
		}},
		Workload: Workload{Shape: Bag, Units: 1, Work: 10, Rounds: 3}, Workers: 2,
		Fabric: Fabric{Message: 1, Latency: 1},
	})
	return err
}

// A run ends with an error if nothing happens any more, when patience is used up, or soon after the context ends.
func TestRunEnds(t *testing.T) {
	require.EqualError(t, stuck(t.Context(), nil), "ticks: nothing more can happen, but 2 units have not run")
	last := int64(0)
	err := stuck(t.Context(), func(now int64) { last = now })
	require.EqualError(t, err, "ticks: not done after 2000 times the ideal time; 2 units have not run: since tick 0 "+
		"only timers have expired")
	// 2000 times 10, and 1000 for each of 5 workers and rounds times a move of 2 and a latency of 1
	require.EqualValues(t, 35_000, last)

	ctx, end := context.WithCancel(t.Context())
	err = stuck(ctx, func(now int64) { last = now; end() })
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 4096, last)
	last = 0
	require.ErrorIs(t, stuck(ctx, func(now int64) { last = now }), context.Canceled)
	require.Zero(t, last)
}

// toAndFro lets no unit run. It gives each unit to the other worker, or only sends messages.
type toAndFro struct {
	Hooks
	gives bool
}

func (p toAndFro) Timer(int) {
	if p.gives {
		p.W.Give(1-p.W.ID, 1, Message{})
	} else {
		p.W.Send(1-p.W.ID, Message{})
	}
	p.W.After(10, 0)
}

// The error of a run without an end says whether units moved, only messages moved, or work continued.
func TestLivelock(t *testing.T) {
	says := func(about string, gives bool) {
		t.Helper()
		_, err := Run(t.Context(), Setup{
			Policy: Policy{Name: "tofro", New: func(w *Worker) Agent {
				w.Pause()
				w.After(10, 0)
				return toAndFro{Hooks{w}, gives}
			}},
			Workload: Workload{Shape: Bag, Units: 3, Work: 10, Rounds: 1}, Workers: 2,
			Fabric: Fabric{Message: 1, Latency: 1},
		})
		require.ErrorContains(t, err, about)
	}
	says("6 units have not run, because it is a livelock: since tick 0 no unit has ended, while units moved ", true)
	says("6 units have not run: since tick 0 no unit has ended or moved, while ", false)
	w := world{now: 100, ended: ended{at: 90}, result: &Result{}}
	require.Equal(t, ", but units still end, the last at tick 90", w.since(100))
}

// The work of a unit reaches both ends of its spread, and a slow worker has the configured speed or slices.
func TestDraws(t *testing.T) {
	for _, c := range []struct {
		work        int64
		spread      int
		least, most int64
	}{{100, 10, 90, 110}, {10, 99, 1, 19}, {1, 99, 1, 1}, {50, 0, 50, 50}} {
		l, rng := Workload{Work: c.work, Spread: c.spread}, rand.New(rand.NewPCG(1, 1))
		least, most := int64(1<<40), int64(0)
		for range 1000 {
			x := l.drawWork(rng, 0)
			least, most = min(least, x), max(most, x)
		}
		require.Equal(t, [2]int64{c.least, c.most}, [2]int64{least, most})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	l := Workload{Work: 200, Slow: []int{0, 2}, Of: 3, Percent: 33.35}
	for i, rate := range []int64{334, 1000, 334, 334, 1000, 334} {
		s := l.speed(i, rng)
		require.Equal(t, rate, s.rate)
		require.Zero(t, s.off)
	}
	l.On, l.Off, l.Jitter = 150, 50, 20
	s := l.speed(3, rng)
	require.Equal(t, [4]int64{1000, 300, 100, 40}, [4]int64{s.rate, s.on, s.off, s.jitter})
	require.Zero(t, (&Workload{Work: 200}).speed(0, rng).off)
	l = Workload{Work: 10, Slow: []int{0}, Of: 1, On: 1, Off: 1}
	s = l.speed(0, rng)
	require.Equal(t, [2]int64{1, 1}, [2]int64{s.on, s.off}, "no slice is shorter than a tick")
	first := map[int64]bool{} // position of time 0 in a slice of 3 ticks and the 2 ticks after it
	for range 100 {
		s := timeShared(3, 2, 0, rng)
		require.EqualValues(t, 3, s.edges[1]-s.edges[0])
		first[s.edges[0]] = true
	}
	require.Equal(t, map[int64]bool{0: true, -1: true, -2: true, -3: true, -4: true}, first)
}
