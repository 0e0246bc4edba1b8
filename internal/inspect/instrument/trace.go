package instrument

import (
	"encoding/json"
	"fmt"
	"io"

	"emsim/internal/base/moves"
	"emsim/internal/base/ordered"
)

// WriteText writes a line for each event, after a line that describes how the run was made.
func (r *Run) WriteText(w io.Writer, made string) {
	fmt.Fprintf(w, "# %s\n# %s\n# %s, %s, event\n", made, r.Title, r.Unit, r.Worker)
	for _, e := range r.Events() {
		fmt.Fprintf(w, "%12v  %4d  %s\n", r.Time(e.At), e.Worker, e.Text)
	}
}

// Timeline returns the run in the JSON trace event format, which Perfetto's UI reads. It has a track for each worker
// and a flow for each move. A flow goes from the operation that ended when the items left, or was in progress then, to
// the operation that ended when they arrived, or was in progress then. If the items left at the time of the decision,
// and no operation of the giver ended then, the flow begins at the worker that decided. A clock is shown as a
// microsecond.
func (r *Run) Timeline() ([]byte, error) {
	var all []ordered.Object
	us := func(t int64) float64 { return float64(t) / max(1, float64(r.PerUnit)/1e6) }
	add := func(kind, name string, worker int, t int64, more ...any) {
		all = append(all, append(ordered.Object{"ph", kind, "name", name, "pid", 1, "tid", worker, "ts", us(t)},
			more...))
	}
	for w := range r.Workers {
		add("M", "thread_name", w, 0, "args", ordered.Object{"name", r.Name(w)})
		for _, s := range r.spans[w] {
			add("X", s.Doing, w, s.From, "dur", us(s.To-s.From), "cat", s.Use)
		}
	}
	for i, m := range r.Moves {
		if m.Moved() && m.Count > 0 && m.Left != moves.OnTheWay && m.Came != moves.OnTheWay {
			ended := func(w int, t int64) bool {
				n := r.lastBefore(w, t)
				return n >= 0 && r.spans[w][n].To == t
			}
			within := func(w int, t int64) int64 {
				if ended(w, t) {
					return r.spans[w][r.lastBefore(w, t)].From
				}
				return t
			}
			from := m.From
			if m.Left == m.At && !ended(from, m.Left) && m.By != moves.Outside {
				from = m.By
			}
			left := within(from, m.Left)
			add("s", m.Items(), from, left, "cat", "move", "id", i, "args", ordered.Object{"why", m.Rule})
			add("f", m.Items(), m.To, max(left, within(m.To, m.Came)), "cat", "move", "id", i, "bp", "e")
		}
	}
	return json.Marshal(ordered.Object{
		"otherData",
		ordered.Object{"title", r.Title, "unit", r.Unit},
		"traceEvents", all,
	})
}
