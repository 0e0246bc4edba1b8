package play

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
)

// claimed is an expression for the parts of the page that claim to be visible and to show something, with their places
// in the window.
const claimed = `[...document.querySelectorAll("header, #machine, #other-machine, #series, #other-series, #strip, #legend, #marks, #clock, #here, #right, #packet, #result, #compared, #calls, #console, #editor, #lesson-text, #blocks-picture, #ends, #doors, .evidence")]
	.filter(e => e.checkVisibility({visibilityProperty: true}) && (e.localName === "canvas" || e.textContent.trim() || e.shadowRoot)).flatMap(e => {
		const {left, top, right, bottom} = e.getBoundingClientRect(), out = e.closest("main > *, footer, header").getBoundingClientRect();
		const x = Math.max(0, left, out.left), y = Math.max(0, top, out.top), w = Math.min(innerWidth, right, out.right) - x, h = Math.min(innerHeight, bottom, out.bottom) - y;
		return w >= 20 && h >= 10 ? [{name: e.id || e.className, place: [x, y, w, h].map(Math.round)}] : [];
	})`

// painted checks that every part of the page that claims to be visible is painted: on a picture of the window some of
// its pixels stand out from its ground. It returns the number of parts.
func (b *tab) painted(t *testing.T, where string) int {
	t.Helper()
	window, err := png.Decode(bytes.NewReader(browser.Get(t, b.Tab, chromedp.CaptureScreenshot())))
	require.NoError(t, err)
	parts := eval[[]struct {
		Name  string
		Place [4]int
	}](t, b, claimed)
	for _, x := range parts {
		p := x.Place
		place := image.Rect(p[0], p[1], p[0]+p[2], p[1]+p[3])
		require.Greater(t, ink(window, place), 40, "%s: %s at %v is not painted", where, x.Name, place)
	}
	return len(parts)
}

// ink returns the number of pixels at a place whose colours differ clearly from its most frequent colour.
func ink(window image.Image, place image.Rectangle) int {
	colours := map[color.RGBA]int{}
	var ground color.RGBA
	for y := place.Min.Y; y < place.Max.Y; y++ {
		for x := place.Min.X; x < place.Max.X; x++ {
			c := color.RGBAModel.Convert(window.At(x, y)).(color.RGBA)
			if colours[c]++; colours[c] > colours[ground] {
				ground = c
			}
		}
	}
	n := 0
	for c, times := range colours {
		if far(c.R, ground.R)+far(c.G, ground.G)+far(c.B, ground.B) > 90 {
			n += times
		}
	}
	return n
}

func far(a, b uint8) int { return max(int(a), int(b)) - min(int(a), int(b)) }
