//go:build ignore

; sum with numbers=counted: how fast the machine can be. Every PE counts its
; share of 1..N up in a register, from its own number on in steps of the number
; of PEs, and adds it up in one block of one-clock instructions. Nothing but N
; and the sums travels, along the tree of spread.s.
;
;   N --> prepare (every PE) --sum--> ready --> ready (boss) ... --> go --> host
;
; There are no calls, so nothing depends on the policy.

.equ turn, 16                            ; numbers that a turn of the loop adds up

.arg n, 1, 1_000_000_000, spread         ; the sum is cut to a word

.macro numbers_up left                   ; adds r5 to r1 and steps it by r7, left times
  .if \left
    add     r1, r1, r5
    add     r5, r5, r7
    numbers_up \left - 1
  .endif
.endm

prepare:                                 ; N, on every PE
    add     r8, r1, 1
    mov     r1, 0
    own_number r6, r7
    add     r5, r6, 1
    mul     r6, r7, turn - 1
    sub     r9, r8, r6                   ; a turn that begins below does not go beyond N
    blt     r5, r9, .turn
    blt     r5, r8, .one
    send.d! r1, fp, ready
.turn:
    numbers_up turn
    blt     r5, r9, .turn
    blt     r5, r8, .one
    send.d! r1, fp, ready
.one:
    numbers_up 1
    blt     r5, r8, .one
    send.d! r1, fp, ready

go:                                      ; the sum of all PEs' sums
    out!    r1

    spread_blocks 1

init:
    place_init
    spread_init
    nop!

total:   .space 1                        ; of the sums that have come
    spread_data
    place_data
