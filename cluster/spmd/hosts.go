package spmd

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"emsim/internal/base/lines"
)

// A Host describes one processor. Without a Speed, the processor has the speed of a free or a loaded one, as Config
// says.
type Host struct {
	Speed []Speed // in order of time
	Tasks int     // number of tasks that it starts with
	Sizes []int64 // sizes of its first tasks, in millionths of a usual task; further tasks are usual ones
}

// A Speed is a processor's speed from FromUS until the next Speed.
type Speed struct {
	FromUS int64
	PPM    int64 // millionths of the speed of a free processor; 0 means it stands still, which needs a later Speed
}

const (
	maxSpeed  = 1000 // multiple of a free processor's speed
	minPPM    = 1000 // unless the processor stands still
	maxSize   = 1000 // multiple of a usual task
	maxSpeeds = 1 << 16
)

// tasksOf returns the number of tasks that a processor starts with.
func (c *Config) tasksOf(p int) int {
	if c.Hosts != nil {
		return c.Hosts[p].Tasks
	}
	return c.Tasks
}

// allTasks returns the number of tasks on all processors.
func (c *Config) allTasks() (n int) {
	for p := range c.Topology {
		n += c.tasksOf(p)
	}
	return n
}

// usualUS returns the time of a usual task on a processor before jitter. It does not include the processor's own
// speeds.
func (c *Config) usualUS(p int) int64 {
	if c.Hosts != nil && c.Hosts[p].Speed != nil {
		return c.FreeUS
	}
	return c.taskUS(p)
}

// taskSize returns the size of a processor's k-th task in millionths.
func (c *Config) taskSize(p, k int) int64 {
	if c.Hosts != nil && k < len(c.Hosts[p].Sizes) {
		return c.Hosts[p].Sizes[k]
	}
	return million
}

// endOfWork returns the time at which a processor finishes work that it begins now. us is the time that the work
// takes a free processor, in microseconds.
func (c *Config) endOfWork(p int, now, us int64) int64 {
	if c.Hosts == nil || c.Hosts[p].Speed == nil {
		return now + us
	}
	left := us * million
	for k, s := range c.Hosts[p].Speed {
		until := int64(math.MaxInt64)
		if k+1 < len(c.Hosts[p].Speed) {
			until = c.Hosts[p].Speed[k+1].FromUS
		}
		if until <= now {
			continue
		}
		if s.PPM > 0 {
			need := (left + s.PPM - 1) / s.PPM
			if need <= until-now {
				return now + need
			}
			left -= (until - now) * s.PPM
		}
		now = until
	}
	return now
}

func (c *Config) validateHosts() error {
	if c.Hosts == nil {
		return nil
	}
	n := len(c.Topology)
	if len(c.Hosts) != n {
		return badValue("hosts", "%d processors have lines of their own; the topology has %d", len(c.Hosts), n)
	}
	all := 0
	for p, h := range c.Hosts {
		if h.Tasks < 0 || h.Tasks > maxAllTasks || len(h.Sizes) > h.Tasks {
			return badValue("hosts", "processor %d starts with %d tasks, of which %d have sizes", p, h.Tasks,
				len(h.Sizes))
		}
		all += h.Tasks
		for k, s := range h.Sizes {
			if s < 1 || s > maxSize*million {
				return badValue("hosts", "task %d of processor %d has %d millionths of a usual size; expected 1 to %d",
					k, p, s, maxSize*million)
			}
		}
		for k, s := range h.Speed {
			if s.PPM < 0 || s.PPM > 0 && s.PPM < minPPM || s.PPM > maxSpeed*million || s.FromUS < 0 ||
				s.FromUS > maxTimeUS || (k == 0) != (s.FromUS == 0) || k > 0 && s.FromUS <= h.Speed[k-1].FromUS {
				return badValue("hosts",
					"processor %d has %d millionths of a free speed from %d us on; expected 0 or %d to %d, from 0 us "+
						"and then from rising times on", p, s.PPM, s.FromUS, minPPM, maxSpeed*million)
			}
			if k == len(h.Speed)-1 && s.PPM == 0 {
				return badValue("hosts", "processor %d stands still from %d us on for ever; expected a speed after it",
					p, s.FromUS)
			}
		}
	}
	if all > maxAllTasks {
		return badValue("hosts", "%d tasks in all; expected at most %d, as each is held in memory", all, maxAllTasks)
	}
	return nil
}

// longestUS returns an upper limit of the time in which each processor does its own tasks; ok is false if it exceeds
// the limit of times.
func (c *Config) longestUS() (longest int64, ok bool) {
	for p := range c.Topology {
		sum := float64(0)
		usual := float64(max(c.FreeUS, c.LoadedUS)) // a task may go to any processor
		for k := range c.tasksOf(p) {
			sum += usual * float64(c.taskSize(p, k)) / million
		}
		if sum > maxTimeUS {
			return 0, false
		}
		longest = max(longest, c.endOfWork(p, 0, 2*int64(sum)))
	}
	return longest, true
}

