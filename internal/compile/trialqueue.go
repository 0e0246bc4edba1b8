package compile

import "emsim/internal/agenda"

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
	later agenda.Agenda[int32]
	seq   uint64 // of the next one in it
}

func (q *queue) put(at uint64, id int32) {
	if at < q.now+nearClocks {
		at = max(at, q.now)
		q.near[at%nearClocks] = append(q.near[at%nearClocks], id)
		q.count++
		return
	}
	q.later.Add(agenda.Item[int32]{At: int64(at), Order: q.seq, What: id})
	q.seq++
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
			q.now = uint64(q.later[0].At)
		default:
			return 0, false
		}
		for len(q.later) > 0 && uint64(q.later[0].At) < q.now+nearClocks {
			x := q.later.Next()
			q.near[x.At%nearClocks] = append(q.near[x.At%nearClocks], x.What)
			q.count++
		}
	}
}
