//go:build slow

package command

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/verify"
)

// Every command of a row, except verify itself, gives the row's value. A command that gives several rows runs once, and
// commands run in parallel.
func TestEveryCommandGivesItsRow(t *testing.T) {
	suites := verify.Suites()
	chosen, err := verify.Select(suites, nil)
	require.NoError(t, err)
	var hows []verify.Reproduction // of the rows, in the order of verify.Run
	for _, s := range suites {
		var rest []verify.Claim
		for _, c := range chosen[s.Paper] {
			if how := verify.Reproduce(c); how.Reading.Key != "0.model" {
				rest, hows = append(rest, c), append(hows, how)
			}
		}
		chosen[s.Paper] = rest
	}
	answers := answersOf(t, hows)
	began := time.Now()
	rows, err := verify.Run(t.Context(), suites, chosen, nil)
	require.NoError(t, err)
	t.Logf("%d rows measured in %v", len(rows), time.Since(began).Round(time.Second))
	require.Len(t, rows, len(hows))
	for i, how := range hows {
		v, err := readValue(how.Reading, answers[how.Command])
		require.NoError(t, err, "%s: %s", rows[i].ID, how.Command)
		sameValue(t, rows[i], v)
	}
}

// answersOf runs every command once, and logs its duration.
func answersOf(t *testing.T, hows []verify.Reproduction) map[string][]byte {
	answers := map[string][]byte{}
	var order []verify.Reproduction
	for _, how := range hows {
		if _, ok := answers[how.Command]; !ok {
			answers[how.Command] = nil
			order = append(order, how)
		}
	}
	var lock sync.Mutex
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, how := range order {
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			began := time.Now()
			answer := answerOf(how)
			lock.Lock()
			defer lock.Unlock()
			answers[how.Command] = answer
			t.Logf("%d of %d, %v: %s", i+1, len(order), time.Since(began).Round(10*time.Millisecond), how.Command)
		})
	}
	all.Wait()
	return answers
}
