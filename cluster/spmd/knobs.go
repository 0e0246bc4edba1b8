package spmd

import (
	"slices"

	"emsim/internal/base/knob"
	"emsim/internal/base/suggest"
)

// Setup describes a machine by values of flags and files: a Config whose topology is given by a name.
type Setup struct {
	Config            // Topology is set from the fields below unless it is given
	Name       string // name of the topology, see Names
	Processors int    // processors in a family, 1..1000
	LoadPPM    int64  // load of a loaded processor in millionths, which sets LoadedUS; 0 means LoadedUS is given
}

// DefaultSetup returns the experiment of Paper under the proposed policy.
func DefaultSetup() Setup {
	s := Setup{Config: Paper(Proposed), Name: "t-star", Processors: 7}
	s.Topology = nil
	return s
}

// Build checks the setup and returns the machine, with its own topology or else the named one. The error is a *Usage.
func (s *Setup) Build() (Config, error) {
	if s.Processors < 1 || s.Processors > maxProcessors { // this is checked even if the topology has a fixed number
		return Config{}, badValue("processors", "%d; expected 1 to %d", s.Processors, maxProcessors)
	}
	c := s.Config
	if c.Topology == nil {
		var err error
		if c.Topology, err = FindTopology(s.Name, s.Processors); err != nil {
			return Config{}, err
		}
	}
	if s.LoadPPM > 0 {
		c.LoadedUS = c.FreeUS * million / (million - s.LoadPPM)
	}
	return c, c.Validate()
}

// Knob documents one parameter of a Setup.
type Knob = knob.Knob[Setup]

// Knobs lists all parameters.
func Knobs() []Knob {
	return []Knob{
		{
			Key: "policy", Flag: "policy", Values: knob.Words(Policies()...), Source: "[002 §2.2]",
			Doc: "how many tasks a faster processor requests from a slower one: " +
				"none, one, or the difference between their Powers",
			Ref: func(s *Setup) any { return (*string)(&s.Policy) },
		},
		{
			Key: "topology", Flag: "topology", Values: Names(), Source: "fitted: table 2",
			Doc: "which processor reads whose Power: t-star, fano, or one of a family; the flag --topology of 'emsim " +
				"spmd run' also takes a file",
			Ref: func(s *Setup) any { return &s.Name },
		},
		{
			Key: "processors", Flag: "processors", Unit: "processors", Min: 1, Max: maxProcessors, Source: "[002 §3]",
			Doc: "number of processors in a family (all except t-star and fano, which have seven)",
			Ref: func(s *Setup) any { return &s.Processors },
		},
		{
			Key: "tasks", Flag: "tasks", Unit: "tasks", Max: maxAllTasks, Source: "[002 §3.1]",
			Doc: "number of tasks each processor starts with", Ref: func(s *Setup) any { return &s.Tasks },
		},
		{
			Key: "loaded", Flag: "loaded", Values: loadWords, Also: "a list such as 1,3,6",
			Source: "[002 §3.3]: 1,3,6",
			Doc:    "processors that also run other work: none, one (P1), two (P1 and P3), or a list",
			Ref: func(s *Setup) any {
				return knob.Word{Is: func() string { return loadedText(s.Loaded) }, Parse: func(text string) (err error) {
					s.Loaded, err = parseLoaded(text)
					return err
				}}
			},
		},
		{
			Key: "task_free", Flag: "task-free", Min: 1000, Max: maxTimeUS * 1000, Source: "fitted: tables 1 and 2",
			Doc: "time of a task on a free processor", Ref: func(s *Setup) any { return knob.Micros{P: &s.FreeUS} },
		},
		{
			Key: "task_loaded", Flag: "task-loaded", Min: 1000, Max: maxTimeUS * 1000, Source: "fitted: tables 1 and 2",
			Doc: "time of a task on a loaded processor", Ref: func(s *Setup) any { return knob.Micros{P: &s.LoadedUS} },
		},
		{
			Key: "loaded_share", Flag: "loaded-share", Unit: "%", Real: knob.Interval{High: 99.9},
			Zero: "task_loaded sets it", Source: "[002 §3.1]: about 65",
			Doc: "load of a loaded processor, which leaves its tasks the rest: " +
				"task_loaded is then task_free / (1 - load)",
			Ref: func(s *Setup) any { return knob.Fixed{P: &s.LoadPPM, One: million / 100} },
		},
		{
			Key: "jitter", Flag: "jitter", Real: knob.Interval{High: 1, OpenHigh: true}, Source: "chosen: breaks ties",
			Doc: "share by which a task's time varies, up or down",
			Ref: func(s *Setup) any { return knob.Fixed{P: &s.JitterPPM, One: million} },
		},
		{
			Key: "interval", Flag: "interval", Min: 1000, Max: maxTimeUS * 1000, Source: "fitted: table 2",
			Doc: "length of the interval after which a processor sends its Power",
			Ref: func(s *Setup) any { return knob.Micros{P: &s.IntervalUS} },
		},
		{
			Key: "latency", Flag: "latency", Max: maxTimeUS * 1000, Source: "chosen: small compared with a task",
			Doc: "time a message takes to arrive", Ref: func(s *Setup) any { return knob.Micros{P: &s.LatencyUS} },
		},
		{
			Key: "send", Flag: "send", Values: knob.Words(Sends()...),
			Source: "fitted: the rates at which P1, P3, P6 lose tasks",
			Doc:    "which processors receive a Power: one reader per interval, in turn, or all readers",
			Ref:    func(s *Setup) any { return (*string)(&s.Send) },
		},
		{
			Key: "request_again", Flag: "request-again", Source: "beyond the paper",
			Doc: "whether a processor without tasks requests some from those whose Powers it reads, in turn, " +
				"until each has had none to give",
			Ref: func(s *Setup) any { return &s.RequestAgain },
		},
		{
			Key: "seed", Flag: "seed", Source: "chosen",
			Doc: "seed of the phases and the jitter", Ref: func(s *Setup) any { return &s.Seed },
		},
	}
}

// loadWords are the words that stand for lists of loaded processors.
var loadWords = []string{"none", "one", "two"}

// paperLoaded are the loaded processors of the paper. One and two loaded processors are the first of them.
var paperLoaded = []int{1, 3, 6}

// loadedText returns the text from which parseLoaded reads the loaded processors.
func loadedText(loaded []int) string {
	if len(loaded) == 0 {
		return "none"
	}
	return knob.NumbersText(loaded)
}

// parseLoaded returns the loaded processors.
func parseLoaded(text string) ([]int, error) {
	switch text {
	case "none", "":
		return []int{}, nil
	case "one":
		return slices.Clone(paperLoaded[:1]), nil
	case "two":
		return slices.Clone(paperLoaded[:2]), nil
	}
	list, err := knob.Numbers(text)
	if err != nil {
		return nil, badValue("loaded", "%w, or none, one or two%s", err, suggest.DidYouMean(text, loadWords))
	}
	return list, nil
}
