package figures

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/escape"
	"emsim/internal/base/lists"
)

// svgCanvas is a canvas that becomes an SVG for both themes. Every colour is a tone; browsers in the dark theme show
// its dark colour, and programs without CSS variables the light one. Text is anchored by its alignment, so that it
// stays in place in another font.
type svgCanvas struct {
	wide, high vg.Length
	body       bytes.Buffer
	tones      []tone
	stack      []pen // the last one is in use
	align      text.XAlignment
}

// pen is the state of a canvas: colour, line and coordinates.
type pen struct {
	tone   tone
	alpha  uint8
	width  vg.Length
	dashes []vg.Length
	// turn, scale and move convert the figure's coordinates to the canvas's.
	turn, scale float64
	move        vg.Point
}

func newSVG(wide, high vg.Length) *svgCanvas {
	c := &svgCanvas{wide: wide, high: high, stack: []pen{{scale: 1}}}
	vg.Initialize(c)
	return c
}

func (c *svgCanvas) pen() *pen { return &c.stack[len(c.stack)-1] }

// Size implements vg.CanvasSizer.
func (c *svgCanvas) Size() (x, y vg.Length) { return c.wide, c.high }

// SetLineWidth implements vg.Canvas, as do the methods below.
func (c *svgCanvas) SetLineWidth(w vg.Length) { c.pen().width = w }

// SetLineDash sets the pattern of lines.
func (c *svgCanvas) SetLineDash(dashes []vg.Length, _ vg.Length) { c.pen().dashes = dashes }

// SetColor sets the colour; nil is black.
func (c *svgCanvas) SetColor(x color.Color) {
	if x == nil { // as gonum's own canvases
		x = color.Black
	}
	rgba := color.NRGBAModel.Convert(x).(color.NRGBA)
	c.pen().alpha = rgba.A
	c.pen().tone = toneOf(color.RGBA{rgba.R, rgba.G, rgba.B, 0xff})
}

// Rotate turns the coordinates.
func (c *svgCanvas) Rotate(angle float64) { c.pen().turn += angle }

// Translate moves the coordinates.
func (c *svgCanvas) Translate(by vg.Point) { c.pen().move = c.pen().at(by) }

// Scale scales the coordinates by x in both directions.
func (c *svgCanvas) Scale(x, _ float64) { c.pen().scale = float64(c.pen().scale * x) }

// Push saves the pen.
func (c *svgCanvas) Push() { c.stack = append(c.stack, *c.pen()) }

// Pop restores the pen that was saved last.
func (c *svgCanvas) Pop() { c.stack = c.stack[:len(c.stack)-1] }

// at converts a point to the canvas's coordinates.
func (p *pen) at(x vg.Point) vg.Point {
	sin, cos := math.Sincos(p.turn)
	s, t := vg.Length(p.scale*sin), vg.Length(p.scale*cos)
	return vg.Point{
		X: p.move.X + vg.Length(x.X*t) - vg.Length(x.Y*s),
		Y: p.move.Y + vg.Length(x.X*s) + vg.Length(x.Y*t),
	}
}

// long formats a length in points of the canvas.
func (c *svgCanvas) long(x vg.Length) string { return short(float64(c.pen().scale * x.Points())) }

// place formats a point as in the file, where y counts downward.
func (c *svgCanvas) place(x vg.Point) string {
	p := c.pen().at(x)
	return short(p.X.Points()) + "," + short((c.high - p.Y).Points())
}

// paint returns the attributes for the colour, as fill or stroke.
func (c *svgCanvas) paint(as string) string {
	p := c.pen()
	if !slices.Contains(c.tones, p.tone) {
		c.tones = append(c.tones, p.tone)
	}
	words := fmt.Sprintf(` %s="%s" class="%.1[1]s-%[3]s"`, as, hex(p.tone.light), p.tone.name)
	if p.alpha < 0xff {
		words += fmt.Sprintf(` %s-opacity="%s"`, as, short(float64(p.alpha)/0xff))
	}
	return words
}

// Stroke draws a line along a path, with the pen's width, colour and dashes.
func (c *svgCanvas) Stroke(path vg.Path) {
	p := c.pen()
	if p.width <= 0 {
		return
	}
	words := fmt.Sprintf(` fill="none"%s stroke-width="%s"`, c.paint("stroke"), c.long(p.width))
	if len(p.dashes) > 0 {
		words += ` stroke-dasharray="` + strings.Join(lists.Of(p.dashes, c.long), ",") + `"`
	}
	fmt.Fprintf(&c.body, "<path d=\"%s\"%s/>\n", c.path(path), words)
}

// Fill fills the area that a path encloses.
func (c *svgCanvas) Fill(path vg.Path) {
	if c.pen().alpha == 0 {
		return
	}
	fmt.Fprintf(&c.body, "<path d=\"%s\"%s/>\n", c.path(path), c.paint("fill"))
}

// path returns a path as SVG path data.
func (c *svgCanvas) path(path vg.Path) string {
	var b strings.Builder
	for _, x := range path {
		switch x.Type {
		case vg.MoveComp:
			b.WriteString("M" + c.place(x.Pos))
		case vg.LineComp:
			b.WriteString("L" + c.place(x.Pos))
		case vg.ArcComp:
			c.arc(&b, x)
		case vg.CurveComp:
			b.WriteString(map[int]string{1: "Q", 2: "C"}[len(x.Control)])
			for _, at := range x.Control {
				b.WriteString(c.place(at) + " ")
			}
			b.WriteString(c.place(x.Pos))
		case vg.CloseComp:
			b.WriteString("Z")
		}
	}
	return b.String()
}

