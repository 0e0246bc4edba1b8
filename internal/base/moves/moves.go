// Package moves records a run of a machine that balances its load. A record says which worker gave which items to which
// other, by which rule and with what knowledge, and what every worker did meanwhile. The models fill a Record while the
// run is observed. A Record changes nothing in a run, and a run without one has no cost.
//
// Times are in the machine's unit: clocks, ticks, microseconds. Workers are numbered
// from 0: PEs, ranks, processors, PPs.
package moves

import "fmt"

// Outside is the source of items that begin, and the destination of items that are done: the host, the program, the
// work itself. As a peer it means "no worker".
const Outside = -1

// OnTheWay stands for the time at which items leave or arrive, as long as they have not done so. If items do not travel
// physically, they leave when the move is decided and arrive when their new owner has been told.
const OnTheWay = -1

// Belief is what a worker believed about another one.
type Belief struct {
	Worker int     `json:"worker"`
	Load   float64 `json:"load"`             // in the machine's measure: data, rows per second, a Power, clocks
	At     int64   `json:"at"`               // when it was true
	Detail string  `json:"detail,omitempty"` // other properties that were compared
}

// A Cause is a decision, which may move many items.
type Cause struct {
	Rule string // in the words of the machine's paper
	By   int    // the worker that decided, or Outside
	At   int64  // when
	Knew []Belief
}

// A Move is one transfer of consecutively numbered items.
type Move struct {
	*Cause
	Kind        string // kind of the items; items of the machine's first kind are its load
	Item, Count int    // number of the first item, and how many there are
	From, To    int    // workers, or Outside
	Left, Came  int64  // times; OnTheWay until the items leave or arrive
	Via         string // the board; "" if there is none
}

// Moved reports whether the items went from one worker to another, rather than began or ended.
func (m *Move) Moved() bool { return m.From != Outside && m.To != Outside }

// Items returns the name of the items.
func (m *Move) Items() string { return Items(m.Kind, m.Item, m.Count) }

// Items returns a name for consecutively numbered items, such as "row 3" or "row 3-5".
func Items(kind string, first, count int) string {
	switch count {
	case 0:
		return "no " + kind
	case 1:
		return fmt.Sprintf("%s %d", kind, first)
	}
	return fmt.Sprintf("%s %d-%d", kind, first, first+count-1)
}

// Has reports whether the move includes the given item of the given kind.
func (m *Move) Has(kind string, item int) bool {
	return m.Kind == kind && m.Item <= item && item < m.Item+m.Count
}

// Use is the purpose of a worker's time.
type Use string

// The uses.
const (
	Work     Use = "work"     // the problem itself
	Exchange Use = "exchange" // messages of the problem, which would also be sent without balancing
	Balance  Use = "balance"  // sensing, deciding, giving and taking load
)

// A Span is an activity of a worker. Between its spans a worker waits.
type Span struct {
	Worker   int
	Doing    string // the activity, in the machine's word
	What     string // the items involved; "" if there are none, or Moves name them
	Use      Use
	From, To int64
	Peer     int   // worker whose message had to come first; Outside if none
	Sent     int64 // when that message had left
}

// Learned says that a worker has a new belief.
type Learned struct {
	Belief
	By   int
	Told int64 // when the worker learned it
}

// Truth says which load a worker has from a time on. Other workers have beliefs about it.
type Truth struct {
	Worker int
	At     int64
	Load   float64
}

// An Entry is something that happens to a worker, for a log.
type Entry struct {
	At       int64
	Worker   int
	Event    string // begins, gives, gets or ends with items; learns; or the activity that ends now
	Since    int64  // gives: when decided; gets: when left; learns: when true; activity: when begun
	From, To int    // of the items, or of the message that had to come first; Outside if no worker
	What     string // the items, or the load that was learned
	Why      string // the rule; for an activity, its use
	Knew     []Belief
}

// A Record holds the events of a run, in the order in which the machine made them. The order is the same in every run.
type Record struct {
	Workers int
	Moves   []*Move
	Spans   []Span
	Learned []Learned
	Truths  []Truth // empty if the load itself is known

	way map[any][]*Move // moves between Send and Take, by key, oldest first

	Tell func(Entry) // if not nil, it is called with everything except truths, and nothing is stored

	Full func() // called when the record has Most spans; must be set if Most is not 0
	Most int
}

// Pass records a move. Leave and Come may later set its times.
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

// Leave records that the items of a move leave.
func (r *Record) Leave(m *Move, at int64) {
	if m.Left = at; r.Tell != nil && m.From != Outside {
		event := "gives"
		if m.To == Outside {
			event = "ends"
		}
		r.Tell(Entry{at, m.From, event, m.At, m.From, m.To, m.Items(), m.Rule, m.Knew})
	}
}

// Come records that the items of a move arrive.
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

// Send records a move whose arrival Take, with the same key, will record.
func (r *Record) Send(key any, m Move) {
	if m.Came = OnTheWay; r.way == nil {
		r.way = map[any][]*Move{}
	}
	r.way[key] = append(r.way[key], r.Pass(m))
}

// Take records the arrival of the oldest move with the given key and returns it, or nil if there is none.
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

// By returns a cause that is not a worker's decision.
func By(rule string, at int64) *Cause { return &Cause{Rule: rule, By: Outside, At: at} }

// Do records a span, unless it took no time and waited for no worker.
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
