package compile_test

import (
	"strings"
	"testing"
)

// Channels without exactly one sender and one receiver, and whatever else would
// make a program depend on time, are refused.
func TestRefusedStreams(t *testing.T) {
	const (
		send = "func g(n int32, c chan<- int32) {\n\tdefer close(c)\n\tc <- n\n}\n"
		head = "package main\n\n" + send + "\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n"
	)
	for _, c := range []struct{ body, place, says string }{
		{"\tc := make(chan int32, 4)\n\tgo g(n, c)\n\treturn <-c\n}", "10:24", "write make(chan int32)"},
		{"\tc := make(chan int64)\n\tgo g(n, c)\n\treturn <-c\n}", "11:10", "cannot use c"},
		{"\tc := make(chan int32)\n\tg(n, c)\n\treturn <-c\n}", "11:2", "write go g(...)"},
		{"\tc := make(chan int32)\n\tgo g(n, c)\n\treturn n\n}", "10:2", "no function receives from c"},
		{"\tc := make(chan int32)\n\tgo g(n, c)\n\tgo g(n, c)\n\treturn <-c\n}", "12:10", "has a sender already"},
		{"\tc := make(chan int32)\n\tc <- n\n\treturn <-c\n}", "11:2", "wait for itself"},
		{"\tc := make(chan int32)\n\tif n > 1 {\n\t\tgo g(n, c)\n\t}\n\treturn <-c\n}", "14:11", "no function sends on c yet"},
		{"\tc := make(chan int32)\n\tn += <-c\n\tgo g(n, c)\n\treturn n\n}", "11:9", "no function sends on c yet"},
		{"\tc, x := make(chan int32), n\n\tgo g(n, c)\n\treturn x + <-c\n}", "10:2", "statement of its own"},
		{"\tvar c chan int32\n\tgo g(n, c)\n\treturn <-c\n}", "10:6", "write c := make(chan int32)"},
		{"\tc := make(chan int32)\n\tgo h(n, c)\n\treturn <-c\n}\n\nfunc h(n int32, c chan int32) {\n\tdefer close(c)\n}", "15:7", "which end of the channel"},
		{"\tc := make(chan int32)\n\tgo h(n, c)\n\treturn <-c\n}\n\nfunc h(n int32, c chan<- int32) {\n\tdefer close(c)\n\tgo g(n, c)\n}", "17:10", "cannot be handed on"},
		{"\tgo h(n)\n\treturn n\n}\n\nfunc h(n int32) {\n}", "10:2", "among their arguments"},
		{"\tdefer h(n)\n\treturn n\n}\n\nfunc h(n int32) {\n}", "10:2", "defer close(NAME)"},
		{"\tvar a [33]int32\n\treturn a[n]\n}", "10:6", "has 32 words at most"},
		{"\tvar a [3]int64\n\treturn int32(a[n])\n}", "10:6", "write int32"},
	} {
		refused(t, head+c.body, c.place, c.says)
	}
	const df = "package main\n\nimport \"emsim/df\"\n\nvar m df.Array[int32]\n\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n"
	for _, c := range []struct{ body, place, says string }{
		{"\treturn g(n)\n}\n\nfunc g(n int32) int32 {\n\tm.Fill(n, n, func(i, k int32) int32 { return i })\n\treturn 1\n}", "13:2", "only the entry fills"},
		{"\tm.Fill(n, n, h)\n\treturn 1\n}\n\nfunc h(i, k int32) int32 { return i }", "9:15", "function literal"},
		{"\tm.Fill(n, n, func(i, k int32) int32 { return f(i) })\n\treturn 1\n}", "9:2", "only the entry"},
		{"\tm.Fill(n, n, func(i, k int32) int32 { return h(i) })\n\treturn 1\n}\n\nfunc h(n int32) int32 {\n\tfor n > 3 {\n\t\tn--\n\t}\n\treturn n\n}", "9:47", "only short functions"},
		{"\tx := m.Words()\n\treturn x[n]\n}", "9:7", "for func main"},
		{"\treturn n + df.Arg(1)\n}", "9:13", "for func main"},
		{"\tx := m\n\treturn x.Get(n, n)\n}", "", "has no translation"},
		{"\tc := make(chan int32)\n\treturn df.Sum(0, n, func(i int32) int32 { return <-c })\n}", "10:53", "inside of the loop's function"},
		{"\tvar a [2]int32\n\treturn df.Sum(0, n, func(i int32) int32 { a[0]++; return a[i] })\n}", "10:44", "cannot change a"},
		{"\tfor x := range m.Stream(n) {\n\t\tn += x\n\t}\n\treturn n\n}", "9:17", "a channel is a variable"},
	} {
		refused(t, df+c.body, c.place, c.says)
	}
	refused(t, strings.Replace(df, "[int32]", "[int64]", 1)+"\treturn m.Get(0, n)\n}", "5:16", "int64 does not satisfy")
}

