//go:build ignore

; Call 1 goes to the next PE on the out-of-group circuit, call 2 to the next one of the
; group: the paper's choice for fib [003 §3.2].

.macro neighbour d, which
  .if (\which == 1) == (ring_first == ring_first.out)
    movpe \d, out, 1
  .else
    movpe \d, in, 1
  .endif
.endm

.macro choose which
    fixed_entry \which
.endm

.macro policy_init
    fixed_init
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .space 32                       ; not used: memory is laid out alike under all policies but random and round-robin
.endm
