package docs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// means is the text of BEYOND.md in one line, with the table of means and intervals.
type means struct{ prose }

func newMeans(t *testing.T) means {
	return means{proseOf(t, "beyond/intervals.csv", "BEYOND.md")}
}

// by returns the mean clocks of a variant divided by the base's, with the interval.
func (m means) by(call, pes, mlpe, variant string) string {
	r := m.at(call, pes, mlpe, variant)
	switch r["outcome"] {
	case "":
		return "–"
	case "ok":
		return interval(r.number("clocks_ratio"), r.number("clocks_ratio_low"), r.number("clocks_ratio_high"))
	}
	return strings.ReplaceAll(r["outcome"], "_", " ")
}

// fib returns by for fib 24.
func (m means) fib(pes, mlpe, variant string) string { return m.by("fib 24", pes, mlpe, variant) }

// like reports whether a variant cannot be distinguished from the base.
func (m means) like(call, pes, mlpe, variant string) bool {
	return m.at(call, pes, mlpe, variant)["verdict"] == "cannot be told"
}

// mlpe returns the mean clocks with MLPE divided by the mean clocks without it. Its interval is the quotient of the
// intervals' ends.
func (m means) mlpe(call, pes, variant string) string {
	on, off := m.at(call, pes, "on", variant), m.at(call, pes, "off", variant)
	return interval(on.number("clocks")/off.number("clocks"), on.number("clocks_low")/off.number("clocks_high"),
		on.number("clocks_high")/off.number("clocks_low"))
}

// mark returns a ratio as the table writes it, marked if it cannot be distinguished from 1.
func (m means) mark(pes, mlpe, variant string) string {
	text := m.fib(pes, mlpe, variant)
	if m.like("fib 24", pes, mlpe, variant) {
		text += " ≈"
	}
	return text
}

// The first table of the page has the recorded means and intervals.
func TestIntervalsInBeyond(t *testing.T) {
	m, page := newMeans(t), load(t)
	var lines [][]string
	for _, x := range [][2]string{
		{"larger blocks, leaves in the caller [003 §4.2]", "inline, large"},
		{"the input buffer's own memory [003 §4.2]", "own memory"},
		{"output buffer of four packets", "output buffer 4"},
		{"own memory and output buffer", "own memory, output buffer"},
		{"larger blocks, own memory and output buffer", "inline, large, own memory, buffer"},
		{"FIFO of 128 words instead of 32 [003 §5]", "FIFO 128"},
		{"MLPE packets first, everywhere (priority 1) [003 §5]", "priority 1"},
		{"and their answers too (priority 2)", "priority 2"},
		{"four prefetch registers [003 §5]", "4 registers"},
		{"both circuits searched [003 §5]", "both circuits"},
	} {
		lines = append(lines, []string{
			x[0], m.mark("80", "off", x[1]), m.mark("80", "on", x[1]), m.mark("1024", "off", x[1]),
			m.mark("1024", "on", x[1]),
		})
	}
	page.block(t, "intervals", markdown([]string{
		"remedy", "80 PEs, static", "with MLPE", "1024 PEs, static", "with MLPE",
	}, lines))
	page.save(t)
}

