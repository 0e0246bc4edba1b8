//go:build ignore

; pi with division=reciprocal: a cell holds several words of every number, and
; multiplies by a reciprocal instead of dividing. Those of 1, 3, 5 .. are worked
; out by a division in every PE when a cell there first needs them, and kept.
;
; x / d is the high word of x times twice the whole part of (2^(w-1) - 1) / d, for
; words of w bits, or 1 more [derived: for x < 2^(w-1)]; the remainder tells. Every x
; here is below 2^30.
;
; The words of a cell are in structure memory: those of the power of 1/5, then
; of 1/239, then of the sum. In answer to the driver a cell sends all its words,
; each with its number << 16, and the next cell.
;
;   driver --fetched--> give --word--> fetched (driver), --next cell--> following (driver)

.param words = 3, 1, 16                  ; of a cell

.equ of5, 0                              ; where the words begin
.equ of239, words
.equ ofsum, 2 * words
.equ all, 3 * words

.macro quotient q, x, by, inverse        ; q = x / by, x = its remainder; uses r8
    mulhu   \q, \x, \inverse
    mul     r8, \q, \by
    sub     \x, \x, r8
    blt     \x, \by, .right\@
    sub     \x, \x, \by
    add     \q, \q, 1
.right\@:
.endm

.macro invert to, d                      ; to = the d's reciprocal
    mov     \to, -1
    shr     \to, \to, 1
    div     \to, \to, \d
    shl     \to, \to, 1
.endm

.template cell

before: .space 1                         ; the node built of the previous cell, or of the driver
next:   .space 1                         ; the segment of the next cell, 0 in the last one
area:   .space 1                         ; of the words
odd5:   .space 1                         ; 1, 3, 5, ...: the divisor of the next term
odd239: .space 1

give:                                    ; the driver's node fetched: the words are wanted
    ld      r10, fp, @area
    jmp     give_words

    chain_nodes

start:                                   ; later cells, << 16 whether it is the first; the value of its before
    st      r2, fp, @before
    getstr  r10, all
    st      r10, fp, @area
    add     r11, r10, all
    jmp     clear

carry:                                   ; carry out of the next cell
    ld      r10, fp, @area
    add     r11, r10, words
    mov     r12, base
    ld      r13, r0, inverse_base
    jmp     carry_words

.macro series p
term\p:                                  ; packet, room
    blt     r1, r0, ended\p
    ld      r4, fp, @before
    send.r  r0, r4, @term\p - @built
    ld      r10, fp, @area
    ld      r9, fp, @odd\p
    add     r11, r10, words
    add     r3, r9, 2
    st      r3, fp, @odd\p
    bne     r1, r0, divide\p
    jmp     zeros\p
.endm

    series  5
    series  239
    .assert @term239 < 64, "a node lies outside of the operand segment"

clear:                                   ; of start
    mov     r4, r10
.next:
    st      r0, r4, 0
    add     r4, r4, 1
    bne     r4, r11, .next
    shr     r3, r1, 16
    mul     r4, r3, 16 * 5
    st      r4, r10, of5
    mul     r4, r3, 4 * 239
    st      r4, r10, of239
    mov     r3, 1
    st      r3, fp, @odd5
    st      r3, fp, @odd239
    grow

carry_words:                             ; from the last word to the first
    mul     r14, r12, r12
.next:
    sub     r11, r11, 1
    ld      r3, r11, ofsum
    add     r3, r3, r1
    add     r3, r3, r14                  ; not negative: the division rounds down
    quotient r5, r3, r12, r13
    st      r3, r11, ofsum
    sub     r1, r5, r12
    bne     r11, r10, .next
    ld      r3, fp, @before
    send.1! r1, r3, @carry - @built

give_words:                              ; the driver's node, r10 = area
    mov     r5, r10
    add     r11, r10, words
.next:
    ld      r3, r5, ofsum
    or      r3, r3, r4
    send    r3, r1, 0
    add     r4, r4, 1 << 16
    add     r5, r5, 1
    bne     r5, r11, .next
    ld      r3, fp, @next
    send    r3, r1, following - fetched
    relstr  r10
    relseg! fp

