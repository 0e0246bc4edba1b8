//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; sum N: the sum of 1..N, which are spread over the PEs' structure memories.
;
; A first phase tells every PE N, and puts run b of the numbers (block of them) on the
; PE that owns piece b. Then comes a binary tree of calls: instance h calls 2h and 2h+1,
; placed by the policy; a leaf is called on the PE that has its run.
;
;   h, ret --> start --2h----> child1 --> request --> new     (inner: the policy's PE; leaf: the owner)
;                |                |----2h----> got1 <-- segment
;                |--2h+1--> child2 ... as above
;                +--ret--> finish
;   sums of both children --> join --> finish --sum--> ret
;   a leaf: ~place, ret --> start: adds up a run --sum--> ret
;
; With numbers=counted the numbers are in no memory, and there are no calls:
; lib/sum_counted.s.

.include "lib/place.s"
.include "lib/call.s"
.include "lib/owner.s"
.include "lib/spread.s"

.param numbers, stored, counted          ; the numbers are in memory, or every PE counts its share up

.init init

.if numbers == numbers.counted
.include "lib/sum_counted.s"
.else

.param block = 16, 1, 4096               ; numbers of a run: those that one leaf adds up

.arg n, 1, 92681, spread                 ; the sum fits 32 bits

.template sum

start:                                   ; h or ~place in the structure, ret
    blt     r1, r0, leaf
    send.r  r2, fp, @finish
    shl     r3, r1, 1
    send.1  r3, fp, @child1
    add     r3, r3, 1
    send.1! r3, fp, @child2

join:                                    ; the children's sums
    add     r3, r1, r2
    send.l! r3, fp, @finish

finish:                                  ; sum, ret
    send    r1, r2, 0
    relseg! fp

.macro child which, side
got\which:                               ; h or ~place, the child's segment
    enter   join, \side
    send.l! r1, r2, @start

child\which:                             ; h
    ld      r3, r0, leaves
    bltu    r1, r3, inner\which
    sub     r3, r1, r3                   ; a leaf: its run's number
    owner   r3, r7, r3
    mul     r1, r7, block
    xor     r1, r1, -1
    send.l  r1, fp, @got\which
    ask     got\which
.endm

    child   1, l
    child   2, r
    .assert @child2 < 64, "a node lies outside of the operand segment"

inner1:
    call    1, got1
inner2:
    call    2, got2

leaf:                                    ; adds up a run
    ld      r3, r0, area
    xor     r4, r1, -1
    add     r3, r3, r4
    mov     r6, block
.next:
    ld      r4, r3, 0
    add     r5, r5, r4
    add     r3, r3, 1
    sub     r6, r6, 1
    bne     r6, r0, .next
    send    r5, r2, 0
    relseg! fp

.endtemplate

; ---------------------------------------------------------------------------
; System blocks

prepare:                                 ; N, on every PE
    st      r1, r0, last
    add     r3, r1, block - 1
    div     r3, r3, block
    st      r3, r0, leaves
    ld      r4, r0, area                 ; of an earlier run
    beq     r4, r0, .first
    relstr  r4
.first:
    own_number r6, r7
    div     r8, r3, r7
    add     r8, r8, 1                    ; most runs of a PE
    mul     r8, r8, block
    getstr  r8, r8
    st      r8, r0, area
    st      r8, r0, filling
    send.d! r6, fp, fill

fill:                                    ; a run's number
    ld      r3, r0, leaves
    bltu    r1, r3, .run
    send.d! r0, fp, ready
.run:
    ld      r3, r0, last
    ld      r4, r0, filling
    mov     r5, block
    mul     r6, r1, block
.next:
    add     r6, r6, 1
    bltu    r3, r6, .beyond
    st      r6, r4, 0
    jmp     .on
.beyond:
    st      r0, r4, 0
.on:
    add     r4, r4, 1
    sub     r5, r5, 1
    bne     r5, r0, .next
    st      r4, r0, filling
    next_piece r1
    send.d! r1, fp, fill

go:                                      ; all numbers are in place
    mov     r5, 1
    ld      r6, r0, leaves
    bne     r5, r6, .tree
    mov     r5, -1                       ; one leaf, and its run is here
.tree:
    begin   sum, r5

    call_blocks sum
    place_blocks sum
    spread_blocks

init:
    place_init
    spread_init
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE

last:    .space 1                        ; N
leaves:  .space 1                        ; runs
area:    .space 1                        ; structure with the PE's runs
filling: .space 1                        ; where the next run goes
    spread_data
    place_data
.endif