// The findings at the beginning of the page have the numbers of the means.
func TestFindingsOfBeyond(t *testing.T) {
	m, p := newMeans(t), newProse(t)
	fib := func(pes, mlpe, variant string) string { return m.by("fib 24", pes, mlpe, variant) }
	on80 := func(call, mlpe, variant string) string { return m.by(call, "80", mlpe, variant) }
	m.says(t, "nearly half of the packets are written to memory")
	require.Equal(t, "45.8", p.part("80", "off", "base", "packets_spilled", "packets_sent"))
	m.says(t, "it sends less than half of the packets.")
	require.Less(t, p.at("fib 24", "80", "off", "inline, large").number("packets_sent"),
		p.at("fib 24", "80", "off", "base").number("packets_sent")/2)
	m.says(t, "runs in %s of its clocks; knapsack 20 in %s. Each of the two changes alone gains little: %s and %s,",
		fib("80", "off", "inline, large"), on80("knapsack 20", "off", "inline, large"), fib("80", "off", "inline"),
		fib("80", "off", "large grain"))
	require.Equal(t, "segment overflow", on80("knapsack 20", "off", "own memory"),
		"knapsack 20 runs out of operand segments with it")
	m.says(t, "%s, %s and %s for the three sizes of fib on 80 PEs, %s and %s for `loop` and `stream`",
		on80("fib 20", "off", "own memory"), on80("fib 22", "off", "own memory"), fib("80", "off", "own memory"),
		on80("loop 50", "off", "own memory"), on80("stream 100", "off", "own memory"))
	require.True(t, m.like("fib 24", "1024", "on", "own memory"), "with MLPE on 1024 PEs nothing that can be told")
	const buffer = "output buffer 4"
	m.says(t, "a little**: %s, %s and %s for the three sizes of fib, %s for knapsack 20. With MLPE it is %s, %s, "+
		"%s and %s on 80 PEs.",
		on80("fib 20", "off", buffer), on80("fib 22", "off", buffer), fib("80", "off", buffer),
		on80("knapsack 20", "off", buffer),
		on80("fib 20", "on", buffer), on80("fib 22", "on", buffer), fib("80", "on", buffer),
		on80("knapsack 20", "on", buffer))
	m.says(t, "takes %s of its clocks with 128 words, and %s with MLPE.",
		fib("80", "off", "FIFO 128"), fib("80", "on", "FIFO 128"))
	m.says(t, "suffers from that too: %s.", fib("80", "off", "successor"))
	p.says(t, "with priority 2 then takes %s times as long on 1024 PEs, in a single run",
		p.fib("1024", "on", "beside, priority 2"))
	p.says(t, "takes `matmul` to %s.", p.by("matmul 24", "80", "on", "1 register"))
	m.says(t, "pays for `sum` (%s of the static clocks), `matmul` (%s) and knapsack 20 (%s)**",
		m.mlpe("sum 65536", "80", "base"), m.mlpe("matmul 24", "80", "base"), m.mlpe("knapsack 20", "80", "base"))
	m.says(t,
		"fib 22 takes %s of the static clocks, and fib 24 %s. On 1024 PEs it gains for `matmul` alone (%s), and loses",
		m.mlpe("fib 22", "80", "base"), m.mlpe("fib 24", "80", "base"), m.mlpe("matmul 24", "1024", "base"))
	m.says(t, "fib 24 takes %s times as long. With the remedies for the input buffer this gets worse, not better: %s.",
		m.mlpe("fib 24", "1024", "base"), m.mlpe("fib 24", "1024", "own memory, output buffer"))
	for _, call := range []string{"fib 20", "fib 22", "fib 24", "knapsack 20", "sum 65536", "queens 8", "pi 300"} {
		require.Greater(t, m.at(call, "1024", "on", "base").number("clocks_low"),
			m.at(call, "1024", "off", "base").number("clocks_high"), "loses: %s", call)
	}
	for _, v := range []string{"priority 1", "priority 2", "4 registers", "both circuits"} {
		for _, pes := range []string{"80", "1024"} {
			require.NotEqual(t, "faster", m.at("fib 24", pes, "on", v)["verdict"],
				"no change to MLPE makes fib faster: %s", v)
		}
	}
}

// The means in the explanations have the numbers of the table.
func TestMeansInBeyond(t *testing.T) {
	m := newMeans(t)
	fib := func(pes, mlpe, variant string) string { return m.by("fib 24", pes, mlpe, variant) }
	m.says(t, "(fib 24 on 80 PEs in the mean: %s, with MLPE %s.)",
		fib("80", "off", "IBU waits"), fib("80", "on", "IBU waits"))
	m.says(t, "Sixteen packets give fib 24 in the mean %s without MLPE, where four give %s, and with it %s and %s, "+
		"which cannot be told apart;",
		fib("80", "off", "output buffer 16"), fib("80", "off", "output buffer 4"), fib("80", "on", "output buffer 16"),
		fib("80", "on", "output buffer 4"))
	m.says(t, "both cost fib 24 little (%s and %s in the mean); on 1024 they cost %s and %s,",
		fib("80", "on", "beside"), fib("80", "on", "group ring"), fib("1024", "on", "beside"),
		fib("1024", "on", "group ring"))
	m.says(t, "(fib 24 in the mean: %s on 80 PEs, %s on 1024)",
		fib("80", "on", "priority 1"), fib("1024", "on", "priority 1"))
	m.says(t, "In the mean fib 24 then takes %s times as long on 80 PEs and %s times on 1024.",
		fib("80", "on", "priority 2"), fib("1024", "on", "priority 2"))
	m.says(t,
		"fib 24 takes %s and %s times as long on 80 PEs with four and eight of them, and %s and %s times on 1024;",
		fib("80", "on", "4 registers"), fib("80", "on", "8 registers"), fib("1024", "on", "4 registers"),
		fib("1024", "on", "8 registers"))
	m.says(t, "costs on 1024 PEs (%s in the mean,", fib("1024", "on", "both circuits"))
	m.says(t, "and then every PE spills: %s in the mean.", m.mlpe("fib 24", "80", "base"))
	for _, pes := range []string{"80", "1024"} {
		require.True(t, m.like("fib 24", pes, "on", "priority 1"))
	}
	require.Less(t, m.at("fib 24", "80", "off", "output buffer 16").number("clocks_high"),
		m.at("fib 24", "80", "off", "output buffer 4").number("clocks_low"), "sixteen packets gain more than four")
	require.Greater(t, m.at("fib 24", "80", "on", "output buffer 16").number("clocks_high"),
		m.at("fib 24", "80", "on", "output buffer 4").number("clocks_low"), "with MLPE they cannot be told apart")
}
