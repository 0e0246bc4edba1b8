package mnc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
)

// The errors of this package, as in all machines.
type (
	// Usage is an invalid value of a Config or an invalid text of a wiring.
	Usage = simerr.Usage
	// Deadlock is a run that stalled: no Y has reached the sink for Config.Stall
	// clocks. It wraps a *Stall; its kind is "stalled".
	Deadlock = simerr.Deadlock
	// Fault is a mistake of the model, found by the host: a datum that arrived
	// twice, changed or was never sent ("model_fault").
	Fault = simerr.Fault
)

func usagef(format string, args ...any) error { return simerr.Usagef("mnc: "+format, args...) }

// dataFault reports that the datum of a number is not what it should be.
func dataFault(id uint32, format string, args ...any) error {
	return &Fault{Machine: "mnc", Name: "model_fault", Keys: simerr.Keys{"datum": int(id)}, Err: fmt.Errorf("mnc: "+format, args...)}
}

// A Stall says when a run stalled and where every undelivered datum is.
type Stall struct {
	Clock     int64 // at which the run failed
	LastY     int64 // clock of the last Y at the sink
	Delivered int
	Items     int
	Dead      []int   // dead PEs
	Lost      []Place // the undelivered data in the machine, in order of their numbers
	Unsent    int     // data that are not born yet
	Scattered bool    // these are not the data with the last numbers
}

// deadlock wraps the evidence.
func (e *Stall) deadlock() error {
	d := &Deadlock{Machine: "mnc", Name: "stalled", Clock: e.Clock, Err: e}
	for i, p := range e.places() {
		if i == mostPlaces {
			break
		}
		d.Waits = append(d.Waits, simerr.Wait{Who: plural.Verb(p.data, "1 datum", fmt.Sprintf("%d data", p.data)) + " in " + p.where, For: "delivery"})
	}
	return d
}

// Details returns the facts for a program.
func (e *Stall) Details() map[string]any {
	dead := e.Dead
	if dead == nil {
		dead = []int{}
	}
	return map[string]any{
		"clock": e.Clock, "last_y": e.LastY, "delivered": e.Delivered, "items": e.Items,
		"dead_pes": dead, "lost": len(e.Lost), "undelivered": e.ids(), "unsent": e.Unsent,
	}
}

func (e *Stall) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at clock %d: no Y has come to the sink since clock %d; %d of %d are delivered, %d are lost in the machine",
		"the machine stalled", e.Clock, e.LastY, e.Delivered, e.Items, len(e.Lost))
	if e.Unsent > 0 {
		fmt.Fprintf(&b, ", %d are unsent", e.Unsent)
		if !e.Scattered {
			fmt.Fprintf(&b, ", from %d on", e.Items-e.Unsent)
		}
	}
	if len(e.Dead) > 0 {
		fmt.Fprintf(&b, "\ndead PEs: %v", e.Dead)
	}
	fmt.Fprintf(&b, "\nundelivered: %s", idRanges(e.ids()))
	places := e.places()
	for i, p := range places {
		if i == mostPlaces {
			fmt.Fprintf(&b, "\n  and %d more places", len(places)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %d in %s", p.data, p.where)
	}
	return b.String()
}

// mostPlaces is how many places an error lists.
const mostPlaces = 12

type crowd struct {
	where string
	data  int
}

// places counts the lost data by place, the fullest first.
func (e *Stall) places() []crowd {
	var list []crowd
	for _, p := range e.Lost {
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

// idRanges writes data numbers as "3-7, 9, ...", at most twelve ranges.
func idRanges(ids []int) string {
	list := plural.Ranges(ids)
	if len(list) > 12 {
		list = append(list[:12], fmt.Sprintf("... up to %d", ids[len(ids)-1]))
	}
	return strings.Join(list, ", ")
}

// ids returns the numbers of the lost data.
func (e *Stall) ids() []int { return lists.Of(e.Lost, func(p Place) int { return p.ID }) }
