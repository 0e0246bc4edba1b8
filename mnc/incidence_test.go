package mnc

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMaximumNeighbourConnection checks the definition for many sizes, and all up to the paper's: four ports, no pair
// of PEs on two boards, as many neighbours as possible.
func TestMaximumNeighbourConnection(t *testing.T) {
	for n := 1; n <= MaxPEs; n++ {
		if n > PaperPEs+2 && n%97 != 0 && n != 256 && n != 257 && n != 512 && n != 513 && n != MaxPEs {
			continue // all sizes would take too long
		}
		w, err := MNC(n)
		require.NoError(t, err)
		require.NoError(t, w.Validate())
		require.Len(t, w.Boards, max(n, 13))
		common := map[[2]int]int{}
		touch := make([]int, n)
		for _, b := range w.Boards {
			for i, p := range b.Ports {
				if p == noPE {
					continue
				}
				touch[p]++
				for j, k := range b.Ports {
					if i != j && k != noPE {
						common[[2]int{p, k}]++
					}
				}
			}
		}
		for pair, times := range common {
			require.Equal(t, 1, times, "N=%d: boards of PEs %v", n, pair)
		}
		for pe := range n {
			require.Equal(t, Ports, touch[pe], "N=%d PE %d", n, pe)
			list := w.Neighbours(pe)
			require.Len(t, list, min(n-1, MaxNeighbours), "N=%d PE %d", n, pe)
			slices.Sort(list)
			require.Len(t, slices.Compact(list), min(n-1, MaxNeighbours), "N=%d PE %d has a neighbour twice", n, pe)
			require.NotContains(t, list, pe)
		}
		both := slices.DeleteFunc(slices.Clone(w.Boards[0].Ports[:]), func(p int) bool {
			return p == noPE || !slices.Contains(w.Boards[len(w.Boards)-1].Ports[:], p)
		})
		require.Equal(t, []int{0}, both, "N=%d: PEs on source and sink", n)
		if slices.Contains(sizes(), n) {
			require.Equal(t, wantDiameter(n), diameter(w), "N=%d", n)
		}
	}
}

func wantDiameter(n int) int {
	switch {
	case n == 1:
		return 0
	case n <= 13:
		return 1
	case n <= 49:
		return 2
	case n <= 121:
		return 3
	}
	return 4
}

func diameter(w Incidence) int {
	far := 0
	for pe := range w.PEs {
		far = max(far, slices.Max(w.Distances(pe)))
	}
	return far
}

// TestNet16 checks the guessed drawing: four rows, eight columns, the paper's
// two names, and the affine plane's twelve neighbours.
func TestNet16(t *testing.T) {
	w := Net16()
	require.NoError(t, w.Validate())
	require.Equal(t, "26", w.Boards[w.Source].Name)
	require.Equal(t, "38", w.Boards[w.Sink].Name)
	shared := 0
	names := map[string]bool{}
	for pe := range w.PEs {
		require.Len(t, w.Neighbours(pe), MaxNeighbours)
		names[w.PEName(pe)] = true
		if slices.Contains(w.Boards[w.Source].Ports[:], pe) && slices.Contains(w.Boards[w.Sink].Ports[:], pe) {
			shared++
		}
	}
	for _, b := range w.Boards {
		names[b.Name] = true
	}
	require.Equal(t, 1, shared, "PEs on source and sink")
	for row := 1; row <= 4; row++ {
		for column := 1; column <= 8; column++ {
			require.True(t, names[fmt.Sprintf("%d%d", row, column)], "nothing is at row %d, column %d", row, column)
		}
	}
	require.Len(t, names, 32)
	require.Equal(t, 2, diameter(w))
}

func TestTopologyNames(t *testing.T) {
	for _, c := range []struct {
		name string
		pes  int
		err  string
	}{
		{"net16", 15, "topology net16 has 16 PEs, not 15"},
		{"ring", 16, `topology "ring": expected mnc or net16`},
		{"mnc", 0, "0 PEs: expected 1 to 1024"},
		{"mnc", 1025, "1025 PEs: expected 1 to 1024"},
	} {
		_, err := Topology(c.name, c.pes)
		require.ErrorContains(t, err, c.err)
	}
	w, err := Topology("net16", 16)
	require.NoError(t, err)
	require.Equal(t, Net16(), w)
}

