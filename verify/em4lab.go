package verify

import (
	"context"
	"fmt"
	"sync"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/memlimit"
	"emsim/internal/machine/run"
	"emsim/internal/study/ensemble"
	"emsim/programs"
)

// lab003 runs fib on several machines at a time, and remembers the results. Benches of several setups may share a lab,
// which runs equal machines only once. Several goroutines may use it at a time.
type lab003 struct {
	crew   *ensemble.Crew
	window uint64 // window of the results' series in clocks; 0 means no series

	mu       sync.Mutex
	programs map[string]*asm.Object // by their parameters
	equal    map[string]*asm.Object // by run.Digest: programs that a machine cannot tell apart are stored once
	most     map[machine003]int     // by machine without its number of runs: the most runs requested so far
	ran      store[machine003, []em4.Result]
}

// machine003 is a machine that runs fib(n) several times.
type machine003 struct {
	config  em4.Config
	program *asm.Object // one of lab003.equal
	seed, n uint64
	runs    int
}

func newLab003(crew *ensemble.Crew, window uint64) *lab003 {
	return &lab003{
		crew: crew, window: window, programs: map[string]*asm.Object{}, equal: map[string]*asm.Object{},
		most: map[machine003]int{},
	}
}

// program returns fib assembled with these parameters.
func (l *lab003) program(params map[string]string) (*asm.Object, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprint(params) // fmt sorts the names
	if o := l.programs[key]; o != nil {
		return o, nil
	}
	o, err := programs.Assemble("fib", params)
	if err != nil {
		return nil, err
	}
	digest := run.Digest(o)
	if l.equal[digest] == nil {
		l.equal[digest] = o
	}
	l.programs[key] = l.equal[digest]
	return l.programs[key], nil
}

// covering returns m with the largest number of runs that has been requested of such a machine. The first of these runs
// are the runs of m.
func (l *lab003) covering(m machine003) machine003 {
	l.mu.Lock()
	defer l.mu.Unlock()
	runs := m.runs
	m.runs = 0
	l.most[m] = max(l.most[m], runs)
	m.runs = l.most[m]
	return m
}

// begin starts the machines that have not been started yet, in their order, and does not wait for them. If ctx ends,
// the machines stop.
func (l *lab003) begin(ctx context.Context, list []machine003) {
	var mine []machine003
	for _, m := range list {
		m = l.covering(m)
		if _, first := l.ran.claim(m); first {
			mine = append(mine, m)
		}
	}
	go func() {
		begun := l.crew.Each(ctx, len(mine), func(i int) uint64 { return memlimit.EM4Bytes(mine[i].config.PEs) },
			func(i int) {
				results, err := mine[i].runAll(ctx, l.window)
				l.ran.end(mine[i], results, err)
			})
		for _, m := range mine[begun:] {
			l.ran.end(m, nil, ctx.Err())
		}
	}()
}

// awaitRuns returns the results of a machine's runs. It does the runs if they have not been started yet.
func (l *lab003) awaitRuns(ctx context.Context, m machine003) ([]em4.Result, error) {
	longer := l.covering(m)
	results, err := l.ran.once(ctx, longer, func(ctx context.Context) ([]em4.Result, error) {
		bytes := memlimit.EM4Bytes(m.config.PEs)
		if err := l.crew.Enter(ctx, bytes); err != nil {
			return nil, err
		}
		defer l.crew.Leave(bytes)
		return longer.runAll(ctx, l.window)
	})
	if len(results) >= m.runs { // an error belongs to a later run
		return results[:m.runs:m.runs], nil
	}
	return results, err
}

// build returns the machine, after its boot.
func (m machine003) build(ctx context.Context) (*em4.Machine, error) {
	p, err := programs.Load(m.program)
	if err != nil {
		return nil, err
	}
	x, err := em4.New(m.config, p, m.seed)
	if err != nil {
		return nil, err
	}
	return x, x.Boot(ctx, 0)
}

// runAll does all runs of a machine and returns their results.
func (m machine003) runAll(ctx context.Context, window uint64) ([]em4.Result, error) {
	x, err := m.build(ctx)
	if err != nil {
		return nil, err
	}
	var all []em4.Result
	for range m.runs {
		res, err := x.Run(ctx, []uint64{m.n}, em4.RunOptions{Window: window})
		if err != nil {
			return all, err
		}
		if want := fibonacci(m.n); len(res.Words) != 1 || res.Words[0] != want {
			return all, fmt.Errorf("fib(%d) answered %v, not %d", m.n, res.Words, want)
		}
		all = append(all, res)
	}
	return all, nil
}

func fibonacci(n uint64) uint64 {
	a, b := uint64(0), uint64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}
