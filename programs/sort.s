//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; sort N: merge sort of N keys. An instance sorts a run of them: a short run in
; one block, a longer one by two calls and a merge of their results. An
; instance keeps its sorted run in the structure memory of its PE, with the
; greatest possible word as its end. It stays to answer its caller's reads: one
; packet there and one back for every key.
;
;   run, ret --> start --request--> new (chosen PE)
;                 |--half----> got1 <-- segment
;                 |--half--> child2 --request--> ... as above
;   lengths of both --> join --token--> more (of both children)
;   key, key --> merge --the greater--> merge, --token--> more (of the child that had the less)
;                  |--at the end--> close (of both), length --> ret
;   token --> more --key--> the caller's merge
;   token --> close
;
; Key i, from 0, is (i + 1) 40503 mod 2^16, times 2^15, plus i: all different.
; output chooses what the host gets: one word, the sum of i + 1 times key i of
; the sorted keys, mod 2^32 (on machines with 64-bit words mod 2^64), or the
; sorted keys themselves.

.include "lib/place.s"
.include "lib/call.s"

.param run = 4, 1, 64                    ; keys that one block sorts
.param output, sum, keys                ; what the host gets: the sum of i + 1 times key i, or the sorted keys

.arg n, 1, 32767, main
.init init

.template sort

start:                                   ; run = first key | length << 15, ret
    st      r2, fp, @ret
    shr     r3, r1, 15
    mov     r4, run
    blt     r4, r3, split
    jmp     short                        ; long code comes after the nodes

join:                                    ; lengths of the children's runs
    add     r3, r1, r2
    st      r3, fp, @length
    add     r3, r3, 1
    getstr  r3, r3
    st      r3, fp, @keys
    st      r3, fp, @at
    ld      r3, fp, @kid1
    send.1  r0, r3, @more
    ld      r3, fp, @kid2
    send.1! r0, r3, @more

merge:                                   ; the next key of each child
    ld      r3, fp, @at
    bltu    r2, r1, .right
    beq     r1, r2, ended                ; only the ends are equal
    st      r1, r3, 0
    add     r3, r3, 1
    st      r3, fp, @at
    send.r  r2, fp, @merge
    ld      r3, fp, @kid1
    send.1! r0, r3, @more
.right:
    st      r2, r3, 0
    add     r3, r3, 1
    st      r3, fp, @at
    send.l  r1, fp, @merge
    ld      r3, fp, @kid2
    send.1! r0, r3, @more

more:                                    ; a token: the caller wants the next key
    ld      r3, fp, @at
    ld      r4, r3, 0
    add     r3, r3, 1
    st      r3, fp, @at
    ld      r3, fp, @ret
    send!   r4, r3, @merge - @join

close:                                   ; a token: the caller has read the end
    ld      r3, fp, @keys
    relstr  r3
    relseg! fp

got1:                                    ; the child's run and segment
    st      r2, fp, @kid1
    enter   join, l
    send.l! r1, r2, @start

got2:
    st      r2, fp, @kid2
    enter   join, r
    send.l! r1, r2, @start

ret:    .space 1
length: .space 1
keys:   .space 1                         ; the structure
at:     .space 1                         ; position in it of the next key
kid1:   .space 1                         ; the children's segments
kid2:   .space 1

child2:                                  ; run
    call    2, got2
    .assert @child2 < 64, "a node lies outside of the operand segment"

split:                                   ; of start: r3 = length
    and     r5, r1, 0x7fff
    shr     r4, r3, 1
    sub     r3, r3, r4
    shl     r1, r4, 15
    or      r1, r1, r5
    add     r5, r5, r4
    shl     r3, r3, 15
    or      r3, r3, r5
    send.1  r3, fp, @child2
    call    1, got1

ended:                                   ; of merge: r1 = the end, r3 = its destination
    st      r1, r3, 0
    ld      r3, fp, @keys
    st      r3, fp, @at
    ld      r3, fp, @kid1
    send.1  r0, r3, @close
    ld      r3, fp, @kid2
    send.1  r0, r3, @close
    ld      r3, fp, @length
    ld      r4, fp, @ret
    send!   r3, r4, 0

short:                                   ; of start: sorts r3 keys by insertion
    and     r1, r1, 0x7fff
    add     r4, r3, 1
    getstr  r5, r4
    st      r5, fp, @keys
    st      r5, fp, @at
.key:
    add     r7, r1, 1
    mul     r7, r7, 40503
    and     r7, r7, 0xffff
    shl     r7, r7, 15
    add     r7, r7, r1
    add     r1, r1, 1
    add     r9, r5, r6                   ; r6 keys are sorted
.shift:
    beq     r9, r5, .place
    ld      r10, r9, -1
    bltu    r10, r7, .place
    st      r10, r9, 0
    sub     r9, r9, 1
    jmp     .shift
.place:
    st      r7, r9, 0
    add     r6, r6, 1
    bne     r6, r3, .key
    add     r9, r5, r6
    mov     r7, -1
    st      r7, r9, 0
    send!   r3, r2, 0

.endtemplate

.template reader                         ; what the host gets

whole:                                   ; the length of the sorted run
    st      r1, fp, @left
    ld      r3, fp, @kid
    send.1! r0, r3, @more

    .space  @merge - @join - (. - whole) ; more answers at the same distance as in a merge

word:                                    ; a key
  .if output == output.keys
    out     r1
  .else
    ld      r3, fp, @read
    add     r3, r3, 1
    st      r3, fp, @read
    mul     r4, r3, r1
    ld      r5, fp, @total
    add     r4, r4, r5
    st      r4, fp, @total
  .endif
    ld      r3, fp, @left
    sub     r3, r3, 1
    beq     r3, r0, .last
    st      r3, fp, @left
    ld      r3, fp, @kid
    send.1! r0, r3, @more
.last:
  .if output == output.sum
    out     r4
  .endif
    ld      r3, fp, @kid
    send.1  r0, r3, @close
    relseg! fp

kid:    .space 1                         ; the segment of the sorted run
left:   .space 1                         ; keys to come
read:   .space 1                         ; keys read
total:  .space 1
    .assert @total < 64, "a node lies outside of the operand segment"

.endtemplate

; ---------------------------------------------------------------------------

main:                                    ; n
    getseg  r3, sort
    getseg  r4, reader
    st      r3, r4, @kid
    st      r0, r4, @read
    st      r0, r4, @total
    cont.1  r4, r4, @whole
    shl     r1, r1, 15
    send.l  r1, r3, @start
    send.r! r4, r3, @start

new:                                     ; the answer's destination
    getseg  r3, sort
    send!   r3, r1, 0

    place_blocks sort

init:
    place_init
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE

    place_data
