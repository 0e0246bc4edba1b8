package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

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
