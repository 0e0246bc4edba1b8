; Keeps every unit of the machine busy at once: both arguments make [0,0] send
; a packet to every PE, each of which sends a packet to every PE, where it
; meets its partner, divides, allocates, and now and then tells the host.

.arg a, 1, 1000, main
.arg b, 1, 1000, main
.arg c, 1, 1000, found               ; more host packets, while [0,0] already sends
.arg d, 1, 1000, found
.arg e, 1, 1000, found
.arg f, 1, 1000, found
.init init

.macro everywhere block              ; a packet with r1 to the system block of every PE
    rds     r4, k
    rds     r5, gapos
    mov     r6, 1
    shl     r6, r6, r4               ; groups
    mov     r7, 0                    ; group
.group\@:
    mov     r8, 0                    ; member
.member\@:
    shl     r9, r7, r5
    shl     r10, r8, 18
    or      r9, r9, r10
    send.d  r1, r9, \block
    add     r8, r8, 1
    blt     r8, r4, .member\@
    beq     r8, r4, .member\@
    add     r7, r7, 1
    blt     r7, r6, .group\@
    nop!
.endm

.template pair
    .space  2
join:
    div     r3, r1, r2
    getstr  r4, 3
    st      r3, r4, 1
    relstr! r4
.endtemplate

init:
    getstr  r3, 5
    getstr  r4, 7
    getstr  r5, 2
    relstr  r4                       ; a hole of free words
    getseg  r6, pair
    st      r6, r0, segment
    wrs!    mlpe, r6

main:
    out     r1                       ; one behind the other: they meet the host's packets on the port
    out     r1
    out     r1
    everywhere flood
flood:
    mlpe    found
    everywhere sink
sink:
    ld      r3, r0, segment
    ld      r4, r0, parity
    xor     r4, r4, 1
    st      r4, r0, parity
    beq     r4, r0, .right
    send.l! r1, r3, @join
.right:
    out     r1
    send.r! r1, r3, @join
found:
    nop!

segment: .space 1
parity:  .space 1
