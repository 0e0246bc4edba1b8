//go:build !js

package run

import (
	"errors"
	"fmt"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/plural"
	"emsim/internal/compile/cut"
)

// Explain returns lines that say what was chosen and why, with the numbers that decided it.
func (p *Placement) Explain() []string {
	out := []string{fmt.Sprintf("placement for %d PEs: policy %s, MLPE %s, blocks %s, guards at the %s", p.pes,
		p.Policy, p.MLPE, p.Blocks, p.Guards)}
	if p.Fault != "" {
		return append(out, "Only the default was tried, so options that are not given keep their defaults: "+
			""+p.Fault+".")
	}
	out = append(out, p.sample(), "")
	out = append(out, p.describe()...)
	out = append(out, "")
	out = append(out, p.policyTable()...)
	out = append(out, "", p.reason())
	if len(p.Cuts) > 1 {
		out = append(out, "", "With this policy, other blocks and guards:")
		out = append(out, p.cutTable()...)
	}
	return append(out, p.onFewer()...)
}

// morePEsCost is the slowdown against fewer PEs, in per cent, above which Explain says why [chosen].
const morePEsCost = 5

// onFewer returns lines that say why fewer PEs would be faster and what to write then, or nil if they would not be
// faster.
func (p *Placement) onFewer() (out []string) {
	pes, x := p.placer.tryFewer()
	here := p.fastest(p.Cuts).Clocks
	if pes == 0 || 100*here <= (100+morePEsCost)*x.Clocks {
		return nil
	}
	for _, f := range p.functions {
		for _, why := range f.Farther {
			out = append(out, why+".")
		}
	}
	return append([]string{"", fmt.Sprintf("%d PEs would take %s clocks, %.2f times as many as here. More PEs "+
		"cost more here:", pes,
		plural.Commas(x.Clocks), float64(x.Clocks)/float64(here))}, out...)
}

// sample describes the run that the trials used.
func (p *Placement) sample() string {
	text := "The program was run on the machine"
	for i, a := range p.Args {
		text += fmt.Sprintf(" %s %s = %d", map[bool]string{true: "with", false: "and"}[i == 0], p.ranges[i].Name, a)
	}
	if p.Smaller {
		text += ", because more takes too long to try or fails"
	}
	return text + ". A trial was stopped once it took longer than the best so far."
}

// Explain returns lines that describe a program in Go, and the reasons for its placement.
func (s *Spec) Explain() ([]string, error) {
	if s.Plan != nil {
		return s.Plan.Explain(), nil
	}
	graph, err := GoGraph(s.Program, s.Params)
	if err != nil {
		return nil, err
	}
	return functionTexts(graph.Functions), nil
}

// functionTexts describes functions, with the reasons why they wait.
func functionTexts(functions []cut.Function) (out []string) {
	for _, f := range functions {
		if f.Does != "" {
			out = append(out, fmt.Sprintf("%s (line %d): %s", f.Name, f.Line, f.Does))
		}
		out = append(out, f.Waits...)
	}
	return out
}

// describe describes the functions, and how much work there is.
func (p *Placement) describe() []string {
	out := functionTexts(p.functions)
	x := &p.Tried[0]
	if x.Calls == 0 {
		return out
	}
	text := fmt.Sprintf("In all %s, with %d clocks of work and %.1f packets each", plural.Of(x.Calls, "instance"),
		x.States()[emcr.ExuFmu]/x.Calls, float64(x.Sent)/float64(x.Calls))
	if x.Calls < uint64(p.pes) {
		text += fmt.Sprintf("; fewer than the %d PEs", p.pes)
	}
	return append(out, text+".")
}