// arc writes an arc in halves, because one arc of SVG cannot be a whole circle.
func (c *svgCanvas) arc(b *strings.Builder, x vg.PathComp) {
	on := func(angle float64) string {
		sin, cos := math.Sincos(angle)
		return c.place(x.Pos.Add(vg.Point{
			X: vg.Length(x.Radius * vg.Length(cos)),
			Y: vg.Length(x.Radius * vg.Length(sin)),
		}))
	}
	start := "L"
	if b.Len() == 0 {
		start = "M"
	}
	b.WriteString(start + on(x.Start))
	for _, half := range []float64{0.5, 1} {
		fmt.Fprintf(b, "A%s,%[1]s 0 0 %d %s", c.long(x.Radius), map[bool]int{true: 0, false: 1}[x.Angle > 0],
			on(x.Start+float64(half*x.Angle)))
	}
}

// FillString writes text. It is anchored by its alignment, so that it stays in place in another font.
func (c *svgCanvas) FillString(f font.Face, at vg.Point, words string) {
	at.X -= vg.Length(vg.Length(c.align) * f.Width(words)) // undoes the handler's alignment
	place, anchor := c.place(at), map[text.XAlignment]string{draw.XCenter: "middle", draw.XRight: "end"}[c.align]
	x, y, _ := strings.Cut(place, ",")
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s"%s`, x, y, c.long(f.Font.Size), c.paint("fill"))
	if anchor != "" {
		fmt.Fprintf(&c.body, ` text-anchor="%s"`, anchor)
	}
	if f.Font.Weight > 0 {
		c.body.WriteString(` font-weight="bold"`)
	}
	if turn := c.pen().turn; turn != 0 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s)"`, short(-turn*180/math.Pi), place)
	}
	fmt.Fprintf(&c.body, ">%s</text>\n", html.EscapeString(words))
}

// DrawImage embeds a picture as PNG; the dark theme inverts it.
func (c *svgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	_ = png.Encode(&b, img) // cannot fail in memory
	x, y, _ := strings.Cut(c.place(vg.Point{X: r.Min.X, Y: r.Max.Y}), ",")
	fmt.Fprintf(&c.body,
		`<image x="%s" y="%s" width="%s" height="%s" class="turned" href="data:image/png;base64,%s"/>`+"\n",
		x, y, c.long(r.Size().X), c.long(r.Size().Y), base64.StdEncoding.EncodeToString(b.Bytes()))
}

// WriteTo writes the SVG file: the rules of its colours in both themes, then the body.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	if !slices.Contains(c.tones, palette[0]) {
		c.tones = append(c.tones, palette[0])
	}
	slices.SortFunc(c.tones, func(a, b tone) int { return cmp.Compare(a.name, b.name) })
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg width="%spt" height="%spt" viewBox="0 0 %[1]s %[2]s" xmlns="http://www.w3.org/2000/svg">`+
		"\n<style>\n%s", short(c.wide.Points()), short(c.high.Points()), themed("svg", c.tones))
	for _, t := range c.tones {
		fmt.Fprintf(&b, ".f-%s{fill:var(--%[1]s)}.s-%[1]s{stroke:var(--%[1]s)}", t.name)
	}
	fmt.Fprintf(&b, "\n@media(prefers-color-policy:dark){.turned{filter:invert(.93) hue-rotate(180deg)}}\n</style>\n"+
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\" class=\"f-paper\"/>\n"+
		"<g font-family='%s'>\n%s</g>\n</svg>\n", fontStack, c.body.Bytes())
	n, err := w.Write(b.Bytes())
	return int64(n), err
}

// roomy handles all text. It measures text with room for a wider font, and tells an SVG canvas its alignment.
type roomy struct{ text.Handler }

// Box returns the size of text, with room for a wider font.
func (r roomy) Box(words string, f font.Font) (width, height, depth vg.Length) {
	width, height, depth = r.Handler.Box(words, f)
	if f.Weight > 0 {
		return vg.Length(spareBold * width), height, depth
	}
	return vg.Length(spare * width), height, depth
}

// Draw draws text; an SVG canvas anchors it by its alignment. The text may be of unknown origin, such as a file name,
// so control characters, which XML does not allow, become escapes.
func (r roomy) Draw(c vg.Canvas, words string, style text.Style, at vg.Point) {
	if svg := svgOf(c); svg != nil {
		svg.align = style.XAlign
		defer func() { svg.align = draw.XLeft }()
	}
	r.Handler.Draw(c, strings.Join(lists.Of(r.Lines(words), escape.Line), "\n"), style, at)
}

// svgOf returns the SVG canvas that c draws on, or nil if there is none.
func svgOf(c vg.Canvas) *svgCanvas {
	for {
		switch x := c.(type) {
		case *draw.Canvas:
			c = x.Canvas
		case draw.Canvas:
			c = x.Canvas
		default:
			svg, _ := c.(*svgCanvas)
			return svg
		}
	}
}
