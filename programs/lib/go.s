//go:build ignore

; What a program compiled from Go calls instances with. Include it after place.s.
;
;   call_go W, @GOT, NEW    asks the PE of call W (1 or 2) for an instance: a request to its system
;                           block NEW, which knows the node GOT, with one operand, where it sends
;                           the segment; uses r3, r5..r7
;   call_mlpe W, @GOT, NEW  the same; with MLPE a prefetched segment serves if there is one; uses
;                           also r8, r9, r11
;   seek_begin BACK         a request begins to look for room, or the block goes on at BACK; uses r3
;   seek_failed             it has found none on all PEs; uses r3, r4
;   divide_floats D, X, Y, A, B
;                           D = X / Y, rounded as IEEE 754 says; A and B are the words 48/17 and 32/17,
;                           with 31 bits behind the point; uses r3..r8

.macro call_go which, got, new
    choose  \which
    send.d  fp, r3, \new
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

; Requests that find no segment where the policy sends them go along the line of all PEs:
; own.seeks says how many may begin, own.full how many shall not.
.macro seek_begin otherwise
    ld      r3, r0, own.full
    bne     r3, r0, .full\@
    ld      r3, r0, own.seeks
    beq     r3, r0, \otherwise
    sub     r3, r3, 1
    st      r3, r0, own.seeks
    jmp     .go\@
.full\@:
    sub     r3, r3, 1
    st      r3, r0, own.full
    jmp     \otherwise
.go\@:
.endm

.macro seek_failed                       ; no PE has room: as many requests as there are PEs do not look for it
    ld      r3, r0, own.seeks
    add     r3, r3, 1
    st      r3, r0, own.seeks
    rds     r3, k
    add     r4, r3, 1
    shl     r3, r4, r3
    st      r3, r0, own.full
.endm

; The fractions are divided as whole numbers, to two bits more than a result has and a third
; that says whether anything is left, and rounded once. Newton's steps make of 48/17 - 32/17 d,
; which is nearly 1/d from 1/2 to 1, a reciprocal that is a little too small: by 2 in the last
; place at most, so that the quotient is right or 1 too small [measured for all divisors].
.macro divide_floats float_d, float_x, float_y, float_a, float_b
    float_parts \float_x, r3, r4, .float_odd\@
    float_parts \float_y, r5, r6, .float_odd\@
    sub     r4, r4, r6
    add     r4, r4, 127                  ; the exponent
    mov     r6, r3
    shr     r3, r3, 8
    bltu    r6, r5, .float_less\@
    jmp     .float_more\@
.float_less\@:
    shr     r3, r6, 7                    ; so that the quotient is from 1 on and less than 2
    sub     r4, r4, 1
.float_more\@:
    ld      r6, r0, \float_b
    mulhu   r6, r5, r6
    ld      r7, r0, \float_a
    sub     r6, r7, r6
    float_newton r6, r5
    float_newton r6, r5
    float_newton r6, r5
    shr     r5, r5, 8                    ; the divisor
    shl     r7, r3, 7
    mulhu   r6, r7, r6
    shr     r6, r6, 5                    ; the quotient
    shl     r3, r3, 25
    mul     r7, r6, r5
    sub     r3, r3, r7                   ; what is left
    bltu    r3, r5, .float_right\@
    add     r6, r6, 1
    sub     r3, r3, r5
.float_right\@:
    float_inexact r6, r3
    mov     r3, 1
    blt     r4, r3, .float_small\@
    jmp     .float_round\@
.float_small\@:                          ; fewer bits, down to none
    sub     r3, r3, r4
    mov     r4, 31
    blt     r3, r4, .float_some\@
    mov     r3, r4
.float_some\@:
    mov     r5, 32
    sub     r5, r5, r3
    shl     r5, r6, r5
    shr     r6, r6, r3
    float_inexact r6, r5
    mov     r4, 1
.float_round\@:
    mov     r3, 255
    shl     r5, r3, 23                   ; infinity
    blt     r4, r3, .float_fits\@
    jmp     .float_sign\@
.float_fits\@:
    shr     r5, r6, 2
    and     r5, r5, 1
    add     r5, r5, r6
    add     r5, r5, 1
    shr     r5, r5, 2                    ; to the nearest, and to even
    sub     r4, r4, 1
    shl     r4, r4, 23
    add     r5, r5, r4
.float_sign\@:
    xor     r3, \float_x, \float_y
    shr     r3, r3, 31
    shl     r3, r3, 31
    or      \float_d, r5, r3
    jmp     .float_end\@
.float_odd\@:                            ; a factor that makes of 0, infinity and NaN what the division would:
    mov     r3, \float_y
    shl     r4, r3, 9
    bne     r4, r0, .float_nan\@
    mov     r4, 255
    shl     r4, r4, 23
    xor     r3, r3, r4                   ; 0 and infinity change places
.float_nan\@:
    fmul    \float_d, \float_x, r3
.float_end\@:
.endm

.macro float_parts float_x, float_top, float_exp, float_odd ; the fraction, with its first bit at bit 31, and the exponent
    shl     \float_top, \float_x, 1
    shr     \float_top, \float_top, 1
    shr     \float_exp, \float_top, 23
    sub     r7, \float_exp, 1
    mov     r8, 254
    bltu    r7, r8, .float_normal\@
    bne     \float_exp, r0, \float_odd
    beq     \float_top, r0, \float_odd
    mov     r7, 151                      ; 2^24
    shl     r7, r7, 23
    fmul    \float_top, \float_top, r7
    shr     \float_exp, \float_top, 23
    sub     \float_exp, \float_exp, 24
.float_normal\@:
    mov     r7, 1
    shl     r7, r7, 31
    shl     \float_top, \float_top, 8
    or      \float_top, \float_top, r7
.endm

.macro float_newton float_y, float_top
    mulhu   r7, \float_top, \float_y
    xor     r7, r7, -1
    mulhu   \float_y, \float_y, r7
    shl     \float_y, \float_y, 1
.endm

.macro float_inexact float_f, float_rest ; bit 0 says whether anything is left
    sub     r7, r0, \float_rest
    or      r7, r7, \float_rest
    shr     r7, r7, 31
    or      \float_f, \float_f, r7
.endm
