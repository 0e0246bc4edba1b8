.arg n, 1, 3000, main

main:                           ; n
    getseg  r3, down            ; the first instance
    send.l  r1, r3, @down.add   ; its number
    send.r! r0, r3, @down.add   ; the sum so far

.template down

.add:                           ; number, sum
    relseg  fp                  ; nothing more comes for this instance
    add     r2, r2, r1
    sub     r1, r1, 1
    beq     r1, r0, .end
    getseg  r3, down            ; the next instance
    send.l  r1, r3, @.add
    send.r! r2, r3, @.add
.end:
    out!    r2

.endtemplate
