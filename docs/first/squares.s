; a*a + b*b
        .arg a, 0, 1000, first          ; command line: a, then b
        .arg b, 0, 1000, second         ; the packet with b starts the program

first:  st! r1, r0, held                ; keep a until b comes
second: getseg r3, squares              ; r3 = continuation of a new instance
        ld r2, r0, held
        send.1 r2, r3, @squares.a       ; a and b to one-operand nodes of it
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
