.arg a, 0, 20000, first         ; the host sends a, then b
.arg b, 0, 20000, second        ; the packet with b starts the program

first:                          ; a
    st!     r1, r0, held        ; keep it until b comes

second:                         ; b
    getseg  r3, both            ; an instance of the template
    ld      r2, r0, held
    send.l  r2, r3, @both.sum
    send.r  r1, r3, @both.sum
    send.l! r2, r3, @both.difference
    send.r! r1, r3, @both.difference

.template both

.sum:                           ; a, b
    add     r1, r1, r2
    send.l! r1, fp, @.product

.difference:                    ; a, b
    sub     r1, r1, r2
    send.r! r1, fp, @.product

.product:                       ; a + b, a - b
    mul     r1, r1, r2
    relseg  fp
    out!    r1

.endtemplate

held: .space 1
