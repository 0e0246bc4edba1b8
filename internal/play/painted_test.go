package play

import (
	"bytes"
	_ "embed"
	"image"
	"image/draw"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
)

// claimed is an expression for the parts of the page that claim to be visible and to show something, with their places
// in the window.
//
//go:embed testdata/claimed.js
var claimed string

// painted checks that every part of the page that claims to be visible is painted: on a picture of the window some of
// its pixels stand out from its ground. It returns the number of parts.
func (b *tab) painted(t *testing.T, where string) int {
	t.Helper()
	b.until(t, "emsim.run.stale || emsim.run.timeline.whole?.ended") // marks come until then
	b.drawn(t)
	parts := eval[[]struct {
		Name  string
		Place [4]int
	}](t, b, claimed)
	window, err := png.Decode(bytes.NewReader(browser.Get(t, b.Tab, chromedp.CaptureScreenshot())))
	require.NoError(t, err)
	for _, x := range parts {
		p := x.Place
		place := image.Rect(p[0], p[1], p[0]+p[2], p[1]+p[3])
		require.Greater(t, ink(window, place), 40, "%s: %s at %v is not painted", where, x.Name, place)
	}
	return len(parts)
}

// ink returns the number of pixels at a place whose colours differ clearly from its most frequent colour.
func ink(window image.Image, place image.Rectangle) int {
	pixels := image.NewRGBA(place)
	draw.Draw(pixels, place, window, place.Min, draw.Src)
	colours := map[[3]uint8]int{}
	for i := 0; i < len(pixels.Pix); i += 4 {
		colours[[3]uint8(pixels.Pix[i:])]++
	}
	var ground [3]uint8
	for c, times := range colours {
		if times > colours[ground] {
			ground = c
		}
	}
	n := 0
	for c, times := range colours {
		if far(c[0], ground[0])+far(c[1], ground[1])+far(c[2], ground[2]) > 90 {
			n += times
		}
	}
	return n
}

func far(a, b uint8) int { return max(int(a), int(b)) - min(int(a), int(b)) }
