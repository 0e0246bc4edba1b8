package compile

// Steps is what the translation of a program counts: steps, instructions and pieces.
func Steps(src string, opt Options) (steps, words, pieces int) {
	c, _, err := fitted("p.go", []byte(src), opt)
	if err != nil {
		return 0, 0, 0
	}
	return c.meter.steps, c.meter.words, c.meter.pieces
}

// Limits that DATAFLOW.md names.
const (
	SegmentWords = segmentWords
	StepLimit    = stepLimit
)

// Deepest is how deep a program may be nested.
func Deepest() int { return deepest() }
