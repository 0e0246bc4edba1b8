//go:build ignore

; The calls go to all PEs in turn, by number [003 §3.2].

.equ uses_random, 0

.macro last_entry d
    last_of_all \d
.endm

.macro choose which
    next_entry
.endm

.macro policy_init
    random_init                          ; not used: so that all four of these policies start alike
    table_of_all
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .perpe                          ; entries 0 .. N-1: all PEs
.endm
