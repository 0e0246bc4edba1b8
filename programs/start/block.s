; PROGRAM N: N * N + 1. One block on one PE: the smallest whole program.
;
;   emsim run PROGRAM.s 5        prints 26

.arg n, 0, 65535, main          ; the host sends the argument N to the block main

main:                           ; a block begins with its operand in r1
    mul     r1, r1, r1
    add     r1, r1, 1
    out!    r1                  ; a word to the host; the ! ends the block
