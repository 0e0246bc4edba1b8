//go:build ignore

; Each call goes to any PE at random [003 §3.2].

.macro choose which
    random_entry
.endm

.macro policy_init
    random_init
    table_of_all
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .perpe                          ; entries 0 .. N-1: all PEs
.endm
