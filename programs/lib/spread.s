//go:build ignore

; A first phase on all PEs. The system block spread of PE [0,0] gets a number,
; which goes along a tree of packets to all PEs; on each PE the program's system
; block prepare starts with it. When a PE is done it sends a
; packet to its own ready; these are collected along the same tree, and when
; all have arrived, the program's system block go starts on [0,0].
;
; With spread_blocks 1 the packets to ready hold numbers, and go starts with the
; sum of them all; the program reserves a word for it, total.
;
; The tree: [g,0] sends to [g + 2^b, 0] for every 2^b > g, and every [g,c] to
; [g,c+1]. Include it after place.s, whose init macros it uses.

.macro spread_init                       ; in the init block, after place_init
    rds     r1, ga
    rds     r2, ca
    rds     r4, k
    rds     r14, gapos
    mov     r3, 0                        ; kids so far
    beq     r2, r4, .last\@
    add     r5, r2, 1
    pack    r6, r1, r5
    st      r6, r3, kid
    add     r3, r3, 1
.last\@:
    bne     r2, r0, .member\@
    mov     r5, 1                        ; 2^b
    mov     r8, r4
.skip\@:
    bltu    r1, r5, .groups\@            ; r5 is the lowest 2^b above g, r8 = k - b
    shl     r5, r5, 1
    sub     r8, r8, 1
    jmp     .skip\@
.groups\@:
    shr     r7, r5, 1                    ; g's highest bit
    beq     r7, r0, .root\@
    sub     r7, r1, r7
    pack    r6, r7, r2
.root\@:                                 ; of [0,0] r6 is not used
    st      r6, r0, boss
.more\@:
    beq     r8, r0, .done\@
    or      r7, r1, r5
    pack    r6, r7, r2
    st      r6, r3, kid
    add     r3, r3, 1
    shl     r5, r5, 1
    sub     r8, r8, 1
    jmp     .more\@
.member\@:
    sub     r5, r2, 1
    pack    r6, r1, r5
    st      r6, r0, boss
.done\@:
    st      r3, r0, kids
.endm

.macro spread_blocks sums=0
spread:                                  ; the number
    ld      r3, r0, kids
    st      r3, r0, pending
    beq     r3, r0, .own
.kid:
    sub     r3, r3, 1
    ld      r4, r3, kid
    send.d  r1, r4, spread
    bne     r3, r0, .kid
.own:
    send.d! r1, fp, prepare

ready:                                   ; a token or number from this PE or from a kid
    ld      r3, r0, pending
  .if \sums
    ld      r4, r0, total
    add     r1, r1, r4
    st      r1, r0, total
  .endif
    bne     r3, r0, .wait
  .if \sums
    st      r0, r0, total
  .endif
    beq     fp, r0, .all
    ld      r3, r0, boss
    send.d! r1, r3, ready
.all:
    send.d! r1, fp, go
.wait:
    sub     r3, r3, 1
    st!     r3, r0, pending
.endm

.macro spread_data
boss:    .space 1                        ; the PE that the number came from
pending: .space 1                        ; tokens to come before the last one
kids:    .space 1                        ; PEs that the number goes to
kid:     .space 18
.endm
