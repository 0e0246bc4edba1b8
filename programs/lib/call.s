//go:build ignore

; Function calls [003 §3.1]: a request to the chosen PE, its answer with the
; segment of the new instance, two operands for the instance's node start (the
; argument, and the result's destination), one result. Include it after place.s.
;
;   caller              chosen PE          instance
;   call   --request--> new
;    |---argument-> got <--segment--+
;                    |-----argument, return-----> start
;   node <------------------result------------------+
;
;   call    W, GOT       ends a block: calls an instance on the PE of call W (1 or 2) with the
;                        argument r1; the node GOT gets the argument and the segment; uses r3..r9
;   ask     GOT, PE      ends a block: asks the PE, by default r3, for an instance; GOT gets its
;                        segment as the right operand; uses r4
;   request GOT, PE, SIDE  the same in the middle of a block, with a choice of the operand
;   enter   NODE, SIDE   in the block GOT: says where the result goes; uses r3. The block also
;                        sends the argument: send.l r1, r2, @start
;   begin   T, A         ends a block: the first instance, with the argument register A; uses r3, r4.
;                        Its result is the program's answer
;   first   A, SEGMENT   ends a block: the same with an instance that already exists; uses r4
;   call_blocks T        the system blocks: one serves requests for instances of T, the other gets
;                        the result of the first instance, and needs no segment for it

.macro call which, answer
    send.l  r1, fp, @\answer
  .if mlpe != mlpe.off && which_mlpe == \which
    rds     r3, mlpe                     ; a prefetched segment
    beq     r3, r0, .static\@
    search                               ; for the next call
    send.r! r3, fp, @\answer
.static\@:
    search_anew
  .endif
    choose  \which
    ask     \answer
.endm

.macro ask answer, pe=r3
    cont.r  r4, fp, @\answer
    send.d! r4, \pe, new
.endm

.macro request answer, pe=r3, side=r
    cont.\side r4, fp, @\answer
    send.d  r4, \pe, new
.endm

.macro enter node, side, entry=start
    cont.\side r3, fp, @\node
    send.r  r3, r2, @\entry
.endm

.macro begin template, arg
    getseg  r3, \template
    first   \arg, r3
.endm

.macro first arg, segment
    cont.d  r4, fp, answer
    send.l  \arg, \segment, @start
    send.r! r4, \segment, @start
.endm

.macro call_blocks template
answer:                                  ; the first instance's result
    out!    r1

new:                                     ; the answer's destination
    getseg  r3, \template
    send!   r3, r1, 0
.endm
