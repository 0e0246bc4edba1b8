//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; fib N: the Nth Fibonacci number by recursion, the program of [003 §3.2].
;
; fib(n) calls fib(n-1) and fib(n-2); a child with n <= 2 is worked out in the
; caller. Fine-grained dataflow: every arrow below is a packet, every name a
; strongly connected block.
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
;
; Parameters: policy chooses the PE of each call, mlpe distributes one of the
; two calls by MLPE packets.

.param policy, ring, random, round-robin, ring-random, ring-round-robin, line
.param mlpe, off, on, software            ; software: the search by program of [003 §4.1]
.param ring_first, in, out               ; where ring sends fib(n-1) [calibrated]
.param ring_table, next, circuits        ; ring-random and ring-round-robin: the two next PEs, or all 2k of the circuits
.param line_path, hamilton, numbered     ; the line's order: along the network's links, or by number
.param choice, late, early               ; the PE is chosen when the call is certain, or beside the test [calibrated]
.param grain, medium, chain, fine        ; n-1 and n-2 are worked out at the start, or in blocks of their own [calibrated]
.param mlpe_start, filled, empty         ; the prefetch register at the start [calibrated]
.param mlpe_call, first, second          ; the call that uses MLPE [calibrated]

.arg n, 1, 47, main
.init init

; ---------------------------------------------------------------------------
; The PE of the next call into r3. Uses r5..r7.

.equ uses_table, policy == policy.random || policy == policy.round_robin || policy == policy.ring_random || policy == policy.ring_round_robin
.equ uses_random, policy == policy.random || policy == policy.ring_random

.macro choose which
  .if uses_random
    ld    r5, r0, seed                   ; x = 69069 x + 1, the same sequence in every PE
    mul   r5, r5, 69069
    add   r5, r5, 1
    st    r5, r0, seed
    ld    r6, r0, entries
    mulhu r5, r5, r6                     ; 0 .. entries-1
    ld    r3, r5, table
  .elif uses_table
    ld    r5, r0, index                  ; counts down: 8 clocks in all [003 §3.2]
    ld    r3, r5, table - 1
    sub   r5, r5, 1
    bne   r5, r0, .ok\@
    ld    r5, r0, entries
.ok\@:
    st    r5, r0, index
  .else
    ld    r3, r0, next\which
  .endif
.endm

; A search for the PE of the least load among those of the reverse circuit;
; it comes back to found. Uses r7..r9.

.macro search
  .if mlpe == mlpe.on
    mlpe    found
  .else
    rds     r7, load                     ; [GA,CA] | PEs left to ask << 4 | load
    rds     r8, pe
    or      r7, r7, r8
    ld      r8, r0, round
    or      r7, r7, r8
    ld      r9, r0, nextout
    send.d  r7, r9, probe
  .endif
.endm

; ---------------------------------------------------------------------------

.template fib

start:                                   ; n, ret
    mov     r3, 3
    blt     r1, r3, .base
  .if grain == grain.fine
    send.1  r1, fp, @minus1
    send.1  r1, fp, @minus2
  .elif grain == grain.chain
    sub     r3, r1, 1
    send.1  r3, fp, @test1
    send.1  r3, fp, @minus2
  .else
    sub     r3, r1, 1
    send.1  r3, fp, @test1
    sub     r3, r1, 2
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

root:                                    ; the result of the first instance
    out!    r1

.macro call which, side
  .if grain == grain.fine
minus\which:                             ; n
    sub     r3, r1, \which
    send.1! r3, fp, @test\which
  .elif grain == grain.chain && \which == 2
minus2:                                  ; n-1
    sub     r3, r1, 1
    send.1! r3, fp, @test2
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
.macro request which
  .if choice == choice.late
    choose  \which
    mov     r1, r3
  .endif
    cont.r  r4, fp, @got\which
    send.d! r4, r1, new
.endm

.macro callnode which
call\which:                              ; the chosen PE, or only a token
  .if mlpe != mlpe.off && which_mlpe == \which
    rds     r3, mlpe                     ; a prefetched segment
    beq     r3, r0, static
    search                               ; for the next call
    send.r! r3, fp, @got\which
  .else
    request \which
  .endif
.endm

.equ which_mlpe, 1 + mlpe_call           ; first: 1, second: 2

    call     1, l
    call     2, r
    callnode 1
    callnode 2

; Behind the last node, whose displacement has to be below segment_words:

.if mlpe != mlpe.off
static:                                  ; no prefetched segment
    ld      r5, r0, asked                ; is a search on its way?
    bne     r5, r0, .asked
    mov     r5, 1
    st      r5, r0, asked
    search
.asked:
  .if which_mlpe == 1
    request 1
  .else
    request 2
  .endif
.endif

.endtemplate

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
    cont.1  r4, r1, @root
    send.l  r3, r1, @start
    send.r! r4, r1, @start

new:                                     ; where the answer has to go
    getseg  r3, fib
    send!   r3, r1, 0

.if mlpe == mlpe.software
probe:                                   ; what an MLPE packet does in the switch, by program
    rds     r3, load
    and     r4, r1, 15
    bltu    r3, r4, .less
.on:
    sub     r1, r1, 16
    ld      r5, r0, nextout
    and     r4, r1, 0x1f0
    beq     r4, r0, .home
    send.d! r1, r5, probe
.home:
    send.d! r1, r5, found
.less:
    and     r4, r1, 0x1f0
    rds     r1, pe
    or      r1, r1, r4
    or      r1, r1, r3
    jmp     .on
.endif

