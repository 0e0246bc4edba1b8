.include "lib/place.s"          ; choose

.arg n, 0, 40000, main
.init init

main:                           ; n, at [0,0]
    st      r1, r0, kept
    choose  1
    cont.d  r4, fp, back
    send.d  r4, r3, from        ; packets between two PEs keep their order
    send.d! r1, r3, there

from:                           ; where the square goes
    st!     r1, r0, kept

there:                          ; n
    mul     r1, r1, r1
    ld      r3, r0, kept
    send!   r1, r3, 0

back:                           ; the square
    ld      r2, r0, kept
    add     r1, r1, r2
    out!    r1

.template unused                ; for place_blocks
    nop!
.endtemplate
    place_blocks unused

init:
    place_init
    place_search                ; ends the block

kept: .space 1                  ; a variable of this PE
    place_data
