package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/answer"
	"emsim/internal/base/gotype"
	"emsim/internal/base/plural"
	"emsim/programs"
)

// MarshalJSON writes the keys of the answer in order.
func (x *Answer) MarshalJSON() ([]byte, error) { return x.Said().MarshalJSON() }

// Said returns the answer: the settings, the numbers of the run and the cost of its simulation.
func (x *Answer) Said() *answer.Answer {
	s := x.Session
	a := &answer.Answer{
		Title: s.Call(), Machine: s.machineText(x.AllSettings) + seedsText(s.Seed, x.Seeds),
		Whole: "the PEs' time", Papers: x.Papers, Next: x.Next,
	}
	x.sayResult(a)
	x.saySettings(a)
	for i := 0; i < len(s.ResultKeys(x.Words)); i += 2 {
		a.Say(s.ResultKeys(x.Words)[i].(string), s.ResultKeys(x.Words)[i+1])
	}
	a.Number("clocks", x.Clocks, "clocks", "from the entry of the start packet to the last word to the host")
	a.Say("start_clock", x.Start)
	a.Number("time_ms", x.TimeMS(), "ms", "the same at the machine's clock").Head("time",
		"%s clocks of %.4g ns%s", plural.Commas(x.Clocks), s.Config().ClockNS, x.spread())
	a.Number("mips", x.MIPS(), "", "million instructions per second of the modelled machine").Called("MIPS")
	x.sayStatistics(a)
	x.sayOvertakings(a)
	runs := []uint64{} // clocks of all complete runs
	for _, t := range s.Done {
		runs = append(runs, t.Clocks)
	}
	a.SayAll("runs", runs, "bands", s.Bands(), "leaked_segments", append([]em4.Leak{}, s.Leaks...), "knobs",
		KnobValues(s.Config()), "wall_seconds", x.Wall.Seconds(), "pe_clocks_per_second", x.Speed(), "fast_share",
		x.fastShare())
	if x.Explain != nil {
		a.Say("explain", x.Explain)
	}
	if x.Partial {
		a.Say("done_share", x.DoneShare())
	}
	if list := x.bandList(a); list.Rows != nil {
		a.Lists = append(a.Lists, list)
	}
	return a
}

// saySettings adds the program, the machine and their settings.
func (x *Answer) saySettings(a *answer.Answer) {
	s, params := x.Session, x.Session.Object.Chosen()
	var policy, mlpe any // null in JSON if the program has no such parameter
	if v, ok := params["policy"]; ok {
		policy = v
	}
	if v, ok := params["mlpe"]; ok {
		mlpe = v != "off"
	}
	a.SayAll("program", s.Name, "args", s.Args, "machine", s.MachineName, "pes", s.Config().PEs, "policy", policy,
		"mlpe", mlpe, "params", params, "seed", s.Seed)
	if x.Seeds > 0 {
		a.Say("seeds", x.Seeds)
	}
}

// sayStatistics adds the machine's statistics. The important ones get display names and notes.
func (x *Answer) sayStatistics(a *answer.Answer) {
	for _, st := range em4.StatisticsIn(em4.InJSON) {
		f := a.Number(cmp.Or(st.JSON, st.Key), st.Total(&x.Totals), st.MachineUnit(), st.MachineDoc())
		if f.IsShare = st.Share; f.IsShare {
			f.Unit = ""
		}
		x.show(st.Key, f)
	}
}

// show sets a statistic's place in the text, its label and its note.
func (x *Answer) show(key string, f *answer.Field) {
	t, c := &x.Totals, x.Session.Config()
	perCall := func(n uint64) string {
		if t.Calls == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f a call", float64(n)/float64(t.Calls))
	}
	all := float64(float64(t.Clocks) * float64(c.PEs))
	ofAll := func(a emcr.Activity) float64 { return 100 * float64(t.States()[a]) / max(1, all) }
	switch key {
	case "pe_utilisation":
		buffer := ""
		if t.States()[emcr.IbuOnly] > 0 {
			buffer = fmt.Sprintf(", %.1f %% only the input buffer", ofAll(emcr.IbuOnly))
		}
		f.Head("utilisation", "%.1f %% executing or matching%s", ofAll(emcr.ExuFmu), buffer)
	case "exu_fmu":
		f.PartOf(answer.Work, "").Called("executing or matching")
	case "ibu_only":
		f.PartOf("buffers", "only the input buffer has the memory").Called("only the input buffer")
	case "network_wait":
		f.PartOf("network", "the EXU holds a packet that the switch has not taken").Called("network wait")
	case "idle":
		f.PartOf("idle", "no packet to work on").Called("idle")
	case "instructions":
		f.Detail("instructions", "%s", joined(perCall(t.Instructions),
			fmt.Sprintf("%.1f MIPS of %s", x.MIPS(), plural.Commas(uint64(PeakMIPS(c)+0.5)))))
	case "mlpe_calls":
		f.Called("calls by MLPE")
	case "calls":
		f.Detail("calls", "%s", joined(plural.Commas(t.RemoteCalls)+
			" to another PE", x.placed(), fmt.Sprintf("the busiest PE worked %.2f times the mean", t.Imbalance())))
	case "packets_sent":
		f.Detail("packets", "%s", joined(perCall(t.Sent), "over "+plural.Commas(t.Hops())+" links", spilled(t)))
	case "segments_peak":
		buffers := ""
		if t.MIBPeak > 0 {
			buffers = fmt.Sprintf("input buffers %s words of %s", plural.Commas(t.MIBPeak), plural.Commas(c.MIBWords))
		}
		f.Detail("segments", "%s", joined("in use at once in one PE, of "+plural.Commas(c.Segments), buffers))
	}
}

