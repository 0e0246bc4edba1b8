package compile

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/programs"
)

// bodyOf returns a program with one function that has the given body.
func bodyOf(body string) string {
	return "package main\n\n//emsim:arg n 1 47\nfunc f(n int32) int32 {\n\tif n < 3 {\n\t\treturn 1\n\t}\n" + body + "\n}\n"
}

// point is a structure with a method.
const point = "type point struct{ x, y int32 }\nfunc (p point) turned() point { return point{-p.y, p.x} }\n"

// inside returns structure types that are nested n deep.
func inside(n int, fields string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "type t%d struct{ %st%d }\n", i, fields, i+1)
	}
	return b.String() + fmt.Sprintf("type t%d struct{ x int32 }\n", n)
}

// numbered repeats a text n times, with # replaced by the number.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// growing has programs of any size n, in forms whose translation could take time quadratic in n.
var growing = map[string]func(n int) string{
	"calls beside each other": func(n int) string { return bodyOf(numbered(n, "v# := f(n-#)\n") + "return n" + numbered(n, "+v#")) },
	"calls in calls":          func(n int) string { return bodyOf("return " + strings.Repeat("f(", n) + "n" + strings.Repeat(")", n)) },
	"a sum":                   func(n int) string { return bodyOf("return n" + strings.Repeat("+n", n)) },
	"a sum from the right":    func(n int) string { return bodyOf("return n" + strings.Repeat("*3+(n", n) + strings.Repeat(")", n)) },
	"quotients":               func(n int) string { return bodyOf("return n" + strings.Repeat("%3", n)) },
	"braces":                  func(n int) string { return bodyOf(strings.Repeat("{", n) + strings.Repeat("}", n) + "\nreturn n") },
	"if in if": func(n int) string {
		return bodyOf(strings.Repeat("if n > 1 {", n) + "n++" + strings.Repeat("}", n) + "\nreturn n")
	},
	"if after if":       func(n int) string { return bodyOf(strings.Repeat("if n > 1 { n++ }\n", n) + "return n") },
	"loops after loops": func(n int) string { return bodyOf(strings.Repeat("for n > 1 { n-- }\n", n) + "return n") },
	"else if":           func(n int) string { return bodyOf(strings.Repeat("if n > 1 { n++ } else ", n) + "{ n-- }\nreturn n") },
	"variables":         func(n int) string { return bodyOf(numbered(n, "v# := n+#\n") + "return n" + numbered(n, "+v#")) },
	"arrays": func(n int) string {
		return bodyOf("a, b := [2][3]int32{{n}, {n, n}}, [3]int32{}\n" + numbered(n, "a[n&1] = b\nb = [3]int32{n, b[2]}\nif a[0] == [3]int32{#} { b, a[1] = a[1], b }\n") + "return b[2]")
	},
	"literals in literals": func(n int) string {
		return bodyOf("a := " + strings.Repeat("[1]", n) + "int32" + strings.Repeat("{", n) + strings.Repeat("}", n) + "\nreturn a" + strings.Repeat("[0]", n))
	},
	"functions": func(n int) string {
		return bodyOf("return f0(n)") + numbered(n, "func f#(n int32) int32 { if n < 2 { return 1 }; return f(n-1) }\n")
	},
	"structures": func(n int) string {
		return bodyOf("p, q := point{n, 1}, point{}\n"+numbered(n, "p.x, q = q.y+#, point{-p.y, p.x}\nif p != q { q.x++ }\n")+"return p.x") + point
	},
	"structures in arrays": func(n int) string {
		return bodyOf("a := [3]point{{n, 1}}\n"+numbered(n, "a[n%3].x += a[1].y\na[1] = point{a[#%3].y, n}\n")+"return a[2].x") + point
	},
	"structures in structures": func(n int) string {
		return bodyOf("var v t0\nw := v\nif v != w { n++ }\nreturn n") + inside(n, "a [1]")
	},
	"calls of short functions": func(n int) string {
		return bodyOf("m := n\n"+numbered(n, "n, m = two(m, n+#)\n")+"return n") + "func two(a, b int32) (int32, int32) { return b, a }\n"
	},
	"calls with arrays": func(n int) string {
		return bodyOf("a := [3]int32{n}\n"+numbered(n, "a = turned(a)\n")+"return a[2]") + "func turned(a [3]int32) [3]int32 { return [3]int32{a[2], a[0], a[1]} }\n"
	},
	"calls that send items of several words": func(n int) string {
		return bodyOf("c := make(chan point)\ngo send(n, c)\nfor p := range c { n += p.x }\nreturn n") + point + "func send(n int32, c chan<- point) {\ndefer close(c)\n" + numbered(n, "c <- point{n, #}\n") + "}\n"
	},
	"files": func(n int) string {
		return "//emsim:file a.go\n" + bodyOf("return f0(n)") + numbered(n, "//emsim:file f#.go\npackage main\nfunc f#(n int32) int32 { if n < 2 { return 1 }; return f(n-1) }\n")
	},
	"tables": func(n int) string {
		return bodyOf("return t0[0].x"+numbered(n, "+t#[n].y")) + point + numbered(n, "var t# = [4]point{{1, #}}\n")
	},
	"calls in loops": func(n int) string {
		return bodyOf("s := n\n" + numbered(n, "for k := range n { s += f(k-#) }\n") + "return s")
	},
	"calls of results": func(n int) string {
		return bodyOf("p := point{n, 1}\n"+numbered(n, "p = p.far(n-#)\n")+"return p.x") + point + "func (p point) far(n int32) point { if n < 2 { return p }; return p.far(n-1).turned() }\n"
	},
	"helpers in helpers": func(n int) string {
		return bodyOf("return f0(n)") + numbered(n, "func f#(n int32) int32 { return 1 }\n")
	},
}

