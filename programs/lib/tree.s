//go:build ignore

; A binary tree of calls: instance h calls 2h and 2h+1, down to the leaves, whose
; numbers begin at the value of leaves; the results are added up. The variable
; leaves on every PE holds the number of leaves, at most 32767. The argument is one
; word, whose low 16 bits are h; the rest is passed down unchanged. Include it
; after place.s and call.s.
;
;   tree_start   the node start; goes on in the program's leaf, with
;                r3 = the leaf's number, from 0, r1 = the argument, r2 = where the result goes
;   tree_nodes A the other nodes; A adds results: add or fadd
;   tree_calls   the nodes that make calls; they are long and come last
;   tree_width W in the init block: leaves = W times the PEs
;
;   arg, ret --> start --request--> new (chosen PE)
;                 |--2h----> got1 <-- segment
;                 |--2h+1--> child2 --request--> ... as above
;                 +--ret--> finish
;   results --> join --> finish --sum--> ret

.macro tree_start
start:                                   ; argument, ret
    and     r3, r1, 0xffff
    ld      r4, r0, leaves
    sub     r3, r3, r4
    blt     r3, r0, inner
.endm

.macro tree_nodes add
join:                                    ; the children's results
    \add    r3, r1, r2
    send.l! r3, fp, @finish

finish:                                  ; result, ret
    send    r1, r2, 0
    relseg! fp

got1:                                    ; the child's argument and segment
    enter   join, l
    send.l! r1, r2, @start

got2:
    enter   join, r
    send.l! r1, r2, @start
.endm

.macro tree_calls
child2:                                  ; argument
    call    2, got2

inner:                                   ; of start
    send.r  r2, fp, @finish
    and     r3, r1, 0xffff
    add     r1, r1, r3
    add     r3, r1, 1
    send.1  r3, fp, @child2
    call    1, got1
.endm

.macro tree_width each                   ; in the init block: leaves = each times the PEs; uses r3..r5
    rds     r4, k
    add     r3, r4, 1
    shl     r3, r3, r4
    mul     r3, r3, \each
    mov     r5, 32767
    blt     r3, r5, .few\@
    mov     r3, 32767
.few\@:
    st      r3, r0, leaves
.endm
