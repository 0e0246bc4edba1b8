//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; fib N: the Nth Fibonacci number by recursion, the program of [003 §3.2].
;
; fib(n) asks for fib(n-2), call 1, and fib(n-1), call 2, both at once (with first_child=larger call 1 is
; fib(n-1)). Every child is a function instance, including those with n <= 2, which answer in their block start.
; fib(24) has 92,735 instances; 46,367 of them call others, and each of these has one call that may use MLPE
; [derived: the paper's 46,367 calls]. Every arrow is a packet, every name a strongly connected block.
;
;   n, ret --> start --request--> new (chosen PE)
;                |                  |
;                |---n-2----> got1 <+ answer: the child's segment
;                |              +--n-2, ret--> start (child)
;                |--request, n-1 --> got2 ... as above
;                +--ret-----------------+
;   results of both children --> join --> finish --result--> ret
;
; With grain=large, join also does the work of finish, and ret waits in the segment: an instance that calls,
; with its share of leaves, sends 12 packets instead of 14 [remedy 003 §4.2].
;
; Parameters: leaves, first_child, grain, mlpe_for; lib/place.s has the parameters that say where calls go.

.include "lib/place.s"
.include "lib/call.s"

.param leaves, instances, inline         ; children with n <= 2 are instances, or the caller works them out (lib/fib_inline.s)

.arg n, 1, 47, main
.init init

.if leaves == leaves.inline
.include "lib/fib_inline.s"
.else

.param first_child, smaller, larger      ; the child that call 1 asks for: fib(n-2) or fib(n-1) [derived]
.param grain, medium, large              ; large: fewer, longer blocks [remedy 003 §4.2]
.param mlpe_for, all, callers            ; the children that may use MLPE: all, or those that call others [calibrated]

.equ less1, 2 - first_child              ; call 1 is of fib(n - less1)
.equ less2, 1 + first_child

; ---------------------------------------------------------------------------
; The two calls of start, which goes on after each of them. A prefetched segment
; is rare, so the code that uses one comes last.

.macro make which                        ; uses r3..r10
  .if mlpe != mlpe.off && which_mlpe == \which && mlpe_when == mlpe_when.call
    search_at_call got\which
  .else
  .if mlpe != mlpe.off && which_mlpe == \which
    .if mlpe_for == mlpe_for.callers
    mov     r10, less\which + 3
    blt     r1, r10, static\which       ; a child with n <= 2
    .endif
    rds     r10, mlpe                    ; a prefetched segment
    bne     r10, r0, have\which
static\which:
  .endif
    choose  \which
    request got\which
  .endif
made\which:
.endm

.macro have which                        ; after the last node
  .if mlpe != mlpe.off && which_mlpe == \which && mlpe_when == mlpe_when.before
have\which:
    send.r  r10, fp, @got\which
    search                               ; for the next call
    jmp     made\which
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

got1:                                    ; n - less1, the child's segment
    send.l  r1, r2, @start
    cont.l  r3, fp, @join
    send.r! r3, r2, @start

got2:                                    ; n - less2, the child's segment
    send.l  r1, r2, @start
    cont.r  r3, fp, @join
    send.r! r3, r2, @start

start:                                   ; n, ret
    mov     r8, 3
    blt     r1, r8, leaf
    sub     r8, r1, less1
    send.l  r8, fp, @got1
    sub     r8, r1, less2
    send.l  r8, fp, @got2
  .if grain == grain.large
    st      r2, fp, @ret
    make    1
    make    2
    nop!
  .else
    make    1
    make    2
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
    first   r3, r1

    call_blocks fib
    place_blocks fib

init:
    place_init
    place_search

argument: .space 1                       ; n, at the root
    place_data

.equ binary_calls, 2                     ; every instance calls two others, or none: (n-1)/2 of n instances call
