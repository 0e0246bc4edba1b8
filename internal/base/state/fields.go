package state

import (
	"fmt"
	"reflect"
)

// Fields visits every number of a struct in the order of its fields. They are
// uint64, arrays of uint64 or structs of such; p points to the struct.
func Fields(c *Codec, p any) { fields(c, reflect.ValueOf(p).Elem()) }

func fields(c *Codec, v reflect.Value) {
	switch v.Kind() {
	case reflect.Uint64:
		n := v.Uint()
		Num(c, &n)
		if c.loading {
			v.SetUint(n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fields(c, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fields(c, v.Field(i))
		}
	default:
		panic(fmt.Sprintf("state: Fields visits uint64 only, and %v is not", v.Type()))
	}
}