// spilled returns a note with the share of packets that went through the memory input buffer, or "".
func spilled(t *em4.Totals) string {
	if t.Spilled == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %% spilled to memory and read back", 100*float64(t.Spilled)/float64(max(1, t.Sent)))
}

// placed returns a note on what MLPE did, or "" if it did nothing.
func (x *Answer) placed() string {
	if x.MLPESent == 0 && x.MLPECalls == 0 {
		return ""
	}
	return fmt.Sprintf("%s placed by MLPE, with %s MLPE packets", plural.Commas(x.MLPECalls), plural.Commas(x.MLPESent))
}

// joined joins the nonempty parts of a note.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// sayOvertakings adds the waiting times of packets, if they were counted.
func (x *Answer) sayOvertakings(a *answer.Answer) {
	o := x.Overtakings
	if o == nil {
		return
	}
	longest, most := o.Longest.String(), o.Most.String()
	a.Number("wait_longest", o.Longest.Clocks, "clocks",
		"longest time that a packet was ready in one switch and did not move").Detail("clocks of waiting",
		"longest time that a packet was ready in one switch and did not move: %s", longest).Always()
	shown := most
	if most == longest {
		shown = "the same"
	}
	a.Say("wait_longest_packet", longest)
	a.Number("overtaken_most", o.Most.Times, "times",
		"most times that other packets took the space that one packet was ready for").Detail("overtakings",
		"most times that other packets took the space that one packet was ready for: %s", shown).Always()
	a.Say("overtaken_most_packet", most)
}

// MostValues is the largest number of values of a result that are displayed [chosen].
const MostValues = 20

// sayResult adds the result of the run, and notes about it.
func (x *Answer) sayResult(a *answer.Answer) {
	if len(x.Words) > 0 || !x.Partial {
		a.Result = x.Session.ResultText(x.Words, MostValues)
	}
	a.Stopped = x.partial()
	if note := x.wordNote(); note != "" {
		a.Says = append(a.Says, note)
	}
}

// partial returns how far a session got if its run did not complete, or "".
func (x *Answer) partial() string {
	switch {
	case !x.Partial:
		return ""
	case x.DoneShare() != nil:
		return fmt.Sprintf("%.0f %% done, %d of %d runs", 100**x.DoneShare(), len(x.Session.Done), x.Session.Runs)
	}
	return "not complete, after " + plural.Of(x.Clocks, "clock")
}

// wordNote returns a note about a single result word. It gives the full value if the machine has truncated it, or the
// signed value if the program does not state its type.
func (x *Answer) wordNote() string {
	words, bits := x.Words, x.Session.WordBits()
	if len(words) != 1 {
		return ""
	}
	full, _ := programs.FullAnswer(x.Session.Name, x.Session.Object, x.Session.Words,
		x.Session.Config().PEs) // nil for programs without a known answer
	switch {
	case len(full) == 1 && full[0]>>bits > 0 && full[0]&(1<<bits-1) == words[0]:
		return fmt.Sprintf("The result is wrapped to %d bits: in full it is %s.", bits, plural.Commas(full[0]))
	case x.Session.Object.Result == "" && words[0]>>(bits-1) == 1:
		return "As a signed word the result is " + gotype.Text("int", words, 1, bits) + "."
	}
	return ""
}

// spread returns how the clocks of several runs differ, and when an incomplete run began.
func (x *Answer) spread() string {
	const most = 8 // runs that are listed [chosen]
	done, text := x.Session.Done, ""
	if x.Partial {
		text = fmt.Sprintf("; it began at the machine's clock %s", plural.Commas(x.Start))
	}
	if len(done) < 2 {
		return text
	}
	text += fmt.Sprintf("; the fastest of %d runs:", len(done))
	for i := 0; i < min(most, len(done)); i++ {
		text += " " + plural.Commas(done[i].Clocks)
	}
	if len(done) > most {
		text += " ..."
	}
	return text
}

// prototype is the name of the EM-4 prototype's machine.
const prototype = "emc-r"

// machineText returns the machine with its size, and the settings of program and machine that the user changed, or all
// parameters.
func (t *Target) machineText(all bool) string {
	words := append([]string{"EM-4", plural.Of(t.Config().PEs, "PE")}, t.Changed(all)...)
	if t.MachineName != prototype {
		words[0] = t.MachineName
	}
	return strings.Join(words, ", ")
}

// seedsText returns the seed of one run, or the seeds of several.
func seedsText(first uint64, n int) string {
	if n > 1 {
		return fmt.Sprintf(", seeds %d to %d", first, first+uint64(n)-1)
	}
	return fmt.Sprintf(", seed %d", first)
}
