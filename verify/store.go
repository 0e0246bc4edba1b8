package verify

import (
	"context"
	"sync"

	"emsim/internal/base/interrupt"
)

// store keeps what runs gave in this process, by what was run: equal ones are done once,
// whichever rows and figures ask for them. It keeps results, no machines, and as many as
// there are different runs: a thousand small ones. Several goroutines may use
// it at a time.
type store[K comparable, V any] struct {
	mu  sync.Mutex
	all map[K]*ran[V]
}

// ran is what a run gave, once done is closed. err is what ended it early.
type ran[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// claim returns a run's entry, and whether it is new: then the caller has to do the run
// and to call end.
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

// end records what a run gave, unless it was given up: another caller may have more time.
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

// once returns what a run gave, and does it if it has not been begun.
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
