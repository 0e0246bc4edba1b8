package balance

// static is one of the EM-4's six static policies [003 §3.2]: where a call
// goes is decided at its birth, without knowing anything. programs/lib/place.s
// is the same in assembly.
type static struct {
	Hooks
	next func(k int) int
}

// Born sends the unit where the policy says.
func (s *static) Born(k int) int { return s.next(k) }

// ringPolicy sends one child to each circuit's next worker.
func ringPolicy(w *Worker) func(int) int {
	c := w.Circuits()
	return func(k int) int {
		if k%2 == 0 {
			return int(c.Out[w.ID])
		}
		return int(c.In[w.ID])
	}
}

// random sends a child anywhere, the worker itself included.
func random(w *Worker) func(int) int {
	return func(int) int { return w.Rng.IntN(w.Workers()) }
}

// roundRobin sends the children to all in turn; every worker begins with
// itself.
func roundRobin(w *Worker) func(int) int {
	at := w.ID - 1
	return func(int) int {
		at = (at + 1) % w.Workers()
		return at
	}
}

// table lists the others of both circuits in turn.
func table(w *Worker) []int {
	c := w.Circuits()
	in, out := round(c.In, w.ID), round(c.Out, w.ID)
	var t []int
	for k := range max(len(in), len(out)) {
		if k < len(in) {
			t = append(t, int(in[k]))
		}
		if k < len(out) {
			t = append(t, int(out[k]))
		}
	}
	if t == nil {
		t = []int{w.ID}
	}
	return t
}

func ringRandom(w *Worker) func(int) int {
	t := table(w)
	return func(int) int { return t[w.Rng.IntN(len(t))] }
}

func ringRoundRobin(w *Worker) func(int) int {
	t, at := table(w), -1
	return func(int) int {
		at = (at + 1) % len(t)
		return t[at]
	}
}

// linePolicy sends one child to the next worker of a line through all, the
// other one to the next but one.
func linePolicy(w *Worker) func(int) int {
	c := w.Circuits()
	return func(k int) int {
		to := c.Line[w.ID]
		if k%2 == 1 {
			to = c.Line[to]
		}
		return int(to)
	}
}

// staticBy makes a static policy.
func staticBy(rule func(*Worker) func(int) int) func(*Worker) Policy {
	return func(w *Worker) Policy { return &static{Hooks{w}, rule(w)} }
}
