package tidy

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors lists the rooms from the ground up. A package may import only packages from lower rooms and, within its room,
// only earlier packages. An entry covers its subpackages, which may import each other freely. Entries may be missing in
// the repository.
var floors = []struct {
	room     string // the name of the room
	model    bool   // its packages use only the standard library, and never goroutines, the order of maps or variables
	packages []string
}{
	{
		"the ground: no domain of its own", true,
		inRoom("internal/base", "state", "lists", "moves", "vcd", "gotype", "knob", "ordered", "agenda", "barrier",
			"hugepages", "suggest", "escape", "plural", "rng", "portable", "simerr", "srcerr", "lines", "input",
			"wholefile"),
	},
	{"the EM-4", true, []string{"packet", "isa", "trace", "mlpe", "ibu", "omega", "emcr", "em4"}},
	{"its software", true, []string{"asm", "programs"}},
	{"the other machines", true, []string{"mnc", "cluster/rhinet", "cluster/spmd", "pdes", "balance"}},
	{"a PE in hardware", false, []string{"rtl"}},
	{"Go to blocks", false, []string{"df", "programs/go", "programs/start/go", "internal/compile"}},
	{
		"what the computer allows: memory, signals, files", false,
		inRoom("internal/base", "memlimit", "interrupt", "tomlfile"),
	},
	{"what a run says", false, inRoom("internal/base", "answer")},
	{"one machine of any kind: its description, files and runs", false, inRoom("internal/machine", "threads",
		"machinefile", "checkpoint", "machines", "run", "exercise", "fingerprint", "recipe")},
	{"many runs", false, inRoom("internal/study", "spread", "ensemble", "sweep", "slurm")},
	{"the tables of the documentation, and the library", false, []string{"docs", "sim"}},
	{"the papers against the models", false, []string{"verify"}},
	{"looking into a run", false, inRoom("internal/inspect", "blockgraph", "profile", "portrait", "debug", "screen",
		"diff", "instrument")},
	{"pictures and pages", false, inRoom("internal/draw", "figures", "report")},
	{"the machine in a browser", false, []string{".", "internal/play/engine", "internal/play"}},
	{"the command line", false, []string{"internal/command", "cmd", "docs/examples"}},
}

// workshop is the folder of packages that only tests and CI use. Only programs of the module tools may also import
// them.
const workshop = "internal/dev"

// layers lists the packages of all floors, and modelLayers the packages of the models' floors.
var layers, modelLayers = func() (all, models []string) {
	for _, f := range floors {
		all = append(all, f.packages...)
		if f.model {
			models = append(models, f.packages...)
		}
	}
	return all, models
}()

// inRoom prefixes each name with the room, in place, and returns names.
func inRoom(room string, names ...string) []string {
	for i, n := range names {
		names[i] = room + "/" + n
	}
	return names
}

// modules lists the packages outside the standard library that a model package may import, with the reason.
var modules = []struct{ layer, prefix, why string }{
	{"trace/sink", "google.golang.org/protobuf/encoding/protowire", "the wire format of Perfetto's files"},
}

// strangers lists sets whose members must never import each other, with the reason.
var strangers = []struct {
	of  []string
	why string
}{
	{[]string{"emcr", "omega"}, "let them meet in packet, and let em4 connect them"},
	{
		[]string{"em4", "mnc", "cluster/rhinet", "cluster/spmd", "pdes"},
		"the machines share no framework; compare them in verify",
	},
}

// layerOf returns the index of a package's entry, which is the longest match, or -1.
func layerOf(dir string) int {
	best := -1
	for i, l := range layers {
		if within(dir, l) && (best < 0 || len(l) > len(layers[best])) {
			best = i
		}
	}
	return best
}

// within reports whether a package is equal to outer or inside it.
func within(dir, outer string) bool { return dir == outer || strings.HasPrefix(dir, outer+"/") }

func isModel(dir string) bool {
	l := layerOf(dir)
	return l >= 0 && slices.Contains(modelLayers, layers[l])
}

func checkLayers(r *repo) []finding {
	var out []finding
	noLayer := map[string]bool{}
	for _, s := range r.goFiles(func(s *source) bool { return !within(s.dir(), "tools") }) {
		dir := s.dir()
		if layerOf(dir) < 0 && !within(dir, workshop) && !noLayer[dir] {
			noLayer[dir] = true
			out = append(out, r.find(s.code.Package,
				"package %s has no room; add it to floors in internal/dev/tidy/layers_test.go", dir))
		}
		for _, spec := range s.code.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			if problem := badImport(dir, p, s.isTest()); problem != "" {
				out = append(out, r.find(spec.Pos(), "%s", problem))
			}
		}
	}
	return out
}

