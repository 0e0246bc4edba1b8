// Package ordered writes JSON objects whose keys have an order.
//
//	ordered.go  the whole package
package ordered

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object: its keys, each before its value; null without any.
type Object []any

// Get returns the value of a key, or nil.
func (o Object) Get(key string) any {
	for i := 0; i < len(o); i += 2 {
		if o[i] == key {
			return o[i+1]
		}
	}
	return nil
}

// MarshalJSON writes the keys in their order. Who encodes the object decides whether <
// and & become escapes.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i, x := range o {
		b.WriteByte("{:,:"[min(i, 2+i%2)])
		if err := enc.Encode(x); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
