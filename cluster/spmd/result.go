package spmd

import (
	"context"
	"fmt"
	"slices"

	"emsim/internal/base/lists"
)

// A Result is the outcome of one run. Slices are indexed by processor.
type Result struct {
	Seed     uint64
	Tasks    []int   // number of tasks processed
	EndUS    []int64 // when the processor ended, or the run was stopped
	BusyUS   []int64 // time spent on tasks; up to EndUS, the rest was waiting for answers
	Moved    [][]int // Moved[i][j]: number of tasks that went from i to j
	RanOn    []int   // by task number (first the tasks of processor 0, then of 1, ...): processor that processed it
	Requests int     // requests for tasks
	Refused  int     // requests answered with no tasks
	Messages int     // number of Powers, requests and answers together
}

func newResult(n, all int, seed uint64) *Result {
	r := &Result{
		Seed: seed, Tasks: make([]int, n), EndUS: make([]int64, n), BusyUS: make([]int64, n),
		Moved: make([][]int, n), RanOn: slices.Repeat([]int{-1}, all),
	}
	for i := range r.Moved {
		r.Moved[i] = make([]int, n)
	}
	return r
}

// stop ends the result of a run that is stopped at a time: the processors work or wait until then.
func (r *Result) stop(at int64, procs []processor) {
	for i := range procs {
		p := &procs[i]
		if p.ended {
			continue
		}
		if r.EndUS[i] = at; p.running >= 0 {
			r.BusyUS[i] -= p.until - at
		}
	}
}

// noteRan records that a task was processed. It panics if the task was processed before, because that is a fault of
// the model.
func (r *Result) noteRan(task, processor int) {
	if r.RanOn[task] >= 0 {
		panic(fmt.Sprintf("spmd: seed %d: task %d was processed by %d and again by %d", r.Seed, task, r.RanOn[task],
			processor))
	}
	r.RanOn[task] = processor
	r.Tasks[processor]++
}

// Transfers returns the number of moves of tasks.
func (r *Result) Transfers() int {
	n := 0
	for _, row := range r.Moved {
		for _, v := range row {
			n += v
		}
	}
	return n
}

// FinishUS returns the time at which the last processor ended.
func (r *Result) FinishUS() int64 { return slices.Max(append(r.EndUS, 0)) } // 0 if no processor has ended

// maxHeldWords limits the size of the results that RunSeeds holds at once, to 256 MB.
const maxHeldWords = 1 << 25

// RunSeeds runs c with n seeds, beginning with c.Seed. If ctx ends, the results of the completed seeds are returned
// with the error.
func RunSeeds(ctx context.Context, c Config, n int) ([]*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	procs := len(c.Topology)
	if most := maxHeldWords / (procs*procs + c.allTasks()); n < 1 || n > most {
		return nil, badValue("seeds", "%d runs; expected 1 to %d for %d processors with %d tasks in all (the results "+
			"of all runs are held in memory)", n, most, procs, c.allTasks())
	}
	var rs []*Result
	for range n {
		r, err := Run(ctx, c)
		if err != nil {
			return rs, err
		}
		rs = append(rs, r)
		c.Seed++
	}
	return rs, nil
}

// MeanOf returns the mean of an integer over runs; rs must not be empty. The sum is exact, so the order of the runs
// does not matter.
func MeanOf(rs []*Result, of func(r *Result) int64) float64 {
	sum := lists.Sum(rs, of)
	return float64(sum) / float64(len(rs))
}
