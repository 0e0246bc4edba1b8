//go:build ignore

; Data in pieces across the memories: piece b is on PE number b mod PEs, as its
; piece number b / PEs. PEs are numbered members first, then groups.

.macro owner to, slot, b                 ; uses r4, r5, r9..r11; the division takes 32 clocks
    rds     r4, k
    add     r5, r4, 1
    div     r9, \b, r5
    mul     r10, r9, r5
    sub     r10, \b, r10                 ; member
    shr     \slot, r9, r4
    shl     r11, \slot, r4
    sub     r9, r9, r11                  ; group
    rds     r5, gapos
    shl     r9, r9, r5
    shl     r10, r10, 18
    or      \to, r9, r10
.endm

.macro own_number to, pes                ; this PE's number, and the number of PEs; uses r4, r5
    rds     r4, k
    add     r5, r4, 1
    shl     \pes, r5, r4
    rds     \to, ga
    mul     \to, \to, r5
    rds     r5, ca
    add     \to, \to, r5
.endm

.macro next_piece b                      ; b, a piece of this PE, becomes the next one of this PE; uses r4, r5
    rds     r4, k
    add     r5, r4, 1
    shl     r5, r5, r4                   ; PEs
    add     \b, \b, r5
.endm
