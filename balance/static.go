package balance

// static is one of the EM-4's six static policies [003 §3.2]: it chooses a call's worker at its birth, without any
// knowledge of loads. programs/lib/place.s has the same policies in assembly.
type static struct {
	Hooks
	next func(k int) int
}

// Born sends the unit where the policy says.
func (s *static) Born(k int) int { return s.next(k) }

// ringPolicy returns the policy that sends each child to the next worker of one of the two circuits, in turn.
func ringPolicy(w *Worker) func(int) int {
	c := w.Circuits()
	return func(k int) int {
		if k%2 == 0 {
			return int(c.Out[w.ID])
		}
		return int(c.In[w.ID])
	}
}

// random returns the policy that sends a child to a random worker, which may be the worker itself.
func random(w *Worker) func(int) int {
	return func(int) int { return w.Rng.IntN(w.Workers()) }
}

// roundRobin returns the policy that sends the children to all workers in turn; every worker begins with itself.
func roundRobin(w *Worker) func(int) int {
	at := w.ID - 1
	return func(int) int {
		at = (at + 1) % w.Workers()
		return at
	}
}

// table returns the other workers of both circuits, alternating, or the worker itself if there are none.
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

// linePolicy returns the policy that sends one child to the next worker on a line through all workers, and the other
// child to the one after it.
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

// staticBy returns a constructor of a static policy.
func staticBy(rule func(*Worker) func(int) int) func(*Worker) Agent {
	return func(w *Worker) Agent { return &static{Hooks{w}, rule(w)} }
}
