//go:build ignore

; What a program compiled from Go calls instances with. Include it after place.s.
;
;   call_go W, @GOT, NEW    asks the PE of call W (1 or 2) for an instance: a request to its system
;                           block NEW. The node GOT, with one operand, gets the segment; uses r3..r7
;   call_mlpe W, @GOT, NEW  the same; with MLPE a prefetched segment serves if there is one; uses
;                           also r8, r9, r11

.macro call_go which, got, new
    choose  \which
    cont.1  r4, fp, \got
    send.d  r4, r3, \new
.endm

.macro call_mlpe which, got, new
  .if mlpe != mlpe.off && which_mlpe == \which
    rds     r11, mlpe
    beq     r11, r0, .static\@
    search                               ; for the next call
    send.1  r11, fp, \got
    jmp     .done\@
.static\@:
    search_anew
  .endif
    call_go \which, \got, \new
  .if mlpe != mlpe.off && which_mlpe == \which
.done\@:
  .endif
.endm
