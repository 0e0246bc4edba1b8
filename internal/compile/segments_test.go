package compile_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// repeated joins n copies of a text, with # replaced by the number.
func repeated(n int, text, between string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(text, "#", fmt.Sprint(i))
	}
	return strings.Join(list, between)
}

// nbody is an n-body kernel in three dimensions. A division of floats is long on the machine, so the force
// falls off as a polynomial.
const nbody = `package main

import "emsim/df"

var px, py, pz, vx, vy, vz, mass df.Array[float32]

//emsim:arg n 1 16
func f(n int32) float32 {
	px.Fill(n, 1, func(i, k int32) float32 { return 0.5 * float32(i*7%5) })
	py.Fill(n, 1, func(i, k int32) float32 { return 0.25 * float32(i*3%7) })
	pz.Fill(n, 1, func(i, k int32) float32 { return 0.125 * float32(i*5%11) })
	vx.Fill(n, 1, func(i, k int32) float32 { return 0 })
	vy.Fill(n, 1, func(i, k int32) float32 { return 0 })
	vz.Fill(n, 1, func(i, k int32) float32 { return 0 })
	mass.Fill(n, 1, func(i, k int32) float32 { return 1 + 0.5*float32(i&3) })
	energy := float32(0)
	for range int32(2) {
		energy += df.Sum(0, n, func(i int32) float32 { return move(i, n) })
		df.Sum(0, n, func(i int32) int32 {
			px.Set(i, 0, px.Get(i, 0)+0.01*vx.Get(i, 0))
			py.Set(i, 0, py.Get(i, 0)+0.01*vy.Get(i, 0))
			pz.Set(i, 0, pz.Get(i, 0)+0.01*vz.Get(i, 0))
			return 1
		})
	}
	return energy
}

func move(i, n int32) float32 {
	x, y, z, m := px.Get(i, 0), py.Get(i, 0), pz.Get(i, 0), mass.Get(i, 0)
	ax, ay, az, energy, nearest, mx, my, mz := float32(0), float32(0), float32(0), float32(0), float32(1000), float32(0), float32(0), float32(0)
	for j := range n {
		if j == i {
			continue
		}
		dx, dy, dz, mj := px.Get(j, 0)-x, py.Get(j, 0)-y, pz.Get(j, 0)-z, mass.Get(j, 0)
		ux, uy, uz := px.Get((j+1)%n, 0), py.Get((j+1)%n, 0), pz.Get((j+1)%n, 0)
		d2 := float32(dx*dx) + float32(dy*dy) + float32(dz*dz) + 0.01
		force := float32(mj * (1 - float32(d2*(0.1-float32(0.01*d2)))))
		ax, ay, az = ax+float32(force*dx), ay+float32(force*dy), az+float32(force*dz)
		mx, my, mz = mx+float32(mj*ux), my+float32(mj*uy), mz+float32(mj*uz)
		energy -= float32(m * force)
		if d2 < nearest {
			nearest = d2
		}
	}
	vx.Set(i, 0, vx.Get(i, 0)+float32(0.01*ax))
	vy.Set(i, 0, vy.Get(i, 0)+float32(0.01*ay))
	vz.Set(i, 0, vz.Get(i, 0)+float32(0.01*az))
	return energy + float32(0.5*m*(float32(ax*ax)+float32(ay*ay)+float32(az*az))) + nearest + float32(0.001*(mx+my+mz))
}
`

const entryHead = "package main\n\n//emsim:arg n 1 9\nfunc f(n int32) int32 {\n\t"

// loopOf30 is a loop with 30 variables and a call.
var loopOf30 = entryHead + "return g(n)\n}\n\nfunc g(n int32) int32 {\n\tif n < 2 {\n\t\treturn n\n\t}\n\t" +
	repeated(30, "v# := n ^ #", "\n\t") + "\n\tfor i := range n {\n\t\tx := g(n - 1 - i&1)\n\t\t" +
	repeated(29, "v# += x ^ v29*#", "\n\t\t") + "\n\t\tv29 = v0 - x\n\t}\n\treturn " + repeated(30, "v#", " ^ ") + "\n}\n"

