//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; SQUARES A B: a*a + b*b, in a function instance of two one-operand nodes and one
; that waits for both results.

        .arg a, 0, 1000, first
        .arg b, 0, 1000, second         ; its packet starts the program

first:  st! r1, r0, held                ; keep a until b comes
second: getseg r3, squares              ; r3 = continuation of a new instance
        ld r2, r0, held
        send.1 r2, r3, @squares.a
        send.1! r1, r3, @squares.b

        .template squares
.a:     mul r1, r1, r1
        send.l! r1, fp, @.sum           ; left operand of node .sum
.b:     mul r1, r1, r1
        send.r! r1, fp, @.sum           ; right operand
.sum:   add r1, r1, r2                  ; fires when both are there
        relseg fp
        out! r1
        .endtemplate

held:   .space 1
