// Command ownprogram assembles a program of its own, runs it with several
// arguments on one machine, and shows what errors say.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"log"
	"strings"

	"emsim/sim"
)

//go:embed squares.s
var squares string

func main() {
	p, err := sim.Assemble("squares.s", squares, nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := sim.New(p, sim.Small12(), 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range [][2]int64{{3, 4}, {5, 12}, {8, 15}} {
		r, err := m.Run(context.Background(), x[0], x[1])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d² + %d² = %d, in %d clocks\n", x[0], x[1], r.Words[0], r.Clocks)
	}

	// A mistake in the text, and one that only the machine can notice: no block sends
	// the right operand, so the left one waits for it forever.
	tryOut(strings.Replace(squares, "send.r!", "sned.r!", 1))
	tryOut(strings.Replace(squares, "send.r! r1, fp, @.sum ", "nop!", 1))
}

// tryOut runs a program that fails, and prints the kind of the error and its text.
func tryOut(text string) {
	p, err := sim.Assemble("squares.s", text, nil)
	if err == nil {
		var m *sim.Machine
		if m, err = sim.New(p, sim.Small12(), 1); err == nil {
			_, err = m.Run(context.Background(), 3, 4)
		}
	}
	fmt.Printf("\n%s: %v\n", sim.Kind(err), err)
}
