package run

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/state"
)

// body returns the unpacked body of a small checkpoint, and the number of bytes before the machine's state.
func body(t testing.TB) (b []byte, front int) {
	file := filepath.Join(t.TempDir(), "c")
	source := filepath.Join(t.TempDir(), "p.s")
	require.NoError(t, os.WriteFile(source, []byte(`
 .arg n, 1, 9, main
 .param policy, near, far
 .template pair
both: add r1, r1, r2
 out! r1
 .endtemplate
main: out r1
 getseg r3, pair
 getstr r4, 5
 send.l r1, r3, @both
loop: sub r1, r1, 1
 bne r1, r0, loop
 send.r! r1, r3, @both
`), 0o600))
	pes := 4
	spec := Spec{
		Machine: Machine{Name: "emc-r", PEs: &pes, Sets: []string{
			"memory_words=2048", "mib_words=64", "segments=8",
			"segment_words=8", "structure_words=100",
		}},
		Program: source, Args: []string{"9"}, Seed: 1, Threads: 1,
	}
	ctx := context.Background()
	target, err := spec.Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 2, Window: 10, KeepCounters: true, KeepSeries: true, KeepRows: true})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, 25))
	require.NoError(t, s.Save(file, ""))
	s, err = Resume(file)
	require.NoError(t, err)
	c, m := state.Saver(nil), state.Saver(nil)
	s.State(c)
	s.Current.State(m)
	return c.Bytes(), len(c.Bytes()) - len(m.Bytes()) - 8
}

// load restores a body. If the restore accepts it, load continues the run.
func load(b []byte) error {
	s := &Batch{Target: &Target{}}
	c := state.Loader(b)
	if s.State(c); c.Err() != nil {
		return c.Err()
	}
	_ = s.Advance(context.Background(), s.Current.Clock()+100)
	one, _ := s.EndRun(nil)
	_ = s.Answer(one)
	return nil
}

// No number before the machine's state, however wrong, causes a panic or takes more memory than a machine of that size.
func TestWrongCheckpoints(t *testing.T) {
	good, front := body(t)
	require.NoError(t, load(good))
	refused := 0
	for at := 0; at < front; at += 8 {
		old := binary.LittleEndian.Uint64(good[at:])
		for _, v := range []uint64{0, old + 1, old - 1, 1 << 20, 1 << 40, 1 << 63, ^uint64(0)} {
			b := slices.Clone(good)
			binary.LittleEndian.PutUint64(b[at:], v)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if load(b) != nil {
				refused++
			}
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20), "number %d is %#x", at/8, v)
		}
	}
	t.Logf("%d of %d changes refused", refused, front/8*7)
	require.Greater(t, refused, front/8*3)
	for _, at := range []int{0, 8, front / 4, len(good) - 800, len(good) - 8} {
		require.ErrorIs(t, load(good[:at]), state.ErrTruncated)
	}
	// All numbers in this state are valid, but one differs.
	b := slices.Clone(good)
	b[front+8*5]++
	require.Error(t, load(b))
	binary.LittleEndian.PutUint64(b[len(b)-8:], 1)
	require.Error(t, load(b))
}

// FuzzCheckpoint restores arbitrary bodies.
func FuzzCheckpoint(f *testing.F) {
	good, front := body(f)
	f.Add(good)
	f.Add(good[:front])
	f.Fuzz(func(_ *testing.T, b []byte) { _ = load(b) })
}

// Every number of a session is in its checkpoint, except the cost of simulation.
func TestCheckpointHoldsEveryField(t *testing.T) {
	for _, x := range []any{new(em4.Totals), new(em4.Counters), new(OneRun)} {
		walk := x.(interface{ State(c *state.Codec) })
		saved := func() string {
			c := state.Saver(nil)
			walk.State(c)
			return string(c.Bytes())
		}
		before := saved()
		leaves(reflect.ValueOf(x).Elem(), reflect.TypeOf(x).String(), func(path string, set func(n int)) {
			if slices.Contains([]string{"*run.OneRun.Stepped", "*run.OneRun.Single", "*run.OneRun.Wall"}, path) {
				return
			}
			set(1)
			require.NotEqual(t, before, saved(), "%s is not saved", path)
			set(0)
			require.Equal(t, before, saved(), path)
		})
	}
}

// leaves calls f for every number in a struct; a slice counts as a number.
func leaves(v reflect.Value, path string, f func(path string, set func(n int))) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // unexported fields too
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), path+"."+v.Type().Field(i).Name, f)
		}
	case reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), path, f)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint64 { // Series is saved with the rows
			f(path, func(n int) { v.Set(reflect.MakeSlice(v.Type(), n, n)) })
		}
	case reflect.Pointer: // Overtakings: nil in runs with checkpoints
	default:
		f(path, func(n int) { v.Set(reflect.ValueOf(n).Convert(v.Type())) })
	}
}
