.include "lib/place.s"          ; choose

.arg n, 0, 40000, main
.init init

main:                           ; n, at [0,0]
    mul     r2, r1, r1          ; here everything is done by [0,0]:
    add     r1, r1, r2          ; let the other PE square
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
