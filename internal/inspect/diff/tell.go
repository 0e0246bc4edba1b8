package diff

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/internal/inspect/debug"
	"emsim/packet"
)

// Difference is a place at which two runs differ.
type Difference struct {
	Clock uint64     `json:"clock"` // of the run; everything before it is equal
	PE    *packet.PE `json:"pe"`    // nil for the host or the whole machine
	Unit  string     `json:"unit"`
	A     string     `json:"a"` // the content in run A
	B     string     `json:"b"`
}

// Spread counts the parts that differ a given number of clocks after the divergence.
type Spread struct {
	Clocks uint64 `json:"clocks"`
	PEs    int    `json:"pes"`
	Units  int    `json:"units"`
}

// Report is the result of a comparison of two runs.
type Report struct {
	Parted *Difference `json:"parted"` // nil if the runs never diverge
	Units  int         `json:"units"`  // the number of units that differ there
	Packet *Difference `json:"packet"` // the first packet that differs, within the clocks of After
	After  []Spread    `json:"after"`
	Healed *uint64     `json:"healed_clock"` // the clock from which two runs that differed only in state are equal
}

// after lists the clocks of Report.After.
var after = []uint64{10, 100, 1000}

// note updates the report for a number of clocks after the divergence: the spread, the first packet that differs,
// and whether the runs are equal again.
func (r *Report) note(p *Pair, clocks uint64, list []Part) {
	s, pes := Spread{Clocks: clocks}, map[int]bool{}
	for _, x := range list {
		if x.PE < 0 || x.Unit == "statistics" {
			continue
		}
		s.Units++
		pes[x.PE] = true
	}
	if r.Packet == nil {
		r.Packet = p.packet(list)
	}
	if s.PEs = len(pes); slices.Contains(after, clocks) {
		r.After = append(r.After, s)
	}
	if now := p.clock(); p.twins && len(list) == 0 && r.Healed == nil {
		r.Healed = &now
	}
}

// packet returns the first packet that differs in one of the given parts, or nil.
func (p *Pair) packet(list []Part) *Difference {
	for _, x := range list {
		if x.PE < 0 || !slices.Contains([]string{"SU", "IBU", "FMU", "OUT"}, x.Unit) {
			continue
		}
		if a, b := differing(p.A.ask(x, questions[x.Unit]), p.B.ask(x, questions[x.Unit]), "]."); a != b {
			return p.at(x, a, b)
		}
	}
	return nil
}

// differing returns the first lines in which two lists differ, among the lines that contain text.
func differing(a, b []string, text string) (string, string) {
	of := func(list []string) []string {
		return append(slices.DeleteFunc(slices.Clone(list),
			func(line string) bool { return !strings.Contains(line, text) }), "nothing")
	}
	a, b = of(a), of(b)
	for i := range max(len(a), len(b)) {
		if x, y := a[min(i, len(a)-1)], b[min(i, len(b)-1)]; x != y {
			return strings.Join(strings.Fields(x), " "), strings.Join(strings.Fields(y), " ")
		}
	}
	return "", ""
}

func (p *Pair) at(x Part, a, b string) *Difference {
	place := &Difference{Clock: p.clock(), Unit: x.Unit, A: a, B: b}
	if x.PE >= 0 {
		at := p.A.Net.Address(x.PE)
		place.PE = &at
	}
	return place
}

// questions maps a unit to the debugger's commands that show it.
var questions = map[string]string{
	"EXU": "units; registers", "FMU": "units", "IBU": "queues", "SU": "links", "OUT": "links", "MLPE": "registers",
	"segments": "segments", "load": "units", "host": "where",
}

// ask returns the debugger's answer about a unit, as lines.
func (s *Side) ask(x Part, question string) []string {
	if s.words == nil || s.words.Batch() != s.Batch {
		s.words = debug.NewWith(s.Batch, nil, debug.History{Every: 1, Shots: 1, Plain: true})
	}
	var text strings.Builder
	s.words.Output(&text)
	s.words.Choose(max(0, x.PE))
	_ = s.words.Do(context.Background(), question) // the command is valid
	lines := strings.Split(text.String(), "\n")
	if strings.HasPrefix(question, "units") { // the answer is about all units
		lines = slices.DeleteFunc(lines, func(line string) bool {
			return !strings.HasPrefix(line, "  "+x.Unit) && !strings.HasPrefix(line, "  r") &&
				!strings.HasPrefix(line, "  fp")
		})
		lines[0] = strings.TrimPrefix(lines[0], "  "+x.Unit)
	}
	return lines
}

// describe describes the difference in a part, by the debugger's answers or, if these are equal, by a word of the
// state.
func (p *Pair) describe(x Part) *Difference {
	question := questions[x.Unit]
	if x.Unit == "memory" {
		m, n, addr := p.A.PE(x.PE).Memory(), p.B.PE(x.PE).Memory(), uint32(0)
		for addr+1 < asm.MemoryWords && m.Read(addr) == n.Read(addr) && m.Tag(addr) == n.Tag(addr) {
			addr++
		}
		question = fmt.Sprintf("x %#x 1", addr)
	}
	a, b := differing(p.A.ask(x, question), p.B.ask(x, question), "")
	switch {
	case p.Compared == "results":
		a, b = p.A.Heading(), p.B.Heading()
	case a == b:
		a, b = differing(p.A.stateWords(x), p.B.stateWords(x), "")
	}
	return p.at(x, a, b)
}

// stateWords returns a line for each word of a part's state.
func (s *Side) stateWords(x Part) (list []string) {
	for i, m := range s.marks {
		for at := 0; m.Unit == x.Unit && m.Of == x.PE && at < len(s.of(i)); at += 8 {
			list = append(list, fmt.Sprintf("word %d of its state is %#x", len(list),
				binary.LittleEndian.Uint64(s.of(i)[at:])))
		}
	}
	return list
}
