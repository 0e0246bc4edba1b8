//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; loop N: loops of N iterations, width loops per PE. Each is a dataflow graph of
; two-operand nodes in which four values circulate: i, n, x and y. An iteration
; replaces x and y by x + y and x + 2y, both mod 2^16. The answer is the sum of
; the last i, x and y of all loops. Loop j, counted from 0, begins with x = j+1
; and y = 1. A tree of calls (lib/tree.s) starts the loops.
;
;            +--------------------- i+1 ---------------------+
;            v                                               |
;   i, n --> head --yes/no--> gate_i, gate_n, gate_x, gate_y |
;   gate_i (i) --i--> inc ----------------------------------+
;   gate_n (n) --n--> head        ^
;   gate_x (x) --x--> add, mix    | when both are made
;   gate_y (y) --y--> add, mix    |
;   add (x, y) --x--> gate_x, --> turn
;   mix (x, y) --y--> gate_y, --> turn
;   at the end: gate_x, gate_y --> total, gate_i, gate_n --> done; both --> last --> finish

.include "lib/place.s"
.include "lib/call.s"
.include "lib/tree.s"

.param width = 2, 1, 16                  ; loops per PE

.arg n, 1, 32767, main
.init init

.template loop

    tree_start
    send.r  r2, fp, @finish
    add     r3, r3, 1
    send.l  r3, fp, @gate_x
    mov     r3, 1
    send.l  r3, fp, @gate_y
    shr     r3, r1, 16
    send.r  r3, fp, @head
    send.l! r0, fp, @head

head:                                    ; i, n
    mov     r3, 1
    blt     r1, r2, .on
    mov     r3, 0
.on:
    send.l  r1, fp, @gate_i
    send.r  r3, fp, @gate_i
    send.l  r2, fp, @gate_n
    send.r  r3, fp, @gate_n
    send.r  r3, fp, @gate_x
    send.r! r3, fp, @gate_y

gate_i:                                  ; i, whether there is another iteration
    beq     r2, r0, .end
    send.l! r1, fp, @inc
.end:
    send.l! r1, fp, @done

gate_n:                                  ; n, the same
    beq     r2, r0, .end
    send.r! r1, fp, @head
.end:
    send.r! r1, fp, @done

gate_x:                                  ; x, the same
    beq     r2, r0, .end
    send.l  r1, fp, @add
    send.l! r1, fp, @mix
.end:
    send.l! r1, fp, @total

gate_y:                                  ; y, the same
    beq     r2, r0, .end
    send.r  r1, fp, @add
    send.r! r1, fp, @mix
.end:
    send.r! r1, fp, @total

add:                                     ; x, y
    add     r3, r1, r2
    and     r3, r3, 0xffff
    send.l  r3, fp, @gate_x
    send.l! r0, fp, @turn

mix:                                     ; x, y
    shl     r3, r2, 1
    add     r3, r3, r1
    and     r3, r3, 0xffff
    send.l  r3, fp, @gate_y
    send.r! r0, fp, @turn

turn:                                    ; x and y are made
    send.r! r0, fp, @inc

inc:                                     ; i, the iteration is done
    add     r3, r1, 1
    send.l! r3, fp, @head

total:                                   ; the last x, y
    add     r3, r1, r2
    send.l! r3, fp, @last

done:                                    ; the last i, n
    send.r! r1, fp, @last

last:                                    ; the last x + y, i
    add     r3, r1, r2
    send.l! r3, fp, @finish

    tree_nodes add
    tree_calls
    .assert @child2 < 64, "a node lies outside of the operand segment"

.endtemplate

; ---------------------------------------------------------------------------

main:                                    ; n
    shl     r5, r1, 16
    add     r5, r5, 1
    begin   loop, r5

    call_blocks loop
    place_blocks loop

init:
    tree_width width
    place_init
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE

leaves: .space 1
    place_data
