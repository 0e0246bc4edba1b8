; steal.s: steal when idle. Calls stay on their PE, unless an idle one has asked it for work.
; A PE that has got a call looks, whenever it comes to the packet my_given, whether it is idle,
; and asks the giver again if it is. A PE keeps one thief; others are sent on, k times at most.

.macro choose which
    ld    r3, r0, my_thief
    bne   r3, r0, .give\@
    rds   r3, pe
    jmp   .done\@
.give\@:
    st    r0, r0, my_thief
    sub   r3, r3, 1
    rds   r5, pe
    send.d r5, r3, my_given
.done\@:
.endm

.macro policy_init
    movpe r7, out, 1            ; the next PE of the out-of-group circuit
    shl   r8, r4, 4             ; a thief is a PE, with the steps that are left above the 16s
    rds   r5, pe
    add   r5, r5, r8
    send.d r5, r7, my_steal     ; all are idle at the start
.endm

.macro policy_blocks
my_steal:                       ; a thief
    ld    r3, r0, my_thief
    bne   r3, r0, .on
    and   r3, r1, 0x1f0
    sub   r1, r1, r3
    add   r1, r1, 1             ; so that [0,0] is not 0
    st!   r1, r0, my_thief
.on:
    and   r3, r1, 0x1f0
    beq   r3, r0, .lost
    sub   r1, r1, 16
    movpe r4, out, 1
    send.d! r1, r4, my_steal
.lost:
    nop!

my_given:                       ; who gave a call
    rds   r3, load
    rds   r4, pe
    beq   r3, r0, .idle
    send.d! r1, r4, my_given    ; look again after what is in the input buffer
.idle:
    rds   r5, k
    shl   r5, r5, 4
    add   r4, r4, r5
    send.d! r4, r1, my_steal
.endm

.macro policy_data
my_thief: .space 1              ; the PE that asks for work, plus 1; or 0
.endm
