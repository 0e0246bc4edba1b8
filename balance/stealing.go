package balance

// stealing is random work stealing: a worker without work asks one other,
// chosen at random, for half of what waits there. It runs its newest unit
// first and gives the oldest.
type stealing struct {
	Hooks
	wait   int64 // before the next attempt
	trying bool
}

// The messages.
const (
	steal = 1 + iota
	loot
)

// The wait after an attempt in vain doubles from one to 32 moves (chosen).
const longestWait = 32

func newStealing(w *Worker) Policy {
	w.LIFO = true
	return &stealing{Hooks: Hooks{w}, wait: w.Fabric().pause()}
}

// Idle asks somebody.
func (p *stealing) Idle() {
	n := p.W.Workers()
	if n == 1 || p.trying {
		return
	}
	p.trying = true
	p.W.Send((p.W.ID+1+p.W.Rng.IntN(n-1))%n, Message{Kind: steal})
}

// Message gives half, or takes what has come.
func (p *stealing) Message(m *Message) {
	first := p.W.Fabric().pause()
	switch {
	case m.Kind == steal:
		p.W.Give(m.From, (p.W.Givable()+1)/2, Message{Kind: loot})
	case m.Units() > 0:
		p.wait, p.trying = first, false
	default:
		p.W.After(p.wait, 0)
		p.wait = min(2*p.wait, longestWait*first)
	}
}

// Timer tries again.
func (p *stealing) Timer(key int) {
	if key == Barrier {
		return
	}
	p.trying = false
	if !p.W.Running() && p.W.Backlog() == 0 {
		p.Idle()
	}
}
