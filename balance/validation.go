package balance

import (
	_ "embed" // validation.csv
	"math"
	"slices"
	"strconv"
	"strings"
)

// Validation is a table: for each scheme of a paper the native model's number
// on the paper's own case, that of the scheme's version on the hooks, their
// deviation, and the tolerance. A test measures it anew.
//
//go:embed validation.csv
var Validation string

// Validated reports whether the hook version of a scheme matches its native
// model in every number of the table; nil if it has none.
func Validated(scheme string) *bool {
	var ok *bool
	for line := range strings.Lines(Validation) {
		if strings.HasPrefix(line, scheme+",") {
			all := strings.HasSuffix(strings.TrimSpace(line), ",true") && (ok == nil || *ok)
			ok = &all
		}
	}
	return ok
}

// times are the quantities of the table that are times.
var times = []string{"clocks", "seconds", "end of the processor that differs most"}

// CheckError is by how much the time of a scheme's hook version differs most from that of its
// native model in the checks, 0.1 for 10 %; nil if no time was checked.
func CheckError(scheme string) *float64 {
	var most *float64
	for line := range strings.Lines(Validation) {
		if f := strings.Split(line, ","); f[0] == scheme && slices.Contains(times, f[2]) {
			x, _ := strconv.ParseFloat(f[5], 64)
			if x = math.Abs(x); most == nil || x > *most {
				most = &x
			}
		}
	}
	return most
}
