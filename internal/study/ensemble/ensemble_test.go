package ensemble

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/memlimit"
)

// crew returns a crew with room for 100 bytes. The number *used is the bytes in use.
func crew(workers int, used *uint64) *Crew {
	return &Crew{workers: workers, memory: 100, used: func() uint64 { return *used }}
}

// work is the work of a test: pieces with these sizes, each of which ends when the test releases it.
type work struct {
	sizes   []uint64
	mu      sync.Mutex
	running []int
	release map[int]chan error
}

func newWork(sizes ...uint64) *work {
	w := &work{sizes: sizes, release: map[int]chan error{}}
	for i := range sizes {
		w.release[i] = make(chan error)
	}
	return w
}

func (w *work) bytes(i int) uint64 { return w.sizes[i] }

// do waits until the test releases the piece or the context ends.
func (w *work) do(ctx context.Context, i int) error {
	w.mu.Lock()
	w.running = append(w.running, i)
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running = slices.DeleteFunc(w.running, func(j int) bool { return j == i })
	}()
	select {
	case err := <-w.release[i]:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end ends a piece and returns the pieces that run afterwards.
func (w *work) end(i int, err error) []int {
	w.release[i] <- err
	return w.now()
}

func (w *work) now() []int {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	now := slices.Clone(w.running)
	slices.Sort(now)
	return now
}

// As many pieces run as there are workers, and they begin in order.
func TestWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, used := newWork(1, 1, 1, 1, 1), uint64(0)
		done := make(chan int)
		go func() {
			done <- crew(3, &used).Each(t.Context(), 5, w.bytes, func(i int) { _ = w.do(t.Context(), i) })
		}()
		require.Equal(t, []int{0, 1, 2}, w.now())
		require.Equal(t, []int{0, 2, 3}, w.end(1, nil))
		require.Equal(t, []int{2, 3, 4}, w.end(0, nil))
		require.Equal(t, []int{2, 3}, w.end(4, nil))
		w.end(3, nil)
		require.Empty(t, w.end(2, nil))
		require.Equal(t, 5, <-done)
	})
	require.Equal(t, runtime.GOMAXPROCS(0), New(0).workers)
	require.Equal(t, 7, New(7).workers)
}

// Memory limits how many pieces run. A piece that is larger than all the memory runs alone, and no later piece
// overtakes it.
func TestMemoryBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, used := newWork(60, 40, 1, 1000, 50, 51), uint64(0)
		go crew(9, &used).Each(t.Context(), 6, w.bytes, func(i int) { _ = w.do(t.Context(), i) })
		require.Equal(t, []int{0, 1}, w.now())
		require.Equal(t, []int{0, 2}, w.end(1, nil))
		require.Equal(t, []int{0}, w.end(2, nil), "the next one is too large")
		require.Equal(t, []int{3}, w.end(0, nil))
		require.Equal(t, []int{4}, w.end(3, nil))
		require.Equal(t, []int{5}, w.end(4, nil))
		require.Empty(t, w.end(5, nil))
	})
}

// The bytes actually in use count, in addition to the estimates.
func TestGrowthCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, used := newWork(10, 10, 10, 10), uint64(90)
		go crew(9, &used).Each(t.Context(), 4, w.bytes, func(i int) { _ = w.do(t.Context(), i) })
		require.Equal(t, []int{0, 1, 2, 3}, w.now())
		for i := range 4 {
			w.end(i, nil)
		}
		w, used = newWork(10, 10, 10), 91
		go crew(9, &used).Each(t.Context(), 3, w.bytes, func(i int) { _ = w.do(t.Context(), i) })
		require.Equal(t, []int{0}, w.now(), "one may always run")
		require.Equal(t, []int{1}, w.end(0, nil))
		used = 0
		require.Equal(t, []int{2}, w.end(1, nil))
		w.end(2, nil)
	})
}

// A caller that stops waiting does not block the others.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		used := uint64(0)
		c := crew(9, &used)
		require.NoError(t, c.Enter(t.Context(), 60))
		ctx, cancel := context.WithCancel(t.Context())
		ends := make(chan error, 2)
		go func() { ends <- c.Enter(ctx, 50) }()
		synctest.Wait()
		go func() { ends <- c.Enter(t.Context(), 40) }()
		synctest.Wait()
		require.Empty(t, ends, "first come, first served")
		cancel()
		synctest.Wait()
		got := []error{<-ends, <-ends}
		require.Contains(t, got, context.Canceled)
		require.Contains(t, got, error(nil))
		c.Leave(40)
		c.Leave(60)
		require.Zero(t, c.taken)
		require.Zero(t, c.running)
		require.Empty(t, c.waiting)
	})
}

