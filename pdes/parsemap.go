package pdes

import (
	"strconv"

	"emsim/internal/base/lines"
	"emsim/pdes/mapping"
)

// LPName returns an LP's name in a map: its name in the graph or, for the banyan, its stage and place, as in 2.1.
func (c *Config) LPName(lp int) string {
	if c.Graph != nil {
		return c.Graph.LPs[lp].Name
	}
	return c.Banyan.Name(lp)
}

// ParseMap parses a map from text. It has a line for each LP in any order, with its
// name (see LPName), or for the banyan its number, and its PP:
//
//	# LP   PP
//	0.0    3
//	0.1    3
//
// The file's name is for errors, which are of type srcerr.Errors inside a *Usage
// and show line, column and place.
func (c *Config) ParseMap(file string, text []byte) (mapping.Map, error) {
	f, m := lines.New(file, text), make(mapping.Map, c.LPs())
	byName := map[string]int{} // never iterated over
	for lp := range m {
		m[lp] = -1
		byName[c.LPName(lp)] = lp
		if c.Graph == nil {
			byName[strconv.Itoa(lp)] = lp
		}
	}
	f.Each(func(words []lines.Word) {
		if !f.Between(words, 2, 2, `an LP and its PP, as in "`+c.LPName(0)+` 3"`) {
			return
		}
		lp, ok := byName[words[0].Text]
		switch {
		case !ok:
			f.Errorf(words[0], "no LP is called %s; the first is %s, the last %s", words[0].Text, c.LPName(0),
				c.LPName(len(m)-1))
		case m[lp] >= 0:
			f.Errorf(words[0], "a second line for LP %s, which is on PP %d", words[0].Text, m[lp])
		default:
			before := f.Errors()
			node := f.Whole(words[1], "a PP of this network,", 0, int64(c.Net.Nodes())-1)
			if f.Errors() == before {
				m[lp] = int32(node)
			}
		}
	})
	for lp := range m {
		if m[lp] < 0 && f.Errors() == 0 {
			f.Wholef("LP %s has no line; expected one for each of the %d LPs", c.LPName(lp), len(m))
		}
	}
	return m, f.Err()
}
