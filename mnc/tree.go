package mnc

// tree finds the PEs whose action ends first, by a tournament over their end
// clocks, so that Run can skip clocks in which nothing ends.
type tree struct {
	leaves int     // a power of two
	end    []int64 // end[leaves+i]: PE i; end[n]: the lesser of end[2n], end[2n+1]
}

func (t *tree) build(pes []pe) {
	t.leaves = 1
	for t.leaves < len(pes) {
		t.leaves *= 2
	}
	if len(t.end) != 2*t.leaves {
		t.end = make([]int64, 2*t.leaves)
	}
	for i := range t.leaves {
		t.end[t.leaves+i] = never
		if i < len(pes) {
			t.end[t.leaves+i] = pes[i].act.end
		}
	}
	for n := t.leaves - 1; n > 0; n-- {
		t.end[n] = min(t.end[2*n], t.end[2*n+1])
	}
}

// nextEnd is the first clock at which an action ends.
func (t *tree) nextEnd() int64 { return t.end[1] }

// appendDue appends the PEs whose action ends at clock, ascending.
func (t *tree) appendDue(clock int64, list []int) []int { return t.descend(1, clock, list) }

func (t *tree) descend(n int, clock int64, list []int) []int {
	if t.end[n] > clock {
		return list
	}
	if n >= t.leaves {
		return append(list, n-t.leaves)
	}
	return t.descend(2*n+1, clock, t.descend(2*n, clock, list))
}

// setEnd changes the end clock of PE i.
func (t *tree) setEnd(i int, end int64) {
	n := t.leaves + i
	for t.end[n] = end; n > 1; {
		n /= 2
		least := min(t.end[2*n], t.end[2*n+1])
		if t.end[n] == least {
			return
		}
		t.end[n] = least
	}
}
