//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; knapsack N: the greatest value of those of N items that together weigh at
; most a third of the total. A tree with uneven branches: an instance has some
; items and the weight left. It skips those that do not fit; if all others fit,
; it knows their value and answers. Otherwise its children go on without and with
; the item.
;
;   state, ret --> start --state without--> child1 --> request --> new (chosen PE)
;                   |                         |  |-----state----> got1 <-- segment
;                   |                         +--value--> join
;                   |--state with--> child2 ... as above
;                   +--ret--> finish
;   values without and with --> join --> finish --value--> ret
;
; A state is one word: the weight left << 6 | the number of items. With
; leaves=inline the caller skips the items that do not fit, and answers for a
; child whose value is known, so every instance stands for an item that fits.

.include "lib/place.s"
.include "lib/call.s"
.include "lib/inline.s"

.param leaves, instances, inline         ; branches that end at once are instances, or are worked out in the caller
.param grain, medium, large              ; large: start makes both calls, join answers [remedy 003 §4.2]

.equ items, 24

.arg n, 1, items, main
.init init

.macro skip all                          ; state r1: skips items that do not fit; goes to all with their value r5 if all others do; uses r3, r4
.item\@:
    and     r3, r1, 63
    shr     r4, r1, 6
    ld      r5, r3, weights
    bltu    r4, r5, .some\@
    ld      r5, r3, values
    jmp     \all
.some\@:
    ld      r5, r3, weight
    bltu    r4, r5, .pass\@
    jmp     .fits\@
.pass\@:
    sub     r1, r1, 1
    jmp     .item\@
.fits\@:
.endm

.template knapsack

.if grain == grain.large

join:                                    ; the best values without and with the item
    ld      r3, fp, @gain
    add     r2, r2, r3
    ld      r4, fp, @ret
    blt     r1, r2, .with
    send    r1, r4, 0
    relseg! fp
.with:
    send    r2, r4, 0
    relseg! fp

    got_here 1, join, l
    got_here 2, join, r

ret:    .space 1
gain:   .space 1                         ; the item's value
    calls_here

.if leaves == leaves.instances
.macro child which, side                 ; state in r10
    call_here \which, join, \side
.endm
.else
.macro child which, side
.item\@:
    and     r3, r10, 63
    shr     r4, r10, 6
    ld      r5, r3, weights
    bltu    r4, r5, .some\@
    ld      r5, r3, values               ; all fit
    send.\side r5, fp, @join
    jmp     .done\@
.some\@:
    ld      r5, r3, weight
    bltu    r4, r5, .pass\@
    call_here \which, join, \side
    jmp     .done\@
.pass\@:
    sub     r10, r10, 1
    jmp     .item\@
.done\@:
.endm
.endif

start:                                   ; state, ret
  .if leaves == leaves.instances
    skip    leaf
  .endif
    st      r2, fp, @ret
    and     r4, r1, 63
    ld      r5, r4, value
    st      r5, fp, @gain
    sub     r10, r1, 1
    child   1, l
    and     r4, r1, 63
    ld      r4, r4, weight
    shl     r4, r4, 6
    sub     r10, r1, 1
    sub     r10, r10, r4
    child   2, r
    nop!

.else

start:                                   ; state, ret
  .if leaves == leaves.instances
    skip    leaf
  .endif
    send.r  r2, fp, @finish
    and     r4, r1, 63
    ld      r5, r4, value
    st      r5, fp, @gain
    sub     r3, r1, 1
    send.1  r3, fp, @child1
    ld      r4, r4, weight
    shl     r4, r4, 6
    sub     r3, r3, r4
    send.1! r3, fp, @child2

join:                                    ; the best values without and with the item
    ld      r3, fp, @gain
    add     r2, r2, r3
    blt     r1, r2, .with
    send.l! r1, fp, @finish
.with:
    send.l! r2, fp, @finish

finish:                                  ; value, ret
    send    r1, r2, 0
    relseg! fp

.macro got which, side
got\which:                               ; the child's state and segment
    enter   join, \side
    send.l! r1, r2, @start
.endm

    got     1, l
    got     2, r

gain:   .space 1                         ; the item's value

.macro child which, side
child\which:                             ; state
  .if leaves == leaves.instances
    call    \which, got\which
  .else
    and     r3, r1, 63
    shr     r4, r1, 6
    ld      r5, r3, weights
    bltu    r4, r5, item\which
    ld      r5, r3, values               ; all fit
    send.\side! r5, fp, @join
  .endif
.endm

.if which_mlpe == 1                      ; the one with the search is long: last
    child   2, r
    child   1, l
    .assert @child1 < 64, "a node lies outside of the operand segment"
.else
    child   1, l
    child   2, r
    .assert @child2 < 64, "a node lies outside of the operand segment"
.endif

.if leaves == leaves.inline
.macro item which
item\which:                              ; state, r3 = items, r4 = weight left
    ld      r5, r3, weight
    bltu    r4, r5, .pass
    call    \which, got\which
.pass:
    sub     r1, r1, 1
    jmp     child\which
.endm

    item    1
    item    2
.endif

.endif

.if leaves == leaves.instances
leaf:                                    ; of start: all items fit
    send    r5, r2, 0
    relseg! fp
.endif

.endtemplate

; ---------------------------------------------------------------------------

main:                                    ; N
    ld      r3, r1, weights
    div     r3, r3, 3
    shl     r3, r3, 6
    or      r1, r1, r3
  .if leaves == leaves.inline
    skip    known
  .endif
    begin   knapsack, r1

  .if leaves == leaves.inline
known:
    out!    r5
  .endif

    call_blocks knapsack
    place_blocks knapsack

init:                                    ; item i weighs 1..64 and is worth its weight + 0..15
    mov     r1, 1
.item:                                   ; r2 = i, r3 = weights, r4 = values
    add     r2, r2, 1
    mul     r1, r1, 25173                ; x = 25173 x + 13849 mod 2^16
    add     r1, r1, 13849
    and     r1, r1, 0xffff
    shr     r5, r1, 10
    add     r5, r5, 1
    st      r5, r2, weight
    add     r3, r3, r5
    st      r3, r2, weights
    mul     r1, r1, 25173
    add     r1, r1, 13849
    and     r1, r1, 0xffff
    shr     r6, r1, 12
    add     r5, r5, r6
    st      r5, r2, value
    add     r4, r4, r5
    st      r4, r2, values
    mov     r6, items
    bne     r2, r6, .item
    place_init
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE, by item from 1 on

weight:  .space items + 1
weights: .space items + 1                ; of all items up to this one
value:   .space items + 1
values:  .space items + 1
    place_data

.equ binary_calls, 2                     ; every instance calls two others, or none: (n-1)/2 of n instances call