// large has programs with functions that need more than an operand segment.
var large = map[string]string{
	"nbody":    nbody,
	"calls 8":  callsOf(8),
	"calls 20": callsOf(20),
	"loop":     loopOf30,
	"parameters 10": entryHead + "return g(" + repeated(10, "n+#", ", ") + ")\n}\n\nfunc g(" + repeated(10, "a#", ", ") + " int32) int32 {\n\tif a0 < 1 {\n\t\treturn a1 - a9\n\t}\n\treturn g(a0-2, " +
		repeated(9, "a#+1", ", ") + ") + g(a0-1, " + repeated(9, "a#", ", ") + ") - " + repeated(10, "a#*#", " + ") + "\n}\n",
	"parameters 24": entryHead + "return g(" + repeated(24, "n+#", ", ") + ")\n}\n\nfunc g(" + repeated(24, "a#", ", ") + " int32) int32 {\n\tif a0 < 1 {\n\t\treturn a1 ^ a23\n\t}\n\treturn g(a0-2, " +
		repeated(23, "a#+1", ", ") + ") - g(a0-3, " + repeated(23, "a#", ", ") + ") ^ " + repeated(24, "a#*#", " ^ ") + "\n}\n",
	"locals": entryHead + "return g(n)\n}\n\nfunc g(n int32) int32 {\n\tif n < 2 {\n\t\treturn n\n\t}\n\t" + repeated(45, "v# := n*# + 1", "\n\t") + "\n\tx := g(n - 1)\n\t" + repeated(45, "w# := v# ^ x", "\n\t") +
		"\n\ty := g(n - x&1 - 1)\n\treturn y - " + repeated(45, "v#*w#", " - ") + "\n}\n",
	"sums": "package main\n\nimport \"emsim/df\"\n\n//emsim:arg n 1 9\nfunc f(n int32) int32 {\n\t" + repeated(26, "v# := n ^ #", "\n\t") +
		"\n\treturn df.Sum(0, n, func(i int32) int32 {\n\t\treturn df.Sum(i, n+2, func(j int32) int32 {\n\t\t\tif j&1 == 0 {\n\t\t\t\treturn slow(i + v0)\n\t\t\t}\n\t\t\treturn slow(i+j) - " +
		repeated(26, "v#*#", " - ") + "\n\t\t}) ^ df.Sum(0, i, func(j int32) int32 { return " + repeated(26, "v#^j", " + ") + " })\n\t})\n}\n\nfunc slow(n int32) int32 {\n\tfor range n & 3 {\n\t\tn += 5\n\t}\n\treturn n\n}\n",
	"arrays": entryHead + "return g(n)\n}\n\nfunc g(n int32) int32 {\n\tif n < 2 {\n\t\treturn n\n\t}\n\tvar a, b, c [30]int32\n\tfor i := range int32(30) {\n\t\ta[i], b[29-i] = g(n-2-i&1)^i, i\n\t\tc[(i+n)%30] += a[i] + b[i]\n\t}\n" +
		"\ts := g(n - 3)\n\tfor i := range int32(30) {\n\t\ts = s*3 ^ a[i] - b[i] + c[i]\n\t}\n\treturn s - a[4] + c[29]\n}\n",
	"streams": entryHead + repeated(12, "c# := make(chan int32)\n\tgo send(n+#, c#)", "\n\t") + "\n\ts := int32(0)\n\tfor range n + 2 {\n\t\t" + repeated(12, "x# := <-c#", "\n\t\t") + "\n\t\ts = s*3 ^ " + repeated(12, "x#*#", " ^ ") +
		"\n\t}\n\treturn s" + repeated(12, " + <-c#", "") + "\n}\n\nfunc send(n int32, c chan<- int32) {\n\tdefer close(c)\n\tfor i := range n {\n\t\tc <- i ^ n\n\t}\n}\n",
	"senders": entryHead + repeated(9, "c# := make(chan int32)", "\n\t") + "\n\tgo all(n, " + repeated(9, "c#", ", ") + ")\n\ts := int32(0)\n\t" + repeated(9, "for x := range c# {\n\t\ts = s*5 ^ x\n\t}", "\n\t") +
		"\n\treturn s\n}\n\nfunc all(n int32, " + repeated(9, "c#", ", ") + " chan<- int32) {\n\t" + repeated(30, "v# := n + #", "\n\t") + "\n\t" + repeated(9, "for i := range n {\n\t\tc# <- i + v# + slow(i)\n\t}\n\tclose(c#)", "\n\t") +
		"\n\t_ = " + repeated(30, "v#", " + ") + "\n}\n\nfunc slow(n int32) int32 {\n\tfor range n & 3 {\n\t\tn += 5\n\t}\n\treturn n\n}\n",
}

func callsOf(n int) string {
	return entryHead + "if n < 3 {\n\t\treturn 1\n\t}\n\treturn " + repeated(n, "f(n-#-1)", " + ") + "\n}\n"
}

// Functions that need more than one operand segment give Go's answers on machines of several sizes. With -tags slow,
// they are compiled with every choice of blocks and guards.
func TestLargeFunctions(t *testing.T) {
	var programs []goProgram
	names := slices.Sorted(maps.Keys(large))
	ways := allWays()
	if !largeInEveryWay {
		ways = ways[:1]
	}
	for _, name := range names {
		src := large[name]
		p := goProgram{src: src, runs: [][]int64{{1}, {4}, {7}}}
		for _, opt := range ways {
			p.objects = append(p.objects, assemble(t, "p.go", src, opt, nil))
		}
		programs = append(programs, p)
	}
	answers := byGo(t, programs)
	for i, p := range programs {
		for run, want := range answers[3*i : 3*i+3] {
			arg := uint64(p.runs[run][0])
			for way, o := range p.objects {
				about := fmt.Sprintf("%s %d, %+v", names[i], arg, ways[way])
				want.demand(t, o, []uint64{arg}, about)
				for _, pes := range []int{80, 1024} {
					if run != 1 || pes == 1024 && !largeInEveryWay || way != 0 && way != len(p.objects)-1 {
						continue
					}
					got, err := onMachine(t, o, pes, arg)
					require.NoError(t, err, about)
					require.Equal(t, []uint64{want.word}, got.Words, about)
				}
			}
		}
	}
}

// allWays returns all combinations of blocks and guards, the default first.
func allWays() (list []compile.Options) {
	for _, g := range []compile.Guards{compile.Caller, compile.Callee} {
		for _, b := range []compile.Blocks{compile.Largest, compile.Medium, compile.Finest} {
			list = append(list, compile.Options{Blocks: b, Guards: g})
		}
	}
	return list
}
