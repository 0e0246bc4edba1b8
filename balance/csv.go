package balance

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
)

// CSV is the rows as a table, whose columns are the keys of JSON, with four digits: enough to
// see a change, few enough to be read. What has no value is empty.
func CSV(rows []Row) string {
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[Row]()), func(f reflect.StructField) bool { return !f.IsExported() })
	lines := [][]string{lists.Of(fields, func(f reflect.StructField) string { return f.Tag.Get("json") })}
	for _, r := range rows {
		lines = append(lines, lists.Of(fields, func(f reflect.StructField) string {
			v := reflect.ValueOf(r).FieldByIndex(f.Index)
			switch {
			case v.Kind() == reflect.Pointer && v.IsNil() || v.CanFloat() && r.NA != nil:
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
