; PROGRAM: a policy, which says where the next call goes. Every PE of the EM-4 has a copy.
;
;   emsim run fib 20 --policy PROGRAM.s            with any program, in assembly or in Go
;   emsim run fib 20 --policy PROGRAM.s --mlpe     as what is left to do beside MLPE
;
; This one sends every call to the next PE of a table, which has the PEs of both circuits
; on which this PE lies, and gives the own PE a turn when it has little to do. Change it:
; 'emsim docs POLICY' says what a policy may know and what it may do.

; The PE of call 1 or 2, into r3. The code stands in the caller's block, so it may use r3, r5,
; r6 and r7 only, and does not end the block. What it costs in clocks is its instructions.
.macro choose which
    rds   r5, load              ; 0, nothing to do, to 15: no room ('emsim docs MACHINE')
    beq   r5, r0, .own\@        ; \@ makes names differ from call to call
    ld    r5, r0, my_turn       ; the entry whose turn it is, from 1
    ld    r3, r5, my_pes - 1
    sub   r5, r5, 1
    bne   r5, r0, .kept\@
    ld    r5, r0, my_others
.kept\@:
    st    r5, r0, my_turn
    jmp   .done\@
.own\@:
    rds   r3, pe
.done\@:
.endm

; On every PE before the start: r1 = its group, r2 = its column, r4 = k, r14 = the position of a
; group in a continuation. It may use r1, r2, r5..r10, and does not end the block.
.macro policy_init
    shl   r7, r4, 1             ; 2k others: k in the group, k on the out-of-group circuit
    st    r7, r0, my_others
    st    r7, r0, my_turn
    mov   r5, r1
    mov   r6, r2
.fill\@:
    member r2                   ; the next column of the group
    pack  r8, r1, r2            ; r8 = that PE, as send.d wants it
    st    r8, r7, my_pes - 1
    sub   r7, r7, 1
    outgroup r5, r6             ; the PE at the end of the out-of-group link
    pack  r8, r5, r6
    st    r8, r7, my_pes - 1
    sub   r7, r7, 1
    bne   r7, r0, .fill\@
.endm

; Blocks that the policy's own packets start, on any PE: r1 = what the packet brought.
.macro policy_blocks
.endm

; The variables of a PE, 0 before the start.
.macro policy_data
my_turn:   .space 1             ; names begin with my_, so that they are never those of a program
my_others: .space 1
my_pes:    .space 32            ; 2k of them are in use
.endm
