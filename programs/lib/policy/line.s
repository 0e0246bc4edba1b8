//go:build ignore

; All PEs in a line; the calls go to the next two [003 §3.2].

.macro choose which
    ld    r3, r0, next\which
.endm

.macro policy_init
    line_next r1, r2
    pack    r7, r1, r2
  .if line_first == line_first.near
    st      r7, r0, next1
  .else
    st      r7, r0, next2
  .endif
    line_next r1, r2                     ; the next but one
    pack    r7, r1, r2
  .if line_first == line_first.near
    st      r7, r0, next2
  .else
    st      r7, r0, next1
  .endif
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .space 32                       ; not used: memory is laid out alike under all policies but random and round-robin
.endm
