//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; pi DIGITS: pi = 16 arctan(1/5) - 4 arctan(1/239) in numbers of many words of
; four decimals. The host gets the word 3, then the decimals, four per word; if
; DIGITS is not a multiple of four the last word has only the remaining ones.
; The decimals are cut off, not rounded.
;
; A cell holds one word of every number: the sum, and the current power of each
; series. The cells are a chain, built by one call after another, so the policy
; places them; two extra cells make the last digit right. Terms go
; down the chain as packets, one after the other: to divide a long number by a
; short one, a cell needs only the remainder of the cell before it. A packet
; holds the remainder of the power (by 25 or 57121) and, << 16, that of the
; term (by 1, 3, 5 ..); a cell may send it when the next cell has taken the
; previous one:
;
;   packet, room --> term5 --packet--> term5 (next cell)
;                      +-----room--> term5 (cell before)
;   packet, room --> term239 ... as above
;
; A packet of -1 ends a series. When both have ended in the last cell, carries
; go back along the chain, and then the driver on [0,0] fetches the words:
;
;   -1 of both --> both --> carry --> carry (cell before) ... --> carried (driver)
;   driver's node --> give --word--> fetched (driver), --next cell--> fetched
;
; With division=reciprocal cells hold several words and do not divide:
; lib/pi_reciprocal.s.

.include "lib/place.s"
.include "lib/call.s"

.param division, long, reciprocal        ; a cell divides, or multiplies by reciprocals

.equ base, 10000
.equ guard, 2                            ; extra words
.equ most_digits, 4000

; 4 / log10(25) = 2.8613.. terms a word, and 4 / log10(239^2) = 0.8408..
.equ terms5_per_1000, 2862
.equ terms239_per_1000, 841
.equ most_terms, (most_digits / 4 + guard) * terms5_per_1000 / 1000 + 2

.arg digits, 1, most_digits, main
.init init

; ---------------------------------------------------------------------------
; What cells have in common, with either division

.macro chain_nodes                       ; how the chain of cells is built, and when the series end
got:                                     ; the next cell's argument and segment
    st      r2, fp, @next
    enter   built, 1
    send.l! r1, r2, @start

both:                                    ; two tokens: the series have ended in the last cell
    send.1! r0, fp, @carry

built:                                   ; a token: all later cells are built
    ld      r3, fp, @before
    send!   r0, r3, 0
.endm

.macro grow                              ; ends the block of start: room for both series, and the next cell
    send.r  r0, fp, @term5
    send.r  r0, fp, @term239
    and     r1, r1, 0xffff
    beq     r1, r0, .last
    and     r3, r1, 1
    sub     r1, r1, 1
    bne     r3, r0, .odd
    call    1, got
.odd:
    call    2, got
.last:
    st      r0, fp, @next
    send.1! r0, fp, @built
.endm

.macro end_series p, side                ; of a term's node: a packet of -1
ended\p:
    ld      r3, fp, @next
    beq     r3, r0, .last
    send.l! r1, r3, @term\p
.last:
    send.\side! r0, fp, @both
.endm

; ---------------------------------------------------------------------------

.if division == division.reciprocal
.include "lib/pi_reciprocal.s"
.else

.template cell

before: .space 1                         ; the node built of the previous cell, or of the driver
next:   .space 1                         ; the segment of the next cell, 0 in the last one
power5: .space 1                         ; word of 16/5, 16/5^3, ...
odd5:   .space 1                         ; 1, 3, 5, ...: the divisor of the next term
power239: .space 1                       ; of 4/239, 4/239^3, ...
odd239: .space 1
sum:    .space 1                         ; word of the sum, before carries

give:                                    ; the driver's node fetched: the word is wanted
    ld      r3, fp, @sum
    send.l  r3, r1, 0
    ld      r3, fp, @next
    send.r  r3, r1, 0
    relseg! fp

    chain_nodes

start:                                   ; later cells, << 16 whether it is the first; the value of its before
    st      r2, fp, @before
    shr     r3, r1, 16
    mul     r4, r3, 16 * 5
    st      r4, fp, @power5
    mul     r4, r3, 4 * 239
    st      r4, fp, @power239
    jmp     more

carry:                                   ; carry out of the next cell
    ld      r3, fp, @sum
    mov     r4, base
    add     r3, r3, r1
    mul     r5, r4, r4
    add     r3, r3, r5                   ; not negative: the division rounds down
    div     r5, r3, r4
    mul     r6, r5, r4
    sub     r3, r3, r6
    st      r3, fp, @sum
    sub     r5, r5, r4
    ld      r3, fp, @before
    send.1! r5, r3, @carry - @built

.macro series p
term\p:                                  ; packet, room
    ld      r5, fp, @power\p
    or      r6, r5, r1
    bne     r6, r0, divide\p
    ld      r6, fp, @odd\p               ; nothing but zeros
    add     r6, r6, 2
    st      r6, fp, @odd\p
    jmp     pass\p
.endm

    series  5
    series  239
    .assert @term239 < 64, "a node lies outside of the operand segment"

more:                                    ; of start
    mov     r3, 1
    st      r3, fp, @odd5
    st      r3, fp, @odd239
    st      r0, fp, @sum
    grow

