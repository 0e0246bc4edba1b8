//go:build ignore

; Function calls without separate blocks [remedy 003 §4.2: larger strongly
; connected blocks]: the block that knows the argument makes the call and goes
; on; the argument waits in the operand segment, not in a packet. Include it
; after call.s.
;
;   caller                 chosen PE          instance
;   block --request------> new
;   got   <--segment-------+
;    |-------------------argument, return-----> start
;   node <------------------result---------------+
;
;   call_here W, NODE, SIDE  calls an instance on the PE of call W (1 or 2) with the argument r10;
;                            its result goes to NODE as the operand SIDE; uses r3..r9, r11
;   got_here W, NODE, SIDE   the node got W, which gets the segment of call W
;   calls_here               after the nodes: where the arguments wait

.macro call_here which, node, side
  .if mlpe != mlpe.off && which_mlpe == \which
    rds     r11, mlpe
    beq     r11, r0, .static\@
    search                               ; for the next call
    cont.\side r3, fp, @\node
    send.l  r10, r11, @start
    send.r  r3, r11, @start
    jmp     .done\@
.static\@:
    search_anew
  .endif
    choose  \which
    st      r10, fp, @argument\which
    request got\which, r3, 1
.done\@:
.endm

.macro got_here which, node, side
got\which:                               ; the child's segment
    ld      r3, fp, @argument\which
    send.l  r3, r1, @start
    cont.\side r3, fp, @\node
    send.r! r3, r1, @start
.endm

.macro calls_here
argument1: .space 1
argument2: .space 1
    .assert @argument2 < 64, "a node lies outside of the operand segment"
.endm
