package balance

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
)

// columns returns the fields that are written: those with a JSON key.
func columns(row reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(row),
		func(f reflect.StructField) bool { return f.Tag.Get("json") == "" })
}

// CSV returns rows of a comparison, of checks or of turns as a table. Its columns are the keys of JSON, except scheme,
// which is called policy. Numbers that are not integers have four significant digits: enough to see a change, and still
// readable. A missing value is empty.
func CSV[T Row | Check | Turn](rows []T) string {
	fields := columns(reflect.TypeFor[T]())
	lines := [][]string{lists.Of(fields, func(f reflect.StructField) string {
		return cmp.Or(f.Tag.Get("csv"), f.Tag.Get("json"))
	})}
	for _, r := range rows {
		row := reflect.ValueOf(r)
		na := row.FieldByName("NA")
		lines = append(lines, lists.Of(fields, func(f reflect.StructField) string {
			v := row.FieldByIndex(f.Index)
			switch {
			case v.Kind() == reflect.Pointer && v.IsNil() || v.CanFloat() && na.IsValid() && !na.IsNil():
				return ""
			case v.Kind() == reflect.Pointer:
				v = v.Elem()
			}
			if v.CanFloat() {
				return strconv.FormatFloat(v.Float(), 'g', 4, 64)
			}
			return strings.ReplaceAll(fmt.Sprint(v), ",", ";")
		}))
	}
	return strings.Join(lists.Of(lines, func(l []string) string { return strings.Join(l, ",") + "\n" }), "")
}

// ParseChecks parses checks that CSV wrote.
func ParseChecks(text string) (list []Check) {
	lines, _ := csv.NewReader(strings.NewReader(text)).ReadAll()
	for _, l := range lines[1:] {
		var c Check
		for k, f := range columns(reflect.TypeFor[Check]()) {
			if v := reflect.ValueOf(&c).Elem().FieldByIndex(f.Index); v.Kind() == reflect.String {
				v.SetString(l[k])
			} else if l[k] != "" {
				if v.Kind() == reflect.Pointer {
					v.Set(reflect.New(v.Type().Elem()))
					v = v.Elem()
				}
				fmt.Sscan(l[k], v.Addr().Interface())
			}
		}
		list = append(list, c)
	}
	return list
}
