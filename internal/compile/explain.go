package compile

import (
	"fmt"
	"strings"

	"emsim/internal/plural"
)

// Explain says in words what was chosen and why, with the numbers behind it, a
// line each.
func (p *Plan) Explain() []string {
	m := p.aim.Machine
	out := []string{fmt.Sprintf("placement for %d PEs: policy %s, MLPE %s, blocks %s, guards at the %s", m.PEs, p.Policy, p.MLPE, p.Blocks, p.Guards)}
	if p.Fault != "" {
		return append(out, "There was no trial, so what is not given has its default: "+p.Fault+".")
	}
	out = append(out, p.sample(), "")
	out = append(out, p.functions()...)
	heading := "Clocks that trials expect:"
	if p.Placement == Measured {
		heading = "Clocks that the machine took:"
	}
	out = append(out, "", heading)
	out = append(out, p.policies()...)
	out = append(out, "", p.why())
	if len(p.Cuts) > 1 {
		out = append(out, "", "With this policy, other blocks and guards:")
		out = append(out, p.cuts()...)
	}
	return out
}

// sample says what the trials ran.
func (p *Plan) sample() string {
	var words []string
	for i, a := range p.Args {
		words = append(words, fmt.Sprintf("%s = %d", p.code.c.entry.args[i].name, a))
	}
	text := "The blocks were run on a coarse model of the machine"
	if p.Placement == Measured {
		text = "The program was run on the machine"
	}
	if len(words) > 0 {
		text += " with " + strings.Join(words, ", ")
	}
	for i, a := range p.aim.Args {
		if i < len(p.Args) && p.Args[i] != a {
			return text + ", because more takes too long to try."
		}
	}
	return text + "."
}

// functions describes each function by what one of its instances is.
func (p *Plan) functions() []string {
	var out []string
	for i := range p.code.units {
		u := &p.code.units[i]
		if u.f == nil {
			continue
		}
		f := u.f
		n := p.Tried[0].Instances
		if len(n) <= i || n[i] == 0 {
			continue
		}
		text := fmt.Sprintf("%s (line %d): %s, %s, %s", f.name, p.code.c.line(f.decl), plural.Of(n[i], "instance"), operandsOf(f), p.callsOf(f))
		if len(f.params) > 0 && f.front > 0 && p.Guards == Caller {
			text += "; the caller tests whether a call ends at once"
		}
		if p.Tried[0].Instances[i] < p.aim.Machine.PEs {
			text += fmt.Sprintf("; fewer than the %d PEs", p.aim.Machine.PEs)
		}
		out = append(out, text)
	}
	t := &p.Tried[0]
	all := 0
	for _, n := range t.Instances {
		all += n
	}
	if all > 0 {
		out = append(out, fmt.Sprintf("In all %s, at most %d calls deep; %d clocks of work and %.1f packets each.",
			plural.Of(all, "instance"), t.Depth, t.Work/uint64(all), float64(t.Packets)/float64(all)))
	}
	return out
}

// operandsOf says what goes into an instance and what comes out.
func operandsOf(f *function) string {
	out := "nothing"
	switch {
	case f.array != nil && f == f.array.access["Stream"]:
		out = "a stream"
	case len(f.outs) > 0:
		out = plural.Of(len(f.outs), "stream")
	case f.answers():
		out = "one word"
	}
	return fmt.Sprintf("%s in and %s out", plural.Of(len(f.params), "word"), out)
}

// callsOf says how a function calls.
func (p *Plan) callsOf(f *function) string {
	heavy, self := 0, false
	for _, x := range f.calls {
		if g := p.code.c.callee(x); !g.inlined {
			heavy++
			self = self || g == f
		}
	}
	switch {
	case f.fills():
		return "a tree over all PEs, which fill their parts of " + f.array.obj.Name()
	case f.lit != nil && isFloat(f.result):
		return "a tree that halves its range; turns are spread evenly, whatever the policy"
	case f.lit != nil:
		return "a tree over the PEs, which share the turns evenly, whatever the policy"
	case f.array != nil:
		return "on the PE that owns the piece of " + f.array.obj.Name()
	case heavy == 0:
		return "which calls nothing"
	case self && f.loops && !p.code.c.streams(f.decl):
		return "which calls itself in a loop, a number of times that its argument decides"
	case self:
		return "which calls itself"
	}
	return "which makes calls"
}

