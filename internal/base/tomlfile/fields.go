package tomlfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"emsim/internal/base/suggest"
)

// Decode sets the fields of a struct from a table that may have the given keys. Keys match field names in any case. A
// struct field takes a table with a key for each of its fields; a list of structs takes several tables. Decode adds
// errors to the file for other keys and for values of wrong types.
func (f *File) Decode(v any, table *Node, keys ...string) {
	fields := reflect.ValueOf(v).Elem()
	for _, e := range table.Keys {
		if !slices.Contains(keys, e.Name) {
			f.Failf(Point(e.At), "there is no key %q; expected %s%s", e.Name, strings.Join(keys, ", "),
				suggest.DidYouMean(e.Name, keys))
			continue
		}
		field := fields.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, e.Name) })
		if !f.setField(field, e.Node) {
			f.Failf(Point(e.Node.At), "%s is %s, not %s", e.Name, words[field.Kind()], e.KindName())
		}
	}
}

// words describes the value that a field of each kind expects, for errors.
var words = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
	reflect.String: "a string in quotes", reflect.Bool: "true or false", reflect.Slice: "a list of whole numbers",
	reflect.Struct: "a table", reflect.Map: "a table",
}

// setField sets a field, and reports whether the value has the field's type.
func (f *File) setField(field reflect.Value, n *Node) bool {
	v := reflect.ValueOf(n.Value)
	switch {
	case n.IsList && field.Kind() == reflect.Slice:
		list := reflect.MakeSlice(field.Type(), len(n.List), len(n.List))
		for i, x := range n.List {
			if !f.setField(list.Index(i), x) {
				return false
			}
		}
		field.Set(list)
	case n.Table && field.Kind() == reflect.Map:
		field.Set(reflect.MakeMap(field.Type()))
		for _, e := range n.Keys {
			value := reflect.New(field.Type().Elem()).Elem()
			if value.Kind() == reflect.String && e.Value != nil {
				value.SetString(fmt.Sprint(e.Value)) // every setting is stored as text
			} else if !f.setField(value, e.Node) {
				return false
			}
			field.SetMapIndex(reflect.ValueOf(e.Name), value)
		}
	case n.Table && field.Kind() == reflect.Struct:
		var keys []string
		for _, x := range reflect.VisibleFields(field.Type()) {
			if x.IsExported() {
				keys = append(keys, strings.ToLower(x.Name))
			}
		}
		f.Decode(field.Addr().Interface(), n, keys...)
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
