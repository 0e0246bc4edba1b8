package asm_test

import (
	"fmt"
	"log"

	"emsim/asm"
)

// This example assembles a text to an object: words of code with their addresses, names, and the value of a parameter
// that this run chose.
func ExampleAssemble() {
	const text = `	.param times = 2, 1, 9
	.arg n, 0, 1000, main
main:	mul r1, r1, times
	out! r1
`
	o, _, err := asm.Assemble("many.s", asm.Options{
		Open:   func(string) ([]byte, error) { return []byte(text), nil },
		Params: map[string]string{"times": "3"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range o.Args {
		fmt.Printf("argument %s, %d to %d, starts at code address %d\n", a.Name, a.Min, a.Max, a.Entry)
	}
	fmt.Print(asm.Disassemble(o))
	// Output:
	// argument n, 0 to 1000, starts at code address 0
	// ; 2 words of code, 0 of data, 0 of space
	// 	.param times = 3, 1, 9
	// 	.arg n, 0, 1000, main
	// main:
	// 	mul r1, r1, 3                  ; 00000 0211800003
	// 	out! r1                        ; 00001 5800080000
}

// All mistakes in a text are found in one run, each with its place.
func ExampleErrors() {
	text := "\t.start main\nmain:\tad r1, r1, r1\n\tout! r16\n"
	_, _, err := asm.Assemble("bad.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	fmt.Println(err)
	// Output:
	// the program has 2 errors
	// bad.s:2:7: no instruction or macro is called "ad"; did you mean "add"?
	//     main:	ad r1, r1, r1
	//          	^~
	// bad.s:3:7: expected a register (r0..r15, fp), found "r16"; did you mean "r1"?
	//     	out! r16
	//     	     ^~~
}
