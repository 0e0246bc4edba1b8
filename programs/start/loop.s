; PROGRAM N: 1*1 + 2*2 + ... + N*N, by a loop. The loop's values go round as packets: a
; node fires again as soon as both of its operands are there again.
;
;   emsim run PROGRAM.s 10       prints 385
;
;   i = 1, sum = 0 --> step --i + 1, sum + i*i--+
;                       ^  |                    |
;                       +-----------------------+
;                          +--at the end: sum --> host

.arg n, 1, 1000, main           ; the host sends N to the block main

main:                           ; N
    getseg  r3, loop            ; an instance of the template loop
    st      r1, r3, @loop.n     ; a word of it that is no node: a variable
    mov     r4, 1
    send.l  r4, r3, @loop.step  ; the left operand of its node step: i
    send.r! r0, r3, @loop.step  ; the right one: the sum (r0 is always 0)

.template loop

.step:                          ; i, sum: both have come
    mul     r3, r1, r1
    add     r3, r3, r2
    ld      r4, fp, @.n         ; fp is this instance
    beq     r1, r4, .end
    add     r1, r1, 1
    send.l  r1, fp, @.step
    send.r! r3, fp, @.step
.end:
    relseg  fp                  ; the instance ends
    out!    r3                  ; a word to the host

.n: .space 1

.endtemplate
