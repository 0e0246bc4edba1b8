package mnc

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ParseIncidence reads a wiring from text, one statement per line, and
// validates it; file names the text in errors, which are *Usage.
//
//	# comment
//	source 26                  the QPR that the host feeds; several are possible
//	sink 38                    the QPR that the host empties
//	qpr 22: 0 4 8 12           a QPR and the PE at each port, "-" for an empty one
//	pe 0: 11                   a PE's name on drawings (optional, then for all)
//
// PEs are numbered from 0; the file has as many as the largest number says.
// The order of boards and ports is the order in which PEs look at their
// neighbours.
func ParseIncidence(r io.Reader, file string) (Incidence, error) {
	p := incidenceParser{in: Incidence{Name: file}, file: file, names: map[int]string{}}
	s := bufio.NewScanner(r)
	for s.Scan() {
		p.line++
		text, _, _ := strings.Cut(s.Text(), "#")
		if words := strings.Fields(text); len(words) > 0 {
			if err := p.statement(words); err != nil {
				return Incidence{}, err
			}
		}
	}
	if err := s.Err(); err != nil {
		return Incidence{}, usagef("%s: %v", file, err)
	}
	if err := p.finish(); err != nil {
		return Incidence{}, err
	}
	if err := p.in.Validate(); err != nil {
		return Incidence{}, usagef("%s: %s", file, strings.TrimPrefix(err.Error(), "mnc: "))
	}
	return p.in, nil
}

type incidenceParser struct {
	in           Incidence
	file         string
	line         int
	source, sink []string
	names        map[int]string // looked up by number only
}

func (p *incidenceParser) errorf(format string, args ...any) error {
	return usagef("%s:%d: %s", p.file, p.line, fmt.Sprintf(format, args...))
}

func (p *incidenceParser) statement(words []string) error {
	switch key := words[0]; key {
	case "source", "sink":
		if len(words) < 2 {
			return p.errorf("expected \"%s NAME\" with a QPR's name, or with several", key)
		}
		end := &p.source
		if key == "sink" {
			end = &p.sink
		}
		if *end != nil {
			return p.errorf("a second line with a %s; the first has QPR %s: give all in one line", key, (*end)[0])
		}
		*end = words[1:]
		return nil
	case "qpr":
		return p.board(words)
	case "pe":
		if len(words) != 3 || !strings.HasSuffix(words[1], ":") {
			return p.errorf("expected \"pe NUMBER: NAME\"")
		}
		pe, err := p.number(strings.TrimSuffix(words[1], ":"))
		if err != nil {
			return err
		}
		if was, twice := p.names[pe]; twice {
			return p.errorf("PE %d has a name already, %q", pe, was)
		}
		p.names[pe] = words[2]
		return nil
	default:
		return p.errorf("%q does not begin a statement; expected source, sink, qpr or pe", key)
	}
}

func (p *incidenceParser) board(words []string) error {
	if len(words) < 3 || !strings.HasSuffix(words[1], ":") || words[1] == ":" {
		return p.errorf("expected \"qpr NAME: PE PE PE PE\"")
	}
	b := Board{Name: strings.TrimSuffix(words[1], ":"), Ports: [Ports]int{noPE, noPE, noPE, noPE}}
	if p.find(b.Name) >= 0 {
		return p.errorf("a second QPR %s", b.Name)
	}
	pes := words[2:]
	if len(pes) > Ports {
		return p.errorf("QPR %s has %d PEs; a QPR has %d ports", b.Name, len(pes), Ports)
	}
	for i, w := range pes {
		if w == "-" {
			continue
		}
		pe, err := p.number(w)
		if err != nil {
			return err
		}
		b.Ports[i] = pe
		p.in.PEs = max(p.in.PEs, pe+1)
	}
	p.in.Boards = append(p.in.Boards, b)
	return nil
}

func (p *incidenceParser) number(w string) (int, error) {
	pe, err := strconv.Atoi(w)
	if err != nil || pe < 0 || pe >= MaxPEs {
		return 0, p.errorf("%q is not a PE; expected a number from 0 to %d", w, MaxPEs-1)
	}
	return pe, nil
}

func (p *incidenceParser) find(board string) int {
	return slices.IndexFunc(p.in.Boards, func(b Board) bool { return b.Name == board })
}

func (p *incidenceParser) finish() error {
	for _, end := range [...]struct {
		key   string
		names []string
		board *int
		more  *[]int
	}{{"source", p.source, &p.in.Source, &p.in.MoreSources}, {"sink", p.sink, &p.in.Sink, &p.in.MoreSinks}} {
		if end.names == nil {
			return usagef("%s: no %s; add a line \"%s NAME\"", p.file, end.key, end.key)
		}
		for i, name := range end.names {
			q := p.find(name)
			switch {
			case q < 0:
				return usagef("%s: the %s is QPR %s, but there is no line \"qpr %s: ...\"", p.file, end.key, name, name)
			case i == 0:
				*end.board = q
			default:
				*end.more = append(*end.more, q)
			}
		}
	}
	if len(p.names) == 0 {
		return nil
	}
	for pe := range p.in.PEs {
		name, ok := p.names[pe]
		if !ok {
			return usagef("%s: PE %d has no name; name all PEs or none", p.file, pe)
		}
		p.in.PENames = append(p.in.PENames, name)
	}
	if len(p.names) > p.in.PEs {
		return usagef("%s: %d PEs are named, but the boards hold only %d", p.file, len(p.names), p.in.PEs)
	}
	return nil
}

func (in Incidence) boardNames(list []int) []string {
	names := make([]string, len(list))
	for i, q := range list {
		names[i] = in.Boards[q].Name
	}
	return names
}

// String writes a wiring as ParseIncidence reads it.
func (in Incidence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %d PEs, %d QPRs\n", in.Name, in.PEs, len(in.Boards))
	fmt.Fprintf(&b, "source %s\nsink %s\n", strings.Join(in.boardNames(in.Sources()), " "), strings.Join(in.boardNames(in.Sinks()), " "))
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
