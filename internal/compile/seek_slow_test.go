//go:build slow

package compile_test

import (
	"maps"
	"slices"
	"testing"

	"emsim/programs"
)

// The deep programs give Go's answers under all policies, with the prototype's memory, too.
func TestDeepCallsLarge(t *testing.T) {
	var runs []deepRun
	for _, name := range slices.Sorted(maps.Keys(deep)) {
		if name != "stream" {
			runs = append(runs, deepRun{name, 9000, 12, 896}, deepRun{name, 60_000, 80, 896})
		}
		runs = append(runs, deepRun{name, 600, 4, 220}, deepRun{name, 333, 12, 96})
	}
	testDeep(t, runs, programs.Policies())
}
