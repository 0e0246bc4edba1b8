package state

import (
	"fmt"
	"reflect"
)

// Fields visits every number of a struct in the order of its fields. They have 64 bits,
// or are arrays, slices that do not change their length, or structs of such; p points to
// the struct.
func Fields(c *Codec, p any) { fields(c, reflect.ValueOf(p).Elem()) }

func fields(c *Codec, v reflect.Value) {
	switch v.Kind() {
	case reflect.Uint64:
		n := v.Uint()
		Num(c, &n)
		if c.loading {
			v.SetUint(n)
		}
	case reflect.Int, reflect.Int64:
		n := v.Int()
		Num(c, &n)
		if c.loading {
			v.SetInt(n)
		}
	case reflect.Float64:
		x := v.Float()
		Float(c, &x)
		if c.loading {
			v.SetFloat(x)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			fields(c, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fields(c, v.Field(i))
		}
	default:
		panic(fmt.Sprintf("state: Fields visits numbers of 64 bits, and %v is not one", v.Type()))
	}
}