// steps returns the work of a translation, and its error.
func steps(text string) (int, error) {
	c, _, err := fitted("x.go", []byte(text), Options{})
	if c == nil {
		return 0, err
	}
	return c.meter.steps, err
}

// A program of four times the size takes less than six times the work. The calls of one function, and the items
// that it sends, interfere with each other: for them, there is only a bound.
func TestWorkGrowsWithTheProgram(t *testing.T) {
	for name, of := range growing {
		small, err := steps(of(100))
		require.NoError(t, err, name)
		large, err := steps(of(400))
		if strings.HasPrefix(name, "calls ") {
			require.Less(t, large, stepLimit/4, name) // a function may have two forms
			continue
		}
		require.NoError(t, err, name)
		require.Less(t, large, 6*small, "%s: %d steps, and %d for four times the size", name, small, large)
	}
}

// A small program is refused if functions that run in their callers make it too large for a PE.
func TestCallsInPlaceAreBounded(t *testing.T) {
	for _, text := range []string{
		"func f#(n int32) int32 { return f%(n) + f%(n) }\n",
		"func f#(n int32) int32 { g#(); return n }\nfunc g#() { g%(); g%() }\n",
	} {
		var b strings.Builder
		for i := range 60 {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(text, "#", fmt.Sprint(i)), "%", fmt.Sprint(i+1)))
		}
		_, err := steps("package main\n\n//emsim:arg n 1 47\nfunc f(n int32) int32 { return f0(n) }\n" + b.String() + "func f60(n int32) int32 { return n }\nfunc g60() {}\n")
		require.ErrorContains(t, err, "than a PE has room for: functions that run in their callers count at every call")
	}
}

// Tables that together do not fit in a PE's memory are one error, which states the limit.
func TestTablesAreBounded(t *testing.T) {
	_, err := steps("package main\n" + numbered(5, "var t# [60000]int32\n") + strings.TrimPrefix(bodyOf("return t0[0] + t1[0] + t2[0] + t3[0] + t4[0]"), "package main\n"))
	require.ErrorContains(t, err, "the program has 1 error\nx.go:6:5: all tables up to here have more than 262,144 words")
}

