package rhinet

import (
	"slices"

	"emsim/internal/base/state"
)

// balance adds the operations of a balancing phase [001 §4.1]: reports, decision and adoption.
func (s *sim) balance(r *rank) {
	c := &s.cfg
	r.phase++
	r.addOperation(op{kind: opPhase})
	switch {
	case c.Policy == CLB || c.Policy == WLB:
		s.central(r)
	case c.Policy == DLB:
		r.ringExchange(1)
		r.addOperation(op{kind: opDecide})
	case c.Policy == GLB || r.phase%2 == 1:
		s.inGroup(r)
	default:
		s.amongGroups(r)
	}
	r.addOperation(op{kind: opBurn, ticks: ticksOf(c.Host.Decide) * int64(c.Nodes)})
	r.addOperation(op{kind: opAdopt})
}

// report returns r's report in the current phase.
func (s *sim) report(r *rank) info {
	if r.resting {
		return info{r.ownRows(), Report{Rank: r.id, Rows: s.cfg.WLB.Probe, Loops: 1, Time: r.probe}, s.now}
	}
	return info{r.ownRows(), Report{
		Rank: r.id, Rows: r.ownRows().rowCount(), Loops: r.lastLoops, Time: r.lastCalc, Wait: r.lastWait,
		Longest: r.longest,
	}, s.now}
}

// splitBytes returns the size of a split: four bytes per rank for its rows, or twice that if rows must be fetched
// from their old owners.
func (s *sim) splitBytes() int {
	if s.app.moves() {
		return 8 * s.cfg.Nodes
	}
	return 4 * s.cfg.Nodes
}

// central adds the operations by which all ranks report to rank 0, which decides for all.
func (s *sim) central(r *rank) {
	if r.id != 0 {
		r.sendLoads(0, r.id, 1)
		r.recv(0, aSplit)
		return
	}
	for peer := 1; peer < s.cfg.Nodes; peer++ {
		r.recv(peer, loads)
	}
	r.addOperation(op{kind: opDecide})
	for peer := 1; peer < s.cfg.Nodes; peer++ {
		r.send(peer, aSplit, s.splitBytes())
	}
}

// inGroup adds the operations by which the ranks of a group report to each other. All of them reach the same
// decision.
func (s *sim) inGroup(r *rank) {
	for _, m := range r.mates {
		r.sendLoads(m, r.id, 1)
	}
	for _, m := range r.mates {
		r.recv(m, loads)
	}
	r.addOperation(op{kind: opDecide})
}

// amongGroups adds the operations of a phase between groups. Mates report to their representative. The
// representatives agree centrally (IGCLB) or by the ring (IGDLB) and tell their mates. Representatives pass on all
// reports of their group (chosen: so that every representative can compute every rank's rows).
func (s *sim) amongGroups(r *rank) {
	size := s.cfg.Group
	if r.at < 0 {
		r.sendLoads(r.rep, r.id, 1)
		r.recv(r.rep, aSplit)
		return
	}
	for _, m := range r.mates {
		r.recv(m, loads)
	}
	switch {
	case s.cfg.Policy == IGDLB:
		r.ringExchange(size)
		r.addOperation(op{kind: opDecide})
	case r.at > 0:
		r.sendLoads(r.flat[0], r.id, size)
		r.recv(r.flat[0], aSplit)
	default:
		for _, peer := range r.flat[1:] {
			r.recv(peer, loads)
		}
		r.addOperation(op{kind: opDecide})
		for _, peer := range r.flat[1:] {
			r.send(peer, aSplit, s.splitBytes())
		}
	}
	for _, m := range r.mates {
		r.send(m, aSplit, s.splitBytes())
	}
}

// adopt applies r's new split: r takes over the rows of all ranks and, under WLB, learns which ranks rest.
func (s *sim) adopt(r *rank) {
	sp := r.split
	if sp == nil { // only in a forged checkpoint
		s.fail(state.ErrMisfit)
		return
	}
	s.noteEpoch(r, sp)
	old := r.spans
	r.spans = sp.spans
	if sp.flat != nil {
		r.flat, r.at = sp.flat, slices.Index(sp.flat, r.id)
		r.resting = r.at < 0
		r.loop = sp.loop
	}
	s.recordAdoption(r, old[r.id])
	s.app.adopt(s, r, sp, old[r.id])
	r.addOperation(op{kind: opResume})
}

// noteEpoch records r's rows in the epoch that begins.
func (s *sim) noteEpoch(r *rank, sp *split) {
	for len(s.epochs) < r.phase+1 {
		s.epochs = append(s.epochs, Epoch{Rows: make([]int, s.cfg.Nodes), First: make([]int, s.cfg.Nodes)})
	}
	e := &s.epochs[r.phase]
	e.Loop = sp.loop
	e.First[r.id], e.Rows[r.id] = sp.spans[r.id].lo, sp.spans[r.id].rowCount()
}
