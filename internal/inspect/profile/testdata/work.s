; work N: N times a division here and a product of fractions next door, which
; meet in a node of this PE; every sum goes out.

.arg n, 1, 9, main

.template pair
sum:                                    ; quotient, product
        add     r3, r1, r2
        out     r3
        ld      r1, r0, left
        sub     r1, r1, 1
        beq     r1, r0, done
        rds     r6, pe
        send.d! r1, r6, turn
done:
        relseg! fp
.endtemplate

main:                                   ; n
        getseg  r3, pair
        st      r3, r0, segment
        rds     r6, pe
        send.d! r1, r6, turn

turn:                                   ; how many turns are left
        st      r1, r0, left
        mov     r4, 1
        shl     r4, r4, 18              ; [0,1]
        ld      r3, r0, segment
        itof    r5, r1
        send.d  r5, r4, other
        cont.l  r6, r3, @sum
        send.d  r6, r4, back
        mov     r5, 700
        div     r5, r5, r1
        send.r! r5, r3, @sum

other:                                  ; on [0,1]: keeps the square and some
        fmul    r5, r1, r1
        fadd    r5, r5, r1
        st!     r5, r0, held

back:                                   ; where it has to go
        ld      r3, r0, held
        send!   r3, r1, 0

segment: .space 1
left:    .space 1
held:    .space 1
