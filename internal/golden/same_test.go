package golden

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type inner struct {
	n    uint64
	list []int
}

type outer struct {
	Name string
	in   [2]inner
	at   *inner
	m    map[string]int
	f    func()
}

// FirstDifference finds any difference, and names the first one only.
func TestFirstDifference(t *testing.T) {
	value := func() outer {
		return outer{"a", [2]inner{{1, []int{1, 2}}, {2, nil}}, &inner{n: 3}, map[string]int{"k": 1}, func() {}}
	}
	for want, change := range map[string]func(x *outer){
		"":                              func(*outer) {},
		".Name: want a, got b":          func(x *outer) { x.Name = "b"; x.in[1].n = 9 },
		".in[1].n: want 2, got 9":       func(x *outer) { x.in[1].n = 9 },
		".in[0].list[1]: want 2, got 5": func(x *outer) { x.in[0].list[1] = 5 },
		"the length of .in[0].list: want 2, got 3": func(x *outer) { x.in[0].list = append(x.in[0].list, 4) },
		".at.n: want 3, got 4":                     func(x *outer) { x.at.n = 4 },
		".at is nil: want false, got true":         func(x *outer) { x.at = nil },
		".m[k]: want 1, got 2":                     func(x *outer) { x.m["k"] = 2 },
		"the length of .m: want 1, got 2":          func(x *outer) { x.m["l"] = 2 },
	} {
		x := value()
		change(&x)
		require.Equal(t, want, FirstDifference(value(), x))
	}
	require.Equal(t, "the value: want 1, got 2", FirstDifference(1, 2))
	require.NotEmpty(t, FirstDifference(1, "1"))
	require.Empty(t, FirstDifference(nil, nil))
}

type failure struct{ text string }

func (f *failure) Helper()                           {}
func (f *failure) Fatalf(format string, args ...any) { f.text = fmt.Sprintf(format, args...) }

// Same fails with what is compared and the first difference, however large the
// values are.
func TestSame(t *testing.T) {
	f := &failure{}
	Same(f, make([]int, 10000), make([]int, 10000))
	require.Empty(t, f.text)
	Same(f, make([]int, 10000), make([]int, 9999), "clock %d", 7)
	require.Equal(t, "clock 7: the length of the value: want 10000, got 9999", f.text)
}

// A long diff is cut after a line, and says how much is left.
func TestShort(t *testing.T) {
	require.Equal(t, "- a\n+ b\n", short("- a\n+ b\n"))
	long := strings.Repeat("- a line\n", 1000)
	got := short(long)
	require.Less(t, len(got), longestDiff+200)
	shown := strings.Count(got, "- a line\n")
	require.True(t, strings.HasSuffix(got, fmt.Sprintf("- a line\n... and %d more lines; run the test with -update, then git diff shows all of them\n", 1000-shown)), got)
}
