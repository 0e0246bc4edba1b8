package trace_test

import (
	"context"
	"fmt"
	"log"

	"emsim/sim"
	"emsim/trace"
)

// The example counts what the EXUs of twelve PEs wait for while they compute fib(10).
func Example() {
	p, err := sim.Load("fib", nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	waited := map[trace.Status]uint64{}
	err = m.Observe(trace.Func(func(e *trace.Event) {
		if e.Kind == trace.Changed && e.Unit == trace.EXU && e.Was.IsWait() {
			waited[e.Was] += e.Clock - e.Since
		}
	}))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := m.Run(context.Background(), 10); err != nil {
		log.Fatal(err)
	}
	for _, s := range trace.Statuses() {
		if waited[s] > 0 {
			fmt.Println(s, waited[s], "clocks")
		}
	}
	// Output:
	// wait_switch 492 clocks
	// wait_fmu 754 clocks
	// wait_operand 3259 clocks
}
