package rhinet

// team describes how a rank takes part in the collective operations. Without groups, all ranks are in flat. With
// groups, flat holds the first rank of each group, its representative. The other ranks of a group, its mates,
// communicate through it.
type team struct {
	flat  []int // participants of the flat stage, ascending; never changed in place
	at    int   // this rank's index in flat, or -1
	rep   int   // the group's representative; the rank itself without groups
	mates []int // the other ranks of its group
}

func newTeam(c *Config, id int) team {
	size := 1
	if c.Policy.Grouped() {
		size = c.Group
	}
	t := team{rep: id - id%size, at: -1}
	for r := 0; r < c.Nodes; r += size {
		if r == id {
			t.at = len(t.flat)
		}
		t.flat = append(t.flat, r)
	}
	for m := t.rep; m < t.rep+size; m++ {
		if m != id {
			t.mates = append(t.mates, m)
		}
	}
	return t
}

// allreduce gives every rank the largest change of all ranks. Mates send to their representative; a binomial
// reduction to the first rank and a binomial broadcast follow (as in MPICH 1); then representatives send the result
// to their mates.
func (r *rank) allreduce() {
	const bytes = 8
	if r.at < 0 {
		r.send(r.rep, aChange, bytes)
		r.recv(r.rep, aChange)
		return
	}
	for _, m := range r.mates {
		r.recv(m, aChange)
	}
	r.reduce(aChange, bytes)
	r.broadcast(aChange, bytes)
	for _, m := range r.mates {
		r.send(m, aChange, bytes)
	}
}

// reduce appends the operations of a binomial-tree reduction to flat[0], lowest bit first.
func (r *rank) reduce(what content, bytes int) {
	for mask := 1; mask < len(r.flat); mask <<= 1 {
		if r.at&mask != 0 {
			r.send(r.flat[r.at-mask], what, bytes)
			return
		}
		if r.at+mask < len(r.flat) {
			r.recv(r.flat[r.at+mask], what)
		}
	}
}

// broadcast appends the operations of a binomial-tree broadcast from flat[0], highest bit first.
func (r *rank) broadcast(what content, bytes int) {
	mask := 1
	for mask < len(r.flat) && r.at&mask == 0 {
		mask <<= 1
	}
	if r.at != 0 {
		r.recv(r.flat[r.at-mask], what)
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if r.at+mask < len(r.flat) {
			r.send(r.flat[r.at+mask], what, bytes)
		}
	}
}

// exchange gives every rank all unknowns: the blocks go to the first rank one after the other, and all unknowns come
// back by broadcast. Only here is communication concentrated on one rank [001 §5.4.1]. With many senders the RHiNET-2
// prototype must space the messages out.
func (r *rank) exchange(c *Config) {
	const unknown = 8
	all := unknown * c.SOR.Rows
	if r.at < 0 {
		r.send(r.rep, aBlock, unknown*r.ownRows().rowCount())
		r.recv(r.rep, aBlock)
		return
	}
	block := r.ownRows().rowCount()
	for _, m := range r.mates {
		r.recv(m, aBlock)
		block += r.spans[m].rowCount()
	}
	if r.at > 0 {
		if c.Network == RHiNET2 && len(r.flat) >= c.Host.GapFrom {
			r.addOperation(op{kind: opBurn, ticks: int64(r.at) * ticksOf(c.Host.Gap)})
		}
		r.send(r.flat[0], aBlock, unknown*block)
	} else {
		for _, peer := range r.flat[1:] {
			r.recv(peer, aBlock)
		}
		r.addOperation(op{kind: opPublish})
	}
	r.broadcast(aBlock, all)
	for _, m := range r.mates {
		r.send(m, aBlock, all)
	}
}

// sendLoads sends the reports of the ranks first to first+count-1.
func (r *rank) sendLoads(to, first, count int) {
	r.addOperation(op{
		kind: opSend, what: loads, peer: int32(to), first: int32(first), count: int32(count),
		bytes: count * infoBytes,
	})
}

// ringExchange passes reports once round the ring. Each place in flat contributes the reports of size ranks.
// Afterwards every rank in flat knows all reports.
func (r *rank) ringExchange(size int) {
	n := len(r.flat)
	for step := range n - 1 {
		r.sendLoads(r.flat[(r.at+1)%n], r.flat[(r.at-step+n)%n], size)
		r.recv(r.flat[(r.at-1+n)%n], loads)
	}
}
