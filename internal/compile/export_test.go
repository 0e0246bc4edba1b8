package compile

// Counted returns the text of a program and the counts of its translation: steps, instructions and blocks.
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

// Deepest returns how deeply a program may be nested.
func Deepest() int { return deepest() }
