package figures

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pair is the paper's number and the model's, which stand beside each other as bars.
type pair struct {
	name    string
	values  [2]float64
	texts   [2]string // above the bars
	whisker int       // the bar with an interval
	low     float64   // its ends
	high    float64
}

// pairs draws pairs of bars; the names are those of the bars in the legend.
func pairs(title, words string, names [2]string, list []pair) *plot.Plot {
	const half = 0.36
	p := newPlot(title, "", words)
	p.Add(greyGrid())
	whiskers := &plotter.YErrorBars{LineStyle: grey(0, 0.8), CapWidth: 6}
	texts := &plotter.Labels{Offset: vg.Point{Y: 2}}
	var ticks plot.ConstantTicks
	top := 0.0
	for i, x := range list {
		at := float64(i)
		ticks = append(ticks, plot.Tick{Value: at, Label: x.name})
		for k, v := range x.values {
			left := at + float64(half*float64(k-1))
			bar := addBar(p, left, left+half, v, shades[1+2*k], 0.6)
			if i == 0 {
				p.Legend.Add(names[k], bar)
			}
			if k == x.whisker {
				whiskers.XYs = append(whiskers.XYs, plotter.XY{X: left + half/2, Y: v})
				whiskers.YErrors = append(whiskers.YErrors, struct{ Low, High float64 }{v - x.low, x.high - v})
				v = max(v, x.high)
			}
			texts.XYs, texts.Labels = append(texts.XYs, plotter.XY{X: left + half/2, Y: v}), append(texts.Labels, x.texts[k])
			texts.TextStyle = append(texts.TextStyle, label(7.5, draw.XCenter, draw.YBottom))
			top = max(top, v)
		}
	}
	p.Add(whiskers, texts)
	p.X.Min, p.X.Max = -0.6, float64(len(list))-0.4
	p.X.Tick.Marker, p.X.Tick.Length = ticks, 0
	p.Y.Min, p.Y.Max = 0, float64(1.3*top) // room for texts and legend
	return p
}
