package run

import (
	"bytes"
	"encoding/json"
	"fmt"

	"emsim/em4"
)

// Values are a run's statistics by em4.Statistic.Key: uint64, shares and ratios
// float64.
type Values map[string]any

func valuesOf(t *em4.Totals) Values {
	v := Values{}
	for _, s := range em4.StatisticsIn(em4.InJSON) {
		v[s.Key] = s.Total(t)
	}
	return v
}

// object is a JSON object whose keys have an order.
type object struct {
	keys   []string
	values map[string]any
}

func (o *object) addValue(key string, value any) {
	if o.values == nil {
		o.values = map[string]any{}
	}
	o.keys, o.values[key] = append(o.keys, key), value
}

// encode is json.Marshal that leaves it to the caller's encoder whether < and &
// become escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// MarshalJSON writes the keys in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, key := range o.keys {
		value, err := encode(o.values[key])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%s", key, value)
	}
	return append(b, '}'), nil
}

// MarshalJSON puts every statistic in its place.
func (v Values) MarshalJSON() ([]byte, error) {
	var all object
	for _, s := range em4.StatisticsIn(em4.InJSON) {
		in, key := s.Place()
		at := &all
		if in != "" {
			if all.values[in] == nil {
				all.addValue(in, &object{})
			}
			at = all.values[in].(*object)
		}
		at.addValue(key, v[s.Key])
	}
	return all.MarshalJSON()
}

// MarshalJSON writes the keys of the answer: the statistics stand in the middle.
func (x *Answer) MarshalJSON() ([]byte, error) {
	var bodies [][]byte
	for _, part := range []any{x.Asked, x.Values, x.Cost} {
		b, err := encode(part)
		if err != nil {
			return nil, err
		}
		bodies = append(bodies, b[1:len(b)-1])
	}
	return append(append([]byte{'{'}, bytes.Join(bodies, []byte{','})...), '}'), nil
}
