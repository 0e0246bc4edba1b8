; PROGRAM DEPTH: counts the leaves of a binary tree, 2 to the power of DEPTH. An
; instance of tree that is no leaf calls two others, on PEs that the policy chooses.
;
;   emsim run PROGRAM.s 10                   prints 1024
;   emsim run PROGRAM.s 10 --policy line     another of the six policies
;   emsim run PROGRAM.s 10 --mlpe            one of the two calls goes to the least loaded PE nearby
;
; Every arrow is a packet, every name a block:
;
;   depth, ret --> start --depth-1--> first  --request--> new, on the chosen PE
;                    |                   +------> got1 <-- its instance
;                    |                             +--depth-1, ret--> start (of that instance)
;                    +-----depth-1--> second ... got2, in the same way
;                    +--ret--> finish
;   results of both --> join --sum--> finish --> ret

.include "lib/place.s"          ; choose, and the policies
.include "lib/call.s"           ; call, enter, begin

.arg depth, 0, 12, main         ; the host sends DEPTH to the block main
.init init                      ; every PE runs init before the start

.template tree                  ; the code of one function; its nodes get operands

start:                          ; depth, ret: both have come, in r1 and r2
    beq     r1, r0, .leaf
    sub     r1, r1, 1
    send.r  r2, fp, @finish     ; to this instance: the right operand of its node finish
    send.1  r1, fp, @first      ; to a node with one operand
    send.1! r1, fp, @second
.leaf:
    mov     r3, 1
    send    r3, r2, 0           ; the result, to where ret says
    relseg! fp                  ; this instance ends

join:                           ; the results of both calls
    add     r3, r1, r2
    send.l! r3, fp, @finish

finish:                         ; sum, ret
    send    r1, r2, 0
    relseg! fp

got1:                           ; depth-1, the instance of call 1
    enter   join, l             ; its result will be the left operand of join
    send.l! r1, r2, @start

got2:                           ; the same for call 2
    enter   join, r
    send.l! r1, r2, @start

first:                          ; depth-1
    call    1, got1

second:                         ; depth-1
    call    2, got2

.endtemplate

main:                           ; DEPTH
    begin   tree, r1            ; the first instance; its result goes to the host

    call_blocks tree
    place_blocks tree

init:
    place_init
    place_search                ; ends the block

    place_data                  ; variables: after all code