// ParseHosts parses the processors' speeds, tasks and sizes from text, one statement per line. base is the machine
// without them:
//
//	# what  processors  value  tasks or from
//	speed   0-6         1                     # of a free processor
//	speed   3           0.3    20s            # from then on; 0 means it stands still
//	tasks   0           250                   # that it starts with
//	size    0           2.5    0-49           # of its first 50 tasks
//
// Lines may be in any order. The file's name is for errors, which are of type srcerr.Errors inside a *Usage and show
// line, column and place.
func ParseHosts(file string, text []byte, base *Config) ([]Host, error) {
	n := len(base.Topology)
	p := hostsParser{
		File: lines.New(file, text), hosts: make([]Host, n), told: make([]bool, n),
		speeds: make([][]placedSpeed, n), sized: make([][]bool, n),
	}
	for i := range p.hosts {
		p.hosts[i].Tasks = base.Tasks
	}
	statements := 0
	p.Each(func(words []lines.Word) { // lines with numbers of tasks come first, because sizes depend on them
		statements++
		if words[0].Text == "tasks" {
			p.tasks(words)
		}
	})
	if p.Errors() == 0 {
		p.Each(p.statement)
	}
	for i := range p.hosts {
		if p.Errors() == 0 {
			p.order(i, base)
		}
	}
	if statements == 0 && p.Errors() == 0 {
		p.Wholef(`no lines; expected such as "speed 3 0.3 20s", "tasks 0 250" and "size 0 2.5 0-49"`)
	}
	return p.hosts, p.Err()
}

type hostsParser struct {
	*lines.File
	hosts  []Host
	told   []bool          // by processor: a line gives its number of tasks
	speeds [][]placedSpeed // by processor
	sized  [][]bool        // by processor and task: a line gives its size
}

// placedSpeed is a speed with its word in the file.
type placedSpeed struct {
	Speed
	at lines.Word
}

func (p *hostsParser) tasks(words []lines.Word) {
	if !p.Between(words, 3, 3, `"tasks PROCESSORS NUMBER", as in "tasks 0 250"`) {
		return
	}
	from, to, ok := p.Span(words[1], "processor", len(p.hosts))
	n := p.Whole(words[2], "a number of tasks", 0, maxAllTasks)
	for i := from; ok && i < to; i++ {
		if p.told[i] {
			p.Errorf(words[1], "processor %d already starts with %d tasks", i, p.hosts[i].Tasks)
			return
		}
		p.told[i], p.hosts[i].Tasks = true, int(n)
	}
}

func (p *hostsParser) statement(words []lines.Word) {
	switch words[0].Text {
	case "tasks":
	case "speed":
		p.speed(words)
	case "size":
		p.sizeLine(words)
	default:
		p.Errorf(words[0], "%q does not begin a statement; expected speed, tasks or size", words[0].Text)
	}
}

func (p *hostsParser) speed(words []lines.Word) {
	if !p.Between(words,
		3, 4, `"speed PROCESSORS FACTOR" and, if not from the start, since when, as in "speed 3 0.3 20s"`) {
		return
	}
	before := p.Errors()
	from, to, ok := p.Span(words[1], "processor", len(p.hosts))
	s := Speed{PPM: p.Millionths(words[2], "a speed", 0, maxSpeed)}
	if len(words) == 4 {
		s.FromUS = p.Time(words[3], time.Microsecond, maxTimeUS*time.Microsecond).Microseconds()
	}
	if s.PPM > 0 && s.PPM < minPPM {
		p.Errorf(words[2], "%q is not a speed from 0.001 to %d, or 0", words[2].Text, maxSpeed)
	}
	for i := from; ok && p.Errors() == before && i < to; i++ {
		if len(p.speeds[i]) == maxSpeeds {
			p.Errorf(words[0], "processor %d has more than %d speeds", i, maxSpeeds)
			return
		}
		p.speeds[i] = append(p.speeds[i], placedSpeed{s, words[2]})
	}
}

func (p *hostsParser) sizeLine(words []lines.Word) {
	if !p.Between(words, 4, 4, `"size PROCESSORS FACTOR TASKS", as in "size 0 2.5 0-49"`) {
		return
	}
	before := p.Errors()
	from, to, ok := p.Span(words[1], "processor", len(p.hosts))
	size := p.Millionths(words[2], "a size", 0.000001, maxSize)
	for i := from; ok && p.Errors() == before && i < to; i++ {
		h := &p.hosts[i]
		first, last, fits := p.Span(words[3], "task of processor "+strconv.Itoa(i), h.Tasks)
		for len(h.Sizes) < last {
			h.Sizes, p.sized[i] = append(h.Sizes, million), append(p.sized[i], false)
		}
		for k := first; fits && k < last; k++ {
			if p.sized[i][k] {
				p.Errorf(words[3], "task %d of processor %d already has the size %v", k, i, float64(h.Sizes[k])/million)
				return
			}
			h.Sizes[k], p.sized[i][k] = size, true
		}
	}
}

// order sorts a processor's speeds. If the first does not begin at 0, it adds the speed that the processor would
// otherwise have.
func (p *hostsParser) order(i int, base *Config) {
	h, list := &p.hosts[i], p.speeds[i]
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b placedSpeed) int { return cmp.Compare(a.FromUS, b.FromUS) })
	if list[0].FromUS > 0 {
		h.Speed = []Speed{{PPM: base.FreeUS * million / base.taskUS(i)}}
	}
	for k, s := range list {
		if k > 0 && s.FromUS == list[k-1].FromUS {
			p.Errorf(s.at, "processor %d has two speeds from the same time on", i)
			return
		}
		h.Speed = append(h.Speed, s.Speed)
	}
	if last := list[len(list)-1]; last.PPM == 0 {
		p.Errorf(last.at, "processor %d stands still from here on for ever; add a speed from a later time on", i)
	}
}
