// Package markup writes HTML and SVG for the page of 'emsim play'. The engine answers with panes in HTML, so that the
// page only has to put them into their places.
package markup

import (
	"fmt"
	"strings"
)

// HTML is a string in HTML.
type HTML string

// escapes replaces the characters that have a meaning in HTML. [html.EscapeString would make the page 30 kB larger,
// because it brings a table of all named characters.]
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// Format formats HTML as fmt.Sprintf formats text. It escapes arguments that are strings; arguments of type HTML are
// inserted unchanged.
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

// Add appends the result of Format.
func (s *Sheet) Add(layout string, args ...any) { s.WriteString(string(Format(layout, args...))) }
