package tidy

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"testing"
)

// threads lists the files of model packages that may start goroutines, and
// why the result cannot depend on them.
var threads = map[string]string{
	"internal/base/barrier/barrier.go": "shares one clock's work among threads; tests of em4 and omega show that one " +
		"thread gives the same states",
	"balance/compare.go": "worlds share nothing, and each has its own place in the results; a test " +
		"compares one thread with several",
}

// timed lists the files of model packages that may use the wall clock, and why the result cannot depend on it.
var timed = map[string]string{
	"internal/base/barrier/barrier.go": "decides which thread does a part of a step; the same tests show that any may",
}

// wall lists the functions of package time that use the wall clock.
var wall = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// seeded lists the names of math/rand/v2 that do not use the global generator.
var seeded = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "PCG", "ChaCha8", "Zipf", "Source"}

func checkBanned(r *repo) []finding {
	var out []finding
	for _, s := range r.goFiles(func(s *source) bool { return isModel(s.dir()) && !s.isTest() }) {
		names := map[string]string{} // name in the file -> import path
		for _, spec := range s.code.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			name := path.Base(p)
			if p == "math/rand/v2" {
				name = "rand"
			}
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name] = p
			switch {
			case p == "math/rand" || p == "crypto/rand":
				out = append(out, r.find(spec.Pos(),
					"%s repeats on no or not on every Go version; use math/rand/v2 with a seed from the configuration",
					p))
			case name == "." && (p == "time" || p == "math/rand/v2"):
				out = append(out, r.find(spec.Pos(), "a dot import hides what is used of %s; import it by its name", p))
			}
		}
		ast.Inspect(s.code, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if threads[s.path] == "" {
					out = append(out, r.find(n.Pos(),
						"go statement in a model package; a result must not depend on scheduling (exceptions: "+
							"threads in internal/dev/tidy/banned_test.go)"))
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				switch {
				case names[x.Name] == "time" && slices.Contains(wall, n.Sel.Name) && timed[s.path] == "":
					out = append(out, r.find(n.Pos(),
						"time.%s in a model package; count clocks, and measure wall time in cmd or a benchmark",
						n.Sel.Name))
				case names[x.Name] == "math/rand/v2" && ast.IsExported(n.Sel.Name) &&
					!slices.Contains(seeded, n.Sel.Name):
					out = append(out, r.find(n.Pos(),
						"rand.%s uses the global generator; draw from rand.New(rand.NewPCG(seed, ...)) with a seed "+
							"from the configuration", n.Sel.Name))
				}
			}
			return true
		})
	}
	return out
}

func TestBannedCanFail(t *testing.T) {
	expect(t, checkBanned, `
-- mnc/m.go --
package mnc
import (
	"math/rand/v2"
	"time"
)
type R struct{ r *rand.Rand; d time.Duration }
func draw() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
-- mnc/m_test.go --
package mnc
import "time"
func f() { go f(); time.Now() }
-- internal/base/barrier/barrier.go --
package barrier
func f() { go f() }
-- verify/v.go --
package verify
import "time"
func f() { go f(); time.Now() }
`)
	expect(t, checkBanned, `
-- em4/step.go --
package em4
func f() { go f() }
-- mnc/m.go --
package mnc
import (
	"math/rand"
	. "time"
)
-- omega/o.go --
package omega
import (
	dice "math/rand/v2"
	clock "time"
)
func f() {
	_ = clock.Now()
	_ = dice.IntN(3)
	clock.Sleep(1)
}
`,
		"em4/step.go:2: go statement in a model package",
		"mnc/m.go:3: math/rand repeats on no or not on every Go version; use math/rand/v2",
		"mnc/m.go:4: a dot import hides what is used of time",
		"omega/o.go:7: time.Now in a model package; count clocks",
		"omega/o.go:8: rand.IntN uses the global generator",
		"omega/o.go:9: time.Sleep in a model package",
	)
}
