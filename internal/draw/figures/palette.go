package figures

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// fontStack names three fonts whose letters have the widths with which text is measured, and a fallback.
const fontStack = `Arial, "Liberation Sans", Helvetica, sans-serif`

// tone is a named colour, in the light and the dark theme.
type tone struct {
	name        string
	light, dark color.RGBA
}

// palette has the colours of the page of emsim play [chosen]; a test compares the two.
var palette = []tone{
	{"paper", rgb(0xffffff), rgb(0x12161b)},
	{"ink", rgb(0x1e242c), rgb(0xe9edf2)},
	{"faint", rgb(0x59626e), rgb(0xa0aab6)},
	{"line", rgb(0xd5dae1), rgb(0x333c47)},
	{"link", rgb(0xdfe4ea), rgb(0x262e38)},
	{"edge", rgb(0x8b95a3), rgb(0x6c7888)},
	{"here", rgb(0xb5206b), rgb(0xff6fb1)},
	{"runs", rgb(0x1d4e89), rgb(0x6aa5e8)},
	{"on-runs", rgb(0xffffff), rgb(0x071320)},
	{"matches", rgb(0x7fb0e0), rgb(0x2f5f94)},
	{"on-matches", rgb(0x0d1b2b), rgb(0xeaf3fd)},
	{"spills", rgb(0xc8452b), rgb(0xf0745a)},
	{"on-spills", rgb(0xffffff), rgb(0x240903)},
	{"waits", rgb(0xedb545), rgb(0xf0bd55)},
	{"on-waits", rgb(0x2b2104), rgb(0x241a02)},
	{"partner", rgb(0xe6e1d6), rgb(0x3a372f)},
	{"on-partner", rgb(0x4a4436), rgb(0xd8d1c0)},
	{"idle", rgb(0xf3f5f8), rgb(0x1b222a)},
	{"on-idle", rgb(0x5a6470), rgb(0x8f9aa8)},
	{"failed", rgb(0xb3001e), rgb(0xff5a47)},
	{"on-failed", rgb(0xffffff), rgb(0x24040a)},
	{"rust", rgb(0xa84a24), rgb(0xe58456)},
	{"run-a", rgb(0x8c510a), rgb(0xdfa95e)},
	{"run-b", rgb(0x01665e), rgb(0x4fc3b5)},
}

// rgb returns the colour 0xRRGGBB.
func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff} }

// hex formats a colour as in CSS.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// PageTheme returns CSS rules that give a page the palette of the figures as variables, such as
// --ink and --runs, in both themes.
func PageTheme() string { return themed(":root", palette) }

// themed returns CSS rules that give elements a variable for each tone, in both themes.
func themed(elements string, tones []tone) string {
	var light, dark strings.Builder
	for _, t := range tones {
		fmt.Fprintf(&light, "--%s:%s;", t.name, hex(t.light))
		fmt.Fprintf(&dark, "--%s:%s;", t.name, hex(t.dark))
	}
	return fmt.Sprintf("%s{%s}\n@media(prefers-color-policy:dark){%[1]s{%[3]s}}\n", elements, light.String(),
		dark.String())
}

// toneOf returns the tone of a light colour: the palette's, or a new one whose dark colour is
// the light one with its lightness inverted.
func toneOf(c color.RGBA) tone {
	if i := slices.IndexFunc(palette, func(t tone) bool { return t.light == c }); i >= 0 {
		return palette[i]
	}
	return tone{"c" + hex(c)[1:], c, turned(c)}
}

// turned inverts the lightness of a colour, between the dark theme's paper and ink, and keeps
// its hue.
func turned(c color.RGBA) color.RGBA {
	r, g, b := float64(c.R), float64(c.G), float64(c.B)
	low, high := min(r, g, b), max(r, g, b)
	light := (low + high) / 2
	shift := 255 - light - light // inverts the lightness
	paper, ink := palette[0].dark, palette[1].dark
	of := func(v float64, from, to uint8) uint8 { return mix(from, to, (v+shift)/255) }
	return color.RGBA{of(r, paper.R, ink.R), of(g, paper.G, ink.G), of(b, paper.B, ink.B), 0xff}
}
