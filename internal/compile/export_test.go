package compile

import (
	"regexp"
	"strings"
)

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

// Refusal is a part of Go that has no translation, with a program that is refused.
type Refusal struct {
	Part, Program string
	says          *regexp.Regexp
}

// Says reports whether a message is this refusal.
func (r Refusal) Says(message string) bool { return r.says.MatchString(message) }

// Language returns all refusals.
func Language() (list []Refusal) {
	verb := regexp.MustCompile(`%(\\\[1\\\]|\\\[2\\\])?[sd]`)
	for _, r := range language {
		pattern := verb.ReplaceAllString(regexp.QuoteMeta(r.says+": "+r.write), `.+`)
		list = append(list, Refusal{r.part, r.program, regexp.MustCompile("^" + strings.ReplaceAll(pattern, " ", `\s`) + "$")})
	}
	return list
}
