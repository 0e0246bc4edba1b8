// Package toy is a machine of one page, as a template for others: a ring of workers, of which the first has all items.
// Each worker gives one item to its right neighbour if the neighbour has at least two fewer. A new machine needs what
// this file has: a table of knobs, a run and a Model, and one call of machines.Add.
package toy

import (
	"context"
	"fmt"

	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/base/moves"
	"emsim/internal/base/state"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// setup holds the values of the knobs.
type setup struct{ Workers, Items, Clocks int64 }

func knobs() []knob.Knob[setup] {
	row := func(key, unit string, least, most int64, doc string, ref func(s *setup) any) knob.Knob[setup] {
		return knob.Knob[setup]{
			Key: key, Flag: key, Unit: unit, Min: least, Max: most, Source: "chosen", Doc: doc, Ref: ref,
		}
	}
	return []knob.Knob[setup]{
		row("workers", "workers", 2, 1000, "workers in the ring", func(s *setup) any { return &s.Workers }),
		row("items", "items", 1, 100_000, "items that worker 0 begins with", func(s *setup) any { return &s.Items }),
		row("work", "clocks", 1, 1000, "clocks of an item", func(s *setup) any { return &s.Clocks }),
	}
}

// ring is the state of a run. A round takes as many clocks as one item. In a round, every worker processes one of its
// items.
type ring struct {
	setup
	round, moved, done int64
	held               [][]int64 // items, by worker
}

// state visits the contents of a checkpoint.
func (r *ring) state(c *state.Codec) {
	state.Num(c, &r.round)
	state.Num(c, &r.moved)
	state.Num(c, &r.done)
	for i := range r.held {
		state.List(c, &r.held[i], int(r.Items), func(item *int64) { state.Below(c, int(r.Items), item) })
	}
}

// step executes a round: work, then the decisions, for which all workers see the same loads.
func (r *ring) step(record *moves.Record) {
	now, then := r.round*r.Clocks, (r.round+1)*r.Clocks
	r.round++
	pass := func(why *moves.Cause, item int64, from, to int) {
		m := moves.Move{Cause: why, Kind: "item", Item: int(item), Count: 1, From: from, To: to, Left: then, Came: then}
		record.Pass(m)
	}
	load := make([]int, len(r.held))
	for i := range r.held {
		if len(r.held[i]) > 0 {
			record.Do(moves.Span{Worker: i, Doing: "works", Use: moves.Work, From: now, To: then, Peer: moves.Outside})
			pass(moves.By("it is done", now), r.held[i][0], i, moves.Outside)
			r.held[i] = r.held[i][1:]
			r.done++
		}
		load[i] = len(r.held[i])
	}
	for i := range r.held {
		to := (i + 1) % len(r.held)
		if load[i] < load[to]+2 {
			continue
		}
		item := r.held[i][load[i]-1]
		r.held[i], r.held[to] = r.held[i][:load[i]-1], append(r.held[to], item)
		r.moved++
		knew := []moves.Belief{{Worker: to, Load: float64(load[to]), At: then}}
		pass(&moves.Cause{Rule: "two fewer", By: i, At: then, Knew: knew}, item, i, to)
	}
}

// describe fills in the answer, from which text, JSON, sweeps and reports are made.
func (r *ring) describe(x *answer.Answer) {
	clocks, done := r.round*r.Clocks, r.done
	work := float64(done*r.Clocks) / float64(max(1, clocks*r.Workers))
	x.Title, x.Machine = fmt.Sprint(r.Items, " items"), fmt.Sprintf("a ring of %d workers", r.Workers)
	x.Whole = "the workers' time"
	x.SoFar, x.Keys = fmt.Sprintf("with %d of %d items done", done, r.Items), map[string]any{"done": done}
	x.Number("clocks", clocks, "clocks", "until the last item was done").Head("time", "")
	x.Share("efficiency", work, "share of the workers' time that went into items").Head("work",
		"of the workers' time").PartOf(answer.Work, "")
	x.Share("waiting", 1-work, "share of the workers' time without an item").PartOf("waiting", "no item had come")
	x.Number("transfers", r.moved, "items", "items handed on").Detail("items handed on",
		"%.1f times each", float64(r.moved)/float64(max(1, r.Items)))
}

// run does a run, and writes and records what w requests.
func run(ctx context.Context, config any, w *machines.Watch) (*answer.Answer, error) {
	r := ring{setup: *config.(*setup)}
	r.held = make([][]int64, r.Workers)
	for i := range r.Items {
		r.held[0] = append(r.held[0], i)
	}
	if w.Record == nil {
		w.Record = &moves.Record{Tell: func(moves.Entry) {}}
	}
	w.Record.Workers = int(r.Workers)
	w.Record.Pass(moves.Move{Cause: moves.By("at first", 0), Count: int(r.Items), From: moves.Outside, Kind: "item"})
	sample := func(at int64) {
		for i := range r.held {
			w.Rows["series"](at, i, len(r.held[i]))
		}
	}
	if w.Rows["series"] == nil {
		sample = nil
	}
	shown, err := state.NewShown(w.Every, sample, w.Snapshots, r.state)
	for err == nil && r.done < r.Items {
		next := (r.round + 1) * r.Clocks
		shown.Before(next)
		if err = ctx.Err(); err != nil {
			shown.Stop(next)
		} else if r.step(w.Record); r.done == r.Items {
			shown.End(next)
		}
	}
	x := &answer.Answer{}
	r.describe(x)
	return x, err
}

// Add adds the machine to emsim.
func Add() {
	machines.Add(machinefile.Kind{
		Name: "toy", A: "a toy ring", Doc: "the toy ring", Command: "emsim toy run --machine", Default: "its default",
		New: func() *machinefile.Machine {
			return machinefile.Bound(&setup{8, 40, 10}, knobs(), func() error { return nil })
		},
	}, &machines.Model{
		Summary: "A ring of workers, to begin another machine with", Use: "run", Short: "Run the ring", Saved: true,
		Time: "clocks", Sampling: machines.Sampling{Flag: "sample", Usual: int64(10)},
		Rows: []machines.Rows{machines.Series("items"), machines.Events()},
		Terms: machines.Terms{
			Worker: "worker", Item: "item", Items: "items", Kind: "item", Measure: "items",
			Unit: "clocks", PerUnit: 1,
		},
		Beside: "workers=4", Run: run, Describe: func(x *answer.Answer) { (&ring{}).describe(x) },
	})
}
