//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; fib N: the Nth Fibonacci number by recursion, the program of [003 §3.2].
;
; fib(n) asks for fib(n-2), call 1, and fib(n-1), call 2, both at once. Every
; child is a function instance, those with n <= 2 too: fib(24) has 92,735, of
; which 46,367 call others, and each of these has one call that may use MLPE
; [derived: the paper's 46,367 calls]. Every arrow below is a packet, every name a
; strongly connected block.
;
;   n, ret --> start --request--> new (chosen PE)
;                |                  |
;                |---n-2----> got1 <+ answer: the child's segment
;                |              +--n-2, ret--> start (child)
;                |--request, n-1 --> got2 ... as above
;                +--ret-----------------+
;   results of both children --> join --> finish --result--> ret
;
; A child with n <= 2 answers from its start.
;
; With grain=large join does what finish does, and ret waits in the segment: 12
; packets for an instance that calls, instead of 14 [remedy 003 §4.2].
;
; Parameters: leaves and grain; lib/place.s has those that say where calls go.

.include "lib/place.s"

.param leaves, instances, inline         ; children with n <= 2 are instances, or are worked out in the caller (lib/fib_inline.s)
.param grain, medium, large, chain, fine ; large: fewer, longer blocks [remedy]; chain and fine: more, shorter ones (leaves=inline only)

.arg n, 1, 47, main
.init init

.if leaves == leaves.inline
.include "lib/fib_inline.s"
.else

; ---------------------------------------------------------------------------
; The two calls

.macro request which                     ; asks the chosen PE for a segment
    choose  \which
    cont.r  r4, fp, @got\which
    send.d  r4, r3, new
.endm

.macro call which                        ; uses r3..r10
  .if mlpe != mlpe.off && which_mlpe == \which
    rds     r10, mlpe                    ; a prefetched segment
    bne     r10, r0, have\which
  .endif
    request \which
on\which:
.endm

.macro have which                        ; behind the last node
  .if mlpe != mlpe.off && which_mlpe == \which
have\which:
    send.r  r10, fp, @got\which
    search                               ; for the next call
    jmp     on\which
  .endif
.endm

; ---------------------------------------------------------------------------

.template fib

join:                                    ; fib(n-1), fib(n-2)
    add     r3, r1, r2
  .if grain == grain.large
    ld      r4, fp, @ret
    send    r3, r4, 0
    relseg! fp
ret:    .space 1
  .else
    send.l! r3, fp, @finish

finish:                                  ; fib(n), ret
    send    r1, r2, 0
    relseg! fp
  .endif

got1:                                    ; n-2, the child's segment
    send.l  r1, r2, @start
    cont.l  r3, fp, @join
    send.r! r3, r2, @start

got2:                                    ; n-1, the child's segment
    send.l  r1, r2, @start
    cont.r  r3, fp, @join
    send.r! r3, r2, @start

start:                                   ; n, ret
    mov     r8, 3
    blt     r1, r8, leaf
    sub     r8, r1, 2
    send.l  r8, fp, @got1
    sub     r8, r1, 1
    send.l  r8, fp, @got2
  .if grain == grain.large
    st      r2, fp, @ret
    call    1
    call    2
    nop!
  .else
    call    1
    call    2
    send.r! r2, fp, @finish
  .endif

leaf:
    mov     r3, 1
    send    r3, r2, 0
    relseg! fp

    have    1
    have    2

.endtemplate

.endif                                   ; of leaves

; ---------------------------------------------------------------------------
; System blocks

main:                                    ; n: the root is asked for like every other instance
    st      r1, r0, argument
    rds     r4, pe
    send.d! r4, r4, newroot

newroot:                                 ; who asks
    getseg  r3, fib
    send.d! r3, r1, begin

begin:                                   ; the root's segment
    ld      r3, r0, argument
    cont.d  r4, fp, answer               ; the root answers to a system block, which needs no segment
    send.l  r3, r1, @start
    send.r! r4, r1, @start

answer:                                  ; fib(n)
    out!    r1

new:                                     ; where the answer has to go
    getseg  r3, fib
    send!   r3, r1, 0

    place_blocks fib

init:
    place_init
    place_search

argument: .space 1                       ; n, at the root
    place_data
