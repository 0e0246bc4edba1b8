package engine

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"

	"emsim/internal/play/engine/markup"
)

// field adds a row for a parameter or a knob to the dialog. kind and key identify it; about describes it. If values is
// empty, the row is a text field.
func (s *sheet) field(kind, key, usual, value string, values []string, about string) {
	other := ""
	if value != usual {
		other = " other"
	}
	s.Add(`<div class="knob%s"><label for="knob-%s-%s">%[3]s</label>`, other, kind, key)
	data := markup.Format(`id="knob-%s-%s" data-key="%[2]s" data-kind="%[1]s" data-usual="%[3]s"`, kind, key, usual)
	if len(values) == 0 {
		s.Add(`<input %s autocomplete="off" value="%s">`, data, value)
	} else {
		s.Add("<select %s>", data)
		for _, v := range values {
			selected := ""
			if v == value {
				selected = " selected"
			}
			s.Add("<option%s>%s</option>", selected, v)
		}
		s.WriteString("</select>")
	}
	s.Add("<small>%s</small></div>", about)
}

// described describes a value: what it means, its range, and its usual value, unless that is unknown.
func described(doc, inRange, usual string) string {
	if doc != "" {
		doc = strings.ToUpper(doc[:1]) + doc[1:] + ". "
	}
	if inRange != "" {
		inRange += "; "
	}
	if usual == "" {
		return strings.TrimSuffix(doc+inRange, "; ")
	}
	return doc + inRange + "usually " + usual
}

// form returns the fields of the dialog: the parameters of the program, the seed and the knobs of the machine. The
// usual value of a parameter of a Go program is known once the program has been built without setting it.
func (s *Session) form(params []Param) string {
	x := &s.setup
	if s.usual.main != x.Main {
		s.usual.main, s.usual.values, s.usual.params = x.Main, map[string]string{}, nil
	}
	if len(params) > 0 { // a program with errors keeps the parameters that it had before
		s.usual.params = params
	}
	b := &sheet{}
	b.WriteString("<h3>Program</h3>")
	for i := range s.usual.params {
		p := &s.usual.params[i]
		value, given := x.Params[p.Name]
		if !given {
			value, s.usual.values[p.Name] = p.Chosen, p.Chosen
		}
		usual, known := s.usual.values[p.Name]
		if !known { // another session, or a link, chose it
			usual = s.setup.usual(p.Name)
			s.usual.values[p.Name] = usual
		}
		limits := ""
		if len(p.Values) == 0 {
			limits = fmt.Sprintf("%d to %d", p.Min, p.Max)
		}
		b.field("param", p.Name, usual, value, p.Values, described(p.Doc, limits, usual))
	}
	b.field("seed", "seed", "1", strconv.FormatUint(max(1, x.Seed), 10), nil, "of the random choices")
	b.WriteString("<h3>Machine</h3>")
	list := knobs()
	for i := range list {
		k := &list[i]
		value, given := x.Sets[k.Key]
		if !given {
			value = k.Default
		}
		values := k.Values
		if len(values) == 0 && (k.Default == "true" || k.Default == "false") {
			values = []string{"true", "false"}
		}
		b.field("set", k.Key, k.Default, value, values,
			described(k.Doc, strings.TrimSpace(k.Range+" "+k.Unit), k.Default)+". "+k.Source)
	}
	return b.String()
}

// usual returns the default of a parameter of a program in assembly, or "" if it is unknown.
func (s Setup) usual(param string) string {
	s.Params = nil
	if o, err := s.assemble(); err == nil && path.Ext(s.Main) != ".go" {
		return o.Chosen()[param]
	}
	return ""
}

// usual holds what is known about the parameters of a program.
type usual struct {
	main   string
	params []Param
	values map[string]string // the usual values, by name
}

// knobs returns the knobs of the machine.
func knobs() []Knob {
	base := em4.Prototype80()
	var list []Knob
	for _, r := range knob.Bind(em4.Knobs(), &base) {
		if r.Key != "pes" { // the page has its own control for it
			list = append(list, Knob{r.Key, r.Unit, r.Range(), r.Values, fmt.Sprint(r.JSON()), r.Doc, r.Source})
		}
	}
	return list
}

// changes holds a setup and changes to it.
type changes struct {
	Setup   Setup    `json:"setup"`
	Changes []string `json:"changes"` // such as policy=line
}

// made returns the changed setup.
func (c *changes) made() *Setup {
	s := c.Setup
	s.Params, s.Sets = maps.Clone(s.Params), maps.Clone(s.Sets)
	for _, word := range c.Changes {
		key, value, _ := strings.Cut(word, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		name, isKnob := strings.CutPrefix(key, "set.")
		isKnob = isKnob || slices.ContainsFunc(knobs(), func(k Knob) bool { return k.Key == key })
		switch {
		case key == "main":
			s.Main = value
		case key == "args":
			s.Args = strings.Split(value, ",")
		case key == "pes":
			s.PEs, _ = strconv.Atoi(value)
		case key == "seed":
			s.Seed, _ = strconv.ParseUint(value, 10, 64)
		case isKnob:
			put(&s.Sets, name, value)
		default:
			put(&s.Params, name, value)
		}
	}
	return &s
}

// Runs is a run that a line names, and perhaps a second one to compare it with.
type Runs struct {
	Setup  *Setup `json:"setup"` // nil if the line names no program, or has words that are not understood
	Versus *Setup `json:"vs,omitempty"`
}

// ReadRuns parses a line such as "fib 20 on 80, policy=line | mlpe=on". It also takes the flags of 'emsim run'. The part
// after the bar lists what differs in the second run.
func ReadRuns(line string) *Runs {
	first, second, two := strings.Cut(line, "|")
	words := changeWords(strings.TrimPrefix(strings.TrimSpace(first), "emsim run "))
	if len(words) == 0 {
		return &Runs{}
	}
	p, ok := lists.Find(offered(), func(p Program) bool { return p.Name == words[0] || p.Main == words[0] })
	if !ok {
		return &Runs{}
	}
	s, args, given := Setup{Main: p.Main, Args: p.Args}, []string(nil), []string(nil)
	for _, word := range words[1:] {
		if _, err := strconv.Atoi(word); err == nil {
			args = append(args, word)
		} else if strings.Contains(word, "=") {
			given = append(given, word)
		} else {
			return &Runs{}
		}
	}
	if args != nil {
		s.Args = args
	}
	x := &Runs{Setup: (&changes{s, given}).made()}
	if two {
		x.Versus = (&changes{*x.Setup, changeWords(second)}).made()
	}
	return x
}

// spelled matches the forms of a change that are written with blanks: "on 80 PEs", "--policy line", "banks = 2".
var spelled = regexp.MustCompile(`\bon\s+(\d+)(?:\s+PEs)?|--(mlpe)\b|--(\S+?)[=\s]\s*(\S+)|\s*=\s*`)

// changeWords returns the words of a line, with every change as KEY=VALUE.
func changeWords(line string) []string {
	line = spelled.ReplaceAllStringFunc(line, func(text string) string {
		switch m := spelled.FindStringSubmatch(text); {
		case m[1] != "":
			return "pes=" + m[1]
		case m[2] != "":
			return "mlpe=on"
		case m[3] == "set" || m[3] == "param":
			return m[4]
		case m[3] != "":
			return m[3] + "=" + m[4]
		}
		return "="
	})
	return strings.FieldsFunc(line, func(c rune) bool { return c == ',' || unicode.IsSpace(c) })
}
