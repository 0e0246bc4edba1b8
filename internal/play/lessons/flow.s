; flow A B: (A + B) * (A - B), each operation on a PE of its own. Every arrow of the
; lesson's picture is a packet of this program.

.arg a, 0, 1000, keep           ; the host sends A to the block keep,
.arg b, 0, 1000, start          ; then B to the block start
.init init                      ; every PE runs init before

keep:                           ; A
    st!     r1, r0, a

start:                          ; B: now both are there
    ld      r3, r0, a
    ld      r4, r0, plus_at
    ld      r5, r0, minus_at
    send.l  r3, r4, @flow.plus  ; A is the left operand of plus
    send.l  r3, r5, @flow.minus
    send.r  r1, r4, @flow.plus  ; B is the right one
    send.r! r1, r5, @flow.minus ; the ! ends the block

.template flow                  ; its nodes wait until both operands are there

.plus:                          ; A in r1, B in r2
    add     r3, r1, r2
    ld      r4, r0, times_at
    send.l! r3, r4, @.times

.minus:
    sub     r3, r1, r2
    ld      r4, r0, times_at
    send.r! r3, r4, @.times

.times:
    mul     r3, r1, r2
    out!    r3                  ; to the host

.endtemplate

; Every PE makes an instance of flow, at the same address, and notes where those are that
; the program uses.

.macro at variable, group, member
    rds     r3, gapos
    mov     r4, \group
    shl     r4, r4, r3
    mov     r3, \member
    shl     r3, r3, 18
    add     r4, r4, r3
    add     r4, r4, r1
    st      r4, r0, \variable
.endm

init:
    getseg  r1, flow
    rds     r2, pe
    sub     r1, r1, r2          ; without the PE
    at      plus_at, 0, 1
    at      minus_at, 2, 1
    at      times_at, 0, 2
    nop!

a: .space 1
plus_at: .space 1
minus_at: .space 1
times_at: .space 1
