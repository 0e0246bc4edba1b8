package gotype

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Values are words as numbers and booleans, one for each word: int32, uint32, float32 or bool. Words of types int and
// uint, or without a type, become int64 and uint64.
type Values []any

// MarshalJSON writes the digits that Go prints. A float always has a point or an exponent, so that readers do not take
// it for an integer. NaN and infinities are the strings "NaN", "+Inf" and "-Inf".
func (v Values) MarshalJSON() ([]byte, error) {
	list := make([]any, len(v))
	for i, x := range v {
		f, isReal := x.(float32)
		text := fmt.Sprint(x)
		switch {
		case !isReal:
			list[i] = x
		case f != f || math.IsInf(float64(f), 0):
			list[i] = text
		case strings.ContainsAny(text, ".e"):
			list[i] = json.Number(text)
		default:
			list[i] = json.Number(text + ".0")
		}
	}
	return json.Marshal(list)
}

// ValuesOf returns the values of words that have the given number of bits. Words in excess of the type become unsigned
// integers.
func ValuesOf(text string, words []uint64, bits uint8) (list Values) {
	w := walk{
		words: words, most: len(words), bits: bits, value: func(v any) { list = append(list, v) },
		sign: func(string) {},
	}
	w.results(text)
	return list
}

// Text returns the values as fmt.Println prints them, but at most `most` of them. If there are more, it says how many
// words there are.
func Text(text string, words []uint64, most int, bits uint8) string {
	var b strings.Builder
	w := walk{
		words: words, most: most, bits: bits, value: func(v any) { fmt.Fprint(&b, v) },
		sign: func(s string) { b.WriteString(s) },
	}
	w.results(text)
	return b.String()
}

// walk visits words as values of a type.
type walk struct {
	words []uint64
	next  int // index of the next word
	most  int // number of values to visit; a note stands for the others
	bits  uint8
	value func(v any)
	sign  func(s string) // brackets, spaces
}

func (w *walk) over() bool { return w.next >= len(w.words) }

// results visits the values of the type, and then the words in excess of it.
func (w *walk) results(text string) {
	list, _ := read(text) // if the text is not a type, the words have none
	for i := range list {
		if w.begins(i, list[i].words) {
			w.part(&list[i])
		}
	}
	for rest := (part{kind: "", words: 1}); !w.over(); {
		w.begins(w.next, 1)
		w.part(&rest)
	}
}

// begins visits the space before value i of a list. It reports whether there is a word for the value.
func (w *walk) begins(i, words int) bool {
	if w.over() && words > 0 {
		return false
	}
	if i > 0 {
		w.sign(" ")
	}
	return true
}

func (w *walk) part(p *part) {
	switch {
	case p.ends != "":
		w.sign(p.ends[:1])
		for i := 0; i != p.n && w.begins(i, p.at(i).words); i++ {
			w.part(p.at(i))
		}
		w.sign(p.ends[1:])
	case w.next == w.most:
		w.sign(fmt.Sprintf("... %d words", len(w.words)))
		w.next = len(w.words)
	default:
		w.value(valueOf(p.kind, w.words[w.next], w.bits))
		w.next++
	}
}

// valueOf returns a word as a value of the given kind.
func valueOf(kind string, word uint64, bits uint8) any {
	switch kind {
	case "int32":
		return int32(word)
	case "uint32":
		return uint32(word)
	case "float32":
		return math.Float32frombits(uint32(word))
	case "bool":
		return word != 0
	case "int":
		return int64(word<<(64-bits)) >> (64 - bits)
	}
	return word
}
