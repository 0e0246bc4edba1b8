package balance

// PowerConfig are the numbers of the policy of paper 002.
type PowerConfig struct {
	Interval int64
	Readers  Graph // by worker: the workers that get its Power
	All      bool  // ask for the difference; otherwise for one unit
}

// power is the policy of paper 002: at the end of each interval a worker tells one reader, in turn, how many units it
// has finished in the interval. A reader that has finished more asks for one unit (static) or for the difference
// (proposed). Received units run first and are not passed on.
type power struct {
	Hooks
	c        PowerConfig
	before   int   // units finished up to the end of the last interval
	last     int64 // Power in the last interval, -1 before the first
	interval int   // intervals ended
	asked    int   // requests not answered yet
	ended    bool
	key      int // key of the valid timer, the last one set; 0 is the first timer, which sets the phase
}

// The messages.
const (
	tellPower = 1 + iota // A: Power
	askUnits             // A: number of units
	sentUnits
)

// NewPower makes one worker's part of the policy of paper 002; the phases of the intervals are random.
func NewPower(w *Worker, c PowerConfig) Agent {
	w.Keep = true
	p := &power{Hooks: Hooks{w}, c: c, last: -1}
	w.After(w.Rng.Int64N(c.Interval), p.key)
	return p
}

func powerOn(all bool) func(*Worker) Agent {
	return func(w *Worker) Agent {
		return NewPower(w, PowerConfig{Interval: w.period(), Readers: w.world.near, All: all})
	}
}

// Born starts the intervals again if they have ended, and keeps the unit.
func (p *power) Born(int) int {
	p.Timer(Barrier)
	return p.W.ID
}

// Timer ends an interval: it tells the next reader how many units this worker has finished in it. At a barrier, it
// starts the intervals again if they have ended.
func (p *power) Timer(key int) {
	switch {
	case key == Barrier && !p.ended:
		return
	case key == Barrier:
		p.ended = false // there are units again (chosen: the paper has no rounds and no arrivals)
	case p.ended || key != p.key:
		return
	case key > 0:
		p.last = int64(p.W.Finished() - p.before)
		p.interval++
		if readers := p.c.Readers[p.W.ID]; len(readers) > 0 {
			p.W.Tell(int(readers[(p.interval+p.W.ID)%len(readers)]), Message{Kind: tellPower, A: p.last})
		}
	}
	p.before = p.W.Finished()
	p.key++
	p.W.After(p.c.Interval, p.key)
}

// Idle ends the intervals unless an answer is still expected.
func (p *power) Idle() { p.ended = p.ended || p.asked == 0 }

// Message compares Powers, and answers requests for units.
func (p *power) Message(m *Message) {
	switch {
	case m.Kind == askUnits:
		p.W.Give(m.From, int(m.A), Message{Kind: sentUnits})
	case m.Kind == sentUnits:
		p.asked--
		if m.Units() == 0 && p.W.Backlog() == 0 && !p.W.Running() {
			p.Idle()
		}
	case m.Kind == tellPower && !p.ended && p.last > m.A:
		n := int64(1)
		if p.c.All {
			n = p.last - m.A
		}
		p.asked++
		p.W.Send(m.From, Message{Kind: askUnits, A: n})
	}
}
