package balance

import (
	"fmt"
	"slices"
	"strings"
)

// Rule is a user's policy, put together from its four parts.
type Rule struct {
	Name        string
	Information string  // the workers whose backlogs are asked for before a decision
	Trigger     string  // when a decision is made
	Amount      string  // how much moves
	Range       string  // where units move to or from
	Probes      int     // with information = "probe": number of other workers asked
	Threshold   int     // with trigger = "threshold": decide above this backlog
	Interval    float64 // with trigger = "timer": time between decisions, in typical units
	Group       int     // workers in a group

	lifo bool // the newest unit runs first, and the oldest is given
}

// stealing returns random work stealing: a worker without work asks a random other worker for half of its backlog. A
// worker runs its newest unit first and gives away the oldest.
func stealing() Policy {
	r := DefaultRule()
	r.Name, r.lifo = "stealing", true
	s := r.Policy()
	s.Title, s.Decide.Information = "a worker with no units takes half of a random worker's backlog",
		"probe" // the answer tells the backlog
	return s
}

// choices returns a policy of several choices: when a unit is born, the worker asks random other workers for their
// load. The unit goes to the least loaded of them if that has less than the worker, which is one of the choices.
func choices(name string, others int, title string) Policy {
	r := DefaultRule()
	r.Name, r.Information, r.Trigger, r.Amount, r.Probes = name, "probe", "birth", "one", others
	s := r.Policy()
	s.Title = title
	return s
}

// DefaultRule returns the rule that a user's file changes: random stealing, except for the order of units.
func DefaultRule() Rule {
	return Rule{
		Name: "own", Information: "none", Trigger: "idle", Amount: "half", Range: "all", Probes: 2,
		Threshold: 4, Interval: DefaultNumbers().Interval, Group: 4,
	}
}

// Parts returns the possible values of a part of a rule.
func Parts(part string) []string {
	return map[string][]string{
		"information": {"none", "probe", "neighbours", "group", "all"},
		"trigger":     {"birth", "idle", "threshold", "timer"},
		"amount":      {"one", "half", "difference", "share"},
		"range":       {"neighbours", "circuits", "group", "all"},
	}[part]
}

// Validate returns the key of the first wrong part, and the error.
func (r *Rule) Validate() (key string, err error) {
	for _, p := range []struct{ key, value string }{
		{"information", r.Information}, {"trigger", r.Trigger}, {"amount", r.Amount}, {"range", r.Range},
	} {
		if !slices.Contains(Parts(p.key), p.value) {
			return p.key, fmt.Errorf("%q is not one of %s", p.value, strings.Join(Parts(p.key), ", "))
		}
	}
	switch {
	case r.Information == "none" && (r.Amount == "difference" || r.Amount == "share"):
		return "amount", fmt.Errorf("%q needs to know other backlogs, but information is \"none\": choose one "+
			"or half, or another information", r.Amount)
	case r.Probes < 1 || r.Probes > MaxWorkers:
		return "probes", fmt.Errorf("%d; expected 1 to %d others to ask", r.Probes, MaxWorkers)
	case r.Threshold < 0 || r.Threshold > maxUnits:
		return "threshold", fmt.Errorf("%d; expected 0 to %d units", r.Threshold, maxUnits)
	case !(r.Interval >= 0.1 && r.Interval <= 1e6):
		return "interval", fmt.Errorf("%g; expected 0.1 to 1000000 typical units", r.Interval)
	case r.Group < 2 || r.Group > MaxWorkers:
		return "group", fmt.Errorf("%d; expected 2 to %d workers", r.Group, MaxWorkers)
	}
	return "", nil
}

// Policy returns the rule as a policy.
func (r Rule) Policy() Policy {
	return Policy{
		Name: r.Name, Title: "a policy of your own",
		Decide: Choice{r.Information, r.Trigger, r.Amount, r.Range},
		New: func(w *Worker) Agent {
			p := &own{Hooks: Hooks{w}, r: r, drawn: draws{}, wait: w.Fabric().pause()}
			w.LIFO = r.lifo
			p.reach = others(w, r.Range, r.Group)
			if r.Information == "none" || r.Information == "probe" {
				p.asks = p.reach
			} else {
				p.asks = others(w, r.Information, r.Group)
			}
			if r.Trigger == "timer" {
				w.After(p.interval(), ruleTimer)
			}
			return p
		},
	}
}

