package mnc

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"emsim/internal/base/lines"
	"emsim/internal/base/lists"
)

// ParseIncidence parses a wiring from text, one statement per line in any order, and
// validates it:
//
//	# comment
//	source 26                  the QPR that the host feeds; several are possible
//	sink 38                    the QPR that the host empties
//	qpr 22: 0 4 8 12           a QPR and the PE at each port, "-" for an empty one
//	pe 0: 11                   a PE's name on drawings (optional, then for all)
//
// "board west: anna otto - eva" is the same with names: "board" may stand for "qpr", and PEs with names are numbered in
// order of appearance. Otherwise PEs have numbers from 0 to the largest number on a board. The order of boards and
// ports is the order in which PEs consider their neighbours. The file's name is for errors, which are of type
// srcerr.Errors inside a *Usage and show line, column and place.
func ParseIncidence(file string, text []byte) (Incidence, error) {
	p := incidenceParser{File: lines.New(file, text), in: Incidence{Name: file}, names: map[int]lines.Word{}}
	p.Each(p.statement)
	if p.Errors() == 0 {
		p.hostEnd("source", p.source, &p.in.Source, &p.in.MoreSources)
		p.hostEnd("sink", p.sink, &p.in.Sink, &p.in.MoreSinks)
		p.nameAll()
	}
	if p.Errors() == 0 {
		if m := p.in.misfit(); m != nil && m.board >= 0 {
			p.Errorf(p.boards[m.board], "%s", m.why)
		} else if m != nil {
			p.Wholef("%s", m.why)
		}
	}
	if err := p.Err(); err != nil {
		return Incidence{}, err
	}
	return p.in, nil
}

type incidenceParser struct {
	*lines.File
	in           Incidence
	boards       []lines.Word // the name of each board
	source, sink []lines.Word
	names        map[int]lines.Word // names of PEs; never iterated over
	byName       bool               // boards list names of PEs, not numbers
}

const (
	boardShape = `"qpr NAME: PE PE PE PE"`
	nameShape  = `"pe NUMBER: NAME"`
)

func (p *incidenceParser) statement(words []lines.Word) {
	switch key := words[0].Text; key {
	case "source", "sink":
		end := &p.source
		if key == "sink" {
			end = &p.sink
		}
		switch {
		case len(words) < 2:
			p.Errorf(words[0], `expected "%s NAME" with a QPR's name, or with several`, key)
		case *end != nil:
			p.Errorf(words[0], "a second line with a %s; the first has QPR %s: give all in one line", key,
				(*end)[0].Text)
		default:
			*end = words[1:]
		}
	case "qpr", "board":
		p.board(words)
	case "pe":
		p.nameLine(words)
	default:
		p.Errorf(words[0], "%q does not begin a statement; expected source, sink, qpr, board or pe", key)
	}
}

// name checks that the second word ends in a colon, and returns it without the colon.
func (p *incidenceParser) name(words []lines.Word, shape string) (lines.Word, bool) {
	if len(words) < 3 || !strings.HasSuffix(words[1].Text, ":") || words[1].Text == ":" {
		p.Errorf(words[0], "expected %s", shape)
		return lines.Word{}, false
	}
	w := words[1]
	w.Text = strings.TrimSuffix(w.Text, ":")
	return w, true
}

func (p *incidenceParser) nameLine(words []lines.Word) {
	w, ok := p.name(words, nameShape)
	if !ok || !p.Between(words, 3, 3, nameShape) {
		return
	}
	before := p.Errors()
	pe := int(p.Whole(w, "a PE", 0, MaxPEs-1))
	if p.Errors() > before {
		return
	}
	if was, twice := p.names[pe]; twice {
		p.Errorf(w, "PE %d has a name already, %q", pe, was.Text)
		return
	}
	p.names[pe] = words[2]
}

