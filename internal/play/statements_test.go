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

// The names of numbers in a text, and words that say of how many something holds.
var (
	numbers    = regexp.MustCompile(`\[\d+,\d+\](?:\.\d+)?|\d[\d,]*(?:\.\d+)?`)
	quantities = regexp.MustCompile(`(?i)\d|\{at\}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|hundreds?|thousands?|none|(?:all|no) PEs?|the others)\b`)
	tag        = regexp.MustCompile(`<[^>]*>`)
	unclaimed  = regexp.MustCompile(`(?s)<figure.*?</figure>|<(?:code|kbd|i|sup)>.*?</(?:code|kbd|i|sup)>`)
)

// ends and stops are the ends of paragraphs and of sentences.
var (
	ends  = regexp.MustCompile(`</(?:p|li|td|th|h3)>`)
	stops = regexp.MustCompile(`([.:;?!]) `)
)

// marked is a statement of a text: an element with data-holds, its condition, or with
// data-source, where a paper says so.
var marked = regexp.MustCompile(`(?s)<(a|span)\b((?:[^>"]|"[^"]*")*\bdata-(?:holds|source)="[^"]*"(?:[^>"]|"[^"]*")*)>(.*?)</(?:a|span)>`)

// statement is a marked element of a text.
type statement struct {
	words      string
	attributes map[string]string
}

// statements returns those of a text, and the sentences that have numbers outside of them.
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

// source is a section, table or figure of a paper.
var source = regexp.MustCompile(`^\d{3} (?:§|table |figure )\d`)

// check returns what is wrong with a statement of a lesson.
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

// Every sentence of a lesson that names a clock, a PE, a packet or a number has a condition
// with this number, which holds on the machine; one that begins to hold "at" a clock did not
// hold one clock before.
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