; The remainders of power and term are r3 and r4, the sign of the term the
; instruction that adds it to the sum.
.macro all_words p, by, add
.next\@:
    ld      r5, r10, of\p
    mul     r3, r3, base
    add     r3, r3, r5
    quotient r5, r3, r12, r13
    st      r5, r10, of\p
    mul     r4, r4, base
    add     r4, r4, r5
    quotient r7, r4, r9, r6
    ld      r8, r10, ofsum
    \add    r8, r8, r7
    st      r8, r10, ofsum
    add     r10, r10, 1
    bne     r10, r11, .next\@
    shl     r4, r4, 16
    or      r1, r3, r4
.endm

.macro divide p, by, even, odd, side     ; how terms number 0, 2 .. and 1, 3 .. change the sum
zeros\p:                                 ; of term: skips words that are 0
    ld      r5, r10, of\p
    bne     r5, r0, divide\p
    add     r10, r10, 1
    bne     r10, r11, zeros\p
    jmp     pass\p
divide\p:                                ; of term: packet, r10 = word, r11 = end of the words, r9 = divisor
    shr     r14, r9, 1
    ld      r6, r14, inverses
    beq     r6, r0, new\p
known\p:
    mov     r12, \by
    ld      r13, r0, inverse\p
    shr     r4, r1, 16
    and     r3, r1, 0xffff
    and     r14, r9, 2
    bne     r14, r0, .odd
    all_words \p, \by, \even
    jmp     pass\p
.odd:
    all_words \p, \by, \odd
pass\p:                                  ; the packet for the next cell
    ld      r3, fp, @next
    beq     r3, r0, .last
    send.l! r1, r3, @term\p
.last:
    send.r! r0, fp, @term\p
    end_series \p, \side
new\p:                                   ; the first division by r9 in this PE
    invert  r6, r9
    st      r6, r14, inverses
    jmp     known\p
.endm

    divide  5, 25, add, sub, l
    divide  239, 239 * 239, sub, add, r

.endtemplate

.macro fetch_nodes                       ; of the driver
fetched:                                 ; a word of the cell, its number << 16
    jmp     keep_word
.endm

.macro fetch cell                        ; ends a block: asks the cell for its words
    mov     r3, words
    st      r3, r0, awaited
    cont.1  r3, fp, @fetched
    send.1! r3, \cell, @give
.endm

.macro fetch_blocks                      ; of the driver, after the other nodes
following:                               ; the next cell
    st      r1, r0, next_cell
arrived:
    ld      r3, r0, awaited
    beq     r3, r0, deliver
    sub     r3, r3, 1
    st!     r3, r0, awaited
    .assert @following < 64, "a node lies outside of the operand segment"

keep_word:                               ; of fetched
    shr     r3, r1, 16
    and     r1, r1, 0xffff
    st      r1, r3, fetched_words
    jmp     arrived

deliver:
    ld      r3, fp, @left
    mov     r6, words
    mov     r5, 0
.next:
    beq     r3, r0, .done
    sub     r3, r3, 1
    ld      r1, r5, fetched_words
    bne     r3, r0, .whole
    ld      r4, fp, @cut
    beq     r4, r0, .whole
    div     r1, r1, r4
.whole:
    out     r1
    add     r5, r5, 1
    bne     r5, r6, .next
.done:
    st      r3, fp, @left
    ld      r5, r0, next_cell
    beq     r5, r0, .end
    fetch   r5
.end:
    relseg! fp
.endm

.macro reciprocal_init                   ; in the init block
    mov     r3, 25
    invert  r4, r3
    st      r4, r0, inverse5
    mov     r3, 239 * 239
    invert  r4, r3
    st      r4, r0, inverse239
    mov     r3, base
    invert  r4, r3
    st      r4, r0, inverse_base
.endm

.macro reciprocal_data
inverse5:   .space 1
inverse239: .space 1
inverse_base: .space 1
inverses:   .space most_terms            ; of 1, 3, 5 ..; 0: not yet known
next_cell:  .space 1                     ; of the driver: the cell after the one whose words come
awaited:    .space 1                     ; packets from that cell that come before the last one
fetched_words: .space words
.endm
