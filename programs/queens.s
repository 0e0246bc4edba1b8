//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; queens N: the number of ways to put N queens on an N x N board so that none
; attacks another.
;
; An instance is a board with queens in its first rows; it calls one child for
; every free field of the next row. Two chains of blocks take fields in turn,
; so two calls are under way at a time, one for each of the policy's choices.
;
;   board, ret --> start --token--> pick1 --> request --> new (chosen PE)
;                   |                | ^--token---+        |
;                   |                +--child--> got1 <----+ segment
;                   |                             +--child, ret--> start (child)
;                   +--token--> pick2 ... as above
;   solutions of the children, ends of the chains --> count --solutions--> ret
;
; A board is one word of three fields of 10 bits: the columns and the two kinds
; of diagonals that are attacked in the next row. Columns beyond N are attacked
; from the start, so no PE has to know N.
;
; A board without free fields in the next row, or whose next row is the last, is
; an instance that answers at once. With leaves=inline the caller looks at a
; child's board first and calls only those that go on.

.include "lib/place.s"
.include "lib/call.s"

.param leaves, instances, inline         ; boards that answer at once are instances, or are worked out in the caller

.equ size, 10                            ; bits of a field
.equ all, (1 << size) - 1

.arg n, 1, size, main
.init init

.macro look                              ; board r1: r3 = free columns, r5 = free fields of the next row; uses r4
    and     r3, r1, all
    xor     r3, r3, all
    shr     r4, r1, size
    shr     r5, r4, size
    or      r5, r5, r4
    xor     r5, r5, -1
    and     r5, r5, r3
.endm

.macro last on                           ; goes on to this label if r3 is the one free column: one solution; uses r4
    sub     r4, r3, 1
    and     r4, r4, r3
    beq     r4, r0, \on
.endm

.template queens

start:                                   ; board, ret
    look
  .if leaves == leaves.instances
    beq     r5, r0, .done                ; no free field: no solution
    last    .last
  .endif
    st      r5, fp, @free
    st      r1, fp, @board
    st      r2, fp, @ret
    mov     r3, 2
    st      r3, fp, @open
    st      r0, fp, @sum
    send.1  r0, fp, @pick1
    send.1! r0, fp, @pick2
  .if leaves == leaves.instances
.last:
    mov     r5, 1
.done:
    send    r5, r2, 0
    relseg! fp
  .endif

count:                                   ; solutions of a child, or 0: the end of a chain
    ld      r3, fp, @sum
    add     r3, r3, r1
    ld      r4, fp, @open
    sub     r4, r4, 1
    beq     r4, r0, .last
    st      r3, fp, @sum
    st!     r4, fp, @open
.last:
    ld      r4, fp, @ret
    send    r3, r4, 0
    relseg! fp

.macro chain which
got\which:                               ; the child's board and segment
    enter   count, 1
    send.l  r1, r2, @start
    send.1! r0, fp, @pick\which

pick\which:                              ; a token
    ld      r3, fp, @free
    bne     r3, r0, take\which
    send.1! r0, fp, @count
.endm

    chain   1
    chain   2

board:  .space 1
ret:    .space 1
free:   .space 1                         ; fields of the row not yet tried
open:   .space 1                         ; active chains, and children that have not answered
sum:    .space 1                         ; solutions of those that have answered
    .assert @sum < 64, "a node lies outside of the operand segment"

.macro take which
take\which:                              ; r3 = free fields
    sub     r4, r0, r3
    and     r4, r4, r3                   ; the lowest one
    xor     r3, r3, r4
    st      r3, fp, @free
  .if leaves == leaves.instances
    opened
  .endif
    ld      r1, fp, @board
    or      r1, r1, r4
    shl     r4, r4, size
    or      r1, r1, r4
    shl     r4, r4, size
    or      r1, r1, r4
    and     r3, r1, all                  ; the columns stay
    shr     r4, r1, size
    and     r4, r4, all >> 1
    shl     r4, r4, size + 1             ; one kind of diagonals goes to the left
    shr     r5, r1, 2 * size + 1
    shl     r5, r5, 2 * size             ; the other to the right
    or      r1, r3, r4
    or      r1, r1, r5
  .if leaves == leaves.inline
    look
    beq     r5, r0, pick\which           ; no free field: the next child
    last    one\which
    opened
  .endif
    call    \which, got\which
  .if leaves == leaves.inline
one\which:
    ld      r3, fp, @sum
    add     r3, r3, 1
    st      r3, fp, @sum
    jmp     pick\which
  .endif
.endm

.macro opened                            ; one call more is under way
    ld      r3, fp, @open
    add     r3, r3, 1
    st      r3, fp, @open
.endm

    take    1
    take    2

.endtemplate

; ---------------------------------------------------------------------------

main:                                    ; N
    mov     r3, -1
    shl     r3, r3, r1
    and     r1, r3, all                  ; the columns beyond N
  .if leaves == leaves.inline
    look
    last    one
  .endif
    begin   queens, r1

  .if leaves == leaves.inline
one:                                     ; N = 1
    mov     r3, 1
    out!    r3
  .endif

    call_blocks queens
    place_blocks queens

init:
    place_init
    place_search

    place_data
