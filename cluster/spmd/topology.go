package spmd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Topology says who reads whose Power: element i lists the readers of
// processor i, in the order of their turns. Tasks move along the arrows, from
// i to a reader that asks.
type Topology [][]int

// TStar returns T*, the arrows that best explain the tables of [002]. Fitted
// to both tables by hill climbing over all 7-processor topologies; the paper's
// own figure 2 is lost.
func TStar() Topology {
	return Topology{{2}, {0, 4, 5}, {}, {6}, {2}, {2}, {0, 1, 3}}
}

// Fano returns the seven lines of the Fano plane: processor i belongs to the
// line {i, i+1, i+3} mod 7 and sends to its two other points. The topology
// family that [002 §1] builds on gives each of N processors a set of about
// sqrt(N); which line goes with which processor is chosen.
func Fano() Topology {
	t := make(Topology, 7)
	for i := range t {
		t[i] = []int{(i + 1) % 7, (i + 3) % 7}
	}
	return t
}

// Tree returns a binary tree of n processors with the root 0: each processor
// sends to its parent, then to its children (chosen).
func Tree(n int) Topology {
	t := make(Topology, n)
	for i := range t {
		t[i] = []int{}
		if i > 0 {
			t[i] = append(t[i], (i-1)/2)
		}
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < n {
				t[i] = append(t[i], child)
			}
		}
	}
	return t
}

// Validate reports a topology without processors, an unknown reader, a
// processor that reads itself, and a reader listed twice.
func (t Topology) Validate() error {
	if len(t) < 1 || len(t) > maxProcessors {
		return badf("topology", "%d processors; expected 1 to %d", len(t), maxProcessors)
	}
	for i, readers := range t {
		if problem := checkReaders(i, readers, len(t)); problem != "" {
			return badf("topology", "%s", problem)
		}
	}
	return nil
}

func checkReaders(i int, readers []int, n int) string {
	for k, r := range readers {
		switch {
		case r < 0 || r >= n:
			return fmt.Sprintf("processor %d has the reader %d; the topology has the processors 0 to %d", i, r, n-1)
		case r == i:
			return fmt.Sprintf("processor %d cannot read its own Power from a message; take it out of its readers", i)
		case slices.Contains(readers[:k], r):
			return fmt.Sprintf("processor %d lists the reader %d twice", i, r)
		}
	}
	return ""
}

// ParseTopology reads a topology as String writes it: one line for each
// processor, "i > its readers", in any order; # starts a comment. The name is
// the file's, for messages.
func ParseTopology(name string, r io.Reader) (Topology, error) {
	var t Topology
	lines := map[int]int{} // processor -> line
	bad := func(line int, format string, args ...any) error {
		return &Usage{Parameter: "topology", File: name, Line: line, Err: fmt.Errorf(format, args...)}
	}
	scan := bufio.NewScanner(r)
	n := 0
	for scan.Scan() {
		n++
		text, _, _ := strings.Cut(scan.Text(), "#")
		if strings.TrimSpace(text) == "" {
			continue
		}
		p, readers, problem := parseReaders(text)
		switch {
		case problem != "":
			return nil, bad(n, "%s", problem)
		case lines[p] != 0:
			return nil, bad(n, "processor %d already has line %d", p, lines[p])
		}
		lines[p] = n
		for len(t) <= p {
			t = append(t, nil)
		}
		t[p] = readers
	}
	if err := scan.Err(); err != nil {
		return nil, bad(n+1, "%v", err)
	}
	if len(t) == 0 {
		return nil, bad(0, "no processors; expected lines such as \"0 > 2\" or, without a reader, \"2 >\"")
	}
	for i, readers := range t {
		if lines[i] == 0 {
			return nil, bad(0, "processor %d has no line; write \"%d >\" if nobody reads its Power", i, i)
		}
		if problem := checkReaders(i, readers, len(t)); problem != "" {
			return nil, bad(lines[i], "%s", problem)
		}
	}
	return t, nil
}

func parseReaders(text string) (p int, readers []int, problem string) {
	left, right, found := strings.Cut(text, ">")
	if !found {
		return 0, nil, fmt.Sprintf("%q has no '>'; expected a processor, '>' and its readers, as in \"1 > 0 4 5\"", strings.TrimSpace(text))
	}
	number := func(s string) int {
		v, err := strconv.Atoi(s)
		if (err != nil || v < 0 || v >= maxProcessors) && problem == "" {
			problem = fmt.Sprintf("%q is not a processor's number; expected 0 to %d", s, maxProcessors-1)
		}
		return v
	}
	p = number(strings.TrimSpace(left))
	readers = []int{}
	for _, f := range strings.Fields(right) {
		readers = append(readers, number(f))
	}
	return p, readers, problem
}

// String writes the topology as ParseTopology reads it.
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