// Odd uses of channels and arrays are refused as well, wherever they stand.
func TestRefusedOddities(t *testing.T) {
	const head = "package main\n\nimport \"emsim/df\"\n\nvar m df.Array[int32]\nvar t [3]int32\n\nfunc g(n int32, c chan<- int32) {\n\tdefer close(c)\n\tc <- n\n}\n\nfunc k() chan int32 { return nil }\n\n"
	const f = "//emsim:arg n 0 9\nfunc f(n int32) int32 {\n"
	for _, body := range []string{
		"\tgo func() {}()\n\treturn n\n}",
		"\tgo m.Set(1, 2, 3)\n\treturn n\n}",
		"\tget := m.Get\n\treturn get(1, 2)\n}",
		"\treturn df.Sum(0, n, func(i int32) int32 { return <-k() })\n}",
		"\tfor x := range k() {\n\t\tn += x\n\t}\n\treturn n\n}",
		"\tclose(k())\n\treturn n\n}",
		"\tdefer close(k())\n\treturn n\n}",
		"\tk() <- n\n\treturn n\n}",
		"\tgo g(n, k())\n\treturn n\n}",
		"\tgo g(n, make(chan int32))\n\treturn n\n}",
		"\tc := make(chan int32)\n\tgo g(<-c, c)\n\treturn n\n}",
		"\tc := make(chan int32)\n\tgo g(n, c)\n\tc = make(chan int32)\n\treturn <-c\n}",
		"\tc := make(chan int32)\n\tgo g(n, c)\n\tclose(c)\n\treturn <-c\n}",
		"\tc := make(chan chan int32)\n\treturn <-<-c\n}",
		"\tc, x := make(chan int32), n\n\tgo g(n, c)\n\treturn x + <-c + int32(len(c))\n}",
		"\tvar m df.Array[int32]\n\treturn m.Get(1, 2)\n}",
		"\tp := &m\n\treturn p.Get(1, 2)\n}",
		"\tvar a [1 << 40]int32\n\treturn a[n]\n}",
		"\tselect {}\n}",
		"\treturn n\n}\n\nfunc init() {\n\tc := make(chan int32)\n\tgo g(1, c)\n\tt[0] = <-c\n}",
		"\treturn n\n}\n\nfunc init() {\n\tt[0] = m.Get(1, 1)\n}",
		"\treturn <-c\n}\n\nvar c = make(chan int32)",
		"\treturn h(m)\n}\n\nfunc h(m df.Array[int32]) int32 {\n\treturn m.Get(1, 1)\n}",
	} {
		refused(t, head+f+body, "", "")
	}
	refused(t, head+"//emsim:arg n 0 9\nfunc f(n int32, c <-chan int32) int32 {\n\treturn <-c\n}", "", "//emsim:arg")
	refused(t, head+"//emsim:arg n 0 9\nfunc f(n int32, c chan<- int32) int32 {\n\tdefer close(c)\n\treturn n\n}", "", "the entry has no channels")
}
