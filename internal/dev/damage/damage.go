// Package damage changes the saved state of a model word by word and lists the outcome of each restore. A golden file
// keeps the list, so a missing range check, or one that is off by one, is noticed.
package damage

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Names holds the names of a state's words, in the order of the walk. Words without a name are not changed.
type Names []string

// Add appends names; "name*3" stands for name[0] to name[2].
func (n *Names) Add(names ...string) {
	for _, name := range names {
		base, times, found := strings.Cut(name, "*")
		count := 0
		if !found {
			*n = append(*n, name)
			continue
		}
		if _, err := fmt.Sscan(times, &count); err != nil {
			panic(fmt.Sprintf("damage: %q: %v", name, err))
		}
		for i := range count {
			*n = append(*n, fmt.Sprintf("%s[%d]", base, i))
		}
	}
}

// Packet appends names for the words of a packet.
func (n *Names) Packet(of string) {
	for _, field := range []string{
		"data", "addr", "src", "seq", "dest.GA", "dest.CA", "kind", "match", "direct",
		"to host", "from",
	} {
		*n = append(*n, of+" "+field)
	}
}

// Omit skips words.
func (n *Names) Omit(words int) { *n = append(*n, make([]string, words)...) }

// Fields names the numbers of a struct that state.Fields visits. Fields without a name in names are skipped.
func (n *Names) Fields(x any, names map[string]string) {
	t := reflect.TypeOf(x)
	for i := range t.NumField() {
		f := t.Field(i)
		words := make([]string, f.Type.Size()/8)
		if name := names[f.Name]; name != "" {
			words[0] = name
		}
		*n = append(*n, words...)
	}
}

// Table restores the state with every named word set to many values, one at a time, and lists for each word the answers
// to its values. The values are near 0, near powers of two, near the word's own value and near the given ones. The
// first line of a word is "name = value".
func Table(saved []byte, names Names, near []uint64, restore func(b []byte) error) string {
	if len(names) > len(saved)/8 {
		return fmt.Sprintf("%d names for %d words\n", len(names), len(saved)/8)
	}
	var out strings.Builder
	for i, name := range names {
		if name == "" {
			continue
		}
		word := saved[8*i : 8*i+8]
		own := binary.LittleEndian.Uint64(word)
		fmt.Fprintf(&out, "%s = %d\n", name, own)
		changed := slices.Clone(saved)
		var spans []span
		for _, v := range values(append(slices.Clip(near), own)) {
			binary.LittleEndian.PutUint64(changed[8*i:], v)
			answer := "fine"
			if err := restore(changed); err != nil {
				answer = err.Error()
			}
			if last := len(spans) - 1; last >= 0 && alike(spans[last].answer, answer) {
				spans[last].to = v
			} else {
				spans = append(spans, span{v, v, answer})
			}
		}
		for _, s := range spans {
			fmt.Fprintf(&out, "  %s: %s\n", s.values(), s.answer)
		}
	}
	return out.String()
}

// A span is a range of values with the same answer.
type span struct {
	from, to uint64
	answer   string
}

func (s span) values() string {
	if s.from == s.to {
		return number(s.from)
	}
	return number(s.from) + " .. " + number(s.to)
}

// number formats values from 2^63 on as negative numbers, and other large values in hexadecimal.
func number(v uint64) string {
	if v>>63 != 0 {
		return fmt.Sprintf("-%d", -v)
	}
	if v >= 1<<16 {
		return fmt.Sprintf("%#x", v)
	}
	return fmt.Sprint(v)
}

// values returns the values for a word, ascending.
func values(near []uint64) []uint64 {
	list := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	for _, bits := range []int{4, 5, 6, 8, 16, 18, 31, 32, 63} {
		list = append(list, 1<<bits-1, 1<<bits)
	}
	for _, v := range append(near, 0) {
		list = append(list, v-1, v, v+1)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// digits matches numbers, decimal and hexadecimal.
var digits = regexp.MustCompile("[0-9a-fx-]+")

// alike reports whether two answers differ only in numbers.
func alike(a, b string) bool { return digits.ReplaceAllString(a, "") == digits.ReplaceAllString(b, "") }
