package mnc

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
)

// A Stall says when a run stalled and where every undelivered datum is.
type Stall struct {
	Clock     int64 // clock at which the run failed
	LastY     int64 // clock of the last Y at the sink
	Delivered int
	Items     int
	Dead      []int  // dead PEs
	Held      []Spot // the undelivered data in the machine, in order of their numbers
	Unsent    int    // data that are not born yet
	Scattered bool   // the unsent data need not be those with the last numbers
	After     Motion // what the machine would do next
}

// A Verdict says why a stalled machine does not finish.
type Verdict string

// The verdicts.
const (
	Standstill Verdict = "standstill" // nothing moves any more
	Livelock   Verdict = "livelock"   // X move, but none is processed and no Y gets closer to the sink
	Slow       Verdict = "slow"       // work continues, with no Y at the sink for longer than Config.Stall
)

// A Motion describes what a machine does in a limited time after a stall.
type Motion struct {
	Clocks  int64
	Actions [actionKinds]int64 // ended actions, by ActionKind
	Moved   [actionKinds]int64 // data moved by these actions; for Proc, data processed
	Gifts   []Gift             // how many X each PE gave to another, in descending order
}

// A Gift is the X that one PE gives to another, and what the giver knows.
type Gift struct {
	From, To int
	X        int64
	Ability  float64 // ability of To as measured by From, 1 for the same ability as From
	Holds    int     // number of X in From
	Proper   float64 // From's proper load by equation (2)
}

// After a stall, the machine is observed for 1/motionShare of Config.Stall, but at least for the time of
// motionActions of the longest actions [chosen: 100,000 clocks by default, in which a PE ends hundreds of actions].
const (
	motionShare   = 40
	motionActions = 10
)

// Verdict classifies the motion.
func (v *Motion) Verdict() Verdict {
	switch {
	case v.Moved == [actionKinds]int64{}:
		return Standstill
	case v.Moved[Proc]+v.Moved[YPut]+v.Moved[YGet] == 0:
		return Livelock
	}
	return Slow
}

// stalled returns the error of a run that has delivered no Y for too long.
func (m *Machine) stalled(t int64) error {
	e := &Stall{
		Clock: t, LastY: m.host.lastY, Delivered: m.host.delivered, Items: m.cfg.Items,
		Held: m.Undelivered(), Unsent: m.Unsent(), Scattered: m.cfg.Work != nil,
		After: m.motion(),
	}
	for i := range m.pes {
		if m.pes[i].dead {
			e.Dead = append(e.Dead, i)
		}
	}
	return e.deadlock()
}

// motion runs a copy of the machine for a while and returns what it does. Only a run that stalls pays for this.
func (m *Machine) motion() Motion {
	saved := state.Saver(nil)
	m.State(saved)
	next, err := New(m.cfg)
	if err == nil {
		load := state.Loader(saved.Bytes())
		next.State(load)
		err = load.Err()
	}
	if err != nil {
		panic(fmt.Sprintf("mnc: a copy of the machine is refused: %v", err)) // a machine can always be copied
	}
	next.stall = maxClocks
	v := Motion{Clocks: max(m.stall/motionShare, motionActions*m.cfg.longest())}
	gifts := map[[2]int]int64{}
	for end := next.clock + v.Clocks; next.err == nil && !next.Done(); {
		t := int64(never)
		for i := range next.pes {
			t = min(t, next.pes[i].act.end)
		}
		if t >= end {
			break
		}
		for i := range next.pes {
			if e := &next.pes[i]; e.act.end == t {
				v.add(e, gifts)
			}
		}
		_ = next.RunTo(context.Background(), t) // a failure is kept in next.err
	}
	v.Gifts = m.gifts(gifts)
	return v
}

// add counts an action that ends, and its gifts.
func (v *Motion) add(e *pe, gifts map[[2]int]int64) {
	a := &e.act
	v.Actions[a.kind]++
	v.Moved[a.kind] += int64(a.total)
	if a.kind != XPut {
		return
	}
	for k := range e.n {
		if n := a.amount[k]; n > 0 {
			gifts[[2]int{e.id, int(e.nb[k].pe)}] += int64(n)
		}
	}
}

