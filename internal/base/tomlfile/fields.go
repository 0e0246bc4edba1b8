package tomlfile

import (
	"reflect"
	"slices"
	"strings"

	"emsim/internal/base/suggest"
)

// Decode gives the fields of a struct the values of a table with these keys;
// letters may be large or small. Other keys and values of wrong types are
// errors of the file.
func (f *File) Decode(v any, table *Node, keys ...string) {
	fields := reflect.ValueOf(v).Elem()
	for _, e := range table.Keys {
		if !slices.Contains(keys, e.Name) {
			f.Failf(Point(e.At), "there is no key %q; expected %s%s", e.Name, strings.Join(keys, ", "), suggest.DidYouMean(e.Name, keys))
			continue
		}
		field := fields.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, e.Name) })
		if !setField(field, e.Node) {
			f.Failf(Point(e.Node.At), "%s is %s, not %s", e.Name, words[field.Kind()], e.KindName())
		}
	}
}

// words say what a field expects.
var words = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
	reflect.String: "a text in quotes", reflect.Bool: "true or false", reflect.Slice: "a list of whole numbers",
}

// setField sets a field, and reports whether the value is of its type.
func setField(field reflect.Value, n *Node) bool {
	v := reflect.ValueOf(n.Value)
	switch {
	case n.IsList && field.Kind() == reflect.Slice:
		list := reflect.MakeSlice(field.Type(), len(n.List), len(n.List))
		for i, x := range n.List {
			if !setField(list.Index(i), x) {
				return false
			}
		}
		field.Set(list)
	case !v.IsValid():
		return false
	case field.CanInt() && v.CanInt():
		field.SetInt(v.Int())
	case field.CanFloat() && (v.CanInt() || v.CanFloat()):
		field.Set(v.Convert(field.Type()))
	case v.Kind() == field.Kind():
		field.Set(v.Convert(field.Type()))
	default:
		return false
	}
	return true
}
