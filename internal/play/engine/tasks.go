package engine

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/exercise"

	"emsim/internal/play/engine/markup"
)

// Task is an exercise as the page shows it.
type Task struct {
	Name   string `json:"name"`
	Lesson string `json:"lesson"` // the lesson at whose end the page shows it
	Kind   string `json:"kind"`
	Setup  Setup  `json:"setup"` // the setup from which the user starts
	HTML   string `json:"-"`     // as a lesson shows it
}

// tasks returns the exercises.
func tasks() []Task {
	return lists.Of(exercise.Own(), func(x *exercise.Exercise) Task {
		s := Setup{Main: x.Program, PEs: x.PEs, Params: x.Params, Sets: maps.Clone(x.Set)}
		for _, a := range x.Case[0].Args {
			s.Args = append(s.Args, fmt.Sprint(a))
		}
		if s.Files = map[string]string{x.Program: x.Text}; x.Text == "" {
			s.Main, s.Files = x.Program+".s", nil
		}
		p := &sheet{}
		p.Add(`<section class="task exercise" aria-label="exercise: %s"><h3>Exercise: %[1]s</h3>`, x.Title)
		for text := range strings.SplitSeq(strings.TrimSpace(x.Task), "\n\n") {
			p.Add("<p>%s</p>", coded(text))
		}
		for _, q := range x.Question {
			p.Add(`<p><label>%s <input data-key="%s" autocomplete="off" size="8"></label></p>`, coded(q.Text), q.Key)
		}
		p.Add(`<p><button data-begin data-act="begin %s">Begin</button> <button class="main" data-check `+
			`data-act="check %[1]s">Check</button></p><div class="verdict" role="status"></div></section>`, x.Name)
		return Task{x.Name, x.Lesson, x.Kind, s, p.String()}
	})
}

// coded returns text as HTML, in which parts in backquotes become code.
func coded(text string) markup.HTML {
	p := &sheet{}
	for i, part := range strings.Split(text, "`") {
		p.Add([]string{"%s", "<code>%s</code>"}[i%2], part)
	}
	return markup.HTML(p.String())
}

// handedIn is a solution to an exercise: the program and its settings, or answers.
type handedIn struct {
	Name    string            `json:"name"`
	Setup   Setup             `json:"setup"`
	Answers map[string]string `json:"answers"`
}

func (h *handedIn) check(g *guard) (*exercise.Verdict, error) {
	x, ok := lists.Find(exercise.Own(), func(x *exercise.Exercise) bool { return x.Name == h.Name })
	if !ok {
		return nil, simerr.Usagef("there is no exercise %q", h.Name)
	}
	s, err := exercise.Solution{Name: h.Setup.Main, Given: h.Answers}, error(nil)
	if x.Kind != exercise.Prediction {
		s.PEs, s.Given = h.Setup.PEs, map[string]string{}
		maps.Copy(s.Given, h.Setup.Params)
		maps.Copy(s.Given, h.Setup.Sets)
	}
	if x.Kind == exercise.Program {
		if s.Object, err = h.Setup.assemble(); err != nil {
			return &exercise.Verdict{Reason: err.Error(), Checks: []exercise.Check{}}, nil
		}
	}
	v, err := x.Check(g, s, nil)
	if interrupt.Ended(err) {
		err = g.explain(interrupt.Of(g, "while it was checked"))
	}
	return &v, err
}

// verdict returns what the page says about a solution.
func verdict(v *exercise.Verdict) string {
	p := &sheet{}
	p.Add("<b>%s</b>", map[bool]string{true: "Right.", false: "Not yet."}[v.Passed])
	if len(v.Checks) == 0 {
		p.Add("<pre>%s</pre>", v.Reason)
	}
	p.WriteString("<ul>")
	for _, c := range v.Checks {
		if c.OK {
			p.Add(`<li class="right">✓ %s</li>`, c.What)
		} else {
			p.Add(`<li class="wrong">✗ %s<pre>%s</pre></li>`, c.What, c.Message)
		}
	}
	p.WriteString("</ul>")
	return p.String()
}

// arrow is an arrow of a lesson's graph: the packet that goes along it, and the links that this packet crosses.
type arrow struct {
	Packet string `json:"packet"`
	Links  int    `json:"links"`
}

// Token is a packet on its arrow.
type Token struct {
	Seen  bool    `json:"seen"` // it has been made and not yet consumed
	At    float64 `json:"at"`   // the fraction of the arrow that it has covered
	Waits bool    `json:"waits"`
	Value string  `json:"value"`
}

// tokens returns where the packets of arrows are now.
func (s *Session) tokens(ctx context.Context, list []arrow) ([]Token, error) {
	if err := s.checkPE(0); err != nil {
		return nil, err
	}
	all := make([]Token, len(list))
	for i, a := range list {
		way, err := s.d.Follow(s.guard(ctx), a.Packet)
		if err != nil {
			continue // it has not been made yet
		}
		w := s.wayInRun(way)
		all[i] = token(w, s.clock(), a.Links, s.batch().Config().HopClocks)
	}
	return all, ctx.Err()
}

// token returns where a packet is at a clock.
func token(w *debug.Way, clock uint64, links, hop int) Token {
	var t Token
	there, moves, left := false, 0, uint64(0)
	for _, x := range w.Stations {
		if x.Clock > clock {
			break
		}
		t.Seen, t.Waits = x.What != "begin" && x.What != "leave", x.What == "store"
		there = there || x.What == "queue" || strings.HasPrefix(x.Text, "arrives ")
		if strings.HasPrefix(x.Text, "leaves ") {
			moves, left = moves+1, x.Clock
		}
	}
	if there {
		t.At = 1
	} else if moves > 0 {
		t.At = (float64(moves-1) + min(1, float64(clock+1-left)/float64(hop))) / float64(links)
	}
	about := w.Packet.About
	digits := strings.TrimRight(about, "0123456789")
	if t.Value = about[len(digits):]; t.Value != "" && strings.HasSuffix(digits, "-") {
		t.Value = "-" + t.Value
	}
	return t
}
