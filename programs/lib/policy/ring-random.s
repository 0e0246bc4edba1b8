//go:build ignore

; Each call goes to any PE of both circuits at random [003 §3.2].

.macro choose which
    random_entry
.endm

.macro policy_init
    random_init
    table_of_circuits
.endm

.macro policy_blocks
.endm

.macro policy_data
table:   .space 32                       ; the 2k other PEs of both circuits
.endm
