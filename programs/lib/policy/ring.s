//go:build ignore

; Call 1 goes to the next PE on the out-of-group circuit, call 2 to the next one of the
; group: the paper's choice for fib [003 §3.2].

.macro choose which
    ld    r3, r0, next\which
.endm

.macro policy_init
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
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .space 32                       ; not used: memory is laid out alike under all policies but random and round-robin
.endm
