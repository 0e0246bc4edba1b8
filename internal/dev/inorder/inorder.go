// Package inorder checks that the records of all machines respect the order of time.
//
//	inorder.go  the check of a record
//	many.go     tests with many random cases
package inorder

import (
	"fmt"
	"slices"

	"emsim/internal/base/moves"
)

// Check returns an error for something impossible in the record of a run: an effect before its cause, an interval of
// negative length, or a time outside 0 to end. If told is set, the record must contain everything that workers are told
// about each other, and they must not use anything else.
func Check(r *moves.Record, end int64, told bool) error {
	c := checker{end: end, told: told, learned: map[[2]int][]moves.Learned{}}
	for _, x := range r.Learned {
		what := fmt.Sprintf("worker %d learns of %d", x.By, x.Worker)
		c.inside(what, x.Told)
		c.order(what+": the truth, when it is told", x.At, x.Told)
		c.learned[[2]int{x.By, x.Worker}] = append(c.learned[[2]int{x.By, x.Worker}], x)
	}
	for _, m := range r.Moves {
		c.move(m)
	}
	for _, s := range r.Spans {
		what := fmt.Sprintf("worker %d: %s %s", s.Worker, s.Doing, s.What)
		c.order(what+": from, to", s.From, s.To)
		c.inside(what, s.From)
		c.inside(what, s.To)
		if s.Peer != moves.Outside {
			c.order(what+": a message leaves, and ends the wait for it", s.Sent, s.To)
		}
	}
	for _, x := range r.Truths {
		c.inside(fmt.Sprintf("the truth of worker %d", x.Worker), x.At)
	}
	return c.err
}

type checker struct {
	end     int64
	told    bool
	learned map[[2]int][]moves.Learned // by the worker that learned and the worker it learned about
	err     error
}

// move checks the times of a move and its decision.
func (c *checker) move(m *moves.Move) {
	what := fmt.Sprintf("%s from %d to %d (%s)", m.Items(), m.From, m.To, m.Rule)
	c.inside(what+": decision", m.At)
	if m.Left != moves.OnTheWay {
		c.inside(what+": leaves", m.Left)
		c.order(what+": decision, leaves", m.At, m.Left)
	}
	if m.Came != moves.OnTheWay {
		c.inside(what+": comes", m.Came)
		if c.order(what+": decision, comes", m.At, m.Came); m.From != moves.Outside {
			c.order(what+": leaves, comes", m.Left, m.Came)
			c.fail(m.Left == moves.OnTheWay, "%s: comes at %d and never leaves", what, m.Came)
		}
	}
	for _, k := range m.Knew {
		if c.order(what+": knowledge, decision", k.At, m.At); c.told && k.Worker != m.By {
			c.known(what, m.By, k, m.At)
		}
	}
}

// known checks that, by time at, a worker had been told what it used about another worker.
func (c *checker) known(what string, by int, k moves.Belief, at int64) {
	told := slices.ContainsFunc(c.learned[[2]int{by, k.Worker}], func(x moves.Learned) bool {
		return x.Told <= at && x.At == k.At && x.Load == k.Load
	})
	c.fail(!told, "%s: worker %d decides at %d by what was true of %d at %d, %v, which it has not been told", what, by,
		at, k.Worker, k.At, k.Load)
}

func (c *checker) inside(what string, t int64) {
	c.fail(t < 0 || t > c.end, "%s: %d is outside of the run, 0 to %d", what, t, c.end)
}

func (c *checker) order(what string, first, then int64) {
	c.fail(first > then, "%s: %d is after %d", what, first, then)
}

// fail records an error if wrong is true, unless there is an earlier one.
func (c *checker) fail(wrong bool, format string, args ...any) {
	if wrong && c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}
