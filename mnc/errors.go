package mnc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// sentinel is an error that errors.Is can look for.
type sentinel string

func (s sentinel) Error() string { return string(s) }

// ErrStalled is wrapped by the error of a run in which no Y has reached the
// sink for Config.Stall clocks.
const ErrStalled = sentinel("the machine stalled")

// A StalledError says when a run stalled and where every undelivered datum is.
type StalledError struct {
	Clock     int64 // at which the run failed
	LastY     int64 // clock of the last Y at the sink
	Delivered int
	Items     int
	Dead      []int   // dead PEs
	Lost      []Place // the undelivered data in the machine, by number
	Unsent    int     // data that the host still has, the last ones
}

// Unwrap makes errors.Is(err, ErrStalled) hold.
func (e *StalledError) Unwrap() error { return ErrStalled }

// Kind classifies the error for the command.
func (e *StalledError) Kind() string { return "stalled" }

// Details are the facts for a program.
func (e *StalledError) Details() map[string]any {
	ids := make([]int, len(e.Lost))
	for i, p := range e.Lost {
		ids[i] = p.ID
	}
	dead := e.Dead
	if dead == nil {
		dead = []int{}
	}
	return map[string]any{
		"clock": e.Clock, "last_y": e.LastY, "delivered": e.Delivered, "items": e.Items,
		"dead_pes": dead, "lost": len(e.Lost), "undelivered": ids, "unsent": e.Unsent,
	}
}

func (e *StalledError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at clock %d: no Y has come to the sink since clock %d; %d of %d are delivered, %d are lost in the machine",
		ErrStalled, e.Clock, e.LastY, e.Delivered, e.Items, len(e.Lost))
	if e.Unsent > 0 {
		fmt.Fprintf(&b, ", %d are unsent, from %d on", e.Unsent, e.Items-e.Unsent)
	}
	if len(e.Dead) > 0 {
		fmt.Fprintf(&b, "\ndead PEs: %v", e.Dead)
	}
	fmt.Fprintf(&b, "\nundelivered: %s", idRanges(e.Lost))
	places := e.places()
	for i, p := range places {
		if i == 12 {
			fmt.Fprintf(&b, "\n  and %d more places", len(places)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %d in %s", p.data, p.where)
	}
	return b.String()
}

type crowd struct {
	where string
	data  int
}

// places counts the lost data by place, the fullest first.
func (e *StalledError) places() []crowd {
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
func idRanges(list []Place) string {
	var b strings.Builder
	ranges := 0
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1].ID == list[j].ID+1 {
			j++
		}
		if ranges++; ranges > 12 {
			return b.String() + fmt.Sprintf(", ... up to %d", list[len(list)-1].ID)
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, list[i].ID)
		if j > i {
			fmt.Fprintf(&b, "-%d", list[j].ID)
		}
		i = j + 1
	}
	return b.String()
}

// A DataError is a datum that arrived twice, changed or was never sent: a
// fault of the model, found by the host.
type DataError struct {
	ID  int
	msg string
}

func (e *DataError) Error() string { return "mnc: " + e.msg }

// Kind classifies the error for the command.
func (e *DataError) Kind() string { return "model_fault" }