// gifts returns the counted gifts together with what the givers know now.
func (m *Machine) gifts(counted map[[2]int]int64) []Gift {
	var list []Gift
	for i := range m.pes {
		e := &m.pes[i]
		for k := range e.n {
			to := int(e.nb[k].pe)
			if n := counted[[2]int{i, to}]; n > 0 {
				list = append(list, Gift{
					From: i, To: to, X: n, Ability: float64(e.ability.pa[k]) / One,
					Holds: e.x.Len(), Proper: float64(e.ability.proper(e, m.cfg.Form)) / One,
				})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Gift) int { return cmp.Compare(b.X, a.X) })
	return list
}

// text describes the motion in words.
func (v *Motion) text() string {
	head := fmt.Sprintf("in the next %s", plural.Of(v.Clocks, "clock"))
	switch v.Verdict() {
	case Standstill:
		return head + " nothing would move"
	case Slow:
		return fmt.Sprintf("%s %d X would be processed and %d Y moved: it works, and a longer stall would let it", head,
			v.Moved[Proc], v.Moved[YPut]+v.Moved[YGet])
	}
	text := fmt.Sprintf("%s %d XPUT and %d XGET would move X, but no X would be processed and no Y get nearer "+
		"to the sink",
		head, v.Actions[XPut], v.Actions[XGet])
	return text + v.exchange() + "\nwith a guard (--guard 256) a PE processes X after 256 other actions in a row"
}

// exchange describes which PEs give to each other, and why.
func (v *Motion) exchange() string {
	for i, a := range v.Gifts {
		for _, b := range v.Gifts[i+1:] {
			if a.From != b.To || a.To != b.From {
				continue
			}
			why := "each holds more than its proper load"
			if a.Ability > 1 && b.Ability > 1 {
				why = fmt.Sprintf("each finds the other abler, %.2f and %.2f times itself", a.Ability, b.Ability)
			}
			return fmt.Sprintf("\nPE %d and PE %d give each other %d and %d X, because %s: PE %[1]d holds %[6]d X of "+
				"a proper load of %.1[7]f, PE %[2]d %[8]d of %.1[9]f",
				a.From, a.To, a.X, b.X, why, a.Holds, a.Proper, b.Holds, b.Proper)
		}
	}
	if len(v.Gifts) == 0 {
		return ""
	}
	a := v.Gifts[0]
	return fmt.Sprintf("\nmost go from PE %d to PE %d, %d X: it holds %d of a proper load of %.1f", a.From, a.To, a.X,
		a.Holds, a.Proper)
}

// deadlock returns the stall as a *Deadlock.
func (e *Stall) deadlock() error {
	d := &Deadlock{Machine: "mnc", Name: "stalled", Clock: e.Clock, Err: e}
	for i, p := range e.crowds() {
		if i == mostPlaces {
			break
		}
		d.Waits = append(d.Waits, simerr.Wait{Who: plural.Verb(p.data, "1 datum", fmt.Sprintf("%d data", p.data)) +
			" in " + p.where, For: "delivery"})
	}
	return d
}

// Details returns the facts for JSON output.
func (e *Stall) Details() map[string]any {
	dead := e.Dead
	if dead == nil {
		dead = []int{}
	}
	return map[string]any{
		"clock": e.Clock, "last_y": e.LastY, "delivered": e.Delivered, "items": e.Items,
		"dead_pes": dead, "lost": len(e.Held), "undelivered": e.ids(), "unsent": e.Unsent,
		"verdict": e.After.Verdict(), "processed": e.After.Moved[Proc], "moved": e.After.Moved[XPut] +
			e.After.Moved[XGet],
	}
}

func (e *Stall) Error() string {
	var b strings.Builder
	what := "the machine stalled"
	if e.After.Verdict() == Livelock {
		what = "livelock"
	}
	fmt.Fprintf(&b, "%s at clock %d: no Y has reached the sink since clock %d; %d of %d are delivered, %d "+
		"are in the machine",
		what, e.Clock, e.LastY, e.Delivered, e.Items, len(e.Held))
	if e.Unsent > 0 {
		fmt.Fprintf(&b, ", %d are unsent", e.Unsent)
		if !e.Scattered {
			fmt.Fprintf(&b, ", from datum %d on", e.Items-e.Unsent)
		}
	}
	if e.After.Clocks > 0 {
		fmt.Fprintf(&b, "\n%s", e.After.text())
	}
	if len(e.Dead) > 0 {
		fmt.Fprintf(&b, "\ndead PEs: %v", e.Dead)
	}
	fmt.Fprintf(&b, "\nundelivered: %s", idRanges(e.ids()))
	places := e.crowds()
	for i, p := range places {
		if i == mostPlaces {
			fmt.Fprintf(&b, "\n  and %d more places", len(places)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %d in %s", p.data, p.where)
	}
	return b.String()
}

// mostPlaces is the largest number of places in an error message.
const mostPlaces = 12

type crowd struct {
	where string
	data  int
}

// crowds counts the undelivered data by place, the fullest first.
func (e *Stall) crowds() []crowd {
	var list []crowd
	for _, p := range e.Held {
		where := p.String()
		i := slices.IndexFunc(list, func(c crowd) bool { return c.where == where })
		if i < 0 {
			i = len(list)
			list = append(list, crowd{where: where})
		}
		list[i].data++
	}
	slices.SortStableFunc(list, func(a, b crowd) int { return cmp.Compare(b.data, a.data) })
	return list
}

// idRanges formats data numbers as "3-7, 9, ...", at most twelve ranges.
func idRanges(ids []int) string {
	list := plural.Ranges(ids)
	if len(list) > 12 {
		list = append(list[:12], fmt.Sprintf("... up to %d", ids[len(ids)-1]))
	}
	return strings.Join(list, ", ")
}

// ids returns the numbers of the undelivered data.
func (e *Stall) ids() []int { return lists.Of(e.Held, func(p Spot) int { return p.ID }) }
