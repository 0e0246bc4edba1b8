package isa

// The opcodes.
const (
	ADD Op = iota
	SUB
	MUL
	MULHU
	DIV
	REM
	AND
	OR
	XOR
	SHL
	SHR
	SAR
	FADD
	FSUB
	FMUL
	ITOF
	BEQ
	BNE
	BLT
	BLTU
	FBLT
	LD
	ST
	SEND
	OUT
	CONT
	MLPE
	GETSEG
	RELSEG
	GETSTR
	RELSTR
	RDS
	WRS
	MOVPE
)

// The sources of rows.
const (
	srcRISC = "[P] about 26 RISC-like instructions; name and code chosen"
	srcOurs = "[C] chosen"
	srcMLPE = "[003 §4.1]"

	srcConstant = "[003 §3.2]: a fixed PE's number is read as a constant"
)

// Table has one row for each instruction. Every instruction takes one clock of the memory port for its fetch, and Mem +
// Extra further clocks. An instruction that sends takes at least one clock more, for the packet's second word.
var Table = [...]Row{
	ADD:    {Name: "add", Operands: "das", Class: ClassALU, Eval: evalAdd, Source: srcRISC, Doc: "rd = ra + s"},
	SUB:    {Name: "sub", Operands: "das", Class: ClassALU, Eval: evalSub, Source: srcRISC, Doc: "rd = ra - s"},
	MUL:    {Name: "mul", Operands: "das", Class: ClassALU, Extra: 1, Eval: evalMul, Source: srcRISC, Assumed: true, Doc: "rd = low word of ra * s"},
	MULHU:  {Name: "mulhu", Operands: "das", Class: ClassALU, Extra: 1, Eval: evalMulhu, Source: srcOurs, Assumed: true, Doc: "rd = high word of the unsigned product ra * s"},
	DIV:    {Name: "div", Operands: "das", Class: ClassALU, Extra: 31, Eval: evalDiv, Source: srcRISC, Assumed: true, Doc: "rd = ra / s, signed, towards zero; -1 when s is 0"},
	REM:    {Name: "rem", Operands: "das", Class: ClassALU, Extra: 31, Eval: evalRem, Source: srcOurs, Assumed: true, Doc: "rd = remainder of ra / s, with the sign of ra; ra when s is 0"},
	AND:    {Name: "and", Operands: "das", Class: ClassALU, Eval: evalAnd, Source: srcRISC, Doc: "rd = ra and s"},
	OR:     {Name: "or", Operands: "das", Class: ClassALU, Eval: evalOr, Source: srcRISC, Doc: "rd = ra or s"},
	XOR:    {Name: "xor", Operands: "das", Class: ClassALU, Eval: evalXor, Source: srcRISC, Doc: "rd = ra exclusive or s"},
	SHL:    {Name: "shl", Operands: "das", Class: ClassALU, Eval: evalShl, Source: srcRISC, Doc: "rd = ra shifted left by the low bits of s"},
	SHR:    {Name: "shr", Operands: "das", Class: ClassALU, Eval: evalShr, Source: srcRISC, Doc: "rd = ra shifted right by the low bits of s, filled with zeros"},
	SAR:    {Name: "sar", Operands: "das", Class: ClassALU, Eval: evalSar, Source: srcOurs, Doc: "rd = ra shifted right by the low bits of s, filled with the sign bit"},
	FADD:   {Name: "fadd", Operands: "dab", Class: ClassALU, Extra: 2, Eval: evalFadd, Source: srcOurs, Assumed: true, Doc: "rd = ra + rb, single precision"},
	FSUB:   {Name: "fsub", Operands: "dab", Class: ClassALU, Extra: 2, Eval: evalFsub, Source: srcOurs, Assumed: true, Doc: "rd = ra - rb, single precision"},
	FMUL:   {Name: "fmul", Operands: "dab", Class: ClassALU, Extra: 2, Eval: evalFmul, Source: srcOurs, Assumed: true, Doc: "rd = ra * rb, single precision"},
	ITOF:   {Name: "itof", Operands: "da", Class: ClassALU, Extra: 2, Eval: evalItof, Source: srcOurs, Assumed: true, Doc: "rd = the signed integer ra as single precision"},
	BEQ:    {Name: "beq", Operands: "abx", Class: ClassBranch, Eval: evalBeq, Source: srcRISC, Doc: "go to x when ra = rb"},
	BNE:    {Name: "bne", Operands: "abx", Class: ClassBranch, Eval: evalBne, Source: srcRISC, Doc: "go to x when ra is not rb"},
	BLT:    {Name: "blt", Operands: "abx", Class: ClassBranch, Eval: evalBlt, Source: srcRISC, Doc: "go to x when ra < rb, signed"},
	BLTU:   {Name: "bltu", Operands: "abx", Class: ClassBranch, Eval: evalBltu, Source: srcOurs, Doc: "go to x when ra < rb, unsigned"},
	FBLT:   {Name: "fblt", Operands: "abx", Class: ClassBranch, Extra: 2, Eval: evalFblt, Source: srcOurs, Assumed: true, Doc: "go to x when ra < rb, single precision"},
	LD:     {Name: "ld", Operands: "dai", Class: ClassLoad, Mem: 1, Source: srcRISC, Doc: "rd = memory word at the address bits of ra, plus i"},
	ST:     {Name: "st", Operands: "bai", Class: ClassStore, Mem: 1, Source: srcRISC, Doc: "memory word at the address bits of ra, plus i, = rb"},
	SEND:   {Name: "send", Operands: "bai", Forms: FieldD, Class: ClassSend, Source: srcRISC, Doc: "send a packet with rb to the node at continuation ra plus displacement i; .d: to the system block at code address i of ra's PE"},
	OUT:    {Name: "out", Operands: "b", Class: ClassSend, Source: srcOurs, Doc: "send a packet with rb to the host"},
	CONT:   {Name: "cont", Operands: "dai", Forms: FieldB, Class: ClassCont, Source: srcRISC, Doc: "rd = continuation ra plus displacement i, with the suffix's matching condition; .d: the system block at code address i of ra's PE; a send of the result to it is in direct mode"},
	MLPE:   {Name: "mlpe", Operands: "x", Class: ClassSend, Source: srcMLPE, Doc: "send an MLPE packet round the reverse circuit; when it returns, it starts the system block at x with [GA,CA] of the least load, and that load in the address bits"},
	GETSEG: {Name: "getseg", Operands: "ds", Class: ClassSegment, Mem: 1, Source: srcOurs, Assumed: true, Doc: "rd = continuation of a free operand segment, whose word 0 now names template segment s"},
	RELSEG: {Name: "relseg", Operands: "a", Class: ClassSegment, Mem: 1, Source: srcOurs, Assumed: true, Doc: "release the operand segment at ra's address bits"},
	GETSTR: {Name: "getstr", Operands: "ds", Class: ClassSegment, Mem: 2, Source: srcOurs, Assumed: true, Doc: "rd = continuation of s free consecutive words of structure memory"},
	RELSTR: {Name: "relstr", Operands: "a", Class: ClassSegment, Mem: 2, Source: srcOurs, Assumed: true, Doc: "release the structure memory that starts at ra's address bits"},
	RDS:    {Name: "rds", Operands: "dm", Class: ClassSpecial, Source: srcOurs, Doc: "rd = special register m"},
	WRS:    {Name: "wrs", Operands: "ma", Class: ClassSpecial, Source: srcMLPE, Doc: "special register m = ra; only mlpe can be written"},
	MOVPE:  {Name: "movpe", Operands: "don", Class: ClassConstant, Source: srcConstant, Doc: "rd = the PE that is n steps away in the order o, as a continuation with address 0; the loader has put its number into the word"},
}