func TestIncidenceText(t *testing.T) {
	for _, w := range []Incidence{Net16(), wiring(t, "mnc", 1), wiring(t, "mnc", 7), wiring(t, "mnc", 128)} {
		got, err := ParseIncidence(w.Name, []byte(w.String()))
		require.NoError(t, err)
		require.Equal(t, w, got)
	}
}

func TestIncidenceErrors(t *testing.T) {
	const good = "source a\nsink b\nqpr a: 0 1\nqpr b: 0 2\n"
	for _, c := range []struct{ name, text, err string }{
		{"good", good, ""},
		{"comments, ports left empty", "# x\n" + good + "qpr c: - 1 - 2 # y\n", ""},
		{"unknown statement", good + "qrp c: 1\n", `f:5:1: "qrp" does not begin a statement`},
		{"PE number", good + "qpr c: x\n", `f:5:8: "x" is not a PE, or "-" for an empty port, from 0 to 1023`},
		{"PE too large", good + "qpr c: 1024\n", `f:5:8: "1024" is not a PE`},
		{"five PEs on a board", good + "qpr c: 3 4 5 6 7\n", "f:5:16: QPR c has 5 PEs; a QPR has 4 ports"},
		{"board twice", good + "qpr a: 3\n", "f:5:5: a second QPR a"},
		{"board without PEs", good + "qpr c\n", `f:5:1: expected "qpr NAME: PE PE PE PE"`},
		{"board without a name", good + "qpr : 3\n", `f:5:1: expected "qpr NAME: PE PE PE PE"`},
		{"board without a colon", good + "qpr c 3\n", `f:5:1: expected "qpr NAME: PE PE PE PE"`},
		{"board of one PE", good + "qpr c: 1\n", ""},
		{"negative PE", good + "qpr c: -1\n", `f:5:8: "-1" is not a PE, or "-" for an empty port, from 0 to 1023`},
		{"first board twice", good + "qpr a: 1\n", "f:5:5: a second QPR a"},
		{
			"two lines of sinks", good + "sink a\n",
			"f:5:1: a second line with a sink; the first has QPR b: give all in one line",
		},
		{"two sinks", "source a\nsink b c\nqpr a: 0 1\nqpr b: 0 2\nqpr c: 1 3\n", ""},
		{"a sink twice", "source a\nsink b b\nqpr a: 0 1\nqpr b: 0 2\n", "f:4:5: QPR b is a sink twice"},
		{
			"a sink that is a source", "source a\nsink b a\nqpr a: 0 1\nqpr b: 0 2\n",
			"f:3:5: QPR a is both source and sink",
		},
		{
			"a PE at two sinks", "source a\nsink b c\nqpr a: 0 1\nqpr b: 0 2\nqpr c: 0 3\n",
			"f:5:5: PE 0 touches two sinks, QPR b and QPR c; at most one is possible",
		},
		{"a second source unknown", "source a z\nsink b\nqpr a: 0 1\nqpr b: 0 2\n", "f:1:10: the source is QPR z, but"},
		{"name of no PE", good + "pe 1024: x\n", `f:5:4: "1024" is not a PE from 0 to 1023`},
		{"name without a colon", good + "pe 0 x\n", `f:5:1: expected "pe NUMBER: NAME"`},
		{"two words", good + "pe 0: x y\n", `f:5:9: expected the end of the line: "pe NUMBER: NAME"`},
		{"no source", "sink b\nqpr b: 0\n", "f: no source"},
		{"no sink", "source b\nqpr b: 0\n", "f: no sink"},
		{"two sources", good + "source b\n", "f:5:1: a second line with a source"},
		{"source unknown", "source z\nsink b\nqpr b: 0\n", "f:1:8: the source is QPR z"},
		{"source without a name", "source\n", `f:1:1: expected "source NAME"`},
		{"source is sink", "source b\nsink b\nqpr b: 0 1\n", "f:3:5: QPR b is both source and sink"},
		{"pair on two boards", good + "qpr c: 1 0\n", "f:5:5: PEs 0 and 1 share two QPRs, a and c"},
		{"PE twice on a board", good + "qpr c: 3 3\n", "f:5:5: QPR c holds PE 3 at two ports"},
		{"five boards of a PE", good + "qpr c: 0 3\nqpr d: 0 4\nqpr e: 0 5\n", "f:7:5: PE 0 touches more than 4 QPRs"},
		{"disconnected group", good + "qpr c: 3 4\n", "f:5:5: PE 3 is disconnected"},
		{"PE on no board", good + "qpr c: 0 4\n", "f:5:5: there is a PE 4, but PE 3 is on no QPR"},
		{"empty sink", "source a\nsink b\nqpr a: 0\nqpr b: -\n", "f:4:5: no PE touches the sink QPR b"},
		{"name twice", good + "pe 0: x\npe 0: y\n", "f:6:4: PE 0 has a name already"},
		{"one name for two", good + "pe 0: x\npe 1: y\npe 2: x\n", "f:7:7: a second PE x"},
		{"two mistakes", good + "qrp c: 1\nqpr c: x\n", "f:6:8:"},
		{"some names", good + "pe 0: x\n", "f: PE 1 has no name"},
		{
			"too many names", good + "pe 0: x\npe 1: y\npe 2: z\npe 3: w\n",
			"f: 4 PEs are named, but the boards hold only 3",
		},
		{"name without number", good + "pe x\n", `f:5:1: expected "pe NUMBER: NAME"`},
		{"empty", "", "f: no source"},
	} {
		_, err := ParseIncidence("f", []byte(c.text))
		if c.err == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorContains(t, err, c.err, c.name)
		require.IsType(t, &Usage{}, err, c.name)
	}
}

