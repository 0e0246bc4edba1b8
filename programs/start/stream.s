; PROGRAM N: 1 + 2 + ... + N, added up by a consumer on another PE, to which the
; producer sends one packet for every number. Packets between two PEs keep their order,
; so the last one can say that all have come.
;
;   emsim run PROGRAM.s 100      prints 5050
;
;   N --> main --request--> new (on the chosen PE)
;         produce <--its instance--+
;            +--1, 2, ... N--> item (of the instance)
;            +--end----------> end --sum--> answer --> host

.include "lib/place.s"          ; choose, and the policies

.arg n, 1, 2000, main           ; the host sends N to the block main
.init init                      ; every PE runs init before the start

main:                           ; N
    st      r1, r0, count       ; a variable of this PE
    choose  1                   ; r3 = the PE that the policy chooses
    cont.d  r4, fp, produce     ; where the answer goes: the block produce of this PE
    send.d! r4, r3, new         ; the block new of that PE

produce:                        ; the consumer's instance
    ld      r3, r0, count
    mov     r4, 0
.more:
    add     r4, r4, 1
    send.1  r4, r1, @consumer.item
    bne     r4, r3, .more
    cont.d  r5, fp, answer
    send.1! r5, r1, @consumer.end

answer:                         ; the sum
    out!    r1                  ; a word to the host

new:                            ; where the instance goes
    getseg  r3, consumer
    st      r0, r3, @consumer.sum
    send!   r3, r1, 0

.template consumer

.item:                          ; a number
    ld      r3, fp, @.sum       ; fp is this instance
    add     r3, r3, r1
    st!     r3, fp, @.sum

.end:                           ; where the sum goes
    ld      r3, fp, @.sum
    send    r3, r1, 0
    relseg! fp                  ; the instance ends

.sum: .space 1

.endtemplate

    place_blocks consumer       ; what MLPE needs, if the program is run with it

init:
    place_init
    place_search                ; ends the block

count: .space 1                 ; variables: after all code
    place_data
