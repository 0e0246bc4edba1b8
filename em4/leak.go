package em4

import (
	"fmt"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/plural"
	"emsim/packet"
)

// Leak describes the operand segments that instances of one template have not released: they are in use, but the
// program can no longer reach them.
type Leak struct {
	Template emcr.CodeLocation `json:"template"`
	Segments int               `json:"segments"`
	Operands int               `json:"operands"` // operands that wait in these segments for partners
	PEs      []packet.PE       `json:"pes"`      // with such segments, at most 20
	MorePEs  int               `json:"more_pes"` // number of such PEs that are not listed

	last int // number of the last PE
}

// String says how many segments leaked, and where.
func (l *Leak) String() string {
	const shown = 4
	list := make([]string, min(shown, len(l.PEs)))
	for i := range list {
		list[i] = l.PEs[i].String()
	}
	n := len(l.PEs) + l.MorePEs
	where := strings.Join(list, ", ")
	if n > shown {
		where += fmt.Sprintf(" and %d more", n-shown)
	}
	text := fmt.Sprintf("%d of template %s on %s %s", l.Segments, l.Template.Text(), plural.Verb(n, "PE", "PEs"), where)
	if l.Operands > 0 {
		text += fmt.Sprintf(", with %s whose partner never came", plural.Of(l.Operands, "operand"))
	}
	return text
}

// Leaks lists the operand segments that can no longer be used, by template. The machine must be quiet, so that no
// packet and no block holds a continuation.
//
// A program may keep instances for its next run: MLPE prefetches segments, and an init block may make instances that
// serve all runs. So a segment counts as leaked only if its continuation is in no prefetch register, in no variable or
// structure, and in no segment that can itself be reached.
func (m *Machine) Leaks() []Leak {
	m.catchUpAll()
	r := reach{m: m, seen: make([][]bool, len(m.pe))}
	for i := range m.pe {
		used := m.pe[i].SegmentsInUse()
		r.unseen += used
		if used > 0 {
			r.seen[i] = make([]bool, m.config.Segments)
		}
	}
	for i := range m.pe {
		m.pe[i].EachPrefetched(func(word uint64) { r.visit(i, word) })
	}
	r.follow()
	for i := 0; i < len(m.pe) && r.unseen > 0; i++ {
		m.pe[i].EachVariable(func(word uint64) { r.visit(i, word) })
		r.follow()
	}
	if r.unseen == 0 {
		return nil
	}
	return r.leaks()
}

// reach searches for the operand segments that a program can reach.
type reach struct {
	m      *Machine
	seen   [][]bool // by PE and segment; nil for a PE with no segment in use
	unseen int      // segments in use that have not been reached
	todo   []spot   // segments that were reached, but not yet searched
}

// spot is the place of an operand segment: a PE and the address of the segment's word 0.
type spot struct {
	pe   int
	base uint32
}

// visit marks the segment that a word in PE i refers to, if any. The word is tried both as an address in this PE and as
// a continuation.
func (r *reach) visit(i int, word uint64) {
	if word < 1<<packet.AddrBits {
		r.markSegment(i, uint32(word))
	}
	if c := r.m.cfg.Format.Cont(word); int(c.PE.GA) < 1<<r.m.Net.K && int(c.PE.CA) <= r.m.Net.K {
		r.markSegment(r.m.Net.Index(c.PE), c.Addr)
	}
}

func (r *reach) markSegment(i int, addr uint32) {
	if base, used := r.m.pe[i].SegmentOf(addr); used && !r.seen[i][r.number(base)] {
		r.seen[i][r.number(base)] = true
		r.unseen--
		r.todo = append(r.todo, spot{i, base})
	}
}

// number returns the number of a segment in its PE.
func (r *reach) number(base uint32) uint32 {
	return (base - r.m.cfg.SegmentBase) / r.m.cfg.SegmentWords
}

// follow searches the segments that have been reached.
func (r *reach) follow() {
	for len(r.todo) > 0 {
		x := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.m.pe[x.pe].EachOperandWord(x.base, func(word uint64) { r.visit(x.pe, word) })
	}
}

// leaks lists the segments that were not reached.
func (r *reach) leaks() []Leak {
	var list []Leak
	for i := range r.m.pe {
		r.m.pe[i].EachSegment(func(s emcr.Segment) bool {
			if r.seen[i][r.number(s.Base)] {
				return true
			}
			j, ok := slices.BinarySearchFunc(list, s.Template,
				func(l Leak, code uint32) int { return int(l.Template.Code) - int(code) })
			if !ok {
				list = slices.Insert(list, j, Leak{Template: emcr.CodeLocation{Code: s.Template}})
			}
			l := &list[j]
			l.Segments++
			l.Operands += len(s.Operands)
			if l.Segments > 1 && l.last == i {
				return true
			}
			if l.last = i; len(l.PEs) < maxListed {
				l.PEs = append(l.PEs, r.m.Net.Address(i))
			} else {
				l.MorePEs++
			}
			return true
		})
	}
	return list
}
