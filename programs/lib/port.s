//go:build ignore

; Remote reads. A packet has room for one word, so the destination of the
; answers is sent only once: it is kept in a read port, a small instance on the PE
; that owns the data, for one reader. A read is then a packet to the port with the
; offset in the data, and a packet back with the word. The variable named area
; must hold the continuation of the owner's structure.
;
;   reader                                  owner
;   answers' node's continuation ---------> new_port
;   answers' node + port_opened <--port---- |
;   offset -------------------------------> read (of the port)
;   answers' node <------------------word-- |
;   token --------------------------------> close (of the port)
;
; port_opened is the distance from the node that gets the words to the node
; after it that gets the port; both have the same matching condition.

.macro port_blocks opened
.template port
read:                                    ; offset
    ld      r3, r0, area
    add     r3, r3, r1
    ld      r3, r3, 0
    ld      r4, fp, @answers
    send!   r3, r4, 0
close:                                   ; a token
    relseg! fp
answers: .space 1                        ; where the words go
.endtemplate

new_port:                                ; where the words go
    getseg  r3, port
    st      r1, r3, @answers
    send!   r3, r1, \opened
.endm
