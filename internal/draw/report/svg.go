package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"regexp"

	"codeberg.org/go-fonts/liberation/liberationserifregular"
)

// size is an SVG's size in points, which the page replaces with the available
// room.
var size = regexp.MustCompile(`<svg width="([0-9.]+)pt" height="[0-9.]+pt"`)

// figureFont is the font of the figures, embedded in the page: with another
// font their lines would have other lengths.
func figureFont() template.CSS {
	return template.CSS(`@font-face { font-family: "emsim figures"; src: url(data:font/ttf;base64,` +
		base64.StdEncoding.EncodeToString(liberationserifregular.TTF) + `); }` + "\n")
}

// inline makes a stand-alone SVG part of a page: without its prologue, as wide as
// the page, with a name for screen readers, and in the page's font.
func inline(svg []byte, title string) (template.HTML, error) {
	at := size.FindSubmatchIndex(svg)
	if at == nil {
		return "", fmt.Errorf("report: the figure %q is not an SVG of the expected form", title)
	}
	width := svg[at[2]:at[3]]
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg role="img" aria-label="%s" style="width:100%%;max-width:%spt;height:auto"`, template.HTMLEscapeString(title), width)
	rest := bytes.ReplaceAll(svg[at[1]:], []byte("font-family:Liberation Serif;"), []byte("font-family:emsim figures,Liberation Serif,Times New Roman,serif;"))
	b.Write(rest)
	return template.HTML(b.String()), nil
}
