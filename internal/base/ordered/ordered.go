// Package ordered writes JSON objects whose keys keep their order.
//
//	ordered.go  the whole package
package ordered

import (
	"bytes"
	"encoding/json"
)

// Object is a JSON object: a list of keys, each followed by its value. An empty Object becomes null.
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

// MarshalJSON writes the keys in order. Whether < and & are escaped depends on the outer encoder.
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
