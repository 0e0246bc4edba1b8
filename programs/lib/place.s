//go:build ignore

; Where the next call goes: the policies, and MLPE of [003 §4.1]. A policy is a file:
; one of the six in lib/policy [003 §3.2], or one of your own (docs/POLICY.md). Every
; program that calls functions includes this file first and writes
;
;   choose  W           the PE of call W (1 or 2) into r3; uses r5..r7; the policy's
;   search              a search for the least load; uses r7..r9
;   search_anew         the same if there was no prefetched segment and none is on its way; uses r5..r9
;   place_init          in the init block: what the policy needs
;   place_search        ends the init block: the first search
;   place_blocks T      the system blocks; MLPE prefetches instances of template T, as the block reserve does
;   place_data          the variables of a PE
;
; [calibrated]: the value that fib was calibrated with; [remedy]: what the paper leaves for the future.

.param policy, ring, random, round-robin, ring-random, ring-round-robin, line, "*.s" ; where calls go [003 §3.2]
.param mlpe, off, on, software           ; software: the software search of [003 §4.1]
.param software_tie, inclusive, strict   ; of equal loads the software search takes the PE that it comes to, or keeps the one before: as the machine's mlpe_tie
.param ring_first, out, in               ; where ring sends call 1 [calibrated]
.param ring_table, circuits, next        ; ring-random and ring-round-robin: all 2k PEs of the circuits, or the two next ones [calibrated]
.param line_first, near, far             ; where line sends call 1: to the next PE, or to the next but one [calibrated]
.param line_path, hamilton, numbered     ; the line's order: along the network's links, or by number
.param pe_number, constant, variable     ; ring and line have their PEs in the code, where the loader has put them [003 §3.2], or in memory
.param table_order, round, numbered      ; random and round-robin: after the last member of a group comes its first one [003 §3.2], or the next group's
.param mlpe_start, filled, empty         ; the prefetch register at the start [calibrated]
.param mlpe_call, first, second          ; the call that uses MLPE [calibrated]
.param mlpe_when, before, call            ; the search before the call that uses it, or at the call, which [003 §4.1] argues against: in fib
.param registers, one, all               ; prefetch registers in use: one, or all that the PE has [remedy 003 §5]
.param mlpe_fill, block, register        ; how the segment that a search finds gets into the prefetch register: by a block of its own, or as it arrives, past all that waits [variant]
.param mlpe_reach, near, far             ; far: the PE found continues the search from there, for the requester [remedy 003 §5]

.equ which_mlpe, 1 + mlpe_call           ; first: 1, second: 2
.equ prefetch_register, 0x3ffff          ; a packet for this code address fills the register mlpe

; The policy: its macros choose, policy_init, policy_blocks and policy_data.
.include policy

; A search for the least loaded PE among those that an MLPE packet passes; its
; answer goes to found. The answers for one PE arrive in order; with far, a ring
; of words says whom each one is for.
.macro search
  .if mlpe_when == mlpe_when.call
    .error "this program does not search at the call: choose mlpe_when=before"
  .endif
  .if mlpe_reach == mlpe_reach.far
    rds     r7, pe
    search_for r7
  .else
    round_trip
  .endif
.endm

.macro search_for who                    ; uses r7..r9
    ld      r8, r0, newest
    st      \who, r8, askers
    add     r8, r8, 1
    and     r8, r8, most_askers - 1
    st      r8, r0, newest
    round_trip
.endm

.if mlpe_when == mlpe_when.call
.equ most_askers, 8192                   ; one for each operand segment of a PE
.else
.equ most_askers, 512                    ; room for 8 from each of the 2k others on both circuits, and 8 of its own, for every k
.endif

.macro search_anew
    ld      r5, r0, asked                ; is a search under way?
  .if registers == registers.one
    bne     r5, r0, .asked\@
    mov     r5, 1
  .else
    rds     r6, prefetch                 ; as many as there are registers?
    beq     r5, r6, .asked\@
    add     r5, r5, 1
  .endif
    st      r5, r0, asked
    search
.asked\@:
.endm

.macro search_at_call answer             ; asks the PE of the least load for an instance: the node ANSWER gets its segment; uses r4..r9
    cont.r  r4, fp, @\answer
    ld      r8, r0, newest
    st      r4, r8, askers
    add     r8, r8, 1
    and     r8, r8, most_askers - 1
    st      r8, r0, newest
    round_trip
.endm