.macro divide p, by, odds, side          ; odds: the branch of the terms that are subtracted
divide\p:                                ; of term: packet, r5 = power
    blt     r1, r0, ended\p
    mov     r6, base
    and     r3, r1, 0xffff
    mul     r3, r3, r6
    add     r3, r3, r5
    div     r5, r3, \by
    st      r5, fp, @power\p
    mul     r7, r5, \by
    sub     r3, r3, r7                   ; remainder of the power
    shr     r4, r1, 16
    mul     r4, r4, r6
    add     r4, r4, r5
    ld      r6, fp, @odd\p
    div     r5, r4, r6
    mul     r7, r5, r6
    sub     r4, r4, r7                   ; remainder of the term
    shl     r4, r4, 16
    or      r1, r3, r4
    and     r7, r6, 2
    add     r6, r6, 2
    st      r6, fp, @odd\p
    ld      r3, fp, @sum
    \odds    r7, r0, .away
    add     r3, r3, r5
    st      r3, fp, @sum
    jmp     pass\p
.away:
    sub     r3, r3, r5
    st      r3, fp, @sum
pass\p:                                  ; the packet for the next cell
    ld      r3, fp, @next
    ld      r4, fp, @before
    beq     r3, r0, .last
    send.l  r1, r3, @term\p
    send.r! r0, r4, @term\p - @built
.last:
    send.r  r0, fp, @term\p
    send.r! r0, r4, @term\p - @built
    end_series \p, \side
.endm

    divide  5, 25, bne, l
    divide  239, 239 * 239, beq, r

.endtemplate

.macro fetch_nodes                       ; of the driver
fetched:                                 ; a cell's word, the next cell
    ld      r3, fp, @left
    bne     r3, r0, deliver
beyond:
    bne     r2, r0, follow
    relseg! fp
.endm

.macro fetch cell                        ; ends a block: asks the cell for its word
    cont.l  r3, fp, @fetched
    send.1! r3, \cell, @give
.endm

.macro fetch_blocks                      ; of the driver, after the nodes
deliver:                                 ; of fetched
    sub     r3, r3, 1
    st      r3, fp, @left
    bne     r3, r0, .whole
    ld      r4, fp, @cut
    beq     r4, r0, .whole
    div     r1, r1, r4
.whole:
    out     r1
    jmp     beyond
follow:
    fetch   r2
.endm

.endif                                   ; of division

.template driver                         ; is to the first cell what a cell is to the next

first:  .space 1                         ; segment of the first cell
terms5: .space 1
terms239: .space 1
left:   .space 1                         ; words to go to the host
cut:    .space 1                         ; divisor of the last word, or 0

    fetch_nodes

begun:                                   ; the first cell's argument and segment
    st      r2, fp, @first
    enter   chained, 1
    send.l! r1, r2, @start

    .space  @built - (. - driver)        ; the first cell answers as if to a cell
chained:                                 ; a token: all cells are built
    ld      r3, fp, @terms5
    send.l  r3, fp, @feed5
    send.r  r0, fp, @feed5
    ld      r3, fp, @terms239
    send.l  r3, fp, @feed239
    send.r! r0, fp, @feed239

    .space  @carry - (. - driver)
carried:                                 ; the last carry, 0
    ld      r4, fp, @first
    fetch   r4

.macro feed p
    .space  @term\p - (. - driver)
feed\p:                                  ; terms to come, room
    ld      r3, fp, @first
    beq     r1, r0, .end
    send.l  r0, r3, @term\p
    sub     r1, r1, 1
    send.l! r1, fp, @feed\p
.end:
    mov     r1, -1
    send.l! r1, r3, @term\p
.endm

    feed    5
    feed    239
    .assert @feed239 < 64, "a node lies outside of the operand segment"

    fetch_blocks

.endtemplate

; ---------------------------------------------------------------------------

main:                                    ; digits
    getseg  r12, driver
    add     r4, r1, 3
    shr     r4, r4, 2                    ; words of decimals
    add     r5, r4, 1
    st      r5, r12, @left
    shl     r6, r4, 2
    sub     r6, r6, r1                   ; digits too many
    beq     r6, r0, .cut
    mov     r7, 1
.ten:
    mul     r7, r7, 10
    sub     r6, r6, 1
    bne     r6, r0, .ten
.cut:
    st      r7, r12, @cut
    add     r4, r4, guard
    mul     r5, r4, terms5_per_1000
    div     r5, r5, 1000
    add     r5, r5, 2
    st      r5, r12, @terms5
    mul     r5, r4, terms239_per_1000
    div     r5, r5, 1000
    add     r5, r5, 2
    st      r5, r12, @terms239
  .if division == division.reciprocal
    div     r4, r4, words
  .endif
    or      r1, r4, 1 << 16
    send.l  r1, r12, @begun
    choose  1
    cont.r  r4, r12, @begun
    send.d! r4, r3, new

new:                                     ; the answer's destination
    getseg  r3, cell
    send!   r3, r1, 0

    place_blocks cell

init:
    place_init
  .if division == division.reciprocal
    reciprocal_init
  .endif
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE

  .if division == division.reciprocal
    reciprocal_data
  .endif
    place_data
