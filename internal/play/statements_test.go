package play

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// numbers matches the numbers in a text, and quantities also the words for quantities.
var (
	numbers    = regexp.MustCompile(`\[\d+,\d+\](?:\.\d+)?|\d[\d,]*(?:\.\d+)?`)
	quantities = regexp.MustCompile(`(?i)\d|\{at\}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|hundreds?|thousands?|none|(?:all|no) PEs?|the others)\b`)
	tag        = regexp.MustCompile(`<[^>]*>`)
	unclaimed  = regexp.MustCompile(`(?s)<figure.*?</figure>|<(?:code|kbd|i|sup)>.*?</(?:code|kbd|i|sup)>`)
)

// ends matches the ends of paragraphs, and stops the ends of sentences.
var (
	ends  = regexp.MustCompile(`</(?:p|li|td|th|h3)>`)
	stops = regexp.MustCompile(`([.:;?!]) `)
)

// marked matches a statement of a text: an element with data-holds, its condition, or with data-source, the place in a
// paper.
var marked = regexp.MustCompile(`(?s)<(a|span)\b((?:[^>"]|"[^"]*")*\bdata-(?:holds|source)="[^"]*"(?:[^>"]|"[^"]*")*)>(.*?)</(?:a|span)>`)

// statement is a marked element of a text.
type statement struct {
	words      string
	attributes map[string]string
}

// statements returns the statements of a text, and the sentences with numbers outside statements.
func statements(text string) (list []statement, bare []string) {
	rest := marked.ReplaceAllStringFunc(text, func(element string) string {
		m := marked.FindStringSubmatch(element)
		x := statement{
			html.UnescapeString(tag.ReplaceAllString(unclaimed.ReplaceAllString(m[3], ""), "")),
			map[string]string{},
		}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			x.attributes[a[1]] = html.UnescapeString(a[2])
		}
		list = append(list, x)
		return " "
	})
	rest = html.UnescapeString(tag.ReplaceAllString(ends.ReplaceAllString(unclaimed.ReplaceAllString(rest, " "), "\n"),
		""))
	for sentence := range strings.SplitSeq(stops.ReplaceAllString(rest, "$1\n"), "\n") {
		if quantities.MatchString(names.ReplaceAllString(sentence, "")) {
			bare = append(bare, strings.TrimSpace(sentence))
		}
	}
	return list, bare
}

// source matches a section, table or figure of a paper.
var source = regexp.MustCompile(`^\d{3} (?:§|table |figure )\d`)

// check returns an error if a statement of a lesson does not hold.
func (x *statement) check(t *testing.T, base engine.Setup) error {
	t.Helper()
	a := x.attributes
	if at, ok := a["source"]; ok {
		if !source.MatchString(at) {
			return fmt.Errorf("%q is no place in a paper", at)
		}
		return nil
	}
	for _, n := range numbers.FindAllString(x.words, -1) {
		if n[0] != '[' {
			n = strings.TrimRight(strings.ReplaceAll(n, ",", ""), ".")
		}
		if !strings.Contains(a["holds"], n) {
			return fmt.Errorf("the condition says nothing of %s", n)
		}
	}
	var vs *engine.Setup
	if a["vs"] != "" {
		s := with(t, with(t, base, a["run"]), a["vs"])
		vs = &s
	}
	c := openClaim(t, own(with(t, base, a["run"])), vs)
	clock, timed := a["clock"]
	at := -1
	if timed {
		at, _ = strconv.Atoi(clock)
	}
	if yes, err := c.at(t, at).holds(a["holds"]); err != nil || !yes {
		return fmt.Errorf("%s at clock %d: %v %v", a["holds"], at, yes, err)
	}
	if !strings.Contains(strings.ToLower(x.words), "at clock {at}") {
		return nil
	}
	if yes, err := c.at(t, at-1).holds(a["holds"]); err != nil || yes {
		return fmt.Errorf("%s holds one clock before %d already: %v %v", a["holds"], at, yes, err)
	}
	return nil
}

// Every sentence of a lesson with a clock, a PE, a packet or a number has a condition with this number, which holds on
// the machine. If it begins to hold "at" a clock, it did not hold one clock before.
func TestLessonsAreTrue(t *testing.T) {
	for _, l := range allLessons(t) {
		text, err := lessons.ReadFile("lessons/" + l.File + ".html")
		require.NoError(t, err)
		list, bare := statements(string(text))
		for _, x := range bare {
			t.Errorf("%s: a number without a condition: %s", l.File, x)
		}
		for _, x := range list {
			if err := x.check(t, l.Setup); err != nil {
				t.Errorf("%s: %q: %v", l.File, x.words, err)
			}
		}
	}
}
