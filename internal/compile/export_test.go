package compile

// Counted is the text of a program, and what its translation counts: steps, instructions
// and pieces.
func Counted(src string, opt Options) (text string, steps, words, pieces int, err error) {
	c, text, err := fitted("p.go", []byte(src), opt)
	if err != nil {
		return "", 0, 0, 0, err
	}
	return text, c.meter.steps, c.meter.words, c.meter.pieces, nil
}

// Limits that DATAFLOW.md names.
const (
	SegmentWords = segmentWords
	StepLimit    = stepLimit
)

// Deepest is how deep a program may be nested.
func Deepest() int { return deepest() }
