//go:build ignore

; What a program compiled from Go calls instances with. Include it after place.s.
;
;   call_go W, @GOT, NEW    asks the PE of call W (1 or 2) for an instance: a request to its system
;                           block NEW. The node GOT, with one operand, gets the segment; uses r3..r7
;   call_mlpe W, @GOT, NEW  the same; with MLPE a prefetched segment serves if there is one; uses
;                           also r8, r9, r11
;   divide_floats D, X, Y, A, B
;                           D = X / Y, rounded as IEEE 754 says; A and B are the words 48/17 and 32/17,
;                           with 31 bits behind the point; uses r3..r9, r11

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

; The fractions are divided as whole numbers, to two bits more than a result has and a third
; that says whether anything is left, and rounded once. Newton's steps make of 48/17 - 32/17 d,
; which is nearly 1/d from 1/2 to 1, a reciprocal that is a little too small: by 2 in the last
; place at most, so that the quotient is right or 1 too small [measured for all divisors].
.macro divide_floats d, x, y, a, b
    float_parts \x, r3, r4, .odd\@
    float_parts \y, r5, r6, .odd\@
    sub     r4, r4, r6
    add     r4, r4, 127                  ; the exponent
    mov     r6, r3
    shr     r3, r3, 8
    bltu    r6, r5, .less\@
    jmp     .more\@
.less\@:
    shr     r3, r6, 7                    ; so that the quotient is from 1 on and less than 2
    sub     r4, r4, 1
.more\@:
    ld      r6, r0, \b
    mulhu   r6, r5, r6
    ld      r7, r0, \a
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
    bltu    r3, r5, .right\@
    add     r6, r6, 1
    sub     r3, r3, r5
.right\@:
    float_rest r6, r3
    mov     r3, 1
    blt     r4, r3, .small\@
    jmp     .round\@
.small\@:                                ; fewer bits, down to none
    sub     r3, r3, r4
    mov     r4, 31
    blt     r3, r4, .some\@
    mov     r3, r4
.some\@:
    mov     r5, 32
    sub     r5, r5, r3
    shl     r5, r6, r5
    shr     r6, r6, r3
    float_rest r6, r5
    mov     r4, 1
.round\@:
    mov     r3, 255
    shl     r5, r3, 23                   ; infinity
    blt     r4, r3, .fits\@
    jmp     .sign\@
.fits\@:
    shr     r5, r6, 2
    and     r5, r5, 1
    add     r5, r5, r6
    add     r5, r5, 1
    shr     r5, r5, 2                    ; to the nearest, and to even
    sub     r4, r4, 1
    shl     r4, r4, 23
    add     r5, r5, r4
.sign\@:
    xor     r3, \x, \y
    shr     r3, r3, 31
    shl     r3, r3, 31
    or      \d, r5, r3
    jmp     .end\@
.odd\@:                                  ; a factor that makes of 0, infinity and NaN what the division would:
    mov     r3, \y
    shl     r4, r3, 9
    bne     r4, r0, .nan\@
    mov     r4, 255
    shl     r4, r4, 23
    xor     r3, r3, r4                   ; 0 and infinity change places
.nan\@:
    fmul    \d, \x, r3
.end\@:
.endm

.macro float_parts x, top, exp, odd      ; the fraction, with its first bit at bit 31, and the exponent
    shl     \top, \x, 1
    shr     \top, \top, 1
    shr     \exp, \top, 23
    sub     r7, \exp, 1
    mov     r8, 254
    bltu    r7, r8, .normal\@
    bne     \exp, r0, \odd
    beq     \top, r0, \odd
    mov     r7, 151                      ; 2^24
    shl     r7, r7, 23
    fmul    \top, \top, r7
    shr     \exp, \top, 23
    sub     \exp, \exp, 24
.normal\@:
    mov     r7, 1
    shl     r7, r7, 31
    shl     \top, \top, 8
    or      \top, \top, r7
.endm

.macro float_newton y, top
    mulhu   r7, \top, \y
    xor     r7, r7, -1
    mulhu   \y, \y, r7
    shl     \y, \y, 1
.endm

.macro float_rest f, rest                ; bit 0 says whether anything is left
    sub     r7, r0, \rest
    or      r7, r7, \rest
    shr     r7, r7, 31
    or      \f, \f, r7
.endm
