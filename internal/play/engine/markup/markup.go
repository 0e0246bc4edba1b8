// Package markup writes HTML and SVG for the page of 'emsim play'. The engine answers with panes in HTML, so that the
// page only has to put them into their places.
package markup

import (
	"fmt"
	"strings"
)

// HTML is a text in HTML.
type HTML string

// escapes replaces the characters that have a meaning in HTML. [html.EscapeString would make the page 30 kB larger: a
// table of all named characters comes along with it.]
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Format returns HTML, as fmt.Sprintf does. Strings among the arguments are words, which are escaped; HTML stays as it
// is.
func Format(layout string, args ...any) HTML {
	for i, x := range args {
		if words, ok := x.(string); ok {
			args[i] = escapes.Replace(words)
		}
	}
	return HTML(fmt.Sprintf(layout, args...))
}

// Sheet is HTML that is being written.
type Sheet struct{ strings.Builder }

// Add adds HTML, as Format returns it.
func (s *Sheet) Add(layout string, args ...any) { s.WriteString(string(Format(layout, args...))) }
