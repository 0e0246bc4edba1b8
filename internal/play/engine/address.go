package engine

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/omega"
)

// plain matches text that needs no escaping in an address.
var plain = regexp.MustCompile(`^[\w.-]+$`)

// Address returns the view as a readable link, such as run/fib/16/80?clock=1600&pe=0.4: program, arguments, size, and
// other settings. The keys of a second run begin with "b."; its program is b, and without b it is the first run with
// these changes. The rest of the view, such as a changed text and marks, follows in packed form.
func (v *View) Address() (string, error) {
	q := query{}
	set := func(key, value string) {
		if value != "" {
			q[key] = value
		}
	}
	of := func(prefix string, s *Setup) {
		for k, x := range s.Params {
			set(prefix+k, x)
		}
		for k, x := range s.Sets {
			set(prefix+"set."+k, x)
		}
		if s.Seed > 1 {
			set(prefix+"seed", strconv.FormatUint(s.Seed, 10))
		}
	}
	path := v.Setup.path()
	kind := "run/"
	of("", &v.Setup)
	if v.Versus != nil {
		kind = "compare/"
		set("b", v.Versus.path())
		of("b.", v.Versus)
	}
	if v.Clock > 0 {
		set("clock", strconv.FormatUint(v.Clock, 10))
	}
	if v.PE != nil {
		set("pe", v.Setup.peAddress(*v.PE))
	}
	for _, x := range v.textParts() {
		set(x.key, *x.word)
	}
	if path == "" || v.Versus != nil && v.Versus.path() == "" || len(v.Marks) > 0 {
		packed, err := v.Link()
		if err != nil || path == "" {
			return packed, err
		}
		set("packed", packed)
	}
	if len(q) == 0 {
		return kind + path, nil
	}
	return kind + path + "?" + q.encode(), nil
}

// word is a part of a view that consists of a word.
type word struct {
	key  string
	word *string
}

func (v *View) textParts() []word {
	return []word{
		{"mode", &v.Mode},
		{"stage", &v.Stage},
		{"tab", &v.Tab},
		{"colour", &v.Colour},
		{"lesson", &v.Lesson},
		{"side", &v.Side},
	}
}

// path returns program, arguments and size, or "" if they do not fit into a path.
func (s *Setup) path() string {
	list := append([]string{strings.TrimSuffix(s.Main, ".s")}, s.Args...)
	for _, x := range list {
		if !plain.MatchString(x) {
			return ""
		}
	}
	if len(s.Files) > 0 {
		return ""
	}
	return strings.Join(append(list, strconv.Itoa(s.size())), "/")
}

func (s *Setup) size() int {
	if s.PEs == 0 {
		return em4.Prototype80().PEs
	}
	return s.PEs
}

// peAddress returns the address of a PE, such as 0.4 for [0,4].
func (s *Setup) peAddress(pe int) string {
	t, err := omega.ForPEs(s.size())
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d.%d", pe/t.Members, pe%t.Members)
}

// ReadAddress returns the view of an address. It also accepts a packed Link.
func ReadAddress(text string) (*View, error) {
	text = strings.TrimPrefix(text, "#")
	kind, rest, _ := strings.Cut(text, "/")
	if kind != "run" && kind != "compare" {
		return ReadLink(text)
	}
	path, after, _ := strings.Cut(rest, "?")
	q, ok := parseQuery(after)
	if !ok {
		return nil, broken("its part after the ? cannot be read")
	}
	if packed := q["packed"]; packed != "" {
		return ReadLink(packed)
	}
	v := &View{}
	var err error
	if v.Setup, err = readPath(path); err != nil {
		return nil, err
	}
	second := strings.TrimSuffix(q["b"], "/")
	if kind == "compare" {
		b, err := readPath(cmp.Or(second, path))
		if err != nil {
			return nil, err
		}
		v.Versus = &b
	}
	words := map[string]*string{}
	for _, x := range v.textParts() {
		words[x.key] = x.word
	}
	for _, key := range slices.Sorted(maps.Keys(q)) {
		value, setup, name := q[key], &v.Setup, key
		if b, ok := strings.CutPrefix(key, "b."); ok && v.Versus != nil {
			setup, name = v.Versus, b
		}
		number, notNumber := strconv.ParseUint(value, 10, 63)
		knob, isKnob := strings.CutPrefix(name, "set.")
		switch {
		case key == "b" && v.Versus != nil:
		case words[key] != nil:
			*words[key] = value
		case key == "pe":
			if v.PE, err = v.Setup.readPlace(value); err != nil {
				return nil, err
			}
		case (key == "clock" || name == "seed") && notNumber != nil:
			return nil, broken(fmt.Sprintf("%s is %q, which is not a number", key, value))
		case key == "clock":
			v.Clock = number
		case name == "seed":
			setup.Seed = number
		case isKnob:
			put(&setup.Sets, knob, value)
		default:
			put(&setup.Params, name, value)
		}
	}
	if v.Versus != nil && second == "" {
		v.Versus.inherit(&v.Setup)
	}
	return v, nil
}

// inherit takes the settings of another run that this one does not have itself.
func (s *Setup) inherit(from *Setup) {
	for k, x := range from.Params {
		if _, own := s.Params[k]; !own {
			put(&s.Params, k, x)
		}
	}
	for k, x := range from.Sets {
		if _, own := s.Sets[k]; !own {
			put(&s.Sets, k, x)
		}
	}
	s.Seed = cmp.Or(s.Seed, from.Seed)
}

func put(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

// readPath parses the result of path.
func readPath(path string) (Setup, error) {
	list := strings.Split(path, "/")
	pes, err := strconv.Atoi(list[len(list)-1])
	if err != nil || len(list) < 2 || list[0] == "" {
		return Setup{}, broken(fmt.Sprintf("%q is not a program with arguments and a size, as in fib/16/80", path))
	}
	s := Setup{Main: list[0], Args: list[1 : len(list)-1], PEs: pes}
	if !strings.Contains(s.Main, ".") {
		s.Main += ".s"
	}
	return s, nil
}

// readPlace parses the address of a PE.
func (s *Setup) readPlace(text string) (*int, error) {
	t, err := omega.ForPEs(s.size())
	if err != nil {
		return nil, nil // the machine reports what is wrong with its size
	}
	group, member, _ := strings.Cut(text, ".")
	g, notGroup := strconv.Atoi(group)
	c, notMember := strconv.Atoi(member)
	if notGroup != nil || notMember != nil || g < 0 || g >= t.Groups || c < 0 || c >= t.Members {
		return nil, broken(fmt.Sprintf("pe is %q, not a group and a member, as in 0.4", text))
	}
	pe := g*t.Members + c
	return &pe, nil
}

// broken returns an error about a link.
func broken(why string) error {
	return simerr.Usagef("the link is broken: %s; ask for it again, or begin with a program", why)
}
