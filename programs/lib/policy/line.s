//go:build ignore

; All PEs in a line; the calls go to the next two [003 §3.2].

.macro neighbour d, which
  .equ    line_steps\@, 2 - ((\which == 1) == (line_first == line_first.near))
  .if line_path == line_path.hamilton
    movpe \d, line, line_steps\@
  .else
    movpe \d, number, line_steps\@
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
