//go:build ignore
// (It keeps Go from taking this file for its own assembly language.)

; stream N: width producers per PE each send N items to a consumer of their
; own. A tree of calls (lib/tree.s) starts the producers; each calls its
; consumer, so the policy places both. At most window items are under way: the
; consumer gives the producer that many credits at first, and one for every
; item.
;
;   producer:  arg, ret --> start --request--> new (the consumer's PE)
;                             +-----> met <-- segment
;                                      +--credit node, total node--> sink (consumer)
;              credit --item--> item (consumer), with none left: --> end
;              total, ret --> finish
;   consumer:  sink --credits--> credit; item --credit--> credit; end --total--> finish
;
; The items of producer j (from 0) begin with x = j and go on with 25173 x + 13849
; mod 2^16; a total is the sum of x xor x/16; the answer is the sum of all totals.

.include "lib/place.s"
.include "lib/call.s"
.include "lib/tree.s"

.param width = 2, 1, 16                  ; producers per PE
.param window = 4, 1, 64                 ; items under way from a producer to its consumer

.arg n, 1, 32767, main
.init init

.template stream

    tree_start
    jmp     producer

met:                                     ; the credit node, the consumer's segment
    st      r2, fp, @partner
    enter   finish, l, sink
    send.l! r1, r2, @sink

credit:                                  ; a token
    ld      r3, fp, @left
    bne     r3, r0, produce
    ld      r3, fp, @owed
    sub     r3, r3, 1
    beq     r3, r0, .all
    st!     r3, fp, @owed
.all:                                    ; all items have been taken
    ld      r4, fp, @partner
    send.1! r0, r4, @end

    tree_nodes add

; The consumer

sink:                                    ; the producer's credit node, the total's destination
    st      r1, fp, @partner
    st      r2, fp, @ret
    st      r0, fp, @total
    mov     r3, window
.pay:
    send    r0, r1, 0
    sub     r3, r3, 1
    bne!    r3, r0, .pay

item:                                    ; x
    shr     r3, r1, 4
    xor     r3, r3, r1
    ld      r4, fp, @total
    add     r4, r4, r3
    st      r4, fp, @total
    ld      r4, fp, @partner
    send!   r0, r4, 0

end:                                     ; a token
    ld      r3, fp, @total
    ld      r4, fp, @ret
    send    r3, r4, 0
    relseg! fp

partner: .space 1                        ; the consumer; in a consumer the producer's credit node
x:      .space 1                         ; the last item
left:   .space 1                         ; items to send
owed:   .space 1                         ; credits not yet back
total:  .space 1
ret:    .space 1

    tree_calls
    .assert @child2 < 64, "a node lies outside of the operand segment"

producer:                                ; of start: its number, argument, ret
    st      r3, fp, @x
    shr     r3, r1, 16
    st      r3, fp, @left
    mov     r3, window
    st      r3, fp, @owed
    send.r  r2, fp, @finish
    cont.1  r1, fp, @credit
    call    1, met

produce:                                 ; of credit; r3 = items to send
    sub     r3, r3, 1
    st      r3, fp, @left
    ld      r3, fp, @x
    mul     r3, r3, 25173
    add     r3, r3, 13849
    and     r3, r3, 0xffff
    st      r3, fp, @x
    ld      r4, fp, @partner
    send.1! r3, r4, @item

.endtemplate

; ---------------------------------------------------------------------------

main:                                    ; n
    shl     r5, r1, 16
    add     r5, r5, 1
    begin   stream, r5

    call_blocks stream
    place_blocks stream

init:
    tree_width width
    place_init
    place_search

; ---------------------------------------------------------------------------
; Variables of a PE

leaves: .space 1
    place_data
