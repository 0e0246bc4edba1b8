package compile

// nearClocks is for how many clocks a queue has a list each; what is due later is
// rare [chosen].
const nearClocks = 1024

// queue has what is due, the earliest first, and what is due in the same clock in the
// order in which it came.
type queue struct {
	now   uint64
	near  [nearClocks][]int32 // messages, by their clocks
	first int                 // of the list of this clock
	count int                 // messages in the lists
	later []due               // a heap
	seq   uint32
}

// due is a message that is due later.
type due struct {
	at  uint64
	seq uint32
	id  int32
}

func (d due) less(o due) bool { return d.at < o.at || d.at == o.at && d.seq < o.seq }

func (q *queue) put(at uint64, id int32) {
	if at < q.now+nearClocks {
		at = max(at, q.now)
		q.near[at%nearClocks] = append(q.near[at%nearClocks], id)
		q.count++
		return
	}
	q.seq++
	q.later = append(q.later, due{at, q.seq, id})
	for i := len(q.later) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.later[i].less(q.later[up]) {
			break
		}
		q.later[i], q.later[up] = q.later[up], q.later[i]
		i = up
	}
}

func (q *queue) take() (int32, bool) {
	for {
		if list := q.near[q.now%nearClocks]; q.first < len(list) {
			q.first++
			q.count--
			return list[q.first-1], true
		}
		q.near[q.now%nearClocks], q.first = q.near[q.now%nearClocks][:0], 0
		switch {
		case q.count > 0:
			q.now++
		case len(q.later) > 0:
			q.now = q.later[0].at
		default:
			return 0, false
		}
		for len(q.later) > 0 && q.later[0].at < q.now+nearClocks {
			d := q.earliest()
			q.near[d.at%nearClocks] = append(q.near[d.at%nearClocks], d.id)
			q.count++
		}
	}
}

// earliest takes the top of the heap.
func (q *queue) earliest() due {
	d, n := q.later[0], len(q.later)-1
	q.later[0] = q.later[n]
	q.later = q.later[:n]
	for i := 0; ; {
		least := i
		for _, j := range []int{2*i + 1, 2*i + 2} {
			if j < n && q.later[j].less(q.later[least]) {
				least = j
			}
		}
		if least == i {
			return d
		}
		q.later[i], q.later[least] = q.later[least], q.later[i]
		i = least
	}
}