// policyTable returns a table of the policies that were tried.
func (p *Placement) policyTable() []string {
	out := []string{fmt.Sprintf("  %-18s %10s %10s %14s %14s", "policy", "MLPE", "clocks", "busiest PE",
		"links/packet")}
	for i := range p.Tried {
		x := &p.Tried[i]
		line := fmt.Sprintf("  %-18s %10s ", x.Policy, x.MLPE)
		if x.Fault != "" {
			line += x.Fault
		} else {
			line += fmt.Sprintf("%10s %14s %14.2f", plural.Commas(x.Clocks), x.busiest(), x.links())
		}
		out = append(out, line+marked(x.Policy == p.Policy && x.MLPE == p.MLPE))
	}
	return out
}

// marked returns the mark of the chosen row, or "".
func marked(chosen bool) string {
	if chosen {
		return "  <- chosen"
	}
	return ""
}

// cutTable returns a table of the blocks and guards that were tried.
func (p *Placement) cutTable() []string {
	out := []string{fmt.Sprintf("  %-10s %-8s %10s %10s %10s", "blocks", "guards", "clocks", "packets", "instances")}
	for i := range p.Cuts {
		x := &p.Cuts[i]
		line := fmt.Sprintf("  %-10s %-8s ", x.Blocks, x.Guards)
		if x.Fault != "" {
			line += x.Fault
		} else {
			line += fmt.Sprintf("%10s %10s %10s", plural.Commas(x.Clocks), plural.Commas(x.Sent),
				plural.Commas(x.Calls))
		}
		out = append(out, line+marked(x.Blocks == p.Blocks && x.Guards == p.Guards))
	}
	return out
}

// busiest returns the work of the busiest PE as a multiple of the mean.
func (x *Trial) busiest() string { return fmt.Sprintf("%.1f x mean", x.Imbalance()) }

// links returns the mean number of links that a packet crosses.
func (x *Trial) links() float64 { return float64(x.Hops()) / float64(max(1, x.Sent)) }

// inWords returns policy and MLPE in words.
func (x *Trial) inWords() string {
	if x.MLPE == "off" {
		return x.Policy
	}
	return x.Policy + " with MLPE"
}

// reason returns the reason for the chosen policy.
func (p *Placement) reason() string {
	first, chosen := &p.Tried[0], p.fastest(p.Tried)
	switch {
	case len(p.Tried) == 1:
		return fmt.Sprintf("Policy %s and MLPE %s are given.", p.Policy, p.MLPE)
	case chosen == first && first.Fault != "":
		return first.inWords() + " stays: every trial fails."
	case chosen == first && p.Smaller:
		return fmt.Sprintf("%s stays: nothing else is more than %d %% faster.", first.inWords(), margin)
	case chosen == first:
		return first.inWords() + " stays: nothing else is faster."
	case first.Fault != "":
		return fmt.Sprintf("%s is the choice, because %s fails: %s.", chosen.inWords(), first.inWords(), first.Fault)
	}
	var reasons []string
	if chosen.Imbalance() < 0.9*first.Imbalance() {
		reasons = append(reasons, fmt.Sprintf("the busiest PE has %s of the work instead of %s", chosen.busiest(),
			first.busiest()))
	}
	if a, b := chosen.links(), first.links(); a < 0.9*b {
		reasons = append(reasons, fmt.Sprintf("a packet crosses %.1f links instead of %.1f", a, b))
	}
	if chosen.Sent < first.Sent*95/100 {
		reasons = append(reasons, fmt.Sprintf("there are %d packets instead of %d", chosen.Sent, first.Sent))
	}
	if len(reasons) == 0 {
		reasons = append(reasons, "calls reach idle PEs sooner")
	}
	return fmt.Sprintf("%s takes %.2f of the clocks of %s: %s.", chosen.inWords(),
		float64(chosen.Clocks)/float64(first.Clocks), first.inWords(), strings.Join(reasons, "; "))
}

// faultText returns a short reason why a trial has no result.
func faultText(err error) string {
	var fault *emcr.Fault
	var limit *em4.ClockLimit
	text := err.Error()
	switch {
	case errors.As(err, &fault):
		text = fault.Text
	case errors.As(err, &limit) && limit.What == "run":
		return fmt.Sprintf("more than %s clocks", plural.Commas(limit.Clock))
	}
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "; ")
	return text
}
