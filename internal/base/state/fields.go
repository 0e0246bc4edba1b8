package state

import (
	"fmt"
	"reflect"
)

// Fields visits every number of the struct that p points to, in the order of its fields. Each field is a 64-bit number,
// or an array, a slice of constant length or a struct of such fields.
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
