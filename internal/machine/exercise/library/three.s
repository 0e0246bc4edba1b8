.arg a, 0, 1000000, keep        ; the host sends a to the block keep
.arg b, 0, 1000000, sum         ; then b to the block sum
.arg c, 0, 1000000, late        ; then c to the block late

keep:                           ; a
    st!     r1, r0, held

sum:                            ; b
    ld      r2, r0, held
    add     r1, r1, r2
    out!    r1                  ; a word to the host

late:                           ; c, which nobody adds yet
    nop!

held: .space 1                  ; a variable of this PE
