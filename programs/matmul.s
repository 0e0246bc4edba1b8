//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; matmul N: the product of two N x N matrices of floats, reduced to one number. Row i of A is in
; the structure memory of the PE that owns piece i, column j of B in that of the owner of piece N
; + j; a first phase puts them there. A tree of calls (lib/tree.s) has one leaf for each of the N
; x N inner products, placed by the policy; a leaf reads its row and its column word by word
; through two ports (lib/port.s).
;
;   number, ret --> start --> new_port (owner of row i), new_port (owner of column j)
;   ports --> opened --offset--> read (of both ports)
;   a, b --> times --offset--> read ... N times, then --> finish, close (of both ports)
;
; A[i,k] = (3i + 5k) mod 8 - 3, B[k,j] = (kj + 2k + j) mod 8 - 4, i, j, k from 0.
; The answer is the sum of C[i,j] ((i + 2j) mod 4 + 1), a float: an integer
; below 2^24, so exact in any order.

.include "lib/place.s"
.include "lib/call.s"
.include "lib/owner.s"
.include "lib/spread.s"
.include "lib/tree.s"
.include "lib/port.s"

.arg n, 1, 64, spread
.init init
.result float32

.template matmul

    tree_start
    jmp     product

opened:                                  ; the ports of the row and of the column
    st      r1, fp, @row_port
    st      r2, fp, @column_port
    ld      r3, fp, @row
    send.1  r3, r1, @read
    ld      r3, fp, @column
    send.1! r3, r2, @read

times:                                   ; a, b
    fmul    r3, r1, r2
    ld      r4, fp, @sum
    fadd    r3, r3, r4
    ld      r4, fp, @row_port
    ld      r5, fp, @column_port
    ld      r6, fp, @left
    sub     r6, r6, 1
    bne     r6, r0, next
    ld      r6, fp, @weight
    fmul    r3, r3, r6
    send.l  r3, fp, @finish
    send.1  r0, r4, @close
    send.1! r0, r5, @close

    tree_nodes fadd

row:    .space 1                         ; offset of the next word in the owner's area
column: .space 1
row_port: .space 1
column_port: .space 1
left:   .space 1                         ; products to come
sum:    .space 1
weight: .space 1

    tree_calls
    .assert @child2 < 64, "a node lies outside of the operand segment"

next:                                    ; of times: sum, ports, left
    st      r3, fp, @sum
    st      r6, fp, @left
    ld      r3, fp, @row
    add     r3, r3, 1
    st      r3, fp, @row
    send.1  r3, r4, @read
    ld      r3, fp, @column
    add     r3, r3, 1
    st      r3, fp, @column
    send.1! r3, r5, @read

product:                                 ; of start: the leaf's number, r2 = ret
    send.r  r2, fp, @finish
    ld      r6, r0, n
    div     r7, r3, r6                   ; i
    mul     r8, r7, r6
    sub     r8, r3, r8                   ; j
    st      r6, fp, @left
    st      r0, fp, @sum
    shl     r3, r8, 1
    add     r3, r3, r7
    and     r3, r3, 3
    add     r3, r3, 1
    itof    r3, r3
    st      r3, fp, @weight
    owner   r3, r12, r7
    mul     r12, r12, r6
    st      r12, fp, @row
    cont.l  r4, fp, @times
    send.d  r4, r3, new_port
    add     r8, r8, r6
    owner   r3, r12, r8
    mul     r12, r12, r6
    st      r12, fp, @column
    cont.r  r4, fp, @times
    send.d! r4, r3, new_port

.endtemplate

; ---------------------------------------------------------------------------
; System blocks

prepare:                                 ; N, on every PE
    st      r1, r0, n
    mul     r3, r1, r1
    st      r3, r0, leaves
    ld      r3, r0, area                 ; of an earlier run
    beq     r3, r0, .first
    relstr  r3
.first:
    own_number r6, r7
    shl     r3, r1, 1
    div     r3, r3, r7
    add     r3, r3, 1                    ; most pieces of a PE
    mul     r3, r3, r1
    getstr  r3, r3
    st      r3, r0, area
    st      r3, r0, filling
    send.d! r6, fp, fill

fill:                                    ; a piece's number: i, or N + j
    ld      r3, r0, n
    ld      r4, r0, filling
    bltu    r1, r3, .row
    sub     r6, r1, r3                   ; j
    bltu    r6, r3, .column
    send.d! r0, fp, ready
.row:
    mul     r5, r1, 3                    ; 3i + 5k
    mov     r6, 3                        ; minus this
    mov     r7, 5                        ; and so on
    jmp     .word
.column:
    mov     r5, r6                       ; kj + 2k + j
    add     r7, r6, 2
    mov     r6, 4
.word:
    and     r8, r5, 7
    sub     r8, r8, r6
    itof    r8, r8
    st      r8, r4, 0
    add     r4, r4, 1
    add     r5, r5, r7
    sub     r3, r3, 1
    bne     r3, r0, .word
    st      r4, r0, filling
    next_piece r1
    send.d! r1, fp, fill

go:                                      ; all pieces are there
    mov     r5, 1
    begin   matmul, r5

    call_blocks matmul
    place_blocks matmul
    spread_blocks
    port_blocks @opened - @times

init:
    place_init
    spread_init
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE

n:       .space 1
leaves:  .space 1                        ; N x N
area:    .space 1                        ; structure with the PE's pieces
filling: .space 1                        ; where the next piece goes
    spread_data
    place_data
