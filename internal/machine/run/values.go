package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"emsim/em4"
)

// Values are a run's statistics by em4.Statistic.Key: counts as uint64, shares and
// ratios as float64.
type Values map[string]any

func valuesOf(t *em4.Totals) Values {
	v := Values{}
	for _, s := range em4.StatisticsIn(em4.InJSON) {
		v[s.Key] = s.Total(t)
	}
	return v
}

// MarshalJSON puts every statistic in its place.
func (v Values) MarshalJSON() ([]byte, error) {
	var members []string
	inner, at := map[string][]string{}, map[string]int{} // the members of an object, and its own place
	for _, s := range em4.StatisticsIn(em4.InJSON) {
		text, err := json.Marshal(v[s.Key])
		if err != nil {
			return nil, err
		}
		in, key := s.Place()
		member := fmt.Sprintf("%q:%s", key, text)
		if in == "" {
			members = append(members, member)
			continue
		}
		if inner[in] == nil {
			at[in], members = len(members), append(members, "")
		}
		inner[in] = append(inner[in], member)
		members[at[in]] = fmt.Sprintf("%q:{%s}", in, strings.Join(inner[in], ","))
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// MarshalJSON writes the keys of the answer: the statistics stand in the middle.
func (x *Answer) MarshalJSON() ([]byte, error) {
	var bodies [][]byte
	for _, part := range []any{x.Asked, x.Values, x.Cost} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false) // the caller's encoder decides whether < and & become escapes
		if err := e.Encode(part); err != nil {
			return nil, err
		}
		bodies = append(bodies, b.Bytes()[1:b.Len()-2])
	}
	return append(append([]byte{'{'}, bytes.Join(bodies, []byte{','})...), '}'), nil
}
