package compile

// Steps is what the translation of a program counts: steps, instructions and pieces.
func Steps(src string, opt Options) (steps, words, pieces int) {
	c, err := lowered("p.go", []byte(src), opt)
	if err != nil {
		return 0, 0, 0
	}
	_, _ = c.emitProgram()
	return c.meter.steps, c.meter.words, c.meter.pieces
}
