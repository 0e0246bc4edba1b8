package rhinet

import (
	"cmp"
	"slices"
	"time"

	"emsim/internal/base/lines"
)

// Own holds a user's own hosts and policy, which replace the paper's.
type Own struct {
	Hosts []HostTrace // by rank: speeds and loads instead of Load; nil for none
	Split Splitter    // a policy instead of equation (1); nil for none
}

// hosts returns the hosts' traces, or nil.
func (c *Config) hosts() []HostTrace {
	if c.Own == nil {
		return nil
	}
	return c.Own.Hosts
}

// A HostTrace is the speed of a host, and the times when something else uses its CPU.
type HostTrace struct {
	Speed float64 // rows relaxed while a host of speed 1 relaxes one; 0 means drawn from the seed, in 1±Spread
	Busy  []Busy  // in order of time, without overlap
}

// Busy is a time in which the program does not have a CPU to itself.
type Busy struct {
	From, Until time.Duration // Until 0 means the end of the run
	Stop        bool          // the program does not have the CPU at all; otherwise it alternates, see Host.SliceOn
}

// Limits of a trace.
const (
	maxTrace = 1000 * time.Hour
	minSpeed = 0.001
	maxSpeed = 1000.0
	maxBusy  = 1 << 16 // busy times per host
)

// checkHosts returns an error if the traces are invalid.
func (c *Config) checkHosts() error {
	if c.hosts() == nil {
		return nil
	}
	if len(c.hosts()) != c.Nodes {
		return usagef("%d hosts have traces, %d nodes run: expected one each", len(c.hosts()), c.Nodes)
	}
	for i, h := range c.hosts() {
		if h.Speed != 0 && !(h.Speed >= minSpeed && h.Speed <= maxSpeed) {
			return usagef("host %d has the speed %g: expected %g to %g", i, h.Speed, minSpeed, maxSpeed)
		}
		if len(h.Busy) > maxBusy {
			return usagef("host %d is busy %d times: expected at most %d", i, len(h.Busy), maxBusy)
		}
		for k, b := range h.Busy {
			last := k == len(h.Busy)-1
			switch {
			case b.From < 0 || b.From > maxTrace || b.Until > maxTrace:
				return usagef("host %d is busy from %v to %v: expected times up to %v", i, b.From, b.Until, maxTrace)
			case b.Until == 0 && (b.Stop || !last), b.Until != 0 && ticksOf(b.Until) <= ticksOf(b.From):
				return usagef("host %d is busy from %v to %v: expected a later end", i, b.From, b.Until)
			case k > 0 && b.From < h.Busy[k-1].Until:
				return usagef("host %d is busy from %v on, before %v, the end of its previous busy time", i, b.From,
					h.Busy[k-1].Until)
			}
		}
	}
	return nil
}

// ParseHosts parses the traces of a cluster with the given number of nodes from text, one statement
// per line:
//
//	# what  hosts  from  until
//	speed   0-3    1.2                # relative speed: 1.2 rows while a host of speed 1 relaxes one
//	load    7      0s    end          # a competing process, in slices
//	stop    5      2s    2.07s        # the program does not have the CPU at all
//
// Lines may be in any order. The file's name is for errors, which are of type srcerr.Errors inside
// a *Usage and show line, column and place.
func ParseHosts(file string, text []byte, nodes int) ([]HostTrace, error) {
	p := hostsParser{File: lines.New(file, text), hosts: make([]HostTrace, nodes), busy: make([][]placedBusy, nodes)}
	p.Each(p.statement)
	if p.said == 0 && p.Errors() == 0 {
		p.Wholef(`no hosts; expected lines such as "speed 0-3 1.2", "load 7 0s end" and "stop 5 2s 2.07s"`)
	}
	for i := range p.hosts {
		p.order(i)
	}
	return p.hosts, p.Err()
}

type hostsParser struct {
	*lines.File
	hosts []HostTrace
	busy  [][]placedBusy // by host
	said  int
}

// placedBusy is a busy time with its word in the file.
type placedBusy struct {
	Busy
	at lines.Word
}

func (p *hostsParser) statement(words []lines.Word) {
	p.said++
	switch key := words[0].Text; key {
	case "speed":
		if !p.Between(words, 3, 3, `"speed HOSTS FACTOR", as in "speed 0-3 1.2"`) {
			return
		}
		from, to, ok := p.Span(words[1], "host", len(p.hosts))
		speed := p.Millionths(words[2], "a speed", minSpeed, maxSpeed)
		for i := from; ok && i < to; i++ {
			if p.hosts[i].Speed != 0 {
				p.Errorf(words[1], "host %d already has the speed %v", i, p.hosts[i].Speed)
				return
			}
			p.hosts[i].Speed = float64(speed) / 1e6
		}
	case "load", "stop":
		if !p.Between(words, 4, 4, `"`+key+` HOSTS FROM UNTIL", as in "`+key+` 5 2s 2.07s"`) {
			return
		}
		p.busyLine(words, key == "stop")
	default:
		p.Errorf(words[0], "%q does not begin a statement; expected speed, load or stop", key)
	}
}

func (p *hostsParser) busyLine(words []lines.Word, stop bool) {
	first, last, ok := p.Span(words[1], "host", len(p.hosts))
	before := p.Errors()
	b := Busy{From: p.Time(words[2], 1, maxTrace), Stop: stop}
	if words[3].Text != "end" || stop {
		b.Until = p.Time(words[3], 1, maxTrace)
		if p.Errors() == before && ticksOf(b.Until) <= ticksOf(b.From) {
			p.Errorf(words[3], "this is not a time after %s, the beginning", words[2].Text)
		}
	}
	if !ok || p.Errors() > before {
		return
	}
	for i := first; i < last; i++ {
		if len(p.busy[i]) == maxBusy {
			p.Errorf(words[0], "host %d is busy more than %d times", i, maxBusy)
			return
		}
		p.busy[i] = append(p.busy[i], placedBusy{b, words[2]})
	}
}

// order sorts a host's busy times and rejects overlaps.
func (p *hostsParser) order(i int) {
	list := p.busy[i]
	slices.SortStableFunc(list, func(a, b placedBusy) int { return cmp.Compare(a.From, b.From) })
	for k, b := range list {
		if k > 0 && (list[k-1].Until == 0 || b.From < list[k-1].Until) && p.Errors() == 0 {
			p.Errorf(b.at, "host %d is still busy then: its busy time from %v has not ended", i, list[k-1].From)
		}
		p.hosts[i].Busy = append(p.hosts[i].Busy, b.Busy)
	}
}
