package compile_test

// more uses a result otherwise than as a term of a sum, perhaps with values of the iteration.
func (w *writer) more(t int, sum, op, call string) {
	y, z := w.name("y"), w.name("z")
	switch w.IntN(6) {
	case 0:
		w.line("%s %s= 3 * %s", sum, op, call)
	case 1:
		w.line("%s %s= %s - %s", sum, op, call, w.expr(t, 1))
	case 2:
		w.line("if (%s) > 5 {", call)
		w.line("\t%s%s", sum, w.pick("++", "--"))
		w.line("}")
	case 3:
		w.line("if %s := (%s); %[1]s %[3]s %[4]s {", y, call, w.pick("<", ">", "<=", ">="), sum)
		w.line("\t%s = %s", sum, y)
		w.line("}")
	case 4:
		w.line("%s := %s", y, call)
		w.line("%s := %s ^ %s", z, y, w.literal(t))
		w.line("if %s&1 == 0 && %s {", y, w.cond(1))
		w.line("\t%s %s= %s", sum, op, z)
		w.line("} else if %s < 9 {", y)
		w.line("\t%s++", z)
		w.line("\t%s %s= %s * %s", sum, op, z, y)
		w.line("}")
	default:
		w.line("if %s := (%s); %s < %[1]s {", y, call, w.expr(t, 0))
		w.line("\t%s %s= %s / 3", sum, op, y)
		w.line("}")
	}
}