// FuzzParseIncidence checks that any text is rejected or gives a working wiring.
func FuzzParseIncidence(f *testing.F) {
	f.Add(Net16().String())
	f.Add("source a\nsink b\nqpr a: 0 1\nqpr b: 0 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseIncidence("fuzz", []byte(text))
		if err != nil {
			require.IsType(t, &Usage{}, err)
			return
		}
		cfg := Default(w)
		cfg.Items = 50
		m, _ := run(t, cfg)
		require.NoError(t, m.Check())
	})
}

// Boards may list names instead of numbers. The machine is the same, but its PEs have names.
func TestBoardsByName(t *testing.T) {
	named, err := ParseIncidence("w", []byte("board in: anna otto - eva\nboard mid: otto karl\nboard out: karl "+
		"eva\nsource in\nsink out"))
	require.NoError(t, err)
	numbered, err := ParseIncidence("w", []byte("qpr in: 0 1 - 2\nqpr mid: 1 3\nqpr out: 3 2\nsource in\nsink out"))
	require.NoError(t, err)
	require.Equal(t, numbered.Boards, named.Boards)
	require.Equal(t, 4, named.PEs)
	require.Equal(t, []string{"anna", "otto", "eva", "karl"}, named.PENames)
	again, err := ParseIncidence("w", []byte(named.String()))
	require.NoError(t, err)
	require.Equal(t, named, again)
	for text, want := range map[string]string{
		"board in: anna 3\nboard out: 3 eva\nsource in\nsink out":     "",
		"board in: 0 anna\nsource in\nsink in":                        `w:1:13: "anna" is not a PE, or "-" for an empty port, from 0 to 1023`,
		"board in: a b\nboard out: b c\npe 0: x\nsource in\nsink out": "the boards hold names of PEs already",
		"board in: a b a\nboard out: b c\nsource in\nsink out":        "QPR in holds PE a at two ports",
		"board in: a b\nboard out: a b\nsource in\nsink out":          "PEs a and b share two QPRs",
		"boards in: a b\nsource in\nsink in":                          "expected source, sink, qpr, board or pe",
	} {
		_, err := ParseIncidence("w", []byte(text))
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// A Restraint reduces transfers of light data by the work that a PE keeps, under every policy. With it the naive
// policy moves fewer data; without it auto moves more.
func TestRestraint(t *testing.T) {
	transfers := func(p Policy, r Restraint) int64 {
		wiring, err := MNC(64)
		require.NoError(t, err)
		c := Default(wiring)
		c.Items, c.Policy, c.Restraint = 5000, p, r
		m, err := New(c)
		require.NoError(t, err)
		require.NoError(t, m.Run(t.Context()))
		return m.Stats().Transfers
	}
	require.Equal(t, transfers(Auto, Restrains), transfers(Auto, ByPolicy))
	require.Equal(t, transfers(Naive, Unbound), transfers(Naive, ByPolicy))
	require.Less(t, transfers(Auto, Restrains), transfers(Auto, Unbound))
	require.Less(t, transfers(Naive, Restrains), transfers(Naive, Unbound))
}
