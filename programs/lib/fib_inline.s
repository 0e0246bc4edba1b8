//go:build ignore

; fib with its leaves inline: the caller works out a child with n <= 2 itself.
; This is the older reading of the paper's 46,367 calls; with leaves=inline fib.s
; includes this file. docs/CALIBRATION.md compares both readings.
;
; fib(n) calls fib(n-1), call 1, and fib(n-2), call 2 (with first_child=smaller
; call 1 is fib(n-2)). Every arrow below is a packet, every name a strongly
; connected block.
;
;   n, ret --> start --n-1--> test1 --> call1 --request--> new (chosen PE)
;                |                        |                 |
;                |                        +---n-1--> got1 <-+ answer: the child's segment
;                |                                    |--n-1-----------> start (child)
;                |                                    +--> link1 --ret--> start (child)
;                |--n-2--> test2 --> call2 ... as above
;                +--ret--------------------------------+
;   results of both children --> join --> finish <-----+
;                                           |--result--> ret
;                                           +--> free

.include "inline.s"

.param grain, medium, chain, fine, large ; n-1 and n-2 are worked out at the start, or in separate blocks; large [remedy 003 §4.2]
.param first_child, larger, smaller      ; the child of call 1: fib(n-1) or fib(n-2)
.param choice, late, early               ; the PE is chosen when the call is certain, or beside the test

.equ less1, 1 + first_child              ; call 1 is of fib(n - less1)
.equ less2, 2 - first_child

.if grain == grain.large

.macro child which, side                 ; n stays in r1
    sub     r10, r1, less\which
    mov     r3, 3
    blt     r10, r3, .small\@
    call_here \which, join, \side
    jmp     .on\@
.small\@:
    mov     r3, 1
    send.\side r3, fp, @join
.on\@:
.endm

.else

; ---------------------------------------------------------------------------
; The blocks of a call, by grain

.macro child which, side
  .if grain == grain.fine
minus\which:                             ; n
    sub     r3, r1, less\which
    send.1! r3, fp, @test\which
  .elif grain == grain.chain && less\which == 2
minus\which:                             ; n-1
    sub     r3, r1, 1
    send.1! r3, fp, @test\which
  .endif
test\which:                              ; m = n-1 or n-2
  .if choice == choice.early
    choose  \which
  .endif
    mov     r4, 3
    blt     r1, r4, small\which
    send.l  r1, fp, @got\which
    send.1! r3, fp, @call\which
small\which:
    mov     r3, 1
    send.\side! r3, fp, @join

got\which:                               ; m, the child's segment
    send.l  r1, r2, @start
    send.1! r2, fp, @link\which

link\which:                              ; the child's segment
    cont.\side r3, fp, @join
    send.r! r3, r1, @start
.endm

; What a call node does without a prefetched segment: ask the chosen PE for one.
.macro static_call which
  .if choice == choice.late
    choose  \which
    mov     r1, r3
  .endif
    ask     got\which, r1
.endm

.macro callnode which
call\which:                              ; the chosen PE, or only a token
  .if mlpe != mlpe.off && which_mlpe == \which
    rds     r3, mlpe                     ; a prefetched segment
    beq     r3, r0, static
    search                               ; for the next call
    send.r! r3, fp, @got\which
  .else
    static_call \which
  .endif
.endm

.endif

; ---------------------------------------------------------------------------

.template fib

.if grain == grain.large

join:                                    ; fib(n-1), fib(n-2)
    add     r3, r1, r2
    ld      r4, fp, @ret
    send    r3, r4, 0
    relseg! fp

    got_here 1, join, l
    got_here 2, join, r

ret:    .space 1
    calls_here

start:                                   ; n, ret
    mov     r3, 3
    blt     r1, r3, .base
    st      r2, fp, @ret
    child   1, l
    child   2, r
    nop!
.base:                                   ; only the root: fib(1) = fib(2) = 1
    mov     r3, 1
    send    r3, r2, 0
    relseg! fp

.else

start:                                   ; n, ret
    mov     r3, 3
    blt     r1, r3, .base
  .if grain == grain.fine
    send.1  r1, fp, @minus1
    send.1  r1, fp, @minus2
  .elif grain == grain.chain
    sub     r3, r1, 1
    .if less1 == 1
    send.1  r3, fp, @test1
    send.1  r3, fp, @minus2
    .else
    send.1  r3, fp, @test2
    send.1  r3, fp, @minus1
    .endif
  .else
    sub     r3, r1, less1
    send.1  r3, fp, @test1
    sub     r3, r1, less2
    send.1  r3, fp, @test2
  .endif
    send.r! r2, fp, @finish
.base:                                   ; only the root: fib(1) = fib(2) = 1
    mov     r3, 1
    send.l  r3, fp, @finish
    send.r! r2, fp, @finish

join:                                    ; fib(n-1), fib(n-2)
    add     r3, r1, r2
    send.l! r3, fp, @finish

finish:                                  ; fib(n), ret
    send    r1, r2, 0
    send.1! r0, fp, @free

free:
    relseg! fp

    child    1, l
    child    2, r
  .if mlpe_reach == mlpe_reach.far && which_mlpe == 1
    callnode 2                           ; the search is long: last
    callnode 1
  .else
    callnode 1
    callnode 2
  .endif

; After the last node, whose displacement has to be below segment_words:

.if mlpe != mlpe.off
static:                                  ; no prefetched segment
    search_anew
  .if which_mlpe == 1
    static_call 1
  .else
    static_call 2
  .endif
.endif

.endif                                   ; of grain

.endtemplate

