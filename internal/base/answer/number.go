package answer

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"emsim/internal/base/plural"
)

// Parts returns the field's value for display, and its unit unless the value includes it.
func (f *Field) Parts() (value, unit string) {
	switch v, ok := number(f.Value); {
	case ok || f.Instead != "":
		return f.text(v)
	case f.Doc != "":
		return "-", "" // a number without a value
	}
	return fmt.Sprint(f.Value), ""
}

// text returns a number for display, and its unit unless the text includes it. Shares become percentages. Times of at
// least 0.01 s have three decimals. Integers have commas; numbers of at least 10,000 are rounded to integers. Other
// numbers have four significant digits.
func (f *Field) text(v float64) (value, unit string) {
	switch {
	case f.Instead != "":
		return f.Instead, ""
	case f.IsShare:
		return InPercent(v), ""
	case f.Unit == "s" && (v == 0 || v >= 0.01):
		return fmt.Sprintf("%.3f s", v), ""
	case f.Unit == "s", f.Unit == "ms":
		return fmt.Sprintf("%.4g %s", v, f.Unit), ""
	case v == float64(int64(v)):
		return Commas(int64(v)), f.Unit
	case v >= 10_000:
		return Commas(int64(math.Round(v))), f.Unit
	}
	return fmt.Sprintf("%.4g", v), f.Unit
}

// String returns the field's value for display, with its unit.
func (f *Field) String() string {
	value, unit := f.Parts()
	return strings.TrimSpace(value + " " + unit)
}

// Cell returns v as a number of the field for a table that names the field, with its unit unless the name has it.
func (f *Field) Cell(v float64) string {
	value, unit := f.text(v)
	if slices.Contains(strings.Fields(f.Name()), unit) {
		return value
	}
	return strings.TrimSpace(value + " " + unit)
}

// InPercent returns a share as a percentage with one decimal.
func InPercent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// PartInPercent returns a part of a whole as a percentage, or "-" if the whole is 0.
func PartInPercent(n, of uint64) string {
	if of == 0 {
		return "-"
	}
	return InPercent(float64(n) / float64(of))
}

// Commas returns an integer with commas between the thousands.
func Commas(n int64) string {
	if n < 0 {
		return "-" + plural.Commas(uint64(-n))
	}
	return plural.Commas(uint64(n))
}

// Float returns the field's number, and whether it has one.
func (f *Field) Float() (float64, bool) { return number(f.Value) }

// number returns the number that value is or points to, and whether it is one.
func number(value any) (float64, bool) {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}
