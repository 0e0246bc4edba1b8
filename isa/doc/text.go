package main

// The prose of docs/ISA.md.
const (
	intro = "# The instruction set\n\n" +
		"<!-- Written by `go generate ./isa` from isa/table.go; do not edit. -->\n" + `
The EM-4 papers say that the EMC-R has about 26 RISC-like instructions, that a
strongly connected block of them runs without interruption on a register file,
and that words are 39 bits wide. Names, encodings and conventions are chosen
here. docs/ASSEMBLY.md shows how programs are written.

## The word

| bits | 38 | 37..32 | 31..28 | 27..24 | 23 | 22..19 | 18..0 |
| --- | --- | --- | --- | --- | --- | --- | --- |
| field | end mark | code | D | A | literal | B | constant |

The end mark ends the block after the instruction; a branch with an end mark
ends the block when it is not taken. The literal bit makes the operand ` + "`s`" + ` a
constant; it is 0 in all instructions without such an operand, also if they use
the constant. Fields that an instruction does not use are 0; any other word is
data and no instruction.

## Registers

| register | at the start of a block |
| --- | --- |
| ` + "`r0`" + ` | 0; writes are lost, so it is always 0 |
| ` + "`r1`" + ` | the packet's operand, the left one of a two-operand node |
| ` + "`r2`" + ` | the right operand of a two-operand node, otherwise 0 |
| ` + "`r3`..`r14`" + ` | 0 |
| ` + "`fp` = `r15`" + ` | continuation of word 0 of the own operand segment; in a system block, of address 0 of the own PE |

Nothing in the registers outlives the block.
`

	afterTable = `
Clocks: the instruction's fetch from memory is 1; "mem" are further accesses to
the one memory port; plain numbers need no memory, so that the matching unit may
use it; "word" is the packet's second word, after which the instruction waits
until the switch has taken the packet. "(assumed)" marks clocks, or whole
instructions, for which we know no source. Sources: [P] public abstracts of the
EM-4 papers, [C] chosen, [003] see docs/DEVIATIONS.md.
`

	afterForms = `
The form is in field D of a packet's instruction, and in field B of ` + "`cont`" + `.
`
)
