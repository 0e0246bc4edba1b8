package sink_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"emsim/sim"
	"emsim/trace/sink"
)

// The example prints as text what the EXUs do in a program of two instructions. The name of a trace file selects the
// format.
func Example() {
	p, err := sim.Assemble("one.s", "\t.start main\nmain:\tadd r2, r1, 3\n\tout! r2\n", nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	if err := m.Trace(&text, sink.FormatOf("one.txt.gz"), 0); err != nil {
		log.Fatal(err)
	}
	if _, err := m.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	if err := m.Observe(nil); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "EXU") {
			fmt.Print(strings.TrimSpace(line), "\n")
		}
	}
	// Output:
	// 3 [0,0]    EXU  wait     -            why=fmu
	// 4 [0,0]    EXU  go       -            waited=1
	// 4 [0,0]    EXU  begin    host.1       node=main
	// 4 [0,0]    EXU  instr    -            pc=main : add r2, r1, 3
	// 5 [0,0]    EXU  instr    -            pc=main+1 : out! r2
	// 5 [0,0]    EXU  send     [0,0].1      to=host data=0x3 at=main+1
	// 6 [0,0]    EXU  end      -            pc=main+1
}
