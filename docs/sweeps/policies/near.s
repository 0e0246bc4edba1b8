; near.s: stay local below a load. A call stays on its own PE while there is little to do,
; and otherwise goes where ring sends it: to the next PE of one of both circuits.

.macro choose which
    rds   r5, load
    mov   r6, 2                 ; below 8 words in the input buffer: four packets
    blt   r5, r6, .own\@
  .if \which == 1
    movpe r3, out, 1            ; call 1: the next PE on the out-of-group circuit
  .else
    movpe r3, in, 1             ; call 2: the next one of the group
  .endif
    jmp   .done\@
.own\@:
    rds   r3, pe
.done\@:
.endm

.macro policy_init
.endm

.macro policy_blocks
.endm

.macro policy_data
.endm
