package debug

import (
	"fmt"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
)

// addStop runs the commands break and watch.
func (d *Debugger) addStop(x call) error {
	s, err := d.readStop(x.words)
	if err != nil {
		return err
	}
	d.count++
	s.number = d.count
	d.stops = append(d.stops, s)
	d.printf("stop %d: %s\n", s.number, s.text)
	return nil
}

// Stop describes a breakpoint or a watchpoint as the user set it.
type Stop struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	On     bool   `json:"on"`
	Hits   int    `json:"hits"`
}

// Stops returns the stops in the order in which they were set.
func (d *Debugger) Stops() []Stop {
	return lists.Of(d.stops, func(s *stop) Stop { return Stop{s.number, s.text, s.on, s.hits} })
}

// Hits returns the reasons of the stops that ended the last motion, or an empty list if something else ended it.
func (d *Debugger) Hits() []string {
	return lists.Of(d.hits, func(h hit) string { return h.text })
}

// listStops runs the command stops.
func (d *Debugger) listStops(call) {
	if len(d.stops) == 0 {
		d.printf("no stops: 'break' and 'watch' set some\n")
	}
	for _, s := range d.Stops() {
		state := map[bool]string{true: "on ", false: "off"}[s.On]
		d.printf("%3d  %s  %s  (%s)\n", s.Number, state, s.Text, plural.Of(s.Hits, "hit"))
	}
}

// changeStops returns a command that calls f with each stop of the given numbers; without numbers, with every stop.
func changeStops(f func(d *Debugger, s *stop)) func(*Debugger, call) error {
	return func(d *Debugger, x call) error {
		chosen := slices.Clone(d.stops)
		if len(x.words) > 0 {
			chosen = nil
		}
		for _, w := range x.words {
			i := slices.IndexFunc(d.stops, func(s *stop) bool { return fmt.Sprint(s.number) == w })
			if i < 0 {
				return errorf("there is no stop %s: 'stops' lists them", w)
			}
			chosen = append(chosen, d.stops[i])
		}
		for _, s := range chosen {
			f(d, s)
		}
		return nil
	}
}
