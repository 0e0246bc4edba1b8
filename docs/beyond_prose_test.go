package docs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// prose is the text of BEYOND.md in one line, with the table of its numbers.
type prose struct {
	table
	text string
}

func newProse(t *testing.T) prose {
	return prose{read(t, "beyond/remedies.csv"), strings.Join(strings.Fields(load(t).text), " ")}
}

// says requires a phrase in the text, with numbers filled in.
func (p prose) says(t *testing.T, format string, numbers ...any) {
	t.Helper()
	want := fmt.Sprintf(format, numbers...)
	require.True(t, strings.Contains(p.text, want), "BEYOND.md does not say %q", want)
}

func (p prose) at(call, pes, mlpe, variant string) row {
	return p.find("call", call, "pes", pes, "mlpe", mlpe, "variant", variant)
}

// by is the clocks divided by those of the base.
func (p prose) by(call, pes, mlpe, variant string) string {
	return ratio(p.at(call, pes, mlpe, variant), p.at(call, pes, mlpe, "base"))
}

// fib is by for fib 24; the functions below are for fib 24 too.
func (p prose) fib(pes, mlpe, variant string) string { return p.by("fib 24", pes, mlpe, variant) }

// share is a column in per cent.
func (p prose) share(pes, mlpe, variant, column string) string {
	return fmt.Sprintf("%.1f", 100*p.at("fib 24", pes, mlpe, variant).number(column))
}

// part is one column in per cent of another.
func (p prose) part(pes, mlpe, variant, column, whole string) string {
	return fmt.Sprintf("%.1f", 100*p.at("fib 24", pes, mlpe, variant).of(column, whole))
}

// against is the clocks with MLPE divided by those of a machine without.
func (p prose) against(pes, mlpe, static string) string {
	return ratio(p.at("fib 24", pes, "on", mlpe), p.at("fib 24", pes, "off", static))
}

// The numbers of the summary are those of the tables.
func TestSummaryOfBeyond(t *testing.T) {
	p := newProse(t)
	p.says(t, "fib 24 runs in %s of its clocks, with MLPE in %s;", p.fib("80", "off", "own memory"), p.fib("80", "on", "own memory"))
	p.says(t, "runs in %s of its clocks, as fewer packets are made, spilled and waited for. Both together: %s.", p.fib("80", "off", "large grain"), p.fib("80", "off", "large grain, own memory"))
	p.says(t, "next**: %s alone, %s with the memory", p.fib("80", "off", "output buffer 4"), p.fib("80", "off", "own memory, output buffer"))
	p.says(t, "fib 24 takes %s times as long on 1024 PEs; more", p.fib("1024", "on", "priority 2"))
	p.says(t, "%s of the clocks alone and %s with priority, where it now beats the static policy (%s) instead of losing to it (%s)",
		p.fib("1024", "on", "group ring"), p.fib("1024", "on", "group ring, priority 2"), p.against("1024", "group ring, priority 2", "base"), p.against("1024", "base", "base"))
	p.says(t, "runs in %s of its clocks on 80 PEs and %s on 1024, with larger blocks in %s and %s.",
		p.fib("80", "on", "all hardware"), p.fib("1024", "on", "all hardware"), p.fib("80", "on", "large grain, all hardware"), p.fib("1024", "on", "large grain, all hardware"))
	p.says(t, "on the same machine (%s and %s)", p.against("80", "all hardware", "own memory, FIFO, output buffer"), p.against("1024", "all hardware", "own memory, FIFO, output buffer"))
	least, most, large := 1.0, 1.0, 1.0
	for _, c := range p.distinct(row.call) {
		change := func(pes string) float64 {
			return p.at(c, pes, "on", "1 register").number("clocks") / p.at(c, pes, "on", "base").number("clocks")
		}
		least, most, large = min(least, change("80")), max(most, change("80")), max(large, change("1024"))
	}
	p.says(t, "changes the clocks by %.0f to +%.0f %% on 80 PEs and up to %.0f %% on 1024", 100*least-100, 100*most-100, 100*large-100)
	p.says(t, "spills %s %% of fib's packets on 80 PEs, %s %% with MLPE", p.part("80", "off", "base", "packets_spilled", "packets_sent"), p.part("80", "on", "base", "packets_spilled", "packets_sent"))
}

