// Package suggest finds the name that was probably meant by a misspelled one.
package suggest

import (
	"fmt"
	"slices"
	"strings"
)

// renamed maps former names in emsim to their possible present names.
var renamed = map[string][]string{
	"algorithm": {"policy"}, "method": {"policy"}, "scheme": {"policy"}, "policy-file": {"policy"},
	"load": {"loaded_share", "loaded-share", "loaded"}, "every": {"interval", "sample", "interval_rounds"},
	"migrate_every": {"interval"}, "migrate-every": {"interval"}, "window": {"sample"},
	"slow": {"noise_slow", "noise-slow"}, "step": {"slot_clocks", "slot-clocks", "every-clock"},
	"per-pe": {"each"}, "ranks": {"each"}, "n": {"workers"}, "sizes": {"workers"},
	"workers": {"jobs"},
	"trace":   {"arrivals"}, "ask-again": {"request-again"}, "ask_again": {"request_again"},
	"noload": {"none"}, "oneload": {"one"}, "twoload": {"two"}, // values of --loaded
	"clock": {"time"}, "s": {"time"}, "at_us": {"time"}, "tick": {"time"}, // columns of CSV files
	"pe": {"worker"}, "rank": {"worker"}, "processor": {"worker"}, "pp": {"worker"},
}

// instead maps former flags and commands to the command that has their work.
var instead = map[string]string{"--cite": "emsim cite", "emsim pdes compare": "emsim verify 004"}

// Instead returns the phrase `; 'COMMAND' replaces it` for a former flag, such as --cite, or a former command, or "".
func Instead(name string) string {
	if instead[name] == "" {
		return ""
	}
	return fmt.Sprintf("; '%s' replaces it", instead[name])
}

// distance returns the number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

// Nearest returns the candidate that name is most likely a misspelling of, or "". About a third of the letters may
// differ; case is ignored.
func Nearest(name string, candidates []string) string {
	if len(name) > 64 {
		return ""
	}
	low := strings.ToLower(name)
	best, limit := "", (len(name)+1)/3+1
	for _, c := range candidates {
		if c == name || max(len(c)-len(name), len(name)-len(c)) >= limit {
			continue
		}
		if d := distance(low, strings.ToLower(c)); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// Now returns the present name of what was formerly called name, if it is among the candidates, or "".
func Now(name string, candidates []string) string {
	i := slices.IndexFunc(renamed[name], func(now string) bool { return slices.Contains(candidates, now) })
	if i < 0 {
		return ""
	}
	return renamed[name][i]
}

// DidYouMean returns the phrase `; did you mean "x"?` with the nearest candidate, or "". For a former name it returns
// the present one.
func DidYouMean(name string, candidates []string) string {
	if now := Now(name, candidates); now != "" {
		return fmt.Sprintf("; it is now called %q", now)
	}
	if best := Nearest(name, candidates); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
