package spmd

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/lines"
)

// A Topology says which processors read whose Power: element i lists the readers of processor i, in the order of
// their turns. Tasks move along the arrows, from i to a reader that requests some.
type Topology [][]int

// TStar returns T*, the arrows that best explain the tables of [002]. T* was fitted to both tables by hill climbing
// over all 7-processor topologies, because the paper's figure 2 is lost.
func TStar() Topology {
	return Topology{{2}, {0, 4, 5}, {}, {6}, {2}, {2}, {0, 1, 3}}
}

// Validate returns an error for a topology without processors, an unknown reader, a processor that reads itself, or a
// reader listed twice.
func (t Topology) Validate() error {
	if len(t) < 1 || len(t) > maxProcessors {
		return badValue("topology", "%d processors; expected 1 to %d", len(t), maxProcessors)
	}
	for i, readers := range t {
		if _, problem := checkReaders(i, readers, len(t)); problem != "" {
			return badValue("topology", "%s", problem)
		}
	}
	return nil
}

// checkReaders returns the index of the first invalid reader, and why; "" if all are valid.
func checkReaders(i int, readers []int, n int) (which int, problem string) {
	for k, r := range readers {
		switch {
		case r < 0 || r >= n:
			return k, fmt.Sprintf("processor %d has the reader %d; the topology has the processors 0 to %d", i, r, n-1)
		case r == i:
			return k, fmt.Sprintf("processor %d cannot read its own Power from a message; take it out of its readers",
				i)
		case slices.Contains(readers[:k], r):
			return k, fmt.Sprintf("processor %d lists the reader %d twice", i, r)
		}
	}
	return 0, ""
}

// ParseTopology parses a topology in the format of String: one line for each processor, "i > its readers", in any
// order; # starts a comment. The file's name is for errors, which are of type srcerr.Errors inside a *Usage and show
// line, column and place.
func ParseTopology(file string, text []byte) (Topology, error) {
	p := topologyParser{File: lines.New(file, text)}
	p.Each(p.statement)
	if p.Errors() == 0 && len(p.t) == 0 {
		p.Wholef(`no processors; expected lines such as "0 > 2" or, without a reader, "2 >"`)
	}
	for i, readers := range p.t {
		if p.Errors() > 0 {
			break
		}
		if readers == nil {
			p.Wholef(`processor %d has no line; write "%d >" if no processor reads its Power`, i, i)
		} else if k, problem := checkReaders(i, readers, len(p.t)); problem != "" {
			p.Errorf(p.at[i][k], "%s", problem)
		}
	}
	return p.t, p.Err()
}

type topologyParser struct {
	*lines.File
	t  Topology       // nil for processors without a line so far
	at [][]lines.Word // by processor: its readers
}

func (p *topologyParser) statement(words []lines.Word) {
	words = arrows(words)
	if len(words) < 2 || words[0].Text == arrow || words[1].Text != arrow {
		p.Errorf(words[0], `expected a processor, '>' and its readers, as in "1 > 0 4 5"`)
		return
	}
	before := p.Errors()
	var numbers []int
	for k, w := range words {
		if k != 1 {
			numbers = append(numbers, int(p.Whole(w, "a processor's number", 0, maxProcessors-1)))
		}
	}
	if p.Errors() > before {
		return
	}
	i := numbers[0]
	for len(p.t) <= i {
		p.t, p.at = append(p.t, nil), append(p.at, nil)
	}
	if p.t[i] != nil {
		p.Errorf(words[0], "a second line for processor %d; give one line all its readers", i)
		return
	}
	p.t[i], p.at[i] = append([]int{}, numbers[1:]...), words[2:]
}

const arrow = ">"

// arrows splits words that contain arrows without spaces, as in 0>1.
func arrows(words []lines.Word) []lines.Word {
	var list []lines.Word
	for _, w := range words {
		for w.Text != "" {
			n := strings.Index(w.Text, arrow)
			switch {
			case n < 0:
				n = len(w.Text)
			case n == 0:
				n = len(arrow)
			}
			list = append(list, lines.Word{Text: w.Text[:n], At: w.At})
			w = lines.Word{Text: w.Text[n:], At: w.At + n}
		}
	}
	return list
}

// String returns the topology in the format that ParseTopology reads.
func (t Topology) String() string {
	var b strings.Builder
	for i, readers := range t {
		fmt.Fprintf(&b, "%d >", i)
		for _, r := range readers {
			fmt.Fprintf(&b, " %d", r)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
