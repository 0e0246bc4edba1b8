package sim_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"emsim/balance"
	"emsim/sim"
	"emsim/trace"
)

// This example runs fib(10) on the prototype and reads its counters.
func Example() {
	p, err := sim.Load("fib", nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Prototype80(), 1)
	if err != nil {
		log.Fatal(err)
	}
	r, err := m.Run(context.Background(), 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("fib(10) =", r.Words[0])
	fmt.Println("more clocks than instructions on one PE:", r.Clocks > r.Instructions/80)
	fmt.Println("some PE was busy:", r.Utilisation() > 0)
	// Output:
	// fib(10) = 55
	// more clocks than instructions on one PE: true
	// some PE was busy: true
}

// This example assembles a user's own program. It computes a*a + b*b in a function instance of two one-operand nodes
// and one node that waits for both results.
func ExampleAssemble() {
	const squares = `
	.arg a, 0, 1000, first
	.arg b, 0, 1000, second         ; its packet starts the program

first:	st! r1, r0, held                ; keep a until b comes
second:	getseg r3, squares              ; r3 = continuation of a new instance
	ld r2, r0, held
	send.1 r2, r3, @squares.a
	send.1! r1, r3, @squares.b

	.template squares
.a:	mul r1, r1, r1
	send.l! r1, fp, @.sum           ; left operand of node .sum
.b:	mul r1, r1, r1
	send.r! r1, fp, @.sum           ; right operand
.sum:	add r1, r1, r2                  ; fires when both are there
	relseg fp
	out! r1
	.endtemplate

held:	.space 1
`
	p, err := sim.Assemble("squares.s", squares, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	r, err := m.Run(context.Background(), 3, 4)
	fmt.Println(r.Words, err)
	// Output: [25] <nil>
}

// Errors in a program have a line, a column and a caret.
func ExampleAssemble_errors() {
	_, err := sim.Assemble("bad.s", "main:\tad r1, r1, r1\n", nil)
	fmt.Println(sim.Kind(err))
	fmt.Println(err)
	// Output:
	// assembly
	// the program has 1 error
	// bad.s:1:7: no instruction or macro is called "ad"; did you mean "add"?
	//     main:	ad r1, r1, r1
	//          	^~
}

// This example stops a run, looks at it, saves it, and continues it on another machine.
func ExampleMachine_Save() {
	p, err := sim.Load("fib", nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Begin(12); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	ended, err := m.Advance(ctx, 1000)
	fmt.Println("ended at clock 1000:", ended, err)

	dir, err := os.MkdirTemp("", "sim")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "fib.ckp")
	if err := m.Save(file); err != nil {
		log.Fatal(err)
	}
	n, err := sim.Restore(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("same state:", m.Hash() == n.Hash())
	ended, err = n.Advance(ctx, sim.ToEnd)
	fmt.Println("ended:", ended, err)
	fmt.Println("fib(12) =", n.Result().Words[0])
	// Output:
	// ended at clock 1000: false <nil>
	// same state: true
	// ended: true <nil>
	// fib(12) = 144
}

// An observer is a function that is called for every event.
func ExampleMachine_Observe() {
	p, err := sim.Load("fib", nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	made, taken := 0, 0
	err = m.Observe(trace.Func(func(e *trace.Event) {
		switch e.Kind {
		case trace.Made:
			made++
		case trace.Taken:
			taken++
		}
	}))
	if err != nil {
		log.Fatal(err)
	}
	r, err := m.Run(context.Background(), 8)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Observe(nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println("fib(8) =", r.Words[0])
	fmt.Println("FMUs take what EXUs make and the host sends:", taken == made)
	// Output:
	// fib(8) = 21
	// FMUs take what EXUs make and the host sends: true
}

// This example writes a trace as text.
func ExampleMachine_Trace() {
	p, err := sim.Load("fib", nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	if err := m.Trace(&text, "text", 0); err != nil {
		log.Fatal(err)
	}
	if _, err := m.Run(context.Background(), 3); err != nil {
		log.Fatal(err)
	}
	if err := m.Observe(nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(text.String(), "\n") > 20)
	// Output: true
}

// This example judges a paper's policy with other numbers next to the other policies: power with twice the
// comparison's interval.
func ExampleComparison() {
	p := sim.Comparison(balance.Policy{Name: "patient", New: func(w *balance.Worker) balance.Agent {
		c := balance.PowerConfig{
			Interval: 2 * int64(balance.DefaultNumbers().Interval*float64(w.Typical())),
			Readers:  balance.VisibilityGraph(w.Workers()), All: true,
		}
		return balance.NewPower(w, c)
	}})
	p.Workers, p.Grains, p.Seeds, p.Workloads = []int{16}, []int{30}, 8,
		p.Workloads[:1] // so that it takes only a moment
	rows, err := p.Compare(context.Background(), 2, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		if r.Policy == "power" || r.Policy == "patient" {
			fmt.Printf("%s at %s: %.2f (%.2f-%.2f) of the ideal time\n", r.Policy, r.Workload, *r.Mean, *r.Low, *r.High)
		}
	}
	// Output:
	// power at uneven: 1.16 (1.13-1.19) of the ideal time
	// patient at uneven: 1.54 (1.50-1.59) of the ideal time
}
