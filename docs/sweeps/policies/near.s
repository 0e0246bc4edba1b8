; near.s: stay local below a load. A call stays on its own PE while there is little to do,
; and otherwise goes where ring sends it: to the next PE of one of both circuits.

.macro choose which
    rds   r5, load
    mov   r6, 2                 ; below 8 words in the input buffer: four packets
    blt   r5, r6, .own\@
    ld    r3, r0, next\which
    jmp   .done\@
.own\@:
    rds   r3, pe
.done\@:
.endm

.macro policy_init
    mov   r5, r1
    mov   r6, r2
    outgroup r5, r6
    pack  r7, r5, r6            ; call 1: the next PE on the out-of-group circuit
    st    r7, r0, next1
    member r2
    pack  r7, r1, r2            ; call 2: the next one of the group
    st    r7, r0, next2
.endm

.macro policy_blocks
.endm

.macro policy_data
.endm