.macro round_trip
  .if mlpe == mlpe.on
    mlpe    found
  .else
    rds     r7, load                     ; [GA,CA] | PEs left to ask << 4 | load
    rds     r8, pe
    or      r7, r7, r8
    ld      r8, r0, round
    or      r7, r7, r8
    movpe   r9, out, 1
    send.d  r7, r9, probe
  .endif
.endm

.macro choose_mlpe                       ; where the policy sends the call that MLPE places
  .if mlpe_call == mlpe_call.first
    choose  1
  .else
    choose  2
  .endif
.endm

.macro place_blocks template, reserve=reserve
    policy_blocks
.if mlpe == mlpe.software
probe:                                   ; does in software what an MLPE packet does in the switch
    rds     r3, load
    and     r4, r1, 15
  .if software_tie == software_tie.strict
    sub     r4, r4, 1
  .endif
    blt     r4, r3, .on                  ; the PE found before has less to do
    and     r4, r1, 0x1f0
    rds     r1, pe
    or      r1, r1, r4
    or      r1, r1, r3
.on:
    sub     r1, r1, 16
    movpe   r5, out, 1
    and     r4, r1, 0x1f0
    beq     r4, r0, .home
    send.d! r1, r5, probe
.home:
    send.d! r1, r5, found
.endif

.if mlpe != mlpe.off && mlpe_when == mlpe_when.call
found:                                   ; the PE of the least load, and that load
    ld      r5, r0, oldest
    ld      r4, r5, askers
    add     r5, r5, 1
    and     r5, r5, most_askers - 1
    st      r5, r0, oldest
    and     r3, r1, 15
    mov     r5, 15
    beq     r3, r5, .nobody
    send.d! r4, r1, new
.nobody:                                 ; no PE has room: where the policy says
    choose_mlpe
    send.d! r4, r3, new
.elif mlpe != mlpe.off
found:                                   ; the PE of the least load, and that load
  .if mlpe_reach == mlpe_reach.far
    ld      r5, r0, oldest
    ld      r4, r5, askers
    add     r5, r5, 1
    and     r5, r5, most_askers - 1
    st      r5, r0, oldest
    and     r3, r1, 15
    mov     r5, 15
    beq     r3, r5, .nobody
    and     r3, r4, 1
    bne     r3, r0, .ask
    or      r4, r4, 1                    ; the second step
    send.d! r4, r1, search_on
.ask:
    send.d! r4, r1, \reserve
.nobody:
    send.d! r0, r4, nobody

search_on:                               ; who asks
    search_for r1
    nop!
  .else
    and     r3, r1, 15
    mov     r4, 15
    beq     r3, r4, nobody
    rds     r4, pe
    send.d! r4, r1, \reserve
  .endif

nobody:                                  ; no PE has room: the next call goes where the policy says, and searches again
    choose_mlpe
    rds     r4, pe
    send.d! r4, r3, \reserve

reserve:                                 ; who asks
    getseg  r3, \template
  .if mlpe_fill == mlpe_fill.register
    send.d! r3, r1, prefetch_register
  .else
    send.d! r3, r1, fill_mlpe

fill_mlpe:                               ; the prefetched segment
    wrs!    mlpe, r1
  .endif
.endif
.endm

; ---------------------------------------------------------------------------
; In the init block: r4 = k, r14 = position of GA in a continuation. All others
; are used.

.macro pack d, g, c                      ; d = PE [g,c]; uses r9, r10
    shl     r9, \g, r14
    shl     r10, \c, 18
    or      \d, r9, r10
.endm

.macro member c                          ; the next column
    beq     \c, r4, .wrap\@
    add     \c, \c, 1
    jmp     .on\@
.wrap\@:
    mov     \c, 0
.on\@:
.endm

.macro outgroup g, c                     ; [g,c] = the PE at the end of its out-of-group link
    sub     r9, r4, \c
    mov     r10, 1
    shl     r9, r10, r9                  ; 2^(k-c)
    shr     r10, r9, 1
    xor     r9, r9, r10
    mov     r10, 1
    shl     r10, r10, r4
    sub     r10, r10, 1
    and     r9, r9, r10                  ; the bits that the link flips
    xor     \g, \g, r9
    member  \c
.endm

; ---------------------------------------------------------------------------
; Random words, and tables of PEs.

.macro random_word                       ; r5 = the PE's next random word
    ld    r5, r0, seed                   ; x = 69069 x + 1, the same sequence in every PE
    mul   r5, r5, 69069
    add   r5, r5, 1
    st    r5, r0, seed
.endm

.macro random_entry                      ; r3 = an entry of the table; uses r5, r6
    random_word
    ld    r6, r0, entries
    mulhu r5, r5, r6                     ; 0 .. entries-1
    ld    r3, r5, table
