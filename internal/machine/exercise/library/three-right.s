.arg a, 0, 1000000, add
.arg b, 0, 1000000, add
.arg c, 0, 1000000, sum

add:
    ld      r2, r0, held
    add     r1, r1, r2
    st!     r1, r0, held

sum:
    ld      r2, r0, held
    add     r1, r1, r2
    out!    r1

held: .space 1