// Such a caller does not give back memory that it never took.
func TestGivingUpTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		used := uint64(0)
		c := crew(9, &used)
		require.NoError(t, c.Enter(t.Context(), 1))
		require.NoError(t, c.Enter(t.Context(), 1))
		used = 95
		ctx, cancel := context.WithCancel(t.Context())
		end := make(chan error)
		go func() { end <- c.Enter(ctx, 50) }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-end, context.Canceled)
		require.Empty(t, c.waiting)
		require.Equal(t, 2, c.running)
		require.EqualValues(t, 2, c.taken)
	})
}

// Garbage of former machines does not count as in use: it is collected before work has to wait for memory.
func TestGarbageDoesNotCount(t *testing.T) {
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	c := &Crew{workers: 9, memory: 100, used: func() uint64 {
		if runtime.ReadMemStats(&now); now.NumForcedGC > before.NumForcedGC {
			return 10
		}
		return 99
	}}
	require.NoError(t, c.Enter(t.Context(), 1))
	require.True(t, c.mayBegin(20))
}

// InOrder returns the error of the first piece that fails, even if later pieces have failed earlier. Pieces before it
// continue, and pieces after it are ended.
func TestInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type end struct {
			failed int
			err    error
		}
		done := make(chan end, 1)
		begin := func(ctx context.Context, w *work) {
			used := uint64(0)
			go func() {
				failed, err := crew(4, &used).InOrder(ctx, len(w.sizes), w.bytes, w.do)
				done <- end{failed, err}
			}()
		}
		w := newWork(1, 1, 1, 1, 1, 1)
		begin(t.Context(), w)
		require.Equal(t, []int{0, 1, 2, 3}, w.now())
		require.Equal(t, []int{0, 1}, w.end(2, errors.New("two")), "3 is ended, 4 does not begin")
		require.Equal(t, []int{0}, w.end(1, errors.New("one")))
		require.Empty(t, w.end(0, nil))
		require.Equal(t, end{1, errors.New("one")}, <-done)

		w = newWork(1, 1)
		begin(t.Context(), w)
		w.now()
		w.end(1, nil)
		w.end(0, nil)
		require.Equal(t, end{2, nil}, <-done)

		ctx, cancel := context.WithCancel(t.Context())
		w = newWork(1, 1, 1, 1, 1, 1)
		begin(ctx, w)
		w.now()
		w.end(0, nil)
		cancel()
		require.Equal(t, end{1, context.Canceled}, <-done)

		w = newWork(1, 1)
		begin(ctx, w)
		require.Equal(t, end{0, context.Canceled}, <-done, "the end of ctx is the first piece's error")
	})
}

// A panic in one piece becomes a panic of the caller.
func TestPanics(t *testing.T) {
	begun := 0
	require.PanicsWithValue(t, "", func() {
		defer func() {
			x := fmt.Sprint(recover())
			require.Regexp(t, `(?s)^a bug in 3\n.*ensemble_test.go`, x)
			panic("")
		}()
		New(1).Each(t.Context(), 5, func(int) uint64 { return 0 }, func(i int) {
			if begun++; i == 3 {
				panic("a bug in 3")
			}
		})
	})
	require.Equal(t, 5, begun, "the others are done")
}

// Memory returns a part of the memory that is left.
func TestMemory(t *testing.T) {
	require.Greater(t, Memory(), uint64(16<<20))
	require.Less(t, Memory(), uint64(math.MaxInt64))
	require.Greater(t, memlimit.HeapBytes(), uint64(1000))
}

// Waiting uses no CPU time.
func TestEnterSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		used := uint64(0)
		c := crew(1, &used)
		require.NoError(t, c.Enter(t.Context(), 1))
		begin := time.Now()
		go func() {
			time.Sleep(time.Hour)
			c.Leave(1)
		}()
		require.NoError(t, c.Enter(t.Context(), 1))
		require.Equal(t, time.Hour, time.Since(begin))
	})
}