.if mlpe != mlpe.off
found:                                   ; the PE of the least load, and that load
    and     r3, r1, 15
    mov     r4, 15
    beq     r3, r4, .nobody
    rds     r4, pe
    send.d! r4, r1, prefetch
.nobody:                                 ; nobody has room: ask nobody, and search again at the next call
    st!     r0, r0, asked

prefetch:                                ; who asks
    getseg  r3, fib
    send.d! r3, r1, fill

fill:                                    ; the prefetched segment
    wrs!    mlpe, r1
.endif

; ---------------------------------------------------------------------------
; Before the start packet, on every PE: the PE numbers that the policy needs.
; r1, r2 = own GA and CA, r4 = k, r14 = position of GA in a continuation.

.macro pack d, g, c                      ; d = PE [g,c]
    shl     r9, \g, r14
    shl     r10, \c, 18
    or      \d, r9, r10
.endm

.macro member c                          ; the next column
    beq     \c, r4, .wrap\@
    add     \c, \c, 1
    jmp     .on\@
.wrap\@:
    mov     \c, 0
.on\@:
.endm

.macro outgroup g, c                     ; [g,c] = the PE behind its out-of-group link
    sub     r9, r4, \c
    mov     r10, 1
    shl     r9, r10, r9                  ; 2^(k-c)
    shr     r10, r9, 1
    xor     r9, r9, r10
    mov     r10, 1
    shl     r10, r10, r4
    sub     r10, r10, 1
    and     r9, r9, r10                  ; the bits that the link flips
    xor     \g, \g, r9
    member  \c
.endm

.macro numbered g, c                     ; [g,c] = the next by number: members first, then groups
    member  \c
    bne     \c, r0, .same\@
    mov     r9, 1
    shl     r9, r9, r4
    sub     r9, r9, 1
    add     \g, \g, 1
    and     \g, \g, r9
.same\@:
.endm

; The Hamiltonian cycle along the links: out-of-group from [g,c] when c > 0
; and g < 2^(k-c+1), otherwise in-group. Groups are the nodes of a hypercube
; whose edges are the pairs of groups that column c joins; the rule takes the
; edges of a spanning tree, and every edge merges two group rings into one.
.macro line_next g, c
  .if line_path == line_path.numbered
    numbered \g, \c
  .else
    beq     \c, r0, .in\@
    sub     r9, r4, \c
    mov     r10, 2
    shl     r9, r10, r9
    bltu    \g, r9, .out\@
.in\@:
    member  \c
    jmp     .done\@
.out\@:
    outgroup \g, \c
.done\@:
  .endif
.endm

init:
    rds     r1, ga
    rds     r2, ca
    rds     r4, k
    rds     r14, gapos
  .if policy == policy.ring
    mov     r5, r1
    mov     r6, r2
    outgroup r5, r6
    pack    r7, r5, r6                   ; the next PE out-of-group
    mov     r6, r2
    member  r6
    pack    r8, r1, r6                   ; the next PE in-group
    .if ring_first == ring_first.in
    st      r8, r0, next1
    st      r7, r0, next2
    .else
    st      r7, r0, next1
    st      r8, r0, next2
    .endif
  .elif policy == policy.line
    line_next r1, r2
    pack    r7, r1, r2
    st      r7, r0, next2                ; fib(n-2) to the next
    line_next r1, r2
    pack    r7, r1, r2
    st      r7, r0, next1                ; fib(n-1) to the next but one
  .else
    rds     r5, seed
    st      r5, r0, seed
    .if policy == policy.random || policy == policy.round_robin
    add     r7, r4, 1
    shl     r7, r7, r4                   ; all PEs, beginning with the own one
    st      r7, r0, entries
    st      r7, r0, index
.fill:
    pack    r8, r1, r2
    st      r8, r7, table - 1
    numbered r1, r2
    sub     r7, r7, 1
    bne     r7, r0, .fill
    .else
    mov     r7, 2                        ; the two next PEs
      .if ring_table == ring_table.circuits
    shl     r7, r4, 1                    ; or the 2k others of both circuits, in turn
      .endif
    st      r7, r0, entries
    st      r7, r0, index
    mov     r5, r1
    mov     r6, r2
.fill:
    member  r2
    pack    r8, r1, r2
    st      r8, r7, table - 1
    sub     r7, r7, 1
    outgroup r5, r6
    pack    r8, r5, r6
    st      r8, r7, table - 1
    sub     r7, r7, 1
    bne     r7, r0, .fill
    .endif
  .endif
  .if mlpe == mlpe.software
    rds     r1, ga
    rds     r2, ca
    shl     r7, r4, 4
    st      r7, r0, round                ; k others are asked
    outgroup r1, r2
    pack    r7, r1, r2
    st      r7, r0, nextout
  .endif
  .if mlpe != mlpe.off && mlpe_start == mlpe_start.filled
    search                               ; the register is full at the start
    mov     r5, 1
    st!     r5, r0, asked
  .else
    nop!
  .endif

; ---------------------------------------------------------------------------
; Variables of a PE

argument: .space 1                       ; n, at the root
next1:   .space 1                        ; the PE of fib(n-1)
next2:   .space 1                        ; the PE of fib(n-2)
seed:    .space 1                        ; of the random numbers
entries: .space 1                        ; in the table
asked:   .space 1                        ; an MLPE packet is on its way, or its segment is here
nextout: .space 1                        ; the next PE of the reverse circuit
round:   .space 1                        ; k << 4
index:   .space 1                        ; the next entry, counting down
.if policy == policy.random || policy == policy.round_robin
table:   .perpe                          ; entries 0 .. N-1: all PEs
.else
table:   .space 32
.endif
