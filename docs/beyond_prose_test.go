package docs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// prose is the text of a page in one line, with the table of its numbers.
type prose struct {
	table
	file, text string
}

func newProse(t *testing.T) prose { return proseOf(t, "beyond/remedies.csv", "BEYOND.md") }

func proseOf(t *testing.T, table, file string) prose {
	return prose{read(t, table), file, strings.Join(strings.Fields(loadPage(t, file).text), " ")}
}

// says requires a phrase in the text, with numbers filled in. With -update it writes the numbers into the page. A
// reader must then check whether the sentence is still true.
func (p prose) says(t *testing.T, format string, numbers ...any) {
	t.Helper()
	want := fmt.Sprintf(format, numbers...)
	if golden.Update() {
		p.renumber(t, format, want)
		return
	}
	require.True(t, strings.Contains(p.text, want), "%s does not say %q", p.file, want)
}

// verb matches a place for a number in a format.
var verb = regexp.MustCompile(`%[.\d]*[a-z%]`)

// renumber replaces the only phrase of the page that has the form of the format.
func (p prose) renumber(t *testing.T, format, want string) {
	t.Helper()
	form, rest := "", 0
	words := func(text string) string {
		return regexp.MustCompile(`\s+`).ReplaceAllString(regexp.QuoteMeta(text), `\s+`)
	}
	for _, at := range verb.FindAllStringIndex(format, -1) {
		form += words(format[rest:at[0]])
		if rest = at[1]; format[rest-1] == '%' {
			form += "%"
		} else {
			form += `[^|\s]+(?:\s+\([^|)]*\)|\s+%)?`
		}
	}
	page := loadPage(t, p.file)
	found := regexp.MustCompile(form+words(format[rest:])).FindAllString(page.text, -1)
	require.Len(t, found, 1, "%s: %s", p.file, format)
	if strings.Join(strings.Fields(found[0]), " ") != want {
		page.text = strings.Replace(page.text, found[0], want, 1)
		page.save(t)
	}
}

func (p prose) at(call, pes, mlpe, variant string) row {
	return p.find("call", call, "pes", pes, "mlpe", mlpe, "variant", variant)
}

// by returns the clocks of a variant divided by the clocks of the base.
func (p prose) by(call, pes, mlpe, variant string) string {
	return ratio(p.at(call, pes, mlpe, variant), p.at(call, pes, mlpe, "base"))
}

// fib returns by for fib 24; the functions below are also for fib 24.
func (p prose) fib(pes, mlpe, variant string) string { return p.by("fib 24", pes, mlpe, variant) }

// share returns a column in per cent.
func (p prose) share(pes, mlpe, variant, column string) string {
	return fmt.Sprintf("%.1f", 100*p.at("fib 24", pes, mlpe, variant).number(column))
}

// part returns one column as a percentage of another.
func (p prose) part(pes, mlpe, variant, column, whole string) string {
	return fmt.Sprintf("%.1f", 100*p.at("fib 24", pes, mlpe, variant).of(column, whole))
}

