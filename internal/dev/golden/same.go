package golden

import (
	"fmt"
	"reflect"

	"github.com/google/go-cmp/cmp"
)

// TB is what this package needs of a test, plain or of rapid.
type TB interface {
	Helper()                           // as testing.TB has it
	Errorf(format string, args ...any) // likewise
	Fatalf(format string, args ...any) // likewise
}

// Same fails the test with the first differences when two values differ. Fields that
// are not exported count too. about and args say, as in fmt.Sprintf, what was
// compared.
func Same(t TB, want, got any, about string, args ...any) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return // without the work of finding where
	}
	if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Fatalf("%s: differs (-want +got)\n%s", fmt.Sprintf(about, args...), short(diff))
	}
}
