package balance

import "emsim/mnc"

// MNCConfig holds the numbers of the policy of paper 000, in units and ticks. The corresponding numbers in package
// mnc have the same names.
type MNCConfig struct {
	Policy    string // "auto", "naive" or "none"
	Slice     int    // units run between two rounds of balancing
	Keep      int    // units that are never given away
	Batch     int    // largest number of units moved at once
	Slots     int    // largest number of units in flight to one neighbour
	Iteration int64  // CPU time of a round of balancing, without its peeks
	Wait      int64  // first wait of a worker with nothing to do; it doubles...
	WaitMax   int64  // ...up to this
	Interval  int64  // ticks between two updates of the abilities
}

// The bounds of ability, Q16.
const (
	leastAbility = mnc.One / 16
	mostAbility  = 16 * mnc.One
)

// autonomous is the policy of paper 000: a worker peeks at its neighbours after every slice of work. If units have
// arrived and it has at most the mean, it reads them. Otherwise it compares its load with the proper load of equation
// (2). It gives the excess, unit by unit, to the neighbours with the least load for their ability. Ability is measured
// by equation (3): a worker that always has fewer units than others is faster. A peek reads the load that a worker
// showed when it last balanced.
type autonomous struct {
	Hooks
	c     MNCConfig
	near  []int32
	x     []int64 // the neighbours' loads, including units in flight to them
	sent  []int64 // units in flight, sent by this worker
	rot   int
	ran   int // units run since the last round of balancing
	wait  int64
	waits bool // a timer for peekIdle is set
	acts  bool // giving or reading, until peekAgain

	pa, acc, e  []int64 // values of equation (3), Q16
	sampled, at int64   // times of the last sample and update
}

// The keys of the timer.
const (
	peekAgain = iota // after an action
	peekIdle         // after a wait
)

// NewAutonomous makes one worker's part of the policy of paper 000.
func NewAutonomous(w *Worker, c MNCConfig) Agent {
	n := len(w.Near())
	w.Polls = true
	p := &autonomous{Hooks: Hooks{w}, c: c, near: w.Near(), wait: c.Wait}
	for _, v := range []*[]int64{&p.x, &p.sent, &p.pa, &p.acc, &p.e} {
		*v = make([]int64, n)
	}
	for k := range p.pa {
		p.pa[k] = mnc.One
	}
	return p
}

// autonomousOn translates the constants of package mnc into moves.
func autonomousOn(policy string) func(*Worker) Agent {
	return func(w *Worker) Agent {
		ticks := func(c int64) int64 { return c * w.Fabric().pause() / w.world.numbers.MoveClocks }
		slice := int(max(1, ticks(1600)/w.Typical()))
		keep := int(ticks(1600) / w.Typical())
		if policy == "naive" {
			keep = 0
		}
		return NewAutonomous(w, MNCConfig{
			Policy: policy, Slice: slice, Keep: keep, Batch: 32, Slots: 32, Iteration: ticks(16),
			Wait: max(1, ticks(64)), WaitMax: max(1, ticks(1024)), Interval: ticks(20_000),
		})
	}
}

// Done balances after every Slice units, or when no unit is left.
func (p *autonomous) Done() {
	if p.ran++; p.ran >= p.c.Slice || p.W.Backlog() == 0 {
		p.balanceOnce()
	}
}

// Idle sets a timer for the next round of balancing, with a wait that doubles each time, up to WaitMax.
func (p *autonomous) Idle() {
	if p.waits {
		return
	}
	p.waits = true
	p.W.After(p.wait, peekIdle)
	p.wait = min(2*p.wait, p.c.WaitMax)
}

// Timer ends an action or a wait, and balances.
func (p *autonomous) Timer(key int) {
	switch key {
	case peekAgain:
		p.acts = false
		p.W.Resume()
	case peekIdle:
		p.waits = false
	}
	if p.acts || p.W.Running() {
		return
	}
	p.balanceOnce()
	if !p.acts && p.W.units() == 0 { // messages that wait in the inbox may bring no units
		p.Idle()
	}
}

// Message resets the wait, because units may have arrived.
func (p *autonomous) Message(*Message) { p.wait = p.c.Wait }

// balanceOnce does one round of balancing: it peeks at the neighbours, and then reads arrived units or gives units
// away.
func (p *autonomous) balanceOnce() {
	if p.c.Policy == "none" && p.W.Pool() == 0 {
		return
	}
	p.ran = 0
	now, x := p.W.Now(), int64(p.W.Backlog())
	p.W.Show()
	p.W.Think(p.c.Iteration)
	sum := x
	for k, j := range p.near {
		shown, unread := p.W.Peek(j)
		p.sent[k] = int64(unread)
		p.x[k] = int64(shown + unread)
		sum += int64(shown)
	}
	if p.c.Policy == "auto" {
		p.integrate(now, x)
	}
	switch {
	case p.W.Mail()+p.W.Pool() > 0 && x*int64(len(p.near)+1) <= sum:
		p.wait = p.c.Wait
		p.W.Take(p.c.Batch - p.W.Read(p.c.Batch))
	case p.c.Policy == "none" || !p.giveExcess(x):
		return
	}
	p.acts = true // balances once more after the action that has just begun
	p.W.Pause()
	p.W.After(max(1, p.W.handler-p.W.Now()), peekAgain)
}

// proper returns the proper load by equation (2), rounded.
func (p *autonomous) proper(x int64) int64 {
	num, den := x<<16, int64(mnc.One)
	for k, pa := range p.pa {
		num += pa * p.x[k]
		den += (pa * pa) >> 16
	}
	return ((num<<16)/den + mnc.One/2) >> 16
}

// giveExcess gives away the load above the proper load, unit by unit, to the neighbour with the least load for its
// ability, and reports whether it gave any. It stops when no neighbour has a smaller load for its ability than this
// worker.
func (p *autonomous) giveExcess(x int64) bool {
	keep := max(1, p.proper(x), int64(p.c.Keep))
	excess := min(x-keep, int64(p.c.Batch), int64(p.W.Givable()))
	n := len(p.near)
	if excess <= 0 || n == 0 {
		return false
	}
	amount, given := make([]int64, n), int64(0)
	for ; given < excess; given++ {
		best, load := -1, int64(0)
		for i := range n {
			k := (i + p.rot) % n
			if p.sent[k]+amount[k] >= int64(p.c.Slots) {
				continue
			}
			if next := p.x[k] + amount[k] + 1; best < 0 || next*p.pa[best] < load*p.pa[k] {
				best, load = k, next
			}
		}
		if best < 0 || load<<16 >= p.pa[best]*(x-given) {
			break
		}
		amount[best]++
	}
	for i := range n {
		k := (i + p.rot) % n
		if amount[k] > 0 {
			p.W.Give(int(p.near[k]), int(amount[k]), Message{})
		}
	}
	p.rot = (p.rot + 1) % n
	return given > 0
}

// integrate extends the integrals of equation (3) up to now. The imbalance with a neighbour counts as constant since
// the previous call. At the end of an interval it updates the abilities.
func (p *autonomous) integrate(now, x int64) {
	span := now - p.sampled
	for k := range p.e {
		p.acc[k] += p.e[k] * span
	}
	p.sampled = now
	if since := now - p.at; since >= p.c.Interval && since > 0 {
		for k := range p.pa {
			p.pa[k] = min(max(p.pa[k]+p.acc[k]/since, leastAbility), mostAbility)
			p.acc[k] = 0
		}
		p.at = now
	}
	for k := range p.e {
		p.e[k] = mnc.Imbalance(x, p.x[k])
	}
}
