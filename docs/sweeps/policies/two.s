; two.s: two choices by asking. Every call asks two PEs of the circuits, drawn at random, for
; their load, and goes itself to the better one of those that the last call asked: the answers
; would come too late for the call that asks. A question and its answer are a packet each.

.macro choose which
    rds   r7, pe
    random_entry
    send.d r7, r3, my_asked
    random_entry
    send.d r7, r3, my_asked
    ld    r3, r0, my_best
    mov   r5, 15
    st    r5, r0, my_load       ; any answer is better than what is known
.endm

.macro policy_init
    random_init
    rds   r5, pe
    st    r5, r0, my_best
    table_of_circuits
.endm

.macro policy_blocks
my_asked:                       ; who asks
    rds   r3, load
    rds   r4, pe
    add   r3, r3, r4            ; both in a word: a PE has 0 in the lower bits
    send.d! r3, r1, my_answer

my_answer:                      ; a PE, and its load
    and   r3, r1, 15
    ld    r4, r0, my_load
    blt   r4, r3, .worse
    st    r3, r0, my_load
    sub   r1, r1, r3
    st    r1, r0, my_best
.worse:
    nop!
.endm

.macro policy_data
my_best: .space 1
my_load: .space 1
table:   .space 32
.endm