// badImport returns what is wrong with an import, or "".
func badImport(dir, p string, test bool) string {
	first, _, _ := strings.Cut(p, "/")
	own, isOwn := strings.CutPrefix(p, module+"/")
	from, to := layerOf(dir), layerOf(own)
	switch {
	case isOwn && within(own, "cmd"):
		return "nothing imports " + p + "; move what is shared below cmd"
	case test:
		return "" // tests may import anything else
	case isOwn && within(own, workshop) && !within(dir, workshop):
		return dir + " imports " + p + ", which is for tests only"
	case isOwn && (from < 0 || to < 0):
		return "" // the workshop, or a package without a room, which is reported once, at its own place
	case isOwn && strange(from, to) != "":
		return dir + " and " + own + " never import each other; " + strange(from, to)
	case isOwn && to > from:
		return dir + " imports " + own + ", which is above it; imports go down only: " + strings.Join(layers, ", ")
	case isOwn || !strings.Contains(first, ".") || !isModel(dir):
		return ""
	}
	for _, m := range modules {
		if within(dir, m.layer) && strings.HasPrefix(p, m.prefix) {
			return ""
		}
	}
	return "model package " + dir + " imports " + p +
		"; model packages stand on the standard library (exceptions: modules in internal/dev/tidy/layers_test.go)"
}

// strange returns the reason why two entries must never import each other, or "".
func strange(a, b int) string {
	for _, s := range strangers {
		if a != b && slices.Contains(s.of, layers[a]) && slices.Contains(s.of, layers[b]) {
			return s.why
		}
	}
	return ""
}

func TestLayers(t *testing.T) {
	expect(t, checkLayers, `
-- packet/p.go --
package packet
-- em4/e.go --
package em4
import (
	"fmt"
	"emsim/emcr"
	"emsim/packet"
)
-- trace/sink/s.go --
package sink
import "google.golang.org/protobuf/encoding/protowire"
-- verify/explain/r.go --
package explain
import "emsim/em4"
-- pdes/network/n.go --
package network
import "emsim/pdes/mapping"
-- verify/v.go --
package verify
import (
	"emsim/verify/explain"
	"example.org/any"
)
-- internal/dev/browser/b.go --
package browser
import "emsim/internal/dev/needs"
-- mnc/m_test.go --
package mnc
import (
	"emsim/internal/dev/golden"
	"emsim/verify"
	"github.com/stretchr/testify/require"
)
`)
}

func TestLayersCanFail(t *testing.T) {
	expect(t, checkLayers, `
-- packet/p.go --
package packet
import "emsim/isa"
-- omega/o.go --
package omega
import "emsim/emcr"
-- emcr/e.go --
package emcr
import (
	"emsim/omega/su"
	"emsim/internal/dev/golden"
)
-- cluster/rhinet/r.go --
package rhinet
import (
	"emsim/cluster/spmd"
	"example.org/numbers"
)
-- verify/v.go --
package verify
import "emsim/cmd/emsim"
-- internal/draw/figures/f_test.go --
package figures
import "emsim/cmd/emsim"
-- mnc/m.go --
package mnc
import "github.com/spf13/cobra"
-- web/w.go --
package web
import "emsim/packet"
`,
		"cluster/rhinet/r.go:3: cluster/rhinet and cluster/spmd never import each other; the machines share",
		"cluster/rhinet/r.go:4: model package cluster/rhinet imports example.org/numbers",
		"emcr/e.go:3: emcr and omega/su never import each other; let them meet",
		"emcr/e.go:4: emcr imports emsim/internal/dev/golden, which is for tests only",
		"internal/draw/figures/f_test.go:2: nothing imports emsim/cmd/emsim",
		"mnc/m.go:2: model package mnc imports github.com/spf13/cobra",
		"omega/o.go:2: omega and emcr never import each other",
		"packet/p.go:2: packet imports isa, which is above it",
		"verify/v.go:2: nothing imports emsim/cmd/emsim",
		"web/w.go:1: package web has no room; add it",
	)
}
