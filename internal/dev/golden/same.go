package golden

import (
	"fmt"
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// TB is the part of testing.TB that this package needs; rapid's tests have it too.
type TB interface {
	Helper()                           // as testing.TB has it
	Errorf(format string, args ...any) // likewise
	Fatalf(format string, args ...any) // likewise
}

// Same fails the test, with the first differences, if two values differ. Unexported fields count too. about and args
// describe the values, as for fmt.Sprintf.
func Same(t TB, want, got any, about string, args ...any) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return // equal values need no search for differences
	}
	if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Fatalf("%s: differs (-want +got)\n%s", fmt.Sprintf(about, args...), short(diff))
	}
}
