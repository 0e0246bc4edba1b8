package compile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
)

// What is outside of the subset is refused: where, and what to write instead.
func TestRefused(t *testing.T) {
	const head = "package main\n\n"
	for _, c := range []struct{ text, place, says string }{
		{head + "func f(n int64) int32 { return 1 }", "3:1", "make the parameter an int32"},
		{head + "func f(n int32) (a, b int32) { return 1, 2 }", "4:17", "the entry returns one word"},
		{head + "func f(n int32) (m int64) { return 1 }", "4:17", "instead of int64"},
		{head + "func f(n int32) int32 { defer f(1); return 1 }", "4:25", "defer close(NAME)"},
		{head + "func f(n int32) int32 { go f(1); return 1 }", "4:25", "among their arguments"},
		{head + "var p int32\nfunc f(n int32) int32 { p = n; return p }", "5:25", "Pass values as parameters"},
		{head + "var t [4]int32\nfunc f(n int32) int32 { t[1] = n; return 1 }", "5:25", "only func init"},
		{head + "func f(n int32) int32 { return n + g }", "4:36", "undefined: g"},
		{head + "func f(n int32) int32 { return n +", "4:35", "expected"},
		{head + "func f(n int32) int32 { x := float32(n); return int32(x) }", "4:49", "whole number from a float"},
		{"package main\nimport \"fmt\"\n//emsim:arg n 0 9\nfunc f(n int32) int32 { fmt.Println(n); return 1 }", "4:25", "only func main and what it alone calls may use it"},
		{"package main\nfunc f(n int32) int32 { return 1 }", "1:9", "//emsim:arg"},
		{"package p\n//emsim:arg n 0 9\nfunc f(n int32) int32 { return 1 }", "1:9", "package main"},
		{"package main\n//emsim:arg m 0 9\nfunc f(n int32) int32 { return 1 }", "2:1", "parameter 1 is called n"},
		{"package main\n//emsim:arg n 9 0\nfunc f(n int32) int32 { return 1 }", "2:1", "MIN is above MAX"},
		{"package main\n//emsim:at home\n//emsim:arg n 0 9\nfunc f(n int32) int32 { return 1 }", "2:1", "//emsim:at own"},
		{head + "func f(n int32) int32 { for { }; select {} }", "4:34", "depend on time"},
		{head + "func f(n int32) int32 { ch := make(chan int32); return <-ch }", "4:25", "no function sends on ch"},
		{head + "func f(n int32) int32 { p := &n; return *p }", "4:25", "the memory of another PE"},
		{head + "func f(n int32) int32 { switch \"n\" { case \"1\": return 2 }; return 1 }", "4:32", "a string has no translation"},
		{head + "func f(n int32) int32 { for range 1 << 31 { n++ }; return 1 }", "4:35", "overflows"},
		{head + "type s struct{}\nfunc f(n int32) int32 { var x s; _ = x; return 1 }", "5:29", "is a structure"},
		{head + "type s struct{ a, b int64 }\nfunc f(n int32) int32 { var x s; _ = x; return 1 }", "3:16", "write int32"},
	} {
		text := c.text
		if strings.HasPrefix(text, head) {
			text = strings.Replace(text, "func f(", "//emsim:arg n 0 9\nfunc f(", 1)
		}
		refused(t, text, c.place, c.says)
	}
}

// refused compiles a program that has a mistake at a place.
func refused(t *testing.T, text, place, says string) {
	t.Helper()
	_, err := compile.Compile("p.go", []byte(text), compile.Options{})
	var list asm.Errors
	if !errors.As(err, &list) {
		t.Errorf("accepted: %v\n%s", err, text)
		return
	}
	found := false
	for _, e := range list.List {
		found = found || strings.Contains(e.Message, says) && strings.Contains(e.Error(), ":"+place+":")
		require.Contains(t, e.Text(), "^")
	}
	if !found && !(place == "" && strings.Contains(err.Error(), says)) {
		t.Errorf("expected %s %q in\n%v\n%s", place, says, err, text)
	}
}

// What Go panics at stops the machine with Go's words and line.
func TestPanics(t *testing.T) {
	for _, c := range []struct{ expr, kind string }{
		{"8 / n", "divide"}, {"8 % n", "divide"}, {"t[n+4]", "index out of range"}, {"t[n-1]", "index out of range"}, {"n << (n - 1)", "negative shift"},
	} {
		src := "package main\nvar t [4]int32\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n\treturn " + c.expr + "\n}\n"
		o := assemble(t, "p.go", src, compile.Options{}, nil)
		_, err := onMachine(t, o, 4, 0)
		kind, ok := panicOf(o, err)
		require.True(t, ok, "%v", err)
		require.Contains(t, kind, c.kind)
	}
}

// Options that there are not are refused.
func TestOptions(t *testing.T) {
	for name, value := range map[string]string{"blocks": "long", "guards": "both"} {
		_, _, err := compile.TakeOptions(map[string]string{name: value})
		require.ErrorContains(t, err, "the parameter "+name+" cannot be")
	}
}

// The front end neither panics nor runs for ever, whatever it reads.
func FuzzCompile(f *testing.F) {
	f.Add("package main\n//emsim:arg n 0 9\nfunc f(n int32) int32 { if n < 1 { return 1 }; return f(n-1) + f(n-2) }")
	f.Add("package main\nimport \"emsim/df\"\n//emsim:arg n 0 9\nfunc f(n int32) int32 { return df.Sum(0, n, func(i int32) int32 { return i }) }")
	f.Add("package main\n//emsim:arg n 0 9\nfunc f(n int32) int32 { for n > 0 { n += f(n) }; return n }")
	f.Add("package main\n//emsim:arg n 0 9\nfunc f(n int32) int32 { c := make(chan int32); go g(n, c); for x := range c { n += x }; return n }\nfunc g(n int32, c chan<- int32) { defer close(c); c <- n }")
	f.Add("package main\nimport \"emsim/df\"\nvar a df.Array[int32]\n//emsim:arg n 0 9\nfunc f(n int32) df.Array[int32] { a.Fill(1, n, func(i, k int32) int32 { return k }); a.Set(0, 1, a.Get(0, 2)); return a }")
	f.Add("//emsim:file a.go")
	f.Add("//emsim:file a.go\npackage main\n//emsim:file a.go\npackage main\nfunc f(x y) { z }")
	f.Add("package main\nvar t [2]uint32\nfunc init() { t[0] = 1 }\n//emsim:entry\nfunc f() uint32 { return t[0] }")
	f.Fuzz(func(_ *testing.T, src string) {
		for _, b := range []compile.Blocks{compile.Largest, compile.Finest} {
			_, _ = compile.Compile("f.go", []byte(src), compile.Options{Blocks: b})
		}
	})
}
