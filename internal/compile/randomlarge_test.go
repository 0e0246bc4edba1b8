package compile_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostHanded bounds the words of the parameters of many, without n, and of its results together.
const mostHanded = 62

// crowd is what a writer of large functions knows besides.
type crowd struct {
	forms   map[string]int // how often each has been drawn
	params  []kindOf       // of many
	results []kindOf
	limit   string // the error that the program is refused with, or ""
}

// kindOf is a type of variables, and their number of words.
type kindOf struct {
	name  string
	words int
}

var kindsOf = []kindOf{{"int32", 1}, {"uint32", 1}, {"float32", 1}, {"bool", 1}, {"small", 2}, {"[4]uint32", 4}, {"point", 4}, {"[2]point", 8}, {"shape", 13}}

// largeProgram returns a random program whose functions need about as much as an operand segment has, or more.
// It also returns the error that the program is refused with, and the forms that it has drawn.
func largeProgram(seed uint64) (src string, runs [][]int64, limit string, drawn map[string]int) {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 37)), crowd: &crowd{forms: map[string]int{}}}
	src = w.program()
	for range 2 {
		runs = append(runs, []int64{1 + w.Int64N(3), w.Int64N(2000) - 1000, w.Int64N(1 << 32)})
	}
	return src, runs, w.crowd.limit, w.crowd.forms
}

// drew counts a form.
func (w *writer) drew(form string) { w.crowd.forms[form]++ }

// valueOf returns an expression of a type.
func (w *writer) valueOf(k kindOf) string {
	for t, name := range typeNames {
		if name == k.name {
			return w.expr(t, 1)
		}
	}
	switch k.name {
	case "small":
		return fmt.Sprintf("(small{%s, %s})", w.expr(float, 1), w.expr(truth, 1))
	case "[4]uint32":
		return w.words(unsigned)
	case "point":
		return w.structure(nil)
	case "[2]point":
		return fmt.Sprintf("[2]point{%s, corners[%s%%3]}", w.structure(nil), w.expr(unsigned, 1))
	}
	return fmt.Sprintf("unit.bent(%s)", w.expr(unsigned, 1))
}

// know makes the words of a variable known.
func (w *writer) know(name string, k kindOf) {
	see := func(t int, name string) {
		w.vars, w.own = w.vars.with(t, name), w.own.with(t, name)
	}
	for t, of := range typeNames {
		if of == k.name {
			see(t, name)
		}
	}
	switch k.name {
	case "small":
		see(float, name+".w")
		see(truth, name+".ok")
	case "[4]uint32":
		w.arrays = w.arrays.with(unsigned, name)
	case "point":
		for t, field := range []string{".x", ".y", ".in.w", ".in.ok"} {
			see(t, name+field)
		}
	case "[2]point":
		w.partsOf(name)
	case "shape":
		see(unsigned, name+".n")
		w.arrays = w.arrays.with(signed, name+".row")
		w.partsOf(name + ".at")
	}
}

// typesOf draws types that have about the given number of words together.
func (w *writer) typesOf(words int) (list []kindOf) {
	few := truth + 1 + w.IntN(len(kindsOf)-truth) // words alone, or other types, too
	for words > 0 {
		k := kindsOf[w.IntN(few)]
		if k.words <= words {
			list = append(list, k)
		}
		words -= min(k.words, words)
	}
	return list
}

func wordsOf(list []kindOf) (n int) {
	for _, k := range list {
		n += k.words
	}
	return n
}

// locals declares variables that are live to the end of the function.
func (w *writer) locals() {
	list := w.typesOf([]int{0, 8, 16, 24, 32, 40, 48, 56, 80}[w.IntN(9)])
	w.scope = map[string]int{}
	for _, k := range list {
		v := w.name("v")
		w.line("%s := %s(%s)", v, k.name, w.valueOf(k))
		w.line("_ = %s", v)
		w.know(v, k)
		w.drew("local_" + k.name)
	}
}

// work returns a call that makes an instance.
func (w *writer) work(t int) string {
	if w.one(6) {
		return w.call(t, 0)
	}
	return fmt.Sprintf("slow%d(%s, %s)", t, w.expr(signed, 1), w.expr(t, 1))
}

// entryCrowd makes the entry call many, and have the forms of large functions, now and then.
func (w *writer) entryCrowd() {
	if w.crowd.limit != "" || w.one(2) {
		w.many()
	}
	if w.one(3) {
		w.crowded()
	}
}

// crowded declares many variables, and writes some of the forms of large functions.
func (w *writer) crowded() {
	w.locals()
	forms := []func(){w.manyCalls, w.manyCalls, w.floats, w.loopOf, w.loopOf, w.loopOf, w.many, w.many, w.shapesTogether, w.pictures}
	if w.df {
		forms = append(forms, w.sumOf, w.sumOf, w.sumOf, w.gets)
	}
	for range 1 + w.IntN(2) {
		forms[w.IntN(len(forms))]()
	}
}

// countSegments counts functions by the number of segments that their instances have.
func countSegments(text string, sizes map[int]int) {
	list := map[string]int{}
	for _, name := range regexp.MustCompile(`(?m)^ *\.template (\S+)`).FindAllStringSubmatch(text, -1) {
		f, _, _ := strings.Cut(name[1], ".more")
		list[f]++
	}
	for _, n := range list {
		sizes[n]++
	}
}

// Two hundred large random programs have every form at least six times.
func TestRandomLargeForms(t *testing.T) {
	drawn := map[string]int{}
	for seed := range uint64(200) {
		_, _, _, forms := largeProgram(seed)
		for form, n := range forms {
			drawn[form] += n
		}
	}
	for form := range strings.FieldsSeq(`
		local_int32 local_uint32 local_float32 local_bool local_small local_[4]uint32 local_point local_[2]point local_shape
		parameter_int32 parameter_uint32 parameter_float32 parameter_bool parameter_small parameter_[4]uint32 parameter_point parameter_[2]point parameter_shape
		result_int32 result_uint32 result_float32 result_bool result_small result_[4]uint32 result_point refused
		words_handed_0 words_handed_16 words_handed_32 calls_together_8 calls_together_16 calls_together_24 calls_together_0 calls_of_an_assignment float_sum
		head_0 head_1 head_2 head_3 head_4 head_5 sums_1 sums_2 sums_3 added_0 added_1 added_2 added_3 added_4 added_5 added_6 floats_added turn_that_is_left
		parallel_int32 parallel_uint32 parallel_float32 turns_with_calls turns_with_words turns_with_loop turns_with_stream turns_with_items
		reads_together structures_together streams_together`) {
		require.GreaterOrEqual(t, drawn[form], 6, form)
	}
}