func (p *incidenceParser) board(words []lines.Word) {
	name, ok := p.name(words, boardShape)
	if !ok {
		return
	}
	if p.boardIndex(name.Text) >= 0 {
		p.Errorf(name, "a second QPR %s", name.Text)
		return
	}
	pes := words[2:]
	if len(pes) > Ports {
		p.Errorf(pes[Ports], "QPR %s has %d PEs; a QPR has %d ports", name.Text, len(pes), Ports)
		return
	}
	b := Board{Name: name.Text, Ports: [Ports]int{noPE, noPE, noPE, noPE}}
	for i, w := range pes {
		if w.Text == "-" {
			continue
		}
		b.Ports[i] = p.pe(w)
		p.in.PEs = max(p.in.PEs, b.Ports[i]+1)
	}
	p.in.Boards, p.boards = append(p.in.Boards, b), append(p.boards, name)
}

// pe returns the PE that a word refers to. The first such word decides whether the file uses names or numbers.
func (p *incidenceParser) pe(w lines.Word) int {
	if p.in.PEs == 0 {
		p.byName = !unicode.IsDigit(rune(w.Text[0]))
	}
	if !p.byName {
		return int(p.Whole(w, `a PE, or "-" for an empty port,`, 0, MaxPEs-1))
	}
	k := slices.Index(p.in.PENames, w.Text)
	if k < 0 {
		k, p.in.PENames = len(p.in.PENames), append(p.in.PENames, w.Text)
	}
	return k
}

func (p *incidenceParser) boardIndex(board string) int {
	return slices.IndexFunc(p.in.Boards, func(b Board) bool { return b.Name == board })
}

// hostEnd sets the boards of the source or the sink.
func (p *incidenceParser) hostEnd(key string, names []lines.Word, board *int, more *[]int) {
	if names == nil {
		p.Wholef(`no %s; add a line "%s NAME"`, key, key)
	}
	for i, w := range names {
		switch q := p.boardIndex(w.Text); {
		case q < 0:
			p.Errorf(w, `the %s is QPR %s, but there is no line "qpr %s: ..."`, key, w.Text, w.Text)
		case i == 0:
			*board = q
		default:
			*more = append(*more, q)
		}
	}
}

// nameAll sets the PEs' names, if the file gives them.
func (p *incidenceParser) nameAll() {
	if len(p.names) == 0 {
		return
	}
	if p.byName {
		p.Wholef("the boards hold names of PEs already; leave the lines that begin with pe out")
		return
	}
	for pe := range p.in.PEs {
		w, ok := p.names[pe]
		switch {
		case !ok:
			p.Wholef("PE %d has no name; name all PEs or none", pe)
			return
		case slices.Contains(p.in.PENames, w.Text):
			p.Errorf(w, "a second PE %s; expected a name of its own", w.Text)
		}
		p.in.PENames = append(p.in.PENames, w.Text)
	}
	if len(p.names) > p.in.PEs {
		p.Wholef("%d PEs are named, but the boards hold only %d", len(p.names), p.in.PEs)
	}
}

func (in Incidence) boardNames(list []int) string {
	return strings.Join(lists.Of(list, func(q int) string { return in.Boards[q].Name }), " ")
}

// String returns a wiring as text that ParseIncidence can read.
func (in Incidence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %d PEs, %d QPRs\n", in.Name, in.PEs, len(in.Boards))
	fmt.Fprintf(&b, "source %s\nsink %s\n", in.boardNames(in.Sources()), in.boardNames(in.Sinks()))
	for _, q := range in.Boards {
		fmt.Fprintf(&b, "qpr %s:", q.Name)
		for _, pe := range q.Ports {
			if pe == noPE {
				b.WriteString(" -")
			} else {
				fmt.Fprintf(&b, " %d", pe)
			}
		}
		b.WriteByte('\n')
	}
	for pe, name := range in.PENames {
		fmt.Fprintf(&b, "pe %d: %s\n", pe, name)
	}
	return b.String()
}
