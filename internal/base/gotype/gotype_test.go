package gotype

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Values of all types are printed as fmt.Println prints Go values. Go's own structures and arrays are the oracle.
func TestText(t *testing.T) {
	type pair struct {
		x float32
		y bool
	}
	real := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	minus := uint64(math.MaxUint32 - 1)
	zero := float32(0)
	for _, c := range []struct {
		kind  string
		words []uint64
		want  []any
	}{
		{"int32", []uint64{minus}, []any{int32(-2)}},
		{"uint32", []uint64{minus}, []any{uint32(minus)}},
		{"int", []uint64{minus}, []any{-2}},
		{"uint", []uint64{minus}, []any{minus}},
		{"bool", []uint64{1}, []any{true}},
		{"bool", []uint64{0}, []any{false}},
		{"float32", []uint64{real(1.5)}, []any{float32(1.5)}},
		{"float32", []uint64{real(0.1)}, []any{float32(0.1)}},
		{"float32", []uint64{real(-zero) | 1<<31}, []any{float32(math.Copysign(0, -1))}},
		{"float32", []uint64{real(1e20)}, []any{float32(1e20)}},
		{"float32", []uint64{real(1e21)}, []any{float32(1e21)}},
		{"float32", []uint64{real(16777216)}, []any{float32(16777216)}},
		{"float32", []uint64{1}, []any{math.Float32frombits(1)}},
		{"float32", []uint64{real(math.MaxFloat32)}, []any{float32(math.MaxFloat32)}},
		{"float32", []uint64{real(float32(math.Inf(-1)))}, []any{float32(math.Inf(-1))}},
		{"float32", []uint64{0x7fc00000}, []any{float32(math.NaN())}},
		{"int32, float32, bool", []uint64{minus, real(2), 1}, []any{int32(-2), float32(2), true}},
		{"[]int32", []uint64{1, minus, 3}, []any{[]int32{1, -2, 3}}},
		{"[3]bool", []uint64{1, 0, 1}, []any{[3]bool{true, false, true}}},
		{"{float32 bool}", []uint64{real(-0.5), 1}, []any{pair{-0.5, true}}},
		{"uint32, []{float32 bool}", []uint64{7, real(1), 0, real(2), 1}, []any{7, []pair{{1, false}, {2, true}}}},
		{"[2][2]int32", []uint64{1, 2, 3, 4}, []any{[2][2]int32{{1, 2}, {3, 4}}}},
		{"[2]{}", nil, []any{[2]struct{}{}}},
		{"int32, {}", []uint64{4}, []any{4, struct{}{}}},
		{"{int32 [0]int32 {}}", []uint64{4}, []any{struct {
			a int32
			b [0]int32
			c struct{}
		}{a: 4}}},
		{"", []uint64{3, minus}, []any{3, minus}},
		{"bool", []uint64{1, 7, 8}, []any{true, 7, 8}}, // words in excess of the type
	} {
		require.Equal(t, fmt.Sprintln(c.want...), Text(c.kind, c.words, 20, 32)+"\n", c.kind)
	}
	require.Equal(t, "-2", Text("int", []uint64{math.MaxUint64 - 1}, 20, 64))
	require.Equal(t, "4294967294", Text("int", []uint64{minus}, 20, 64))
}

// Text shows the existing words of an incomplete value, and the beginning of a long one.
func TestParts(t *testing.T) {
	for kind, want := range map[string]string{
		"int32, int32, int32": "1 2", "{int32 int32 int32}": "{1 2}", "[3]{int32}": "[{1} {2}]", "[]int32": "[1 2]",
	} {
		require.Equal(t, want, Text(kind, []uint64{1, 2}, 9, 32))
	}
	require.Empty(t, Text("float32", nil, 9, 32))
	for kind, want := range map[string]string{
		"": "1 2 ... 4 words", "[]int32": "[1 2 ... 4 words]", "[2][2]int32": "[[1 2] [... 4 words]]",
		"int32, int32": "1 2 ... 4 words",
	} {
		require.Equal(t, want, Text(kind, []uint64{1, 2, 3, 4}, 2, 32), kind)
	}
}

// JSON has Go's digits, and strings for values that are not JSON numbers.
func TestJSON(t *testing.T) {
	words := []uint64{}
	for _, f := range []float32{
		1.5, 2, 0.1, 1e20, 1e-7, float32(math.Copysign(0, -1)), float32(math.NaN()),
		float32(math.Inf(1)), float32(math.Inf(-1)),
	} {
		words = append(words, uint64(math.Float32bits(f)))
	}
	text, err := json.Marshal(ValuesOf("[]float32", words, 32))
	require.NoError(t, err)
	require.Equal(t, `[1.5,2.0,0.1,1e+20,1e-07,-0.0,"NaN","+Inf","-Inf"]`, string(text))
	text, err = json.Marshal(ValuesOf("{int32 bool}, uint", []uint64{math.MaxUint32, 1, math.MaxUint64, 5}, 64))
	require.NoError(t, err)
	require.Equal(t, "[-1,true,18446744073709551615,5]", string(text))
}

// Check returns one spelling of each type, and an error with the reason for an invalid one.
func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "float32": "float32", " int32 ,bool": "int32, bool", "[ ] { int32  [ 3 ]bool }": "[]{int32 [3]bool}",
		"[262144]int": "[262144]int",
	} {
		got, err := Check(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
		again, err := Check(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	for text, want := range map[string]string{
		"float64": `found "float64"`, "int32,": `found ""`,
		"int32 bool": `expected a comma or the end after int32, found "bool"`, "[3": "size of an array",
		"[-1]int32": "size of an array",
		"[x]int32":  "size of an array", "[262145]int32": "size of an array",
		"[513][513]bool":      "more than 262144 words",
		"{[262144]bool bool}": "more than 262144 words", "{int32": `found ""`,
		"[]": `found ""`, "[2][]int32": "part of another type", "{[]int32}": "part of another type",
		"[]int32, bool": "nothing can follow", "[0]int32": "has no words", "{}": "has no words", "[]{}": "has no words",
		"é": `found "é"`, strings.Repeat("[1]", 333) + "int": "longer than 1000",
	} {
		_, err := Check(text)
		require.ErrorContains(t, err, want, text)
	}
}

// Words returns the number of words of a single value.
func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"bool": 1, "[2]{int32 [3]bool}": 8, "{}": 0, "[]int32": -1,
		"int32, bool": -1, "chan int32": -1, "": -1,
	} {
		n, ok := Words(text)
		require.Equal(t, want >= 0, ok, text)
		require.Equal(t, max(0, want), n, text)
	}
}
