package blockgraph

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/packet"
	"emsim/trace"

	"emsim/internal/compile/cut"
)

// Observer records what the blocks of a program do in a run: its Event gets the events of
// all PEs, from the beginning of the run on.
type Observer struct {
	Begun  []Begin  // in the order of their clocks
	Blocks []uint32 // where they begin

	index map[uint32]int32
	lines []map[uint32]uint64 // of each block: when it has executed an instruction first
	sent  map[trace.ID]int32  // the blocks that packets in flight are from
	at    map[uint32]int32    // the block that a PE has begun last
}

// Begin is the beginning of a block, or the arrival of a word at the host.
type Begin struct {
	Clock uint64
	PE    int32
	Block int32    // in Blocks, or Host
	from  [2]int32 // the senders of its operands
}

// Host stands for the host in place of a block, none for no sender.
const (
	Host = -1
	none = -2
)

// Event takes note of an event.
func (o *Observer) Event(e *trace.Event) {
	if o.index == nil {
		o.index, o.sent, o.at = map[uint32]int32{}, map[trace.ID]int32{}, map[uint32]int32{}
	}
	at, known := o.at[e.PE] // not of a block that had begun before
	switch e.Kind {
	case trace.Begun:
		i, known := o.index[e.PC]
		if !known {
			i = int32(len(o.Blocks))
			o.index[e.PC] = i
			o.Blocks, o.lines = append(o.Blocks, e.PC), append(o.lines, map[uint32]uint64{})
		}
		o.at[e.PE] = i
		o.Begun = append(o.Begun, Begin{e.Clock, int32(e.PE), i, [2]int32{o.sender(trace.IDOf(&e.Packet)), o.sender(e.Partner)}})
	case trace.Fetched:
		if known && o.lines[at][e.PC] == 0 {
			o.lines[at][e.PC] = e.Clock
		}
	case trace.Made:
		if known {
			o.sent[trace.IDOf(&e.Packet)] = at
		}
	case trace.Left:
		o.Begun = append(o.Begun, Begin{e.Clock, int32(e.PE), Host, [2]int32{o.sender(trace.IDOf(&e.Packet)), none}})
	}
}

// sender returns the block that sent a packet, and forgets the packet.
func (o *Observer) sender(id trace.ID) int32 {
	i, ok := o.sent[id]
	delete(o.sent, id)
	switch {
	case ok:
		return i
	case id.None() || id.Src != packet.Host:
		return none
	}
	return Host
}

// Picture returns what has been seen before a clock: the blocks with the lines that they have
// executed, and the packets between them. text is a source file's.
func (o *Observer) Picture(x *asm.Object, text func(file string) string, until uint64) *Picture {
	f := cut.Function{Name: "blocks that have run"}
	place, packets, texts := map[int32]int{}, map[cut.Edge]int{}, map[string][]string{}
	line := func(pc uint32) (l cut.Line) {
		file, n, ok := x.LineAt(pc)
		if !ok {
			return l
		}
		if texts[file] == nil {
			texts[file] = strings.Split(text(file), "\n")
		}
		if n <= len(texts[file]) {
			l.Text, _, _ = strings.Cut(texts[file][n-1], ";")
			l.Text = strings.Join(strings.Fields(l.Text), " ")
		}
		if l.Number = n; file != x.Files[0] {
			l = cut.Line{Text: fmt.Sprintf("%s:%d  %s", path.Base(file), n, l.Text)}
		}
		return l
	}
	node := func(i int32) int {
		if at, ok := place[i]; ok {
			return at
		}
		n := cut.Node{Name: "host", Call: true}
		if i != Host {
			n = cut.Node{Name: x.NameAt(o.Blocks[i])}
			n.Begins = []string{n.Name}
			for _, pc := range slices.Sorted(maps.Keys(o.lines[i])) {
				if o.lines[i][pc] < until {
					n.Words++
					n.Lines = append(n.Lines, line(pc))
				}
			}
			n.Lines = slices.Compact(n.Lines)
		}
		place[i] = len(f.Nodes)
		f.Nodes = append(f.Nodes, n)
		return place[i]
	}
	for _, b := range o.Begun {
		if b.Clock >= until {
			break
		}
		for _, from := range b.from {
			if from == none {
				continue
			}
			e := cut.Edge{From: node(from), To: node(b.Block), Kind: cut.EdgePackets}
			if packets[e]++; packets[e] == 1 {
				f.Edges = append(f.Edges, e)
			}
		}
	}
	p := New(&cut.Graph{Functions: []cut.Function{f}})
	for i, e := range f.Edges {
		p.Panels[0].Edges[i].Packets = packets[e]
	}
	p.Legend = "A box is a block that has run, with the lines that it has run so far; a packet counts when it has come to its end."
	return p
}
