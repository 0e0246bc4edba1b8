package isa_test

import (
	"fmt"
	"log"

	"emsim/isa"
)

// An instruction is one word of 39 bits. Its row of the table describes its effect and its clocks.
func ExampleDecode() {
	op, _ := isa.Lookup("add")
	word := isa.Encode(isa.Inst{Op: op, D: 2, A: 1, Lit: true, Imm: 3, End: true})
	in, err := isa.Decode(word)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%010x\n", word)
	fmt.Printf("r%d from r%d and %d; the block ends: %t\n", in.D, in.A, in.Imm, in.End)
	row := isa.Table[in.Op]
	fmt.Printf("%s: %s, %d clock\n", row.Name, row.Doc, 1+row.Mem+row.Extra)
	// Output:
	// 4021800003
	// r2 from r1 and 3; the block ends: true
	// add: rd = ra + s, 1 clock
}
