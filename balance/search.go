package balance

import "emsim/mlpe"

// search is MLPE [003 §4.1] over a static policy: a packet travels round the reverse circuit and finds the worker
// with the least load, which then becomes the reserved place. Every other child goes to the reserved place if there
// is one; all others go where the static policy says. Each hop of the packet is a probe; in the EM-4 the switches do
// this without the PE.
type search struct {
	Hooks
	next  func(k int) int
	place int  // reserved worker, or -1
	asked bool // a search is in progress
	words int  // words of a PE's input buffer that each unit of a backlog stands for
}

// The messages.
const (
	searchFor = 1 + iota // A: least load so far, B: its worker; Data: the searching worker
	reserve
	reserved
)

func newSearch(w *Worker) Agent { return NewSearch(w, ringPolicy(w), wordsOfUnit) }

// NewSearch returns one worker's part of MLPE over a static policy: next returns the worker that a unit's k-th child
// goes to. Each unit of a backlog stands for a number of words of the input buffer.
func NewSearch(w *Worker, next func(int) int, words int) Agent {
	// At the start of the paper's runs the register holds a place.
	p := &search{Hooks: Hooks{w}, next: next, place: w.ID, words: words}
	if others := round(w.Circuits().Out, w.ID); len(others) > 0 {
		p.place = int(others[len(others)-1])
	}
	return p
}

// wordsOfUnit is the number of words of a PE's input buffer that a waiting unit stands for: the three packets of a
// call [derived].
const wordsOfUnit = 6

// loadValue returns the EM-4's load value, computed from the backlog.
func (p *search) loadValue() int64 {
	const fifoWords, plenty = 32, 1 << 20
	words := p.words * p.W.Backlog()
	return int64(mlpe.Load(min(words, fifoWords), max(0, words-fifoWords), plenty, plenty))
}

// Born returns the reserved place for the first of two children, and the static policy's choice otherwise.
func (p *search) Born(k int) int {
	to := p.next(k)
	if k%2 == 0 && p.place >= 0 {
		to, p.place = p.place, -1
	}
	if p.place < 0 && !p.asked {
		p.asked = true
		p.passOn(Message{Kind: searchFor, A: p.loadValue(), B: int64(p.W.ID), Data: []int64{int64(p.W.ID)}})
	}
	return to
}

// passOn sends a search on to the next worker of the reverse circuit.
func (p *search) passOn(m Message) {
	p.W.Tell(int(p.W.Circuits().Out[p.W.ID]), Message{Kind: m.Kind, A: m.A, B: m.B, Data: m.Data})
}

// Message passes on the searches of other workers, and reserves the place that its own search has found.
func (p *search) Message(m *Message) {
	switch m.Kind {
	case searchFor:
		if int(m.Data[0]) != p.W.ID {
			// As in mlpe.Compare, equal loads count as less.
			if l := p.loadValue(); l <= m.A {
				m.A, m.B = l, int64(p.W.ID)
			}
			p.passOn(*m)
			return
		}
		switch {
		case m.A == mlpe.MaxLoad: // no worker can take a unit
			p.asked = false
		case int(m.B) == p.W.ID:
			p.asked, p.place = false, p.W.ID
		default:
			p.W.Send(int(m.B), Message{Kind: reserve})
		}
	case reserve:
		p.W.Send(m.From, Message{Kind: reserved})
	case reserved:
		p.asked, p.place = false, m.From
	}
}
