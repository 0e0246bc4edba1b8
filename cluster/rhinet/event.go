package rhinet

// event is something that happens at a tick. Within a tick the network comes
// first, in the order of packet ids (the order of injection), then the ranks
// in their order; so nothing depends on evaluation order.
type event struct {
	at    int64
	order int64 // packet id, or rankOrder + rank
	msg   int32 // message under way; unused for a rank
	index int32 // which packet of it
	sw    int16 // network: switch that the header reaches; deliver: the whole message has arrived
	fresh bool  // the header comes from the host, not from another switch
}

const (
	rankOrder = int64(1) << 62
	deliver   = int16(-1)
)

func (a *event) before(b *event) bool {
	return a.at < b.at || a.at == b.at && a.order < b.order
}

// queue is a binary heap of events.
type queue []event

func (q *queue) push(e event) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	*q = h
}

func (q *queue) pop() event {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	n := len(h)
	for i := 0; n > 0; {
		kid := 2*i + 1
		if kid+1 < n && h[kid+1].before(&h[kid]) {
			kid++
		}
		if kid >= n || !h[kid].before(&last) {
			h[i] = last
			break
		}
		h[i] = h[kid]
		i = kid
	}
	*q = h
	return top
}
