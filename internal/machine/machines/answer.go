package machines

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// The answers of all machines share five keys, each in the machine's own terms:
//
//	time        until the last one was done, in the machine's unit
//	efficiency  share of the processors' time until then that went into the work itself
//	transfers   units of work that changed processor
//	messages    what processors sent each other, data and control
//	imbalance   work of the busiest processor over the mean; 1 is even

// imbalance is the largest number over the mean, 1 if all are 0.
func imbalance[T int64 | float64](list []T) float64 {
	sum, most := 0., 0.
	for _, v := range list {
		sum += float64(v)
		most = max(most, float64(v))
	}
	if sum == 0 {
		return 1
	}
	return most * float64(len(list)) / sum
}

// share is the part of the processors' time that a sum of work is.
func share[T int64 | float64](work []T, time float64) float64 {
	if len(work) == 0 || time <= 0 {
		return 0
	}
	sum := 0.
	for _, v := range work {
		sum += float64(v)
	}
	return sum / (float64(len(work)) * time)
}

// Number is a number of an answer.
type Number struct {
	Key  string // in JSON
	Unit string
	Doc  string
	Of   []string // keys whose product it is a part of; none for most
	at   int      // field

	IsShare bool // 0..1, or a little more
}

// Numbers lists the numbers at the top of the answer of a kind, in its order,
// without the wall time.
func Numbers(name string) []Number { return numbersOf(reflect.TypeOf(models[name].Answer).Elem()) }

func numbersOf(answer reflect.Type) []Number {
	var list []Number
	for i := range answer.NumField() {
		f := answer.Field(i)
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if isNumber := reflect.Int <= of.Kind() && of.Kind() <= reflect.Float64; isNumber && f.Tag.Get("doc") != "" {
			n := Number{Key: keyOf(f), Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"), at: i}
			whole, isPart := f.Tag.Lookup("of")
			if n.IsShare = isPart && whole == ""; whole != "" {
				n.Of = strings.Split(whole, ",")
			}
			list = append(list, n)
		}
	}
	return list
}

// keyOf is the key of a field in JSON.
func keyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return key
}

// Value is the number in an answer; false if it has none.
func (n Number) Value(a Answer) (float64, bool) { return float(reflect.ValueOf(a).Elem().Field(n.at)) }

// float is a number, or what a pointer to one points to.
func float(v reflect.Value) (float64, bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0, false
		}
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// Band is the mean and the range of a number over several runs.
type Band struct {
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// Mean is the answer of runs that differ in their seeds: means of the numbers, and
// whatever else is the same in all.
type Mean struct {
	First Answer
	Seeds int
	Bands map[string]Band // by key
	keys  []string
	value map[string]any
}

// MeanOf returns the mean of one or more runs with consecutive seeds.
func MeanOf(runs []Answer) *Mean {
	m := &Mean{First: runs[0], Seeds: len(runs), Bands: map[string]Band{}, value: map[string]any{}}
	put := func(key string, v any) {
		m.keys = append(m.keys, key)
		m.value[key] = v
	}
	of := reflect.TypeOf(runs[0]).Elem()
	field := func(r Answer, i int) reflect.Value { return reflect.ValueOf(r).Elem().Field(i) }
	for i := range of.NumField() {
		key, first := keyOf(of.Field(i)), field(runs[0], i)
		switch _, isNumber := float(first); {
		case key == "seed":
			put(key, first.Interface())
			put("seeds", len(runs))
		case key == "seeds":
		case key == "wall_seconds":
			put(key, bandOf(runs, i).Mean*float64(len(runs))) // of all runs
		case isNumber:
			m.Bands[key] = bandOf(runs, i)
			put(key, m.Bands[key].Mean)
		case first.Kind() == reflect.Slice && first.Type().Elem().Kind() == reflect.Float64:
			put(key, meanList(runs, i))
		case first.Kind() != reflect.Slice || first.Type().Elem().Kind() != reflect.Struct:
			same := true
			for _, r := range runs {
				same = same && reflect.DeepEqual(field(r, i).Interface(), first.Interface())
			}
			if same {
				put(key, first.Interface())
			}
		}
	}
	return m
}

// Lists are the means by worker.
func (m *Mean) Lists() []List {
	l := List{Heads: []string{"worker"}}
	for _, key := range m.keys {
		list, _ := m.value[key].([]float64)
		for i, v := range list {
			if i == 0 {
				l.Heads = append(l.Heads, key)
			}
			if i == len(l.Rows) {
				l.Rows = append(l.Rows, []any{i})
			}
			l.Rows[i] = append(l.Rows[i], v)
		}
	}
	if l.Rows == nil {
		return nil
	}
	return []List{l}
}

// bandOf is the band of a field over the runs that have it.
func bandOf(runs []Answer, i int) Band {
	var list []float64
	for _, r := range runs {
		if v, ok := float(reflect.ValueOf(r).Elem().Field(i)); ok {
			list = append(list, v)
		}
	}
	if list == nil {
		return Band{}
	}
	return Band{exactMean(list), slices.Min(list), slices.Max(list)}
}

// meanList is the mean of lists, place by place.
func meanList(runs []Answer, i int) []float64 {
	at := func(r Answer) []float64 { return reflect.ValueOf(r).Elem().Field(i).Interface().([]float64) }
	means := make([]float64, len(at(runs[0])))
	for k := range means {
		var list []float64
		for _, r := range runs {
			list = append(list, at(r)[k])
		}
		means[k] = exactMean(list)
	}
	return means
}

// exactMean is rounded once, so that the order of the runs does not matter.
func exactMean(list []float64) float64 {
	sum := new(big.Float).SetPrec(2200) // exact: from the least to the greatest number
	for _, v := range list {
		sum.Add(sum, new(big.Float).SetFloat64(v))
	}
	m, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(list)))).Float64()
	return m
}

// MarshalJSON writes the keys in the order of the answer of one run, bands last.
func (m *Mean) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, key := range m.keys {
		text, err := json.Marshal(m.value[key])
		if err != nil {
			return nil, err
		}
		b.WriteString(`"` + key + `":`)
		b.Write(text)
		b.WriteByte(',')
	}
	bands, err := json.Marshal(m.Bands)
	b.WriteString(`"bands":`)
	b.Write(bands)
	b.WriteByte('}')
	return b.Bytes(), err
}
