package main

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/checkpoint"
	"emsim/em4"
	"emsim/internal/state"
)

// clean runs a command line and drops what depends on the computer.
func clean(t *testing.T, args ...string) map[string]any {
	t.Helper()
	x := answer(t, args...)
	delete(x, "wall_seconds")
	delete(x, "pe_clocks_per_second")
	return x
}

// Saved at any clock of any run of a series, and with any part of the flags
// for files: the answer and the files are those of the uninterrupted command.
func TestResumeAnywhere(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	command := []string{"run", "fib", "11", "--policy", "random", "--mlpe", "--pes", "12", "--runs", "5", "--seed", "3", "--window", "90"}
	whole := clean(t, append(command, "--stats", file("s"), "--series", file("w"))...)
	longest, at := 0.0, []uint64{0, 1, 100, 777}
	for _, n := range whole["runs"].([]any) {
		if n := n.(float64); n > longest { // a clock that no run before has reached
			at, longest = append(at, uint64(n)), n
		}
	}
	require.Greater(t, len(at), 5, "a later run is the longest: %v", whole["runs"])
	same := func(a, b string) {
		x, err := os.ReadFile(file(a))
		require.NoError(t, err)
		y, err := os.ReadFile(file(b))
		require.NoError(t, err)
		require.Equal(t, string(x), string(y))
	}
	for _, clock := range at {
		saving := append(slices.Clone(command), "--stats", file("s1"), "--series", file("w1"), "--checkpoint", file("c"), "--at", strconv.FormatUint(clock, 10))
		require.Equal(t, whole, clean(t, saving...), "clock %d", clock)
		same("s", "s1")
		require.Equal(t, whole, clean(t, "run", "--resume", file("c"), "--stats", file("s2"), "--series", file("w2")), "clock %d", clock)
		same("s", "s2")
		same("w", "w2")
		require.Equal(t, whole, clean(t, "run", "--resume", file("c"), "--threads", "2"), "clock %d", clock)
	}
}

// body returns the unpacked body of a small checkpoint, and how many bytes
// stand before the machine's state.
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
	status, out, errs := emsim("run", source, "9", "--pes", "4", "--set", "memory_words=2048", "--set", "mib_words=64", "--set", "segments=8", "--set", "segment_words=8",
		"--set", "structure_words=100", "--runs", "2", "--stats", file+".s", "--series", file+".w", "--window", "10", "--checkpoint", file, "--at", "25")
	require.Zero(t, status, "%s%s", out, errs)
	s := &session{flags: &runFlags{}, app: &app{out: io.Discard, err: io.Discard}, target: &target{}}
	require.NoError(t, checkpoint.Read(file, s.visit))
	c := state.Saver(nil)
	s.visit(c)
	m := state.Saver(nil)
	s.run.State(m)
	return c.Bytes(), len(c.Bytes()) - len(m.Bytes()) - 8
}

// load restores a body of any kind; what is taken goes on.
func load(b []byte) error {
	s := &session{flags: &runFlags{}, app: &app{out: io.Discard, err: io.Discard}, target: &target{}}
	c := state.Loader(b)
	if s.visit(c); c.Err() != nil {
		return c.Err()
	}
	_ = s.run.Advance(context.Background(), s.run.Clock()+100)
	x := s.answer(oneRun{Result: s.run.Result()})
	_ = x.table(io.Discard)
	s.pastRows()
	return nil
}

// Whatever number stands where in front of the state: no panic, and no more
// memory than a machine of the size takes.
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
	// A state in which every number is allowed and one is another.
	b := slices.Clone(good)
	b[front+8*5]++
	require.Error(t, load(b))
	binary.LittleEndian.PutUint64(b[len(b)-8:], 1)
	require.Error(t, load(b))
}

// FuzzCheckpoint reads bodies of any kind.
func FuzzCheckpoint(f *testing.F) {
	good, front := body(f)
	f.Add(good)
	f.Add(good[:front])
	f.Fuzz(func(_ *testing.T, b []byte) { _ = load(b) })
}

// Every number of a session is in its checkpoint, but for what it costs on
// this computer.
func TestCheckpointHoldsEveryField(t *testing.T) {
	for _, x := range []any{new(em4.Totals), new(peCounters), new(oneRun)} {
		walk := x.(interface{ State(c *state.Codec) })
		saved := func() string {
			c := state.Saver(nil)
			walk.State(c)
			return string(c.Bytes())
		}
		before := saved()
		leaves(reflect.ValueOf(x).Elem(), reflect.TypeOf(x).String(), func(path string, set func(n int)) {
			if slices.Contains([]string{"*main.oneRun.stepped", "*main.oneRun.wall"}, path) {
				return
			}
			set(1)
			require.NotEqual(t, before, saved(), "%s is not saved", path)
			set(0)
			require.Equal(t, before, saved(), path)
		})
	}
}

// leaves calls f with every number in a struct; slices are taken for numbers.
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
		if v.Type().Elem().Kind() == reflect.Uint64 { // Series is kept with the rows
			f(path, func(n int) { v.Set(reflect.MakeSlice(v.Type(), n, n)) })
		}
	default:
		f(path, func(n int) { v.Set(reflect.ValueOf(n).Convert(v.Type())) })
	}
}
