package sweep

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// compared runs a sweep with a reference. For every row it returns the row that it is compared with, or -1, and checks
// the ratios in the table.
func compared(t *testing.T, text, reference string) []int {
	t.Helper()
	p := plan(t, text)
	require.NoError(t, p.Refer(reference))
	list := rows(t, sweep(t, t.TempDir(), p, 1))
	var bases []int
	for i, r := range list {
		b := p.Cells[i].Base
		bases = append(bases, b)
		if b < 0 {
			require.Empty(t, r["clocks_ratio"])
			continue
		}
		require.InDelta(t, number(t, r["clocks"])/number(t, list[b]["clocks"]), number(t, r["clocks_ratio"]), 5e-5)
		if low, ok := r["clocks_ratio_low"]; ok {
			require.Equal(t, b == i, r["verdict"] == "")
			require.LessOrEqual(t, number(t, low), number(t, r["clocks_ratio"]))
		}
	}
	return bases
}

const twoPolicies = `
[[variant]]
name = "MLPE, slow"
param = { mlpe = "on" }
set = { hop_clocks = 4 }
[[grid]]
program = ["fib 7", "pi 20"]
pes = 12
param = { policy = ["ring", "line"] }
variant = ["base", "MLPE, slow"]
`

// A row is compared with the row that has the values of the reference and otherwise the same settings, whatever its
// variant.
func TestRefer(t *testing.T) {
	for _, x := range []struct {
		reference string
		bases     []int
	}{
		{"policy=line", []int{2, 3, 2, 3, 6, 7, 6, 7}},
		{`"variant=MLPE, slow"`, []int{1, 1, 3, 3, 5, 5, 7, 7}},
		{"policy=line,variant=base", []int{2, 2, 2, 2, 6, 6, 6, 6}},
		{"mlpe=on,hop_clocks=4", []int{1, 1, 3, 3, 5, 5, 7, 7}},
		{"mlpe=off", []int{0, -1, 2, -1, 4, -1, 6, -1}},
	} {
		require.Equal(t, x.bases, compared(t, twoPolicies, x.reference), x.reference)
	}
	require.Equal(t, []int{4, 5, 4, 5, 4, 5}, compared(t, `
seeds = 3
[[grid]]
program = "fib 7"
pes = 12
param = { policy = ["ring", "random", "line"], mlpe = ["off", "on"] }
`, "policy=line"))
}

// The columns of the sidecar name the reference.
func TestReferDoc(t *testing.T) {
	p := plan(t, seeded)
	require.NoError(t, p.Refer("mlpe=on"))
	said := ""
	for _, c := range p.Columns() {
		said += c.Doc + "\n"
	}
	require.Contains(t, said, "mean divided by the mean of the row with mlpe=on with all else equal\n")
	require.Contains(t, said, "faster or slower than the row with mlpe=on (p below 0.05")
}

func TestReferErrors(t *testing.T) {
	const ran = "column=value, with a column that says what ran, once"
	const has = "; it has program, args, machine, pes, policy, mlpe, hop_clocks, variant, seed, runs"
	for reference, message := range map[string]string{
		"":                             `the reference is "": expected column=value, several joined by commas`,
		"polcy=ring":                   `the reference has "polcy=ring": expected ` + ran + `; did you mean "policy"?`,
		"clocks=3":                     `the reference has "clocks=3": expected ` + ran + has,
		"mlpe=on,policy=ring,mlpe=off": `the reference has "mlpe=off": expected ` + ran + has,
		"policy=random":                `no row of the sweep has the reference's policy=random; it has line, ring`,
		"variant=MLPE":                 `no row of the sweep has the reference's variant=MLPE; it has MLPE, slow, base`,
	} {
		p := plan(t, twoPolicies)
		before := append([]Cell{}, p.Cells...)
		require.EqualError(t, p.Refer(reference), message)
		require.Equal(t, before, p.Cells)
	}
}

// Varies returns the columns that differ between rows of one variant, and the variant.
func TestVaries(t *testing.T) {
	require.Equal(t, []string{"program", "policy", "variant"}, plan(t, twoPolicies).Varies())
	require.Equal(t, []string{"policy", "mlpe", "variant"}, plan(t, seeded).Varies())
	require.Equal(t, []string{"program", "seed", "runs"},
		plan(t, "[[grid]]\nprogram = [\"fib 7\", \"fib 8\"]\npes = 12\nseed = [1, 2]\nruns = [1, 2]").Varies())
	require.Empty(t, plan(t, "[[grid]]\nprogram = \"fib 7\"\npes = 12").Varies())
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return x
}

// A sweep that compares no rows has no comparison columns, unless a reference asks for them. (The CSV reader rejects
// rows of different lengths.)
func TestNothingCompared(t *testing.T) {
	for _, seeds := range []string{"", "seeds = 2\n"} {
		text := seeds + "[[grid]]\nprogram = [\"fib 4\", \"fib 5\"]\npes = 12\nparam = { policy = " +
			"[\"ring\", \"line\"] }\n"
		names := func(reference string) string {
			p := plan(t, text)
			if reference != "" {
				require.NoError(t, p.Refer(reference))
			}
			table := sweep(t, t.TempDir(), p, 1)
			rows(t, table)
			require.Equal(t, reference != "", slices.Contains(p.Summary(table)[0], "clocks_ratio"))
			if seeds != "" {
				require.Equal(t, reference == "", p.Ranking(table) == nil)
			}
			head, _, _ := strings.Cut(string(table), "\n")
			return head
		}
		for _, name := range []string{"clocks_ratio", "verdict", "varied", ",p,"} {
			require.NotContains(t, names(""), name)
		}
		require.Contains(t, names("policy=line"), ",clocks_ratio,")
	}
}
