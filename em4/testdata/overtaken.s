; On 80 PEs: [0,4] and [2,4] send `packets` packets each to [0,1], and [8,0] to [0,2]. [0,0] starts them, waits n turns and sends one
; packet to [0,2]. The answer is the clocks that this packet takes. The answer
; itself, the word to the host, is overtaken at [0,4] until the streams have ended.
.param packets = 250, 1, 100000
.arg n, 1, 100000, start
start:  mov  r2, 1
        shl  r2, r2, 18                 ; [0,1]
        shl  r3, r2, 1                  ; [0,2]
        shl  r4, r2, 2                  ; [0,4]
        mov  r6, 2
        shl  r6, r6, 21
        add  r6, r6, r4                 ; [2,4]
        mov  r8, 8
        shl  r8, r8, 21                 ; [8,0]
        send.d r2, r4, stream           ; [0,4] -> [0,1]
        send.d r2, r6, stream           ; [2,4] -> [0,1]
        send.d r3, r8, stream           ; [8,0] -> [0,2]
wait:   sub  r1, r1, 1
        bne  r1, r0, wait
        add r9, r9, 1
        add r9, r9, 1
        add r9, r9, 1
        rds  r2, clock
        send.d! r2, r3, timed
stream: mov  r5, packets
going:  send.d r0, r1, sink
        sub  r5, r5, 1
        bne! r5, r0, going
timed:  rds  r2, clock
        sub  r2, r2, r1
        out! r2
sink:   or!  r0, r0, r0
