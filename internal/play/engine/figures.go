package engine

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"emsim/internal/base/answer"
	"emsim/internal/base/plural"
	"emsim/internal/play/engine/markup"
)

// text adds words to a picture.
func (s *sheet) text(x, y float64, words string, attributes markup.HTML) {
	s.Add(`<text x="%.5g" y="%.5g"%s>%s</text>`, x, y, attributes, words)
}

// rect adds a rectangle to a picture.
func (s *sheet) rect(x, y, w, h, round float64, colour string) {
	s.Add(`<rect x="%.5g" y="%.5g" width="%.5g" height="%.5g" rx="%.3g" fill="%s"/>`, x, y, w, h, round, colour)
}

// figure adds the beginning of a picture with its title, which has a class, and a line about it.
func (s *sheet) figure(class, title, about, label string, w, h float64) {
	s.Add(`<figure><h3 class="%s">%s</h3><p>%s</p><svg width="%.5g" height="%.5g" role="img" aria-label="%s">`, class,
		title, about, w, h, label)
}

const (
	atMiddle = markup.HTML(` text-anchor="middle"`)
	atEnd    = markup.HTML(` text-anchor="end"`)
)

// shades draws maps of a number for every PE: groups are rows, members columns, and below is a bar of colours.
type shades struct {
	sheet
	w, h   float64
	most   float64 // the number with the strongest colour
	signed bool    // numbers are differences, from -most to most
}

// tone returns the colour for a share of most, and how much of it there is. Amounts are blue; differences range from
// the green of B to the brown of A.
func (m *shades) tone(share float64) (of string, strength float64) {
	switch {
	case !m.signed:
		return "runs", math.Sqrt(share)
	case share < 0:
		return "run-b", -share
	default:
		return "run-a", share
	}
}

// paint returns the mixed colour for a share of most.
func (m *shades) paint(share float64) string {
	of, strength := m.tone(share)
	return fmt.Sprintf("color-mix(in srgb, var(--%s) %.0f%%, var(--idle))", of, 100*strength)
}

// readable maps a colour to the strengths from which white text in the light theme, and black text in the dark one, has
// the higher contrast with it.
var readable = map[string][2]float64{"runs": {0.75, 0.66}, "run-a": {0.84, 0.58}, "run-b": {0.81, 0.59}}

// ink returns the colour of text on a share of most.
func (m *shades) ink(share float64) markup.HTML {
	of, strength := m.tone(share)
	light, dark := "#000", "#fff"
	if strength > readable[of][0] {
		light = "#fff"
	}
	if strength > readable[of][1] {
		dark = "#000"
	}
	return markup.Format(` fill="light-dark(%s, %s)"`, light, dark)
}

// name formats a number, with a sign if it is a difference.
func (m *shades) name(n float64) string {
	switch words := strconv.Itoa(int(math.Abs(n))); {
	case m.signed && n < 0:
		return "−" + words
	case m.signed && n > 0:
		return "+" + words
	default:
		return words
	}
}

// Sizes of the numbers in a map, in pixels, and how broad a digit of the broadest usual font is, of its size [chosen].
const (
	usualSize, leastSize = 12.0, 9.0
	broadest             = 0.66
)

// draw adds the map.
func (m *shades) draw(class, title, about string, list []float64, members int) {
	const gap, left, top, foot, parts = 2, 28, 8, 34, 20
	groups := len(list) / members
	wide, tall := (m.w-left)/float64(members), (m.h-top-foot)/float64(groups)
	low, high := 0.0, max(1, tall)
	if m.signed {
		low = -1
	}
	if tall > 6 {
		high = tall - gap
	}
	m.figure(class, title, about, title+", "+about, m.w, m.h)
	for i, n := range list {
		x, y, share := left+float64(float64(i%members)*wide), top+float64(float64(i/members)*tall), n/m.most
		m.rect(x, y, max(1, wide-gap), high, min(3, tall/5), m.paint(share))
		words := m.name(n)
		size := min(usualSize, (wide-gap)/(broadest*float64(utf8.RuneCountInString(words))))
		if n != 0 && tall >= 13 && size >= leastSize {
			m.text(x+(wide-gap)/2, y+tall/2+3, words, atMiddle+m.ink(share)+markup.Format(` font-size="%.3g"`, size))
		}
	}
	for g := 0; g < groups; g += max(1, int(math.Ceil(14/tall))) {
		m.text(left-6, top+float64(float64(g)*tall)+tall/2+3, strconv.Itoa(g), atEnd)
	}
	bar, at := m.w-left-gap, m.h-foot+8
	for k := range parts {
		share := low + float64(float64(1-low)*(float64(k)+0.5))/parts
		m.rect(left+float64(float64(k)*bar)/parts, at, bar/parts+0.3, 9, 0, m.paint(share))
	}
	least, most := m.name(float64(low*m.most)), m.name(m.most)
	if bar < broadest*usualSize*float64(utf8.RuneCountInString(least+most)+1) && m.signed {
		least, most = "", "±"+most[1:]
	}
	m.text(left, at+22, least, "")
	m.text(m.w-gap, at+22, most, atEnd)
	m.WriteString("</svg></figure>")
}