// assembled compiles and assembles a program, and returns the error.
func assembled(text string) error {
	made, err := Compile("x.go", []byte(text), Options{})
	if err != nil {
		return err
	}
	_, _, err = asm.Assemble("x.s", asm.Options{Library: programs.Library(), Made: &asm.Made{File: "x.go", Text: []byte(text)}, Open: func(name string) ([]byte, error) {
		if name != "x.s" {
			return nil, fs.ErrNotExist
		}
		return []byte(made), nil
	}})
	return err
}

// FuzzNames uses any texts as names of parameters, variables and functions. No error may be a mistake of emsim.
func FuzzNames(f *testing.F) {
	for _, names := range [][3]string{{"数", "π", "字"}, {"b1", "start", "got2"}, {"u6570", "数", "u6570_0"}, {"arg1_n", "want_x", "join3"}, {strings.Repeat("x", 2000), strings.Repeat("x", 2001), "r1"}, {"fp", "main", "policy"}} {
		f.Add(names[0], names[1], names[2])
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		text := fmt.Sprintf("package main\n\n//emsim:arg %s 1 9\n//emsim:arg %s 1 9\nfunc %s(%[1]s, %[2]s int32) int32 {\n\tif %[1]s < 3 {\n\t\treturn 1\n\t}\n\tx := %[3]s(%[1]s-1, %[2]s)\n\t%[3]s := x + %[2]s\n\treturn %[3]s + %[1]s\n}\n", a, b, c)
		if err := assembled(text); err != nil {
			require.NotContains(t, err.Error(), "a bug in emsim", "%q %q %q", a, b, c)
		}
	})
}

// Foreign and unusual names compile.
func TestForeignNames(t *testing.T) {
	for _, n := range []string{"数", "π", "b1", "start", "arg1_n", strings.Repeat("x", 2000), "fp", "r1"} {
		require.NoError(t, assembled(fmt.Sprintf("package main\n\n//emsim:arg %s 1 9\nfunc f(%[1]s int32) int32 {\n\tif %[1]s < 3 {\n\t\treturn 1\n\t}\n\tx := f(%[1]s-1)\n\t%[1]s = x + 1\n\ty := f(%[1]s-x)\n\treturn y + %[1]s\n}\n", n)), n)
	}
}

// Too deep nesting is refused in every form before a pass recurses into it. A long list of statements is not.
func TestNestingIsBounded(t *testing.T) {
	for before, piece := range map[string]string{
		"return ": "(", "return n": "+n", "return -": "-^", "if ": "!", "return f": "(n)", "": "{", "if n > 1": "{ if n > 1", "return g": "(f", "var x ": "[1]", "var y ": "*", "var z ": "func(", "l: ": "m: ", "return n ": "<<n",
	} {
		_, err := steps(bodyOf(before + strings.Repeat(piece, deepest()+1)))
		require.ErrorContains(t, err, "the program is nested more than 10000 deep here", piece)
	}
	text := bodyOf("n = n+1;\n" + numbered(deepest()/2, "n += 1 - (#)\n") + "return n")
	_, err := steps(text)
	require.NoError(t, err)
}

// A line with many mistakes is reported by its first fifty, and by the number of the others. Mistakes in Go's syntax
// are reported by the first.
func TestManyErrorsInALine(t *testing.T) {
	const mistakes = 1 << 16
	for text, most := range map[string]int{numbered(mistakes, "x# = 1;") + "return 1": mistakes, strings.Repeat("\x00", 8*mistakes): 1} {
		_, err := steps(bodyOf(text))
		var all asm.Errors
		require.True(t, errors.As(err, &all))
		require.Equal(t, min(most, 50), len(all.List))
		require.Equal(t, most-min(most, 50), all.More)
	}
}
