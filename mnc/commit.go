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
// port's status word takes one beat, in which its PE writes the word and the others read it. A second beat lets the
// PEs read that were refused because of the write. due has a bit for each port whose PE takes part.
func (m *Machine) exchange(board int, due uint8) {
	q, b := &m.qprs[board], &m.boards[board]
	for owner := range Ports {
		if b.pe[owner] == noPE {
			continue
		}
		var req [Ports]Req
		var resp [Ports]Resp
		for ask := due; ask != 0; ask &= ask - 1 {
			p := bits.TrailingZeros8(ask) % Ports
			req[p] = Req{Op: Read, Addr: uint16(statusBase + owner)}
		}
		if due>>owner&1 != 0 {
			e := &m.pes[b.pe[owner]]
			req[owner].Op, req[owner].Data = Write, statusWord(e.x.Len(), e.y.Len())
		}
		for ask := due; ask != 0; {
			q.cycle(&req, &resp)
			for rest := ask; rest != 0; rest &= rest - 1 {
				p := bits.TrailingZeros8(rest) % Ports
				v := &m.pes[b.pe[p]].view
				if resp[p].Busy {
					v.busy++
					continue
				}
				if p != owner {
					k, word := b.index[p][owner], resp[p].Data
					v.x[k], v.y[k] = int(word>>16), int(word&0xffff)
				}
				ask &^= 1 << p
				req[p] = Req{}
			}
		}
	}
}
