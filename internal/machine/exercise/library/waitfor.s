.arg a, 0, 100000, first        ; the host sends a, then b
.arg b, 0, 100000, second       ; the packet with b starts the program

first:                          ; a
    st!     r1, r0, held

second:                         ; b
    getseg  r3, pair
    ld      r2, r0, held
    send.l  r2, r3, @pair.left  ; to each node its own number
    send.l! r1, r3, @pair.right

.template pair

.left:                          ; a, and b from the other
    send.r  r1, fp, @.right     ; too late: it begins when b has come
    add     r1, r1, r2
    send.l! r1, fp, @.sum

.right:                         ; b, and a from the other
    send.r  r1, fp, @.left      ; too late
    add     r1, r1, r2
    send.r! r1, fp, @.sum

.sum:                           ; a + b, twice
    add     r1, r1, r2
    relseg  fp
    out!    r1

.endtemplate

held: .space 1