// policies is a table of the trials.
func (p *Plan) policies() []string {
	out := []string{fmt.Sprintf("  %-18s %10s %10s %14s %14s", "policy", "MLPE", "clocks", "busiest PE", "links/packet")}
	for _, x := range p.Tried {
		mark := ""
		if x.Policy == p.Policy && x.MLPE == p.MLPE {
			mark = "  <- chosen"
		}
		if x.Fault != "" {
			out = append(out, fmt.Sprintf("  %-18s %10s %s", x.Policy, x.MLPE, x.Fault))
			continue
		}
		out = append(out, fmt.Sprintf("  %-18s %10s %10s %14s %14.2f%s", x.Policy, x.MLPE, plural.Commas(x.Clocks), x.share(p.aim.Machine.PEs), x.perLink(), mark))
	}
	return out
}

// share is the work of the busiest PE by the mean.
func (t *Tried) share(pes int) string {
	if t.Work == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f x mean", float64(t.Busiest)*float64(pes)/float64(t.Work))
}

func (t *Tried) perLink() float64 { return float64(t.Links) / float64(max(1, t.Packets)) }

// why gives the reason for the policy.
func (p *Plan) why() string {
	first := &p.Tried[0]
	chosen := first
	for i := range p.Tried {
		if p.Tried[i].Policy == p.Policy && p.Tried[i].MLPE == p.MLPE {
			chosen = &p.Tried[i]
		}
	}
	if len(p.Tried) == 1 {
		return fmt.Sprintf("Policy %s and MLPE %s are given.", p.Policy, p.MLPE)
	}
	name := func(t *Tried) string {
		if t.MLPE == "off" {
			return t.Policy
		}
		return t.Policy + " with MLPE"
	}
	if chosen == first {
		if p.Placement == Measured {
			return name(first) + " stays: nothing else is faster."
		}
		if first.Fault != "" {
			return name(first) + " stays: every trial fails."
		}
		return fmt.Sprintf("%s stays: nothing else seems more than %d %% faster.", name(first), margin)
	}
	if first.Fault != "" {
		return fmt.Sprintf("%s is the choice, because with %s %s.", name(chosen), name(first), first.Fault)
	}
	pes := p.aim.Machine.PEs
	reasons := []string{}
	if a, b := float64(chosen.Busiest)/float64(max(1, chosen.Work)), float64(first.Busiest)/float64(max(1, first.Work)); a < 0.9*b {
		reasons = append(reasons, fmt.Sprintf("the busiest PE has %s of the work instead of %s", chosen.share(pes), first.share(pes)))
	}
	if a, b := chosen.perLink(), first.perLink(); a < 0.9*b {
		reasons = append(reasons, fmt.Sprintf("a packet crosses %.1f links instead of %.1f", a, b))
	}
	if chosen.Packets < first.Packets*95/100 {
		reasons = append(reasons, fmt.Sprintf("there are %d packets instead of %d", chosen.Packets, first.Packets))
	}
	if len(reasons) == 0 {
		reasons = append(reasons, "calls reach idle PEs sooner")
	}
	text := fmt.Sprintf("%s is expected to take %.2f of the clocks of %s: %s.", name(chosen), float64(chosen.Clocks)/float64(first.Clocks), name(first), strings.Join(reasons, "; "))
	if least := p.fastest(p.Tried); least.Clocks < chosen.Clocks {
		text += fmt.Sprintf(" %s seems faster, but by no more than %d %%.", name(&least), margin)
	}
	return text
}

// cuts is a table of blocks and guards.
func (p *Plan) cuts() []string {
	out := []string{fmt.Sprintf("  %-10s %-8s %10s %10s %10s", "blocks", "guards", "clocks", "packets", "instances")}
	for _, x := range p.Cuts {
		if x.Fault != "" {
			out = append(out, fmt.Sprintf("  %-10s %-8s %s", x.Blocks, x.Guards, x.Fault))
			continue
		}
		n, mark := 0, ""
		for _, k := range x.Instances {
			n += k
		}
		if x.Blocks == p.Blocks && x.Guards == p.Guards {
			mark = "  <- chosen"
		}
		out = append(out, fmt.Sprintf("  %-10s %-8s %10s %10s %10s%s", x.Blocks, x.Guards, plural.Commas(x.Clocks), plural.Commas(uint64(x.Packets)), plural.Commas(uint64(n)), mark))
	}
	return out
}
