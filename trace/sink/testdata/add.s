; a + b: the own PE adds, its neighbour in the group asks for it. The first
; operand waits in memory for the second, and an MLPE packet rounds the
; reverse circuit meanwhile.

.arg a, 0, 1000, first
.arg b, 0, 1000, second

.template sum
join:                                   ; a, b
        add     r3, r1, r2
        out     r3
        relseg! fp
.endtemplate

first:                                  ; a
        getseg  r3, sum
        st      r3, r0, segment
        mov     r4, 1
        shl     r4, r4, 18              ; [0,1]
        mlpe    found
        cont.l  r5, r3, @join
        send.d  r1, r4, relay
        send.d! r5, r4, back

second:                                 ; b
        ld      r3, r0, segment
        send.r! r1, r3, @join

relay:                                  ; on [0,1]: keeps a
        st!     r1, r0, held

back:                                   ; where a has to go
        ld      r3, r0, held
        send!   r3, r1, 0

found:
        nop!

segment: .space 1
held:    .space 1
