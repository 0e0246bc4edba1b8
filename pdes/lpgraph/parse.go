package lpgraph

import (
	"cmp"
	"math"
	"slices"

	"emsim/internal/base/lines"
)

// Parse parses a graph from text:
//
//	# what  name         clocks of a processor for a slot
//	lp      source       200
//	lp      filter       900
//	lp      sink                 # as the machine's parameter step says
//	#       from   to    messages a slot
//	channel source filter 0.5
//	channel filter sink   2.25
//	from 5000                    # what follows holds from slot 5000 on
//	lp      filter       300
//	channel source filter 0.9
//
// Lines of one part may be in any order. The file's name is for errors, which
// are of type srcerr.Errors inside a *simerr.Usage and show line, column and place.
func Parse(file string, text []byte) (*Graph, error) {
	p := parser{
		File: lines.New(file, text), byName: map[string]int{}, byEnds: map[[2]int]int{},
		setLP: map[int]int64{}, setChannel: map[int]int64{},
	}
	// Channels may come before their LPs, so the names of the LPs are read first.
	p.Each(p.takeName)
	if p.Errors() == 0 {
		p.Each(p.statement)
	}
	if len(p.g.LPs) == 0 && p.Errors() == 0 {
		p.Wholef(`no LPs; expected lines such as "lp NAME 200" and "channel FROM TO 0.5"`)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(p.g.Channels, func(a, b Channel) int { return cmp.Compare(a.From, b.From) })
	return &p.g, p.g.Validate()
}

type parser struct {
	*lines.File
	g          Graph
	later      bool // while names are read: in a part that begins with "from"
	slot       int64
	byName     map[string]int // never iterated over
	byEnds     map[[2]int]int
	setLP      map[int]int64 // the part in which an LP or a channel was set last
	setChannel map[int]int64
}

const (
	lpShape      = `"lp NAME" and, if not the machine's, the clocks of a slot, as in "lp filter 900"`
	channelShape = `"channel FROM TO RATE" with the messages a slot, as in "channel source filter 0.5"`
	fromShape    = `"from SLOT", as in "from 5000"`
)

// takeName records the name of an LP in the first part.
func (p *parser) takeName(words []lines.Word) {
	switch {
	case words[0].Text == "from":
		p.later = true
		return
	case words[0].Text != "lp" || len(words) < 2 || p.later:
		return
	}
	switch _, again := p.byName[words[1].Text]; {
	case again:
		p.Errorf(words[1], "a second LP %s", words[1].Text)
	case len(p.g.LPs) == MaxLPs:
		p.Errorf(words[1], "more than %d LPs, which are as many as the largest network has nodes", MaxLPs)
	default:
		p.byName[words[1].Text] = len(p.g.LPs)
		p.g.LPs = append(p.g.LPs, LP{Name: words[1].Text})
	}
}

func (p *parser) statement(words []lines.Word) {
	switch key := words[0]; key.Text {
	case "lp":
		p.lpLine(words)
	case "channel":
		p.channel(words)
	case "from":
		if !p.Between(words, 2, 2, fromShape) {
			return
		}
		before := p.Errors()
		slot := p.Whole(words[1], "a slot", 1, math.MaxInt32)
		if p.Errors() > before {
			return
		}
		if slot <= p.slot {
			p.Errorf(words[1], "this part begins at slot %d, the one before it at slot %d; expected a later one", slot,
				p.slot)
			return
		}
		p.slot = slot
	default:
		p.Errorf(key, "%q does not begin a statement; expected lp, channel or from", key.Text)
	}
}

func (p *parser) lpLine(words []lines.Word) {
	if !p.Between(words, 2, 3, lpShape) {
		return
	}
	i, ok := p.known(words[1])
	if !ok {
		return
	}
	if last, again := p.setLP[i]; again && last == p.slot {
		p.Errorf(words[1], "a second line for LP %s from slot %d on", words[1].Text, p.slot)
		return
	}
	p.setLP[i] = p.slot
	if len(words) == 3 {
		p.g.LPs[i].Clocks = append(p.g.LPs[i].Clocks,
			Change{p.slot, p.Whole(words[2], "a number of clocks", 1, MaxClocks)})
	} else if p.slot > 0 {
		p.Errorf(words[1], "the line ends here; expected the clocks of a slot from slot %d on", p.slot)
	}
}

func (p *parser) known(w lines.Word) (int, bool) {
	i, ok := p.byName[w.Text]
	if !ok {
		p.Errorf(w, "no LP is called %s; expected a line \"lp %s\" before the first \"from\"", w.Text, w.Text)
	}
	return i, ok
}

func (p *parser) channel(words []lines.Word) {
	if !p.Between(words, 4, 4, channelShape) {
		return
	}
	from, ok1 := p.known(words[1])
	to, ok2 := p.known(words[2])
	rate := p.Millionths(words[3], "a number of messages a slot", 0, MaxRate)
	if !ok1 || !ok2 {
		return
	}
	if from == to {
		p.Errorf(words[2], "a channel from %s to itself; expected another LP", words[2].Text)
		return
	}
	i, old := p.byEnds[[2]int{from, to}]
	switch last, again := p.setChannel[i]; {
	case old && again && last == p.slot:
		p.Errorf(words[1], "a second channel from %s to %s; give one line the sum of the rates", words[1].Text,
			words[2].Text)
		return
	case !old && p.slot > 0:
		p.Errorf(words[1], "there is no channel from %s to %s; expected one before the first \"from\", with the rate "+
			"0 if it begins later", words[1].Text, words[2].Text)
		return
	case !old && len(p.g.Channels) == MaxChannels:
		p.Errorf(words[1], "more than %d channels", MaxChannels)
		return
	case !old:
		i = len(p.g.Channels)
		p.byEnds[[2]int{from, to}] = i
		p.g.Channels = append(p.g.Channels, Channel{From: from, To: to})
	}
	p.setChannel[i] = p.slot
	p.g.Channels[i].Rate = append(p.g.Channels[i].Rate, Change{p.slot, rate})
}
