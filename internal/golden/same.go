package golden

import (
	"fmt"
	"reflect"
	"testing"
)

// TB is what Same needs of a test: *testing.T and rapid's T have it.
type TB interface {
	Helper()                           // as of testing.T
	Fatalf(format string, args ...any) // as of testing.T
}

var _ TB = (*testing.T)(nil)

// Same fails a test if want and got differ, and names only the first field or
// element in which they do: states and statistics are too large to print. what
// says what is compared; it may hold a format and its values.
func Same(t TB, want, got any, what ...any) {
	t.Helper()
	d := FirstDifference(want, got)
	if d == "" {
		return
	}
	about := ""
	if len(what) > 0 {
		about = fmt.Sprintf(fmt.Sprint(what[0]), what[1:]...) + ": "
	}
	t.Fatalf("%s%s", about, d)
}

// FirstDifference returns the path of the first field or element in which two
// values differ, with both values there; "" if they are equal. Unexported fields
// count; functions are not compared.
func FirstDifference(want, got any) string {
	return difference(reflect.ValueOf(want), reflect.ValueOf(got), "")
}

func difference(a, b reflect.Value, path string) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%s: the values are of different types", named(path))
	}
	if !a.IsValid() {
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return leaf(a.IsNil(), b.IsNil(), path+" is nil")
		}
		return difference(a.Elem(), b.Elem(), path)
	case reflect.Struct:
		for i := range a.NumField() {
			if d := difference(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name); d != "" {
				return d
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range min(a.Len(), b.Len()) {
			if d := difference(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); d != "" {
				return d
			}
		}
		return leaf(a.Len(), b.Len(), "the length of "+named(path))
	case reflect.Map:
		for _, k := range a.MapKeys() {
			if d := difference(a.MapIndex(k), b.MapIndex(k), fmt.Sprintf("%s[%v]", path, k)); d != "" {
				return d
			}
		}
		return leaf(a.Len(), b.Len(), "the length of "+named(path))
	case reflect.Func:
	default:
		if !a.Equal(b) {
			return leaf(fmt.Sprint(a), fmt.Sprint(b), path)
		}
	}
	return ""
}

func leaf(want, got any, path string) string {
	if want == got {
		return ""
	}
	return fmt.Sprintf("%s: want %.100s, got %.100s", named(path), fmt.Sprint(want), fmt.Sprint(got))
}

func named(path string) string {
	if path == "" {
		return "the value"
	}
	return path
}
