package docs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// interval returns the text of a number with its interval, or of the number alone if the interval disappears by
// rounding.
func interval(x, low, high float64) string {
	text := fmt.Sprintf("%.2f (%.2f–%.2f)", x, low, high)
	if one := fmt.Sprintf("%.2f", x); text == fmt.Sprintf("%s (%s–%s)", one, one, one) {
		return one
	}
	return text
}

// cell returns the row of a policy and a variant in the table of many runs.
func (p prose) cell(pes, policy, variant string) row {
	return p.find("pes", pes, "policy", policy, "variant", variant)
}

// meanClocks returns the mean of a row's clocks with its interval.
func meanClocks(r row) string {
	text := fmt.Sprintf("%.0f (%.0f–%.0f)", r.number("clocks"), r.number("clocks_low"), r.number("clocks_high"))
	if one := fmt.Sprintf("%.0f", r.number("clocks")); text == fmt.Sprintf("%s (%[1]s–%[1]s)", one) {
		return one
	}
	return text
}

// marked returns a row's ratio with its interval, and ≈ if it cannot be distinguished from 1.
func marked(r row) string {
	if r["clocks_ratio"] == "" {
		return ""
	}
	text := interval(r.number("clocks_ratio"), r.number("clocks_ratio_low"), r.number("clocks_ratio_high"))
	if r["verdict"] == "cannot be told" {
		text += " ≈"
	}
	return text
}

// short returns a ratio without its interval.
func (p prose) short(pes, policy, variant string) string {
	return fmt.Sprintf("%.2f", p.cell(pes, policy, variant).number("clocks_ratio"))
}

// times returns the mean of one row divided by the mean of another.
func times(a, b row) string { return fmt.Sprintf("%.2f", a.number("clocks")/b.number("clocks")) }

// The tables of many runs in BEYOND.md have the numbers of their sweeps.
func TestTablesOfSeeds(t *testing.T) {
	p, page := proseOf(t, "beyond/seeds.csv", "BEYOND.md"), loadPage(t, "BEYOND.md")
	policies := p.distinct(func(r row) string { return r["policy"] })
	var lines, remedies, large [][]string
	for _, policy := range policies {
		line := []string{policy}
		for _, pes := range []string{"80", "1024"} {
			line = append(line, meanClocks(p.cell(pes, policy, "base")), meanClocks(p.cell(pes, policy, "MLPE")),
				marked(p.cell(pes, policy, "MLPE")))
		}
		lines = append(lines, line)
	}
	page.block(t, "policies", markdown([]string{
		"policy", "80 PEs: static", "MLPE", "ratio", "1024 PEs: static", "MLPE", "ratio",
	}, lines))
	three := []string{"ring", "random", "ring-random"}
	for _, v := range []string{"own memory", "FIFO 128", "output buffer 4", "larger blocks"} {
		line := []string{v}
		for _, pes := range []string{"80", "1024"} {
			for _, policy := range three {
				line = append(line, marked(p.cell(pes, policy, v)))
			}
		}
		remedies = append(remedies, line)
	}
	page.block(t, "remedies", markdown([]string{
		"remedy", "80 PEs: ring", "random", "ring-random", "1024 PEs: ring", "random", "ring-random",
	}, remedies))
	p = proseOf(t, "beyond/large.csv", "BEYOND.md")
	for _, policy := range p.distinct(func(r row) string { return r["policy"] }) {
		large = append(large, []string{
			policy, meanClocks(p.cell("11264", policy, "base")), meanClocks(p.cell("11264", policy, "MLPE")),
			marked(p.cell("11264", policy, "MLPE")), marked(p.cell("11264", policy, "own memory")),
		})
	}
	page.block(t, "large", markdown([]string{"policy", "static", "MLPE", "ratio", "own memory: ratio"}, large))
	page.save(t)
}

