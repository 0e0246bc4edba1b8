package golden

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// What Same prints at most: differences, and bytes of a value.
const (
	mostDifferences = 3
	mostValue       = 100
)

// TB is what this package needs of a test, plain or of rapid.
type TB interface {
	Helper()                           // as testing.TB has it
	Errorf(format string, args ...any) // likewise
	Fatalf(format string, args ...any) // likewise
}

// Same fails the test when two values differ, and names the first places where
// they do: for values too large to be printed. Fields that are not exported
// count too. about and args say, as in fmt.Sprintf, what was compared.
func Same(t TB, want, got any, about string, args ...any) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return // without the work of finding where
	}
	if list := differences(want, got); len(list) > 0 {
		t.Fatalf("%s: differs\n%s", fmt.Sprintf(about, args...), strings.Join(list, "\n"))
	}
}

func differences(want, got any) []string {
	r := &first{}
	cmp.Equal(want, got, cmp.Reporter(r), cmp.Exporter(func(reflect.Type) bool { return true }))
	if r.more > 0 {
		r.list = append(r.list, fmt.Sprintf("and %d more", r.more))
	}
	return r.list
}

// first is a cmp.Reporter that keeps the first differences.
type first struct {
	path cmp.Path
	list []string
	more int
}

// PushStep enters a part of the values.
func (r *first) PushStep(s cmp.PathStep) { r.path = append(r.path, s) }

// PopStep leaves it.
func (r *first) PopStep() { r.path = r.path[:len(r.path)-1] }

// Report is told of every part without parts.
func (r *first) Report(x cmp.Result) {
	switch {
	case x.Equal():
	case len(r.list) == mostDifferences:
		r.more++
	default:
		want, got := r.path.Last().Values()
		place := fmt.Sprintf("%#v", r.path)
		if want.IsValid() && got.IsValid() && want.Kind() == reflect.String {
			a, b := want.String(), got.String()
			n := 0
			for n < min(len(a), len(b)) && a[n] == b[n] {
				n++
			}
			place = fmt.Sprintf("%s, line %d, from byte %d on", place, 1+strings.Count(a[:n], "\n"), n)
			want, got = reflect.ValueOf(a[n:]), reflect.ValueOf(b[n:])
		}
		r.list = append(r.list, fmt.Sprintf("%s: want %s, got %s", place, cut(want), cut(got)))
	}
}

// cut prints the beginning of a value.
func cut(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	s := fmt.Sprintf("%v", v)
	if v.Kind() == reflect.String {
		s = fmt.Sprintf("%.*q", mostValue, s)
	}
	if len(s) > mostValue+2 {
		s = s[:mostValue] + "..."
	}
	return s
}
