// Package statetest tests the functions that visit the states of machines (internal/base/state).
//
//	fields.go   checks that the hash changes if any field does
//	resumed.go  checks that a run continued from any of its states equals the original,
//	            and that no damaged state makes a restore panic
package statetest

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Fields changes every leaf of a machine's plain data and checks that the hash changes.
type Fields struct {
	NoState map[string]string // fields that are not part of the state, each with the reason
	InUse   func(parent reflect.Value, field string,
		i int) bool // whether an element of a field is in use; nil means that all are
	Most int // the number of elements of a list to change: its ends and some between them; 0 means all

	t       *testing.T
	hash    func() uint64
	want    uint64
	seen    map[unsafe.Pointer]bool // structs already visited through pointers
	changed map[string]int          // number of changed leaves by field
	met     map[string]bool         // entries of NoState that have been used
	waiting map[string]bool         // fields that have not been in use so far
}

// Check changes every leaf of a machine, one at a time, and back.
func (w *Fields) Check(t *testing.T, machine any, hash func() uint64) {
	if w.changed == nil {
		w.changed, w.met, w.waiting = map[string]int{}, map[string]bool{}, map[string]bool{}
	}
	w.t, w.hash, w.want, w.seen = t, hash, hash(), map[unsafe.Pointer]bool{}
	w.fields(reflect.ValueOf(machine).Elem(), "m")
	require.Equal(t, w.want, hash(), "the walk leaves the state as it was")
}

// Finish fails if a field was skipped because it was never in use, or if an entry of NoState matches no field.
func (w *Fields) Finish() {
	leaves := 0
	for _, n := range w.changed {
		leaves += n
	}
	w.t.Logf("%d fields, %d leaves changed", len(w.changed), leaves)
	for _, path := range slices.Sorted(maps.Keys(w.waiting)) {
		seen := slices.ContainsFunc(slices.Collect(maps.Keys(w.changed)), func(p string) bool {
			return p == path || strings.HasPrefix(p, path+".")
		})
		require.True(w.t, seen, "%s was never in use: the test has to reach it", path)
	}
	for name := range w.NoState {
		require.True(w.t, w.met[name], "NoState lists %s, which no machine has", name)
	}
}

// fields visits the fields of a struct.
func (w *Fields) fields(v reflect.Value, path string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := v.Type().String() + "." + f.Name
		if _, skip := w.NoState[name]; skip || f.Name == "_" {
			w.met[name] = true
			continue
		}
		if f.Name == "head" && isQueue(v) { // queues with equal contents have equal states
			continue
		}
		x := v.Field(i)
		x = reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem() // gives access to unexported fields
		at := path + "." + f.Name
		if k := x.Kind(); k == reflect.Array || k == reflect.Slice {
			w.list(v, x, f.Name, at)
			continue
		}
		if w.inUse(v, f.Name, 0) {
			w.value(x, at)
		} else {
			w.waiting[at] = true
		}
	}
}

// list visits the elements of a field.
func (w *Fields) list(parent, x reflect.Value, field, at string) {
	if x.Kind() == reflect.Slice && x.Len() == 0 {
		w.waiting[at] = true
	}
	step := 1
	if w.Most > 0 {
		step = max(1, x.Len()/w.Most)
	}
	for j := range x.Len() {
		switch {
		case j%step != 0 && j != x.Len()-1:
		case w.inUse(parent, field, j):
			w.value(x.Index(j), at)
		default:
			w.waiting[at] = true
		}
	}
}

func (w *Fields) inUse(parent reflect.Value, field string, i int) bool {
	if isQueue(parent) {
		return int64(i) >= parent.FieldByName("head").Int()
	}
	return w.InUse == nil || w.InUse(parent, field, i)
}

func isQueue(v reflect.Value) bool { return strings.HasPrefix(v.Type().String(), "agenda.FIFO[") }

func (w *Fields) value(x reflect.Value, path string) {
	switch x.Kind() {
	case reflect.Struct:
		w.fields(x, path)
	case reflect.Pointer:
		if x.IsNil() {
			w.waiting[path] = true
		} else if p := x.UnsafePointer(); !w.seen[p] {
			w.seen[p] = true
			w.value(x.Elem(), path)
		}
	case reflect.Array, reflect.Slice:
		w.list(reflect.ValueOf(struct{}{}), x, "", path)
	case reflect.Bool:
		w.leaf(path, func() { x.SetBool(!x.Bool()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.leaf(path, func() { x.SetInt(x.Int() ^ 1) })
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.leaf(path, func() { x.SetUint(x.Uint() ^ 1) })
	case reflect.Float64:
		w.leaf(path, func() { x.SetFloat(math.Float64frombits(math.Float64bits(x.Float()) ^ 1)) })
	case reflect.String:
		old := x.String()
		w.leaf(path, func() { x.SetString(map[bool]string{true: old + "x", false: old}[x.String() == old]) })
	default:
		require.Failf(w.t, "a field of a kind that this test does not know", "%s %v", path, x.Type())
	}
}

// leaf changes a value, computes the hash, and changes the value back.
func (w *Fields) leaf(path string, flip func()) {
	flip()
	got := w.hash()
	flip()
	require.NotEqual(w.t, w.want, got, "the hash does not see %s change", path)
	w.changed[path]++
}