// So are those of the explanations: buffers and blocks,
func TestBuffersInBeyond(t *testing.T) {
	p := newProse(t)
	p.says(t, "`IBU only` falls from %s to %s %%", p.share("80", "off", "base", "ibu_only"), p.share("80", "off", "own memory", "ibu_only"))
	p.says(t, "`network wait` rises from %s to %s %%", p.share("80", "off", "base", "network_wait"), p.share("80", "off", "own memory", "network_wait"))
	p.says(t, "with 512 words %s %% are", p.part("80", "off", "FIFO 512", "packets_spilled", "packets_sent"))
	p.says(t, "as good as the own memory: %s.", p.fib("1024", "off", "FIFO 512"))
	p.says(t, "64 words are all it needs on 80 PEs (%s)", p.by("loop 50", "80", "off", "FIFO 64"))
	p.says(t, "the %s %% of `IBU only` are %s %%,", p.share("80", "off", "base", "ibu_only"), p.share("80", "off", "large grain, own memory", "ibu_only"))
	p.says(t, "waits for the switch %s %% of the time", p.share("80", "off", "large grain, own memory", "network_wait"))
	p.says(t, "takes %s of the clocks, with 4 it takes %s times as many", p.by("sum 65536", "80", "off", "block 64"), p.by("sum 65536", "80", "off", "block 4"))
	p.says(t, "gain less (%s instead of %s): %s %% of the PE-clocks are idle instead of %s %%. MLPE places more of the calls, %s %% instead of %s %%,",
		p.fib("80", "on", "large grain"), p.fib("80", "off", "large grain"), p.share("80", "on", "large grain", "idle"), p.share("80", "off", "large grain", "idle"),
		p.part("80", "on", "large grain", "mlpe_calls", "calls"), p.part("80", "on", "base", "mlpe_calls", "calls"))
	p.says(t, "take `network wait` from %s to %s %% (%s of the clocks)", p.share("80", "off", "base", "network_wait"), p.share("80", "off", "output buffer 4", "network_wait"), p.fib("80", "off", "output buffer 4"))
	p.says(t, "With both (%s) the", p.fib("80", "off", "large grain, own memory"))
	p.says(t, "it is worth more: %s instead of %s.", p.fib("80", "off", "own memory, output buffer"), p.fib("80", "off", "own memory"))
}

// and MLPE.
func TestMLPEInBeyond(t *testing.T) {
	p := newProse(t)
	p.says(t, "on 80 PEs and costs %s on 1024", p.fib("1024", "on", "priority 1"))
	p.says(t, "takes %s times as long on 1024. *", p.fib("1024", "on", "priority 2"))
	require.Equal(t, "segment overflow", p.fib("80", "on", "priority 2"))
	p.says(t, "(%s with four on 1024 PEs)", p.fib("1024", "on", "4 registers"))
	p.says(t, "fib 24 to %s of its clocks, and fib 20", p.fib("1024", "on", "group ring"))
	for _, c := range []string{"fib 20", "sum 65536", "pi 300", "loop 50", "stream 100"} {
		require.LessOrEqual(t, p.by(c, "1024", "on", "group ring"), "0.50")
	}
	p.says(t, "takes `pi` to %s.", p.by("pi 300", "80", "on", "group ring"))
	p.says(t, "fib 24 takes %s on 1024 PEs, and MLPE places %s %% of the calls instead of %s %%.",
		p.fib("1024", "on", "group ring, priority 2"), p.part("1024", "on", "group ring, priority 2", "mlpe_calls", "calls"), p.part("1024", "on", "base", "mlpe_calls", "calls"))
	p.says(t, "gain by two of them on 80 PEs (%s and %s).", p.by("loop 50", "80", "on", "group ring, 2 registers"), p.by("stream 100", "80", "on", "group ring, 2 registers"))
	p.says(t, "less than the group ring alone (%s)", p.fib("1024", "on", "both circuits"))
	p.says(t, "pay on 80 PEs (%s)", p.fib("80", "on", "far"))
	p.says(t, "changes nothing on 80 PEs (%s)", p.against("80", "all hardware", "own memory, FIFO, output buffer"))
	p.says(t, "the model %s and %s %%. With a FIFO of 512 words, which takes away the spills and nothing else, the model has %s and %s %%.",
		p.share("80", "off", "base", "network_wait"), p.share("80", "on", "base", "network_wait"), p.share("80", "off", "FIFO 512", "network_wait"), p.share("80", "on", "FIFO 512", "network_wait"))
}
