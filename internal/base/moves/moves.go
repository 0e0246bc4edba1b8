// Package moves records a run of a machine that balances its load: who gave what to
// whom, by which rule and on what knowledge, and what every worker did meanwhile. The
// models fill a Record while somebody watches; it changes nothing, and no Record costs
// nothing.
//
// Times are in the machine's unit: clocks, ticks, microseconds. Workers are numbered
// from 0: PEs, ranks, processors, PPs.
package moves

import "fmt"

// Outside is where items come from when they begin, and where they go when they are
// done: the host, the program, the work itself. As a peer it stands for no worker.
const Outside = -1

// OnTheWay is the arrival time of items that have not arrived. Where nothing travels, items leave when
// it is decided, and come when their new owner has been told.
const OnTheWay = -1

// Known is what a worker believed of another one.
type Known struct {
	Worker int     `json:"worker"`
	Load   float64 `json:"load"`             // in the machine's measure: data, rows per second, a Power, clocks
	At     int64   `json:"at"`               // when it was true
	Detail string  `json:"detail,omitempty"` // what else was compared
}

// A Cause is a decision, which may move many items.
type Cause struct {
	Rule string // in the words of the machine's paper
	By   int    // who decided, or Outside
	At   int64  // when
	Knew []Known
}

// A Move is one passage of items that are numbered consecutively.
type Move struct {
	*Cause
	Kind        string // of the items; items of the machine's first kind are its load
	Item, Count int    // the first one's number, and how many
	From, To    int    // workers, or Outside
	Left, Came  int64  // OnTheWay if that has not happened yet
	Via         string // the board; "" where there is none to name
}

// Moved reports whether the items changed worker, rather than began or ended.
func (m *Move) Moved() bool { return m.From != Outside && m.To != Outside }

// Items names the items.
func (m *Move) Items() string { return Items(m.Kind, m.Item, m.Count) }

// Items names items that are numbered consecutively.
func Items(kind string, first, count int) string {
	switch count {
	case 0:
		return "no " + kind
	case 1:
		return fmt.Sprintf("%s %d", kind, first)
	}
	return fmt.Sprintf("%s %d-%d", kind, first, first+count-1)
}

// Has reports whether an item of a kind belongs to the move.
func (m *Move) Has(kind string, item int) bool {
	return m.Kind == kind && m.Item <= item && item < m.Item+m.Count
}

// Use is what a worker's time was for.
type Use string

// The uses.
const (
	Work     Use = "work"     // the problem itself
	Exchange Use = "exchange" // messages of the problem, which would be sent without balancing, too
	Balance  Use = "balance"  // sensing, deciding, giving and taking load
)

// A Span is something that a worker did. Between its spans it waits.
type Span struct {
	Worker   int
	Doing    string // the machine's word
	What     string // with which items; "" if Moves tell it, or there are none
	Use      Use
	From, To int64
	Peer     int   // whose message had to come before this could begin; Outside: no worker's
	Sent     int64 // when that message had left
}

// Learned says that a worker has a new belief.
type Learned struct {
	Known
	By   int
	Told int64 // when it learned it
}

// Truth is the measure that workers believe to know, at a worker, from a time on.
type Truth struct {
	Worker int
	At     int64
	Load   float64
}

// An Entry is something that happens to a worker, for a log.
type Entry struct {
	At       int64
	Worker   int
	Event    string // begins, gives, gets or ends with items; learns; or what it did until now
	Since    int64  // when a giver decided, what it gets left, what it learns was true, or what it did began
	From, To int    // of items, or of the message that had to come first; Outside for no worker
	What     string // the items, or the load that it learns
	Why      string // the rule; of what it did the use
	Knew     []Known
}

// A Record is what happened in a run, in the order in which the machine did it, which is
// the same in every run.
type Record struct {
	Workers int
	Moves   []*Move
	Spans   []Span
	Learned []Learned
	Truths  []Truth // none where the measure is the load itself

	way map[any][]*Move // between Send and Take, by their keys, the oldest first

	Tell func(Entry) // is told everything but truths, and nothing is kept; nil: all is kept

	Full func() // called when the record has Most spans; nil: never
	Most int
}

// Pass records a move, which Leave and Come may change.
func (r *Record) Pass(x Move) *Move {
	m := &x
	if r.Tell == nil {
		r.Moves = append(r.Moves, m)
	}
	if m.Left != OnTheWay {
		r.Leave(m, m.Left)
	}
	if m.Came != OnTheWay {
		r.Come(m, m.Came)
	}
	return m
}

// Leave records that items leave.
func (r *Record) Leave(m *Move, at int64) {
	if m.Left = at; r.Tell != nil && m.From != Outside {
		event := "gives"
		if m.To == Outside {
			event = "ends"
		}
		r.Tell(Entry{at, m.From, event, m.At, m.From, m.To, m.Items(), m.Rule, m.Knew})
	}
}

// Come records that items have come.
func (r *Record) Come(m *Move, at int64) {
	if m.Came = at; r.Tell == nil || m.To == Outside {
		return
	}
	e := Entry{at, m.To, "gets", m.Left, m.From, m.To, m.Items(), "", nil}
	if m.From == Outside {
		e.Event, e.Since, e.Why = "begins", m.At, m.Rule
	}
	r.Tell(e)
}

// Send records a move of which only Take, with its key, will say when it comes.
func (r *Record) Send(key any, m Move) {
	if m.Came = OnTheWay; r.way == nil {
		r.way = map[any][]*Move{}
	}
	r.way[key] = append(r.way[key], r.Pass(m))
}

// Take lets the oldest move with a key come; nil for none.
func (r *Record) Take(key any, at int64) *Move {
	list := r.way[key]
	if len(list) == 0 {
		return nil
	}
	if r.way[key] = list[1:]; len(list) == 1 {
		delete(r.way, key)
	}
	r.Come(list[0], at)
	return list[0]
}

// By returns a cause that no worker decided.
func By(rule string, at int64) *Cause { return &Cause{Rule: rule, By: Outside, At: at} }

// Do records a span, unless it took no time and needed no other worker.
func (r *Record) Do(s Span) {
	if s.To == s.From && s.Peer == Outside {
		return
	}
	if r.Tell != nil {
		e := Entry{
			At: s.To, Worker: s.Worker, Event: s.Doing, Since: s.From, From: s.Peer, To: s.Worker, What: s.What,
			Why: string(s.Use),
		}
		if s.Peer == Outside {
			e.To = Outside
		}
		r.Tell(e)
	} else if r.Spans = append(r.Spans, s); len(r.Spans) == r.Most {
		r.Full()
	}
}

// Learn records a belief.
func (r *Record) Learn(x Learned) {
	if r.Tell != nil {
		r.Tell(Entry{x.Told, x.By, "learns", x.At, x.Worker, x.By, fmt.Sprint(x.Load), "", nil})
	} else {
		r.Learned = append(r.Learned, x)
	}
}

// Be records a truth.
func (r *Record) Be(x Truth) {
	if r.Tell == nil {
		r.Truths = append(r.Truths, x)
	}
}
