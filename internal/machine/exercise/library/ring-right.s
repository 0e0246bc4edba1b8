.arg n, 0, 1000000, visit       ; the host sends n to [0,0]

visit:                          ; the sum so far
    rds     r3, ga              ; this PE: group and member
    rds     r4, ca
    rds     r6, k               ; members 0 to k, groups 0 to 2^k - 1
    mul     r5, r3, r3
    add     r5, r5, r4
    add     r1, r1, r5          ; with this PE's number
    add     r4, r4, 1           ; the next PE
    blt     r6, r4, .group
.on:
    rds     r7, gapos
    shl     r8, r3, r7
    shl     r9, r4, 18
    or      r8, r8, r9          ; r8: the next PE
    send.d! r1, r8, visit
.group:
    mov     r4, 0
    add     r3, r3, 1
    mov     r5, 1
    shl     r5, r5, r6
    bne     r3, r5, .on
    out!    r1                  ; this was the last one
