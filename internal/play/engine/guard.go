package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/memlimit"
)

// usualMemory is the default memory limit, well below the 4 GB at which a browser ends the engine [chosen].
const usualMemory = 1 << 30

// mostHost is the largest number of words to the host; every snapshot contains them [chosen].
const mostHost = 1 << 16

// between is the time between two calls of Yield. It is short enough for a smooth picture, and long enough to cost
// little [chosen].
const between = 40 * time.Millisecond

// guard is the context of one piece of work. It ends when the outer context ends, when the process uses too much
// memory, or when the host has received too many words. The model checks it every few clocks.
type guard struct {
	context.Context
	s     *Session
	last  time.Time
	words int // words to the host when the work began; work that goes back from too many words may continue
	full  error
}

func (s *Session) guard(ctx context.Context) *guard {
	g := &guard{Context: ctx, s: s, last: time.Now()}
	if s.d != nil {
		g.words = len(s.batch().Net.HostWords())
	}
	return g
}

// Err returns the reason why the work should end, or nil.
func (g *guard) Err() error {
	if g.full != nil {
		return g.full
	}
	if now := time.Now(); now.Sub(g.last) >= between {
		if used, limit := memlimit.HeapBytes(), g.s.memoryLimit(); used > limit {
			g.full = fmt.Errorf("%w: the machine, its history and the words to the host use %d MB of memory, "+
				"and %d MB are allowed; choose fewer PEs, or correct the program", context.Canceled, used>>20, limit>>20)
			return g.full
		}
		if g.s.d != nil && len(g.s.batch().Net.HostWords()) > max(mostHost, g.words) {
			g.full = fmt.Errorf("%w: the host has received more than %d words; correct the program", context.Canceled,
				mostHost)
			return g.full
		}
		if g.s.Yield != nil {
			g.s.Yield()
		}
		g.last = time.Now()
	}
	return g.Context.Err()
}

func (s *Session) memoryLimit() uint64 {
	if s.MemoryLimit == 0 {
		return usualMemory
	}
	return s.MemoryLimit
}

// explain returns the page's error message for work that was ended.
func (g *guard) explain(err error) error {
	var user *interrupt.Error
	switch {
	case !errors.As(err, &user):
		return err
	case g.full != nil:
		_, why, _ := strings.Cut(g.full.Error(), ": ")
		return errors.New("the program floods the memory of this page, so it was stopped: " + why)
	}
	return fmt.Errorf("stopped %s", user.How)
}