// The explanations have the numbers of the tables about buffers and blocks.
func TestBuffersInBeyond(t *testing.T) {
	p := newProse(t)
	p.says(t, "spills %s %% of fib's packets on 80 PEs, and %s %% with MLPE",
		p.part("80", "off", "base", "packets_spilled", "packets_sent"),
		p.part("80", "on", "base", "packets_spilled", "packets_sent"))
	p.says(t, "`IBU only` falls from %s to %s %%",
		p.share("80", "on", "base", "ibu_only"), p.share("80", "on", "own memory", "ibu_only"))
	p.says(t, "`network wait` rises from %s to %s %%",
		p.share("80", "on", "base", "network_wait"), p.share("80", "on", "own memory", "network_wait"))
	p.says(t, "fib 24 takes %s times as long with MLPE on 80 PEs, and %s times without",
		p.fib("80", "on", "FIFO 512"), p.fib("80", "off", "FIFO 512"))
	p.says(t, "without; knapsack 20 takes %s and %s times as long.",
		p.by("knapsack 20", "80", "on", "FIFO 512"), p.by("knapsack 20", "80", "off", "FIFO 512"))
	p.says(t, "fib 20 runs in %s of its clocks with 512 words", p.by("fib 20", "80", "off", "FIFO 512"))
	p.says(t, "fib 24 in %s and knapsack 20 in %s, which is more",
		p.fib("1024", "off", "FIFO 512"), p.by("knapsack 20", "1024", "off", "FIFO 512"))
	p.says(t, "128 words are all it needs on 80 PEs (%s)", p.by("loop 50", "80", "off", "FIFO 128"))
	p.says(t, "%s of the clocks on 80 PEs, %s with MLPE. With the own memory it is %s, with an output buffer too %s.",
		p.fib("80", "off", "inline, large"), p.fib("80", "on", "inline, large"),
		p.fib("80", "off", "inline, large, own memory"), p.fib("80", "off", "inline, large, own memory, buffer"))
	p.says(t, "*inline* alone gives %s, since it saves instances and their requests, and both changes give %s.",
		p.by("knapsack 20", "80", "off", "inline"), p.by("knapsack 20", "80", "off", "inline, large"))
	p.says(t, "takes %s of the clocks, with 4 it takes %s times as many",
		p.by("sum 65536", "80", "off", "block 64"), p.by("sum 65536", "80", "off", "block 4"))
	p.says(t, "takes `network wait` from %s to %s %% without MLPE. But those PE-clocks become idle ones (%s to %s %%)",
		p.share("80", "off", "base", "network_wait"), p.share("80", "off", "output buffer 4", "network_wait"),
		p.share("80", "off", "base", "idle"), p.share("80", "off", "output buffer 4", "idle"))
	p.says(t, "%s, %s and %s for the three sizes of fib. Sixteen", p.by("fib 20", "80", "on", "output buffer 4"),
		p.by("fib 22", "80", "on", "output buffer 4"), p.fib("80", "on", "output buffer 4"))
	p.says(t, "one is worth less with MLPE (%s).", p.fib("80", "on", "output buffer 1"))
	p.says(t, "With the own memory it gives %s instead of %s.",
		p.fib("80", "off", "own memory, output buffer"), p.fib("80", "off", "own memory"))
	for _, pes := range []string{"80", "1024"} {
		for _, mlpe := range []string{"off", "on"} {
			for _, c := range p.distinct(row.call) {
				require.GreaterOrEqual(t, p.by(c, pes, mlpe, "IBU waits"), "0.95", "nothing beyond chance: %s", c)
			}
		}
	}
}

// The explanations have the numbers of the tables about MLPE.
func TestMLPEInBeyond(t *testing.T) {
	p := newProse(t)
	p.says(t, "%s %% of the instances placed by MLPE, both cost fib 24 little",
		p.part("80", "on", "base", "mlpe_calls", "calls"))
	p.says(t, "with priority 2 %s and %s, and on 80 PEs %s and %s.",
		p.fib("1024", "on", "beside, priority 2"), p.fib("1024", "on", "group ring, priority 2"),
		p.fib("80", "on", "beside, priority 2"), p.fib("80", "on", "group ring, priority 2"))
	p.says(t, "gives the base's clocks again (%s).", p.fib("1024", "on", "circuits swapped"))
	p.says(t, "places %s %% of the instances instead of %s %%.",
		p.part("80", "on", "priority 2", "mlpe_calls", "calls"), p.part("80", "on", "base", "mlpe_calls", "calls"))
	p.says(t, "takes %s and %s times as long with eight.",
		p.by("loop 50", "80", "on", "8 registers"), p.by("loop 50", "1024", "on", "8 registers"))
	p.says(t, "fib 20 on 80 PEs up to %s %% in single runs",
		strings.TrimPrefix(p.by("fib 20", "80", "on", "8 registers"), "1."))
	p.says(t, "and %s in a single run).", p.fib("1024", "on", "far"))
	p.says(t, "instances (%s on 80 PEs, %s on 1024), and knapsack 20 on 1024 (%s).", p.by("pi 300", "80", "on", "far"),
		p.by("pi 300", "1024", "on", "far"), p.by("knapsack 20", "1024", "on", "far"))
	p.says(t, "the run takes until %s (`emsim run fib 24 --pes 1024 --mlpe --series fib.csv`; without, %s)",
		p.at("fib 24", "1024", "on", "base")["clocks"], p.at("fib 24", "1024", "off", "base")["clocks"])
}