// The findings about many runs have the numbers of the tables.
func TestFindingsOfSeeds(t *testing.T) {
	p := proseOf(t, "beyond/seeds.csv", "BEYOND.md")
	first := read(t, "beyond/programs.csv")
	at := func(policy string) row {
		return first.find("call", "fib 20", "pes", "1024", "policy", policy, "mlpe", "off")
	}
	base := func(pes, policy string) row { return p.cell(pes, policy, "base") }
	for _, pes := range []string{"80", "1024"} {
		for _, policy := range p.distinct(func(r row) string { return r["policy"] })[1:] {
			require.Greater(t, base(pes, policy).number("clocks_low"), base(pes, "ring").number("clocks_high"),
				"ring is best: %s on %s", policy, pes)
		}
	}
	p.says(t, "first run after boot (%s clocks; ring %s)", at("ring-round-robin")["clocks"], at("ring")["clocks"])
	p.says(t, "the mean of 32 runs is %s, %s times ring's %.0f.", meanClocks(base("1024", "ring-round-robin")),
		times(base("1024", "ring-round-robin"), base("1024", "ring")), base("1024", "ring").number("clocks"))
	p.says(t, "round-robin takes %s clocks in the first run and %.0f on average",
		at("round-robin")["clocks"], base("1024", "round-robin").number("clocks"))
	p.says(t, "the line (%s of the clocks on 80 PEs, %s on 1024), round-robin (%s, %s) and random (%s, %s). "+
		"It costs ring %.0f %% on 80 PEs and %.0f %% on 1024.",
		p.short("80", "line", "MLPE"), p.short("1024", "line", "MLPE"), p.short("80", "round-robin", "MLPE"),
		p.short("1024", "round-robin", "MLPE"), p.short("80", "random", "MLPE"), p.short("1024", "random", "MLPE"),
		100*p.cell("80", "ring", "MLPE").number("clocks_ratio")-100,
		100*p.cell("1024", "ring", "MLPE").number("clocks_ratio")-100)
	p.says(t, "For ring-random nothing can be told on either machine.")
	require.Equal(t, []string{"cannot be told", "cannot be told"},
		[]string{p.cell("80", "ring-random", "MLPE")["verdict"], p.cell("1024", "ring-random", "MLPE")["verdict"]})
	p.says(t, "On 1024 PEs it gives ring-random %s, and the three change random, and the two others ring-random, "+
		"in no way that can be told.", p.short("1024", "ring-random", "FIFO 128"))
	require.Equal(t, "faster", p.cell("1024", "ring-random", "FIFO 128")["verdict"])
	best := p.cell("1024", "random", "MLPE")
	p.says(t, "the best, random, takes %.0f clocks.", best.number("clocks"))
	for _, r := range p.table {
		if r["pes"] == "1024" && r["variant"] == "MLPE" {
			require.GreaterOrEqual(t, r.number("clocks"), best.number("clocks"))
		}
		if r["variant"] == "larger blocks" {
			require.Equal(t, "faster", r["verdict"])
			require.Less(t, r.number("clocks_ratio_high"), 1.)
		}
		if fifo := r["variant"] == "FIFO 128"; r["pes"] == "1024" && r["policy"] != "ring" &&
			strings.Contains("own memory, FIFO 128, output buffer 4", r["variant"]) &&
			(r["policy"] == "random" || !fifo) {
			require.Equal(t, "cannot be told", r["verdict"], "%v", r["variant"])
		}
	}
	p.says(t, "%s to %s on 80 PEs, %s to %s on 1024, static",
		p.short("80", "random", "larger blocks"), p.short("80", "ring-random", "larger blocks"),
		p.short("1024", "ring-random", "larger blocks"), p.short("1024", "ring", "larger blocks"))
	p.says(t, "gives ring %s on 80 PEs and ring-random %s, and costs random %.0f %%.",
		p.short("80", "ring", "own memory"), p.short("80", "ring-random", "own memory"),
		100*p.cell("80", "random", "own memory").number("clocks_ratio")-100)
	p.says(t, "The longer FIFO gives ring %s and costs random %.0f %%",
		p.short("80", "ring", "FIFO 128"), 100*p.cell("80", "random", "FIFO 128").number("clocks_ratio")-100)
	spread := func(r row) string { return fmt.Sprintf("%.0f %%", 100*r.of("clocks_sd", "clocks")) }
	p.says(t, "a standard deviation of %s of their mean: the 32 seeds give %s to %s.",
		spread(base("1024", "ring-random")), base("1024", "ring-random")["clocks_min"],
		base("1024", "ring-random")["clocks_max"])
	p.says(t, "The settings of ring differ by %.1f %%, and with MLPE by %s.",
		100*base("1024", "ring").of("clocks_sd", "clocks"), spread(p.cell("1024", "ring", "MLPE")))
}

// The findings about the largest machine have the numbers of its table.
func TestFindingsOfLargeSeeds(t *testing.T) {
	small := proseOf(t, "beyond/seeds.csv", "BEYOND.md").cell("1024", "ring", "base").number("clocks")
	p := proseOf(t, "beyond/large.csv", "BEYOND.md")
	ring := p.cell("11264", "ring", "base")
	p.says(t, "ring takes %.0f clocks, against %.0f on 1024 PEs; MLPE costs %.0f %%",
		ring.number("clocks"), small, 100*p.cell("11264", "ring", "MLPE").number("clocks_ratio")-100)
	p.says(t, "takes %s times as long as ring, ring-random %s times",
		times(p.cell("11264", "ring-round-robin", "base"), ring), times(p.cell("11264", "ring-random", "base"), ring))
	for _, r := range p.table {
		require.Less(t, r.of("packets_spilled", "packets_sent"), 0.2)
	}
}
