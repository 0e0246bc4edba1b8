package ref

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/isa"
	"emsim/omega"
)

// The reference shares with the machine only what this list allows. From isa it uses the decoded instruction, but never
// the table's functions.
func TestIndependence(t *testing.T) {
	imports := []string{"emsim/asm", "emsim/isa", "emsim/packet"}
	names := []string{"Decode", "Inst", "Op", "Registers", "Special", "Relation"}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	checked := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		checked++
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		require.NoError(t, err)
		for _, i := range tree.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			require.True(t, !strings.Contains(path, "emsim") || slices.Contains(imports, path),
				"%s imports %s", f.Name(), path)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "isa" {
				name := s.Sel.Name
				opcode := name == strings.ToUpper(name) // also R0, R1, R2, FP
				prefixed := strings.HasPrefix(name, "Special") || strings.HasPrefix(name, "Order") ||
					strings.HasPrefix(name, "Form")
				require.True(t, opcode || prefixed || slices.Contains(names, name), "%s uses isa.%s", f.Name(), name)
			}
			return true
		})
	}
	require.NotZero(t, checked)
}

// Two implementations of every arithmetic instruction and every branch agree, on extreme and ordinary numbers, in both
// widths.
func TestArithmeticEqualsTable(t *testing.T) {
	edges := []uint64{
		0, 1, 2, 31, 32, 33, 63, 64, 0x7f800000, 0xff800000, 0x7fc00001, 0x3f800000, 0xbf800000, 0x80000000, 0x00000001,
		0x007fffff, 0x7f7fffff,
		0x7fffffff, 0xffffffff, 1 << 63, 1<<63 - 1, ^uint64(0), ^uint64(0) - 1, 0xffffffff80000000,
	}
	number := rapid.OneOf(rapid.SampledFrom(edges), rapid.Uint64(),
		rapid.Custom(func(t *rapid.T) uint64 { return uint64(rapid.Uint32().Draw(t, "low")) }))
	for i := range isa.Table {
		row := &isa.Table[i]
		if row.Eval == nil {
			continue
		}
		for _, width := range []uint{32, 64} {
			m := &Machine{width: width}
			w := isa.Width(width)
			check := func(t require.TestingT, a, b uint64) {
				a, b = m.truncate(a), m.truncate(b)
				want := w.Trunc(row.Eval(w, a, b))
				if row.Class == isa.ClassBranch {
					require.Equal(t, want == 1, m.condition(isa.Op(i), a, b), "%s %#x %#x", row.Name, a, b)
					return
				}
				require.Equal(t, want, m.arithmetic(isa.Op(i), a, b), "%s %#x %#x", row.Name, a, b)
			}
			for _, a := range edges {
				for _, b := range edges {
					check(t, a, b)
				}
			}
			rapid.Check(t, func(t *rapid.T) { check(t, number.Draw(t, "a"), number.Draw(t, "b")) })
		}
	}
}

// The reverse circuits match the network's.
func TestReverseCircuits(t *testing.T) {
	for k := 1; k <= 9; k++ {
		topo, err := omega.New(k)
		require.NoError(t, err)
		m := &Machine{k: k}
		for i := range topo.N {
			require.Equal(t, topo.Next(topo.Address(i), omega.OutGroup), m.outOfGroup(topo.Address(i)))
		}
	}
}
