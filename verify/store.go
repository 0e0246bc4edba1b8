package verify

import (
	"context"
	"sync"

	"emsim/internal/base/interrupt"
)

// store keeps the results of this process's runs, by the description of the run. Equal runs are done once, whichever
// rows and figures need them. A result is never dropped, because results are small and there are only about a
// thousand different runs. Several goroutines may use a store at a time.
type store[K comparable, V any] struct {
	mu  sync.Mutex
	all map[K]*ran[V]
}

// ran holds the result of a run. It is valid when done is closed. err is the error that ended the run.
type ran[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// claim returns the entry of a run, and whether it is new. If it is new, the caller must do the run and call end.
func (s *store[K, V]) claim(key K) (r *ran[V], mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r = s.all[key]; r != nil {
		return r, false
	}
	if s.all == nil {
		s.all = map[K]*ran[V]{}
	}
	r = &ran[V]{done: make(chan struct{})}
	s.all[key] = r
	return r, true
}

// end records the result of a run. If the run was interrupted, it removes the entry, so that another caller can do the
// run.
func (s *store[K, V]) end(key K, value V, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.all[key]
	r.value, r.err = value, err
	if interrupt.Ended(err) {
		delete(s.all, key)
	}
	close(r.done)
}

// once returns the result of a run. It does the run if no caller has begun it.
func (s *store[K, V]) once(ctx context.Context, key K, do func(context.Context) (V, error)) (value V, err error) {
	for {
		r, mine := s.claim(key)
		if mine {
			value, err = do(ctx)
			s.end(key, value, err)
			return value, err
		}
		select {
		case <-ctx.Done():
			return value, ctx.Err()
		case <-r.done:
		}
		if !interrupt.Ended(r.err) {
			return r.value, r.err
		}
	}
}