.endm

.macro next_entry                        ; r3 = the entry whose turn it is; uses r5, r6
    last_entry r6                        ; a constant: 1 clock, and 8 more [003 §3.2]
    ld    r5, r0, index
    ld    r3, r5, table
    add   r5, r5, 1
    bne   r3, r6, .ok\@
    mov   r5, 0
.ok\@:
    st    r5, r0, index
.endm

.macro random_init                       ; the first random word; uses r5
    rds     r5, seed
    st      r5, r0, seed
.endm

.macro last_of_all d                     ; d = the last PE of table_of_all
  .if table_order == table_order.round
    movpe   \d, all, -1
  .else
    movpe   \d, number, -1
  .endif
.endm

.macro table_of_all                      ; all PEs from the own one on; uses r1, r2, r5, r7..r10
    add     r7, r4, 1
    shl     r7, r7, r4
    st      r7, r0, entries
    mov     r7, 0
    mov     r5, 0                        ; the member with which the next group begins
  .if table_order == table_order.round
    mov     r5, r2
  .endif
.fill\@:
    pack    r8, r1, r2
    st      r8, r7, table
    add     r7, r7, 1
    member  r2
    bne     r2, r5, .same\@
    mov     r9, 1                        ; the next group
    shl     r9, r9, r4
    sub     r9, r9, 1
    add     r1, r1, 1
    and     r1, r1, r9
.same\@:
    ld      r9, r0, entries
    bne     r7, r9, .fill\@
.endm

.macro last_of_circuits d                ; d = the last PE of table_of_circuits
  .if ring_table == ring_table.circuits
    movpe   \d, out, -1
  .else
    movpe   \d, out, 1
  .endif
.endm

.macro table_of_circuits                 ; the 2k others of both circuits, in turn; uses r1, r2, r5..r10
    mov     r7, 2                        ; or the two next PEs
  .if ring_table == ring_table.circuits
    shl     r7, r4, 1
  .endif
    st      r7, r0, entries
    mov     r7, 0
    mov     r5, r1
    mov     r6, r2
.fill\@:
    member  r2
    pack    r8, r1, r2
    st      r8, r7, table
    outgroup r5, r6
    pack    r8, r5, r6
    st      r8, r7, table + 1
    add     r7, r7, 2
    ld      r9, r0, entries
    bne     r7, r9, .fill\@
.endm

; ---------------------------------------------------------------------------
; PEs that never change: the policy's macro neighbour gives that of a call.

.macro fixed_entry which                 ; r3 = the PE of call W
  .if pe_number == pe_number.constant
    neighbour r3, \which
  .else
    ld    r3, r0, next\which
  .endif
.endm

.macro fixed_init                        ; uses r7
  .if pe_number == pe_number.variable
    neighbour r7, 1
    st      r7, r0, next1
    neighbour r7, 2
    st      r7, r0, next2
  .endif
.endm

; ---------------------------------------------------------------------------

.macro place_init
    rds     r1, ga
    rds     r2, ca
    rds     r4, k
    rds     r14, gapos
    policy_init
  .if mlpe == mlpe.software
    shl     r7, r4, 4
    st      r7, r0, round                ; k others are asked
  .endif
.endm

.macro place_search
  .if mlpe_when == mlpe_when.call
    nop!
  .elif mlpe != mlpe.off && mlpe_start == mlpe_start.filled && registers == registers.all
    rds     r5, prefetch                 ; the registers are full at the start
    st      r5, r0, asked
.again:
    search
    sub     r5, r5, 1
    bne     r5, r0, .again
    nop!
  .elif mlpe != mlpe.off && mlpe_start == mlpe_start.filled
    search                               ; the register is full at the start
    mov     r5, 1
    st!     r5, r0, asked
  .else
    nop!
  .endif
.endm

; ---------------------------------------------------------------------------

.macro place_data
next1:   .space 1                        ; the PE of call 1
next2:   .space 1                        ; the PE of call 2
seed:    .space 1                        ; the last random word
entries: .space 1                        ; in the table
asked:   .space 1                        ; searches that are on their way or whose segments are here
.if mlpe_reach == mlpe_reach.far || mlpe_when == mlpe_when.call
askers:  .space most_askers              ; for whom the searches are; odd: the second step
newest:  .space 1                        ; where the next one comes
oldest:  .space 1                        ; that of the search that comes back next
.endif
round:   .space 1                        ; k << 4
index:   .space 1                        ; of the next entry
    policy_data
.endm