// step returns a round distance between marks on an axis, which divides the span into at most the given number of
// intervals.
func step(span, most float64) float64 {
	for n := 1; ; n *= 10 {
		for _, distance := range []int{n, 2 * n, 5 * n} {
			if float64(distance) >= span/max(1, most) {
				return float64(distance)
			}
		}
	}
}

// curves adds the picture of the work that was done up to every clock.
func (x *two) curves(p *sheet, w, h float64) {
	const left, right, top, foot = 62, 152, 46, 24 // room for words of a broad font
	var runs [2][]done
	last, most, label := 0.0, 0.0, ""
	for i, s := range x.sessions {
		runs[i] = s.done()
		end := runs[i][len(runs[i])-1]
		last, most = max(last, float64(end.clock)), max(most, end.work)
		label += fmt.Sprintf(", %c: done at %s", "AB"[i], plural.Commas(end.clock))
	}
	p.figure("", "Work done so far", "clocks in which a PE was at work, all PEs together", label[2:], w, h)
	atX := func(clock float64) float64 { return left + float64(clock/last*(w-left-right)) }
	atY := func(n float64) float64 { return h - foot - float64(n/most*(h-top-foot)) }
	for n := 0.0; n <= most; n += step(most, 5) {
		p.Add(`<path d="M%d %.5gH%.5g" stroke="var(--line)"/>`, left, atY(n), w-right)
		p.text(left-6, atY(n)+4, plural.Commas(uint64(n)), atEnd)
	}
	by := step(last, (w-left-right)/60)
	for n := 0.0; n <= last; n += by {
		words := plural.Commas(uint64(n))
		if n+by > last {
			words += " clocks"
		}
		p.text(atX(n), h-8, words, atMiddle)
	}
	var endX, endY, labelY [2]float64
	for i, run := range runs {
		ink := "var(--run-" + "ab"[i:i+1] + ")"
		p.Add(`<path fill="none" stroke="%s" stroke-width="2.4" d="`, ink)
		to := 'M'
		for _, d := range run {
			endX[i], endY[i] = atX(float64(d.clock)), atY(d.work)
			p.Add("%c%.1f %.1f", to, endX[i], endY[i])
			to = 'L'
		}
		round := 4.5
		if i == 1 {
			round = 0
		}
		p.WriteString(`"/>`)
		p.rect(endX[i]-4.5, endY[i]-4.5, 9, 9, round, ink)
	}
	labelY = endY
	apart := math.Abs(endX[0]-endX[1]) > 32
	if low := 0; !apart && math.Abs(endY[0]-endY[1]) < 32 {
		if labelY[1] > labelY[0] {
			low = 1
		}
		labelY[low] += 32
	}
	for i, f := range x.frames {
		// The curve of the other run continues next to the end of the first; above it is room.
		at, up, anchor := endX[i]+9, 0.0, markup.HTML("")
		if apart && endX[i] < atX(last) {
			at, up = endX[i]+4, 30
			if endX[i] > left+right { // elsewhere the axis is in the way
				anchor = atEnd
			}
		}
		anchor += ` class="end"`
		p.text(at, labelY[i]+4-up, fmt.Sprintf("%c: done at %s", "AB"[i], plural.Commas(f.Result.Clocks)),
			anchor+markup.Format(` font-weight="700" fill="var(--run-%c)"`, "ab"[i]))
		p.text(at, labelY[i]+18-up, answer.InPercent(f.Result.Utilisation)+" used", anchor)
	}
	p.WriteString("</svg></figure>")
}