// own is the policy of a Rule, a user's or a built-in one.
type own struct {
	Hooks
	r     Rule
	reach set // workers that units may move to or from
	asks  set // workers that may be asked for their backlogs

	drawn   draws
	open    int // number of answers expected
	due     int // number of born units that wait for a decision
	known   []int
	load    []int64
	wait    int64
	pulling bool // a pull is in progress, from its decision to its end
}

// The messages, and the keys of the timer.
const (
	ruleAsk  = 1 + iota
	ruleTell // A: the load
	ruleWant // A: number of units, or -1 for half
	ruleGive

	ruleTimer = iota
	ruleRetry
)

func (p *own) interval() int64 { return max(1, int64(p.r.Interval*float64(p.W.Typical()))) }

// anyWorker returns a random worker of the range, or the worker itself if the range is empty.
func (p *own) anyWorker() int {
	if p.reach.len() == 0 {
		return p.W.ID
	}
	return p.reach.at(p.W.Rng.IntN(p.reach.len()))
}

// Born sends a unit away at once if the rule needs no information. Otherwise the unit waits in the queue for its
// decision. A worker makes one decision at a time. A unit that runs before its decision no longer needs one.
func (p *own) Born(int) int {
	if p.r.Trigger != "birth" {
		return p.W.ID
	}
	if p.r.Information == "none" {
		return p.anyWorker()
	}
	if p.open > 0 {
		p.due++
	} else {
		p.decide()
	}
	return p.W.ID
}

// Done decides if the backlog exceeds the threshold.
func (p *own) Done() {
	if p.r.Trigger == "threshold" && p.W.Backlog() > p.r.Threshold {
		p.decide()
	}
}

// Idle begins to pull work.
func (p *own) Idle() {
	if p.r.Trigger == "idle" && !p.pulling {
		p.pulling = true
		p.decide()
	}
}

// Timer decides at the end of an interval, or pulls again.
func (p *own) Timer(key int) {
	switch key {
	case ruleTimer:
		p.W.After(p.interval(), ruleTimer)
		p.decide()
	case ruleRetry:
		if p.pulling = !p.W.Running() && p.W.Backlog() == 0; p.pulling {
			p.decide()
		}
	}
}

// decide asks for the backlogs of the workers that the rule names, or moves units at once.
func (p *own) decide() {
	if p.open > 0 {
		return // a decision is in progress
	}
	p.known, p.load = p.known[:0], p.load[:0]
	if p.r.Information == "none" {
		p.moveUnits()
		return
	}
	p.open = p.asks.len()
	if p.r.Information == "probe" {
		p.open = min(p.open, p.r.Probes)
	}
	for k := range p.open {
		if p.open < p.asks.len() {
			k = p.drawn.next(k, p.asks.len(), p.W.Rng)
		}
		p.W.Tell(p.asks.at(k), Message{Kind: ruleAsk})
	}
	clear(p.drawn)
	if p.open == 0 {
		p.moveUnits()
	}
}

// Message answers requests, and handles answers and units.
func (p *own) Message(m *Message) {
	switch m.Kind {
	case ruleAsk:
		p.W.Tell(m.From, Message{Kind: ruleTell, A: p.ownLoad()})
	case ruleTell:
		p.known, p.load = append(p.known, m.From), append(p.load, m.A)
		p.W.world.record.learn(p.W, m.From, m.A, m.sent)
		if p.open--; p.open == 0 {
			p.moveUnits()
			if p.due = min(p.due, p.W.Givable()); p.due > 0 {
				p.due--
				p.decide()
			}
		}
	case ruleWant:
		p.W.world.record.learn(p.W, m.From, 0, m.sent) // a worker asks when its load is 0
		n := int(m.A)
		if n < 0 {
			n = (p.W.Givable() + 1) / 2
		}
		p.W.Give(m.From, n, Message{Kind: ruleGive})
	default: // units, given or born here: there is work
		if p.r.Trigger != "idle" {
			return
		}
		if m.Units() > 0 {
			p.pulling, p.wait = false, p.W.Fabric().pause()
			return
		}
		p.retry()
	}
}

// longestWait is the largest wait, in moves, between two attempts to pull. The wait doubles from one move after each
// failure (chosen).
const longestWait = 32

func (p *own) retry() {
	p.W.After(p.wait, ruleRetry)
	p.wait = min(2*p.wait, longestWait*p.W.Fabric().pause())
}
