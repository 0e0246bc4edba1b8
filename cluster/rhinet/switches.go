package rhinet

import (
	"slices"

	"emsim/internal/base/lines"
)

// switchPorts is the number of ports of a RHiNET-2/SW, for hosts and links [001 §2].
const switchPorts = 8

// Switches is a RHiNET-2 network of any topology [001 §2]. Packets take a shortest path, or, if there are several,
// the one through the lowest port. Ports are numbered in the order of the file (chosen).
type Switches struct {
	home, port []int   // by host: its switch, and its port at the switch
	peers      [][]int // by switch and port: the switch at the other end, or aHost
	next       [][]int // by switch and target switch: the port towards the target
}

const aHost = -1

// ParseSwitches parses switches from text, one line per switch: its name, then up to eight hosts and earlier
// switches to which it is linked.
//
//	switch left  0-5
//	switch right 6 7 left
//
// The file's name is for errors, which are of type srcerr.Errors inside a *Usage and show line, column and place.
func ParseSwitches(file string, text []byte) (*Switches, error) {
	p := switchParser{File: lines.New(file, text), s: &Switches{}, at: map[int][2]int{}}
	p.Each(p.statement)
	for h := 0; h < max(1, len(p.at)) && p.Errors() == 0; h++ {
		at, ok := p.at[h]
		if !ok {
			p.Wholef(`%d hosts have a switch, but host %d has none; number them from 0, as in "switch left 0-5"`,
				len(p.at), h)
		}
		p.s.home, p.s.port = append(p.s.home, at[0]), append(p.s.port, at[1])
	}
	p.s.findWays()
	for sw, port := range p.s.next {
		if to := slices.IndexFunc(port, func(port int) bool { return port < 0 }); to >= 0 && p.Errors() == 0 {
			p.Wholef("no path leads from the switch %s to %s; add a link", p.names[sw], p.names[to])
		}
	}
	return p.s, p.Err()
}

type switchParser struct {
	*lines.File
	s     *Switches
	names []string
	at    map[int][2]int // by host: switch and port; never iterated over
}

func (p *switchParser) statement(words []lines.Word) {
	if words[0].Text != "switch" || len(words) < 3 || slices.Contains(p.names, words[1].Text) {
		p.Errorf(words[min(1, len(words)-1)],
			`expected "switch" and a name of its own, then hosts and switches of lines above, `+
				`as in "switch right 6-7 left"`)
		return
	}
	sw := len(p.s.peers)
	p.s.peers = append(p.s.peers, nil)
	for _, w := range words[2:] {
		if to := slices.Index(p.names, w.Text); to >= 0 {
			p.plug(w, sw, to)
			p.plug(w, to, sw)
			continue
		}
		from, to, ok := p.Span(w, "host, or switch of a line above,", MaxNodes)
		for h := from; ok && h < to; h++ {
			if _, twice := p.at[h]; twice {
				p.Errorf(w, "host %d is at a switch already", h)
				return
			}
			p.at[h] = [2]int{sw, p.plug(w, sw, aHost)}
		}
	}
	p.names = append(p.names, words[1].Text)
}

// plug connects the next port of a switch to a peer and returns its number.
func (p *switchParser) plug(w lines.Word, sw, peer int) (port int) {
	if port = len(p.s.peers[sw]); port == switchPorts {
		p.Errorf(w, "the %d ports of switch number %d are in use", switchPorts, sw+1)
		return 0
	}
	p.s.peers[sw] = append(p.s.peers[sw], peer)
	return port
}

// findWays finds the shortest paths, breadth-first from each receiver's switch.
func (s *Switches) findWays() {
	n := len(s.peers)
	for range n {
		s.next = append(s.next, make([]int, n))
	}
	for to := range n {
		far := slices.Repeat([]int{n}, n)
		far[to] = 0
		for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
			for _, sw := range s.peers[queue[0]] {
				if sw != aHost && far[sw] == n {
					far[sw], queue = far[queue[0]]+1, append(queue, sw)
				}
			}
		}
		for sw := range n {
			if sw != to {
				s.next[sw][to] = slices.IndexFunc(s.peers[sw],
					func(peer int) bool { return peer != aHost && far[peer] < far[sw] })
			}
		}
	}
}
