//go:build ignore

; How a program compiled from Go reads words of other PEs. A question says which word is
; wanted, and where it goes, and a packet has room for one of them. So the second stays
; behind, in a slot of the reader, and the slot's number is in the address of the block
; that the packet starts:
;
;   reader                                        owner
;   own PE, address of the word ----------------> read.port + slot
;   read.answer + slot <-------------------word-- |
;   the node that waits <--word-
;
; Parts of arrays lie at the same address on all PEs. The reader takes a slot off the stack, and
; stores there where the word goes: read.free says how many slots there are, and read.stack
; which. Their numbers are 0, 2, 4 ..., because their blocks have two words.

.equ read_slots, 64                      ; [chosen]

.macro read_blocks
read.port:                               ; who wants a word
    read_port 0
read.answer:                             ; a word that has been asked for
    read_answer 0
read.give:
    ld      r4, r3, read.to
    ld      r5, r0, read.free            ; and the slot is free
    st      r3, r5, read.stack
    add     r5, r5, 1
    st      r5, r0, read.free
    send!   r1, r4, 0
.endm

.macro read_port slot
  .if \slot < 2 * read_slots
    ld      r3, r1, 0
    send.d! r3, r1, read.answer + \slot
    read_port \slot + 2
  .endif
.endm

.macro read_answer slot
  .if \slot < 2 * read_slots
    mov     r3, \slot
    jmp     read.give
    read_answer \slot + 2
  .endif
.endm

.macro read_data
read.free:  .word read_slots
read.to:    .space 2 * read_slots        ; of these every second one is used
read.stack:
    read_slot 0
.endm

.macro read_slot slot
  .if \slot < 2 * read_slots
    .word   \slot
    read_slot \slot + 2
  .endif
.endm
