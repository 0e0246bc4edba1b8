//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; a + 12, where 12 comes from the far PE [3,0]: the program of the guided
; tour. The left operand waits for the right one, which crosses the network.

.arg a, 0, 1000, main

.template pair
join:                                   ; a, 12
        add     r3, r1, r2
        out     r3
        relseg! fp
.endtemplate

main:                                   ; a
        getseg  r3, pair
        mov     r5, 0x18
        shl     r5, r5, 18              ; [3,0]
        cont.r  r4, r3, @join
        send.d  r4, r5, far
        send.l! r1, r3, @join

far:                                    ; on [3,0]: where the answer has to go
        mov     r2, 12
        send!   r2, r1, 0
