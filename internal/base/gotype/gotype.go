// Package gotype formats words of the machine as values of Go types, as fmt.Println does: results of programs, and
// variables in the debugger. A type is written as follows:
//
//	int32 uint32 float32 bool  a word
//	int uint                   a word of the machine, which has 32 or 64 bits
//	[3]T {T T}                 an array, a structure
//	[]T                        all remaining words, as elements
//	T, T                       several results
//
// An empty type means that the program declares no result type; its words are unsigned integers.
//
//	gotype.go  types
//	value.go   words as values of a type
package gotype

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a type.
const (
	MostText  = 1000    // characters [chosen]
	MostWords = 1 << 18 // of a value: one for each word of a PE's memory
)

// kinds lists the types that have one word.
var kinds = []string{"int32", "uint32", "float32", "bool", "int", "uint"}

// part is a parsed type: a word, or a list of parts in brackets.
type part struct {
	kind  string // of a word
	ends  string // the brackets, "[]" or "{}"
	n     int    // number of parts; -1 for any number
	parts []part // of an array, only the element type
	words int    // in total; -1 for any number
}

// at returns part i. All parts of an array are the one element type.
func (p *part) at(i int) *part { return &p.parts[min(i, len(p.parts)-1)] }

// String returns the type in its canonical form.
func (p *part) String() string {
	switch {
	case p.ends == "{}":
		return "{" + joined(p.parts, " ") + "}"
	case p.n < 0:
		return "[]" + p.at(0).String()
	case p.ends == "[]":
		return fmt.Sprintf("[%d]%s", p.n, p.at(0))
	}
	return p.kind
}

func joined(list []part, between string) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = list[i].String()
	}
	return strings.Join(texts, between)
}

// Check returns the canonical form of a list of result types, or an error that says what is wrong.
func Check(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	list, err := read(text)
	if err != nil {
		return "", err
	}
	words := 0
	for i := range list {
		p := &list[i]
		if words += p.words; p.words < 0 && i < len(list)-1 {
			return "", fmt.Errorf("%s takes all words that come: nothing can follow it", p)
		}
	}
	if words == 0 {
		return "", fmt.Errorf("a value of type %s has no words", joined(list, ", "))
	}
	return joined(list, ", "), nil
}

// Words returns the number of words in a value of a type. It reports false if the text is not a single type, or if the
// type, such as []T, has no fixed number of words.
func Words(text string) (n int, ok bool) {
	list, err := read(text)
	if err != nil || len(list) != 1 || list[0].words < 0 {
		return 0, false
	}
	return list[0].words, true
}

// reader is the unread rest of a type's text.
type reader string

// read parses a list of types.
func read(text string) (list []part, err error) {
	if len(text) > MostText {
		return nil, fmt.Errorf("the type is longer than %d characters", MostText)
	}
	for r := reader(text); ; {
		p, err := r.part(false)
		if err != nil {
			return nil, err
		}
		if list = append(list, p); r.take("") && r == "" {
			return list, nil
		}
		if !r.take(",") {
			return nil, fmt.Errorf("expected a comma or the end after %s, found %q", &p, r)
		}
	}
}

// take skips spaces, and consumes text if it is next. It reports whether it was.
func (r *reader) take(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(string(*r), " \t"), text)
	if ok {
		*r = reader(rest)
	}
	return ok
}

// word skips spaces, then reads and returns lowercase letters and digits.
func (r *reader) word() string {
	r.take("")
	n := strings.IndexFunc(string(*r)+" ", func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	word := string((*r)[:n])
	*r = (*r)[n:]
	return word
}

// part reads a word, an array or a structure.
func (r *reader) part(inside bool) (p part, err error) {
	switch {
	case r.take("["):
		p.ends, p.n = "[]", -1
		if !r.take("]") {
			size := r.word()
			if p.n, err = strconv.Atoi(size); err != nil || p.n > MostWords || !r.take("]") {
				return p, fmt.Errorf("expected the size of an array, as in [3]int32, found [%s%s", size, *r)
			}
		} else if inside {
			return p, fmt.Errorf("[] takes all words that come, and cannot be part of another type")
		}
		elem, err := r.part(true)
		p.parts, p.words = []part{elem}, p.n*elem.words
		if p.n < 0 {
			p.words = -1
		}
		if err == nil && p.n < 0 && elem.words == 0 {
			err = fmt.Errorf("a value of type %s has no words", &elem)
		}
		return p, checked(&p, err)
	case r.take("{"):
		p.ends = "{}"
		for ; !r.take("}"); p.n++ {
			field, err := r.part(true)
			p.parts, p.words = append(p.parts, field), p.words+field.words
			if err = checked(&p, err); err != nil {
				return p, err
			}
		}
		return p, nil
	}
	p.words = 1
	if p.kind = r.word(); !slices.Contains(kinds, p.kind) {
		return p, fmt.Errorf("expected %s, [N]T, []T or {T T}, found %q", strings.Join(kinds, ", "), p.kind+string(*r))
	}
	return p, nil
}

// checked returns err or, if that is nil, an error for a type that is too large.
func checked(p *part, err error) error {
	if err == nil && p.words > MostWords {
		return fmt.Errorf("a value has more than %d words", MostWords)
	}
	return err
}
