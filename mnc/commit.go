package mnc

import "math/bits"

// commit ends a PE's action: everything that the action moves, moves now. exchange publishes the PE's new X and Y.
func (m *Machine) commit(e *pe, t int64) error {
	a := &e.act
	e.stats.bookAction(a, a.end)
	e.stats.Actions[a.kind]++
	switch a.kind {
	case Idle:
		return nil
	case Proc:
		for range a.total {
			d := e.x.PopOldest()
			e.y.Push(Datum{d.ID, f(d.Value)})
		}
		e.stats.Processed += int64(a.total)
		return nil
	}
	e.moveData(m.qprs)
	e.stats.Moved[a.kind] += int64(a.total)
	if n := int(a.amount[hostRing]); n > 0 {
		if a.kind == XGet {
			m.host.takeFromSource(e, m.qprs, n)
		} else if err := m.host.takeY(e, m.qprs, n, t); err != nil {
			return err
		}
	}
	if e.n > 0 {
		e.rot = e.kthNeighbour(1)
	}
	return nil
}

// f returns the result of the paper's problem, an empty loop: the count that the loop reached.
func f(loops uint32) uint32 { return loops }

// moveData moves data between local memory and the neighbours' rings, and publishes the new indices of these rings.
func (e *pe) moveData(qprs []QPR) {
	for i := range e.n {
		k := e.kthNeighbour(i)
		amount := int(e.act.amount[k])
		if amount == 0 {
			continue
		}
		nb, own := &e.nb[k], &e.control[k]
		q := &qprs[nb.board]
		for range amount {
			var d Datum
			switch e.act.kind {
			case XPut:
				own.tailX = nb.xOut.putDatum(q, own.tailX, e.x.PopOldest())
			case YPut:
				own.tailY = nb.yOut.putDatum(q, own.tailY, e.y.PopOldest())
			case XGet:
				d, own.headX = nb.xIn.getDatum(q, own.headX)
				e.x.Push(d)
			case YGet:
				d, own.headY = nb.yIn.getDatum(q, own.headY)
				e.y.Push(d)
			}
		}
		q.write(controlBase+int(nb.toHim), own.packed())
	}
}

// exchange lets the due PEs publish their counts on one board and read their neighbours', all at the same clock. Each
// port's status word takes one beat, in which its PE writes the word and the others read it. The PEs whose reads were
// refused because of the write read in a second beat. due has a bit for each port whose PE takes part.
func (m *Machine) exchange(board int, due uint8) {
	q, b := &m.qprs[board], &m.boards[board]
	for owner, pe := range b.pe {
		if pe == noPE {
			continue
		}
		readers := due
		if due>>owner&1 != 0 {
			readers &^= 1 << owner
			e := &m.pes[pe]
			q.write(statusBase+owner, statusWord(e.x.Len(), e.y.Len()))
			for ask := readers; ask != 0; ask &= ask - 1 {
				q.stats.Busy++
				m.pes[b.pe[bits.TrailingZeros8(ask)%Ports]].view.busy++
			}
		}
		for ask := readers; ask != 0; ask &= ask - 1 {
			p := bits.TrailingZeros8(ask) % Ports
			v, k, word := &m.pes[b.pe[p]].view, b.index[p][owner], q.read(statusBase+owner)
			v.x[k], v.y[k] = int(word>>16), int(word&0xffff)
		}
	}
}
