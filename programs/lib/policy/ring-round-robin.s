//go:build ignore

; The calls go to the PEs of both circuits in turn [003 §3.2].

.equ uses_random, 0

.macro last_entry d
    last_of_circuits \d
.endm

.macro choose which
    next_entry
.endm

.macro policy_init
    random_init                          ; not used: so that all four of these policies start alike
    table_of_circuits
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .space 32                       ; the 2k other PEs of both circuits
.endm
