package omega

import "math/bits"

// A large machine's units do not fit into the host's caches, and each unit that is
// asked waits for the host's memory several times: for itself, its pins, the packet
// that it sends, and the bank where that goes. So the units of a batch are first
// touched, all of them before any is asked, in two stages: what can be found from
// their numbers, and what can be found from that. The host loads all of a stage
// at the same time. Nothing is decided here, so nothing can change.

// fetchFrom is the size from which on this pays [measured: uniform traffic takes
// 1.1 times as long with it on 1024 PEs, 0.9 on 5120, 0.6 on 11264].
const fetchFrom = 4096

// batchUnits is how many units are fetched together [measured: 16 to 128 are
// equal].
const batchUnits = 32

// stepFetched is Step's work on the units that are due in clock t. It returns the
// slots that any of them granted.
func (p *Part) stepFetched(t uint64) (any uint8) {
	var batch [batchUnits]uint32
	due := batch[:0]
	pass := func() {
		p.fetch(due, t)
		for _, i := range due {
			any |= p.n.stepUnit(p, int(i), t)
		}
		due = batch[:0]
	}
	for w := range p.accepted {
		for set := p.takeDue(w, t); set != 0; set &= set - 1 {
			due = append(due, uint32((p.first+w)<<6+bits.TrailingZeros64(set)))
			if len(due) == len(batch) {
				pass()
			}
		}
	}
	pass()
	return any
}

// fetch touches what the units will read and write in clock t.
func (p *Part) fetch(due []uint32, t uint64) {
	n, sum := p.n, uint64(0)
	for _, i := range due {
		su, pins := &n.su[i], &n.pins[i]
		sum += su.readyAt[0] + su.outFreeAt[0] + su.Packets[0]
		if pins.OutFull { // foreseen by the host: mostly false
			sum += pins.OutReady
		}
	}
	for _, i := range due {
		su := &n.su[i]
		for f := su.full &^ (su.stuck[0] | su.stuck[1]); f != 0; f &= f - 1 {
			s := bits.TrailingZeros8(f)
			if su.readyAt[s] > t {
				continue
			}
			sum += su.bank[s].Data
			o := int(su.output[s])
			if o == Own {
				sum += n.pins[i].In.Data
				continue
			}
			next, slot := n.downstream(int(i), o, s%Banks)
			if next < n.N {
				to := &n.su[next]
				sum += to.readyAt[0] + uint64(to.groupWord) + to.bank[slot].Data
			}
		}
	}
	p.touched = sum
}
