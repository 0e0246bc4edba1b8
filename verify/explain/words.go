package explain

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"emsim/verify"
)

//go:embed words.csv
var wordsCSV string

// Words is what a paper says about a row.
type Words struct {
	Where    string `json:"where"`    // section, table or figure; "" means the whole paper
	Original string `json:"original"` // as the text copy has it; "" if the paper says nothing
	English  string `json:"english"`  // our translation, or why there are no words
}

// words maps ids, or beginnings of ids, to the lines of words.csv about them.
var words = sync.OnceValues(func() (map[string]Words, error) {
	lines, err := verify.Table(wordsCSV)
	if err != nil {
		return nil, fmt.Errorf("explain: words.csv: %w", err)
	}
	list := map[string]Words{}
	for _, l := range lines[1:] {
		for id := range strings.FieldsSeq(l[0]) {
			if _, twice := list[id]; twice {
				return nil, fmt.Errorf("explain: words.csv has %s twice", id)
			}
			list[id] = Words{l[1], l[2], l[3]}
		}
	}
	return list, nil
})

// wordsOf returns the words for the longest beginning of a row's id that has some.
func wordsOf(id string) (Words, error) {
	list, err := words()
	if err != nil {
		return Words{}, err
	}
	for n := len(id); n > 0; n-- {
		if w, ok := list[id[:n]]; ok {
			return w, nil
		}
	}
	return Words{}, fmt.Errorf("explain: words.csv has no line for %s", id)
}
