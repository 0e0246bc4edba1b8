package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"emsim/em4"
	"emsim/emcr"
	"emsim/packet"
)

// runAnswer is what 'emsim run' says of a run.
type runAnswer struct {
	Program           string            `json:"program"`
	Args              []int64           `json:"args"`
	Machine           string            `json:"machine"`
	PEs               int               `json:"pes"`
	Policy            *string           `json:"policy"` // null when the program has no such parameter
	MLPE              *bool             `json:"mlpe"`   // null likewise
	Params            map[string]string `json:"params"`
	Seed              uint64            `json:"seed"`
	Result            []uint64          `json:"result"`
	Clocks            uint64            `json:"clocks"`
	StartClock        uint64            `json:"start_clock"` // of the machine, at the start of the run
	TimeMS            float64           `json:"time_ms"`
	States            stateShares       `json:"states"`
	Utilisation       float64           `json:"pe_utilisation"`
	IBUWaiting        float64           `json:"ibu_waiting"` // part of ibu_only in which the EXU held a packet that the switch had not taken
	Instructions      uint64            `json:"instructions"`
	Calls             uint64            `json:"calls"`
	MLPECalls         uint64            `json:"mlpe_calls"`
	MLPEPackets       uint64            `json:"mlpe_packets"`
	Packets           packetCounts      `json:"packets"`
	SegmentsPeak      int               `json:"segments_peak"`
	MIBPeakWords      int               `json:"mib_peak_words"`
	Runs              []uint64          `json:"runs"` // clocks of all complete runs
	Knobs             map[string]any    `json:"knobs"`
	WallSeconds       float64           `json:"wall_seconds"`
	PEClocksPerSecond float64           `json:"pe_clocks_per_second"`

	config   em4.Config
	wordBits uint8    // of the machine's words
	params   []string // in the order of their declaration
	failed   bool     // the run did not end well
}

type stateShares struct {
	ExuFmu      float64 `json:"exu_fmu"`
	IbuOnly     float64 `json:"ibu_only"`
	NetworkWait float64 `json:"network_wait"`
	Idle        float64 `json:"idle"`
}

type packetCounts struct {
	Sent    uint64 `json:"sent"`
	Spilled uint64 `json:"spilled"`
	Hops    uint64 `json:"hops"`
}

// answer describes a run of the session.
func (s *session) answer(r oneRun) *runAnswer {
	x := &runAnswer{
		Program: s.name, Args: s.args, Machine: s.machine, PEs: s.PEs, Params: map[string]string{}, Seed: s.seed,
		Result: append([]uint64{}, r.Words...), Clocks: r.Clocks, StartClock: r.start, TimeMS: float64(r.Clocks) * s.ClockNS / 1e6,
		States:      stateShares{r.Share(emcr.ExuFmu), r.Share(emcr.IbuOnly), r.Share(emcr.NetworkWait), r.Share(emcr.Idle)},
		Utilisation: r.Utilisation(), Instructions: r.Instructions, Calls: r.Calls, MLPECalls: r.MLPECalls, MLPEPackets: r.MLPESent,
		Packets:      packetCounts{r.Sent, r.Spilled, r.Hops},
		SegmentsPeak: r.SegmentsPeak, MIBPeakWords: r.MIBPeakWords,
		Runs: append([]uint64{}, s.clocks...), Knobs: knobValues(s.Config), WallSeconds: r.wall.Seconds(),
		config: s.Config, wordBits: packet.FormatFor(s.Net.K).DataBits,
	}
	if n := float64(r.Clocks) * float64(s.PEs); n > 0 {
		x.IBUWaiting = float64(r.IbuWaiting) / n
	}
	if r.wall > 0 {
		x.PEClocksPerSecond = float64(r.stepped) * float64(s.PEs) / r.wall.Seconds()
	}
	for i := range s.object.Params {
		p := &s.object.Params[i]
		v := p.Chosen()
		x.Params[p.Name] = v
		x.params = append(x.params, p.Name+"="+v)
		switch p.Name {
		case "policy":
			x.Policy = &v
		case "mlpe":
			on := v != "off"
			x.MLPE = &on
		}
	}
	return x
}

// knobValues returns the machine's knobs by their keys.
func knobValues(c em4.Config) map[string]any {
	values := map[string]any{}
	for _, k := range em4.Knobs() {
		switch p := k.Ref(&c).(type) {
		case *int:
			values[k.Key] = *p
		case *string:
			values[k.Key] = *p
		case *bool:
			values[k.Key] = *p
		case *float64:
			values[k.Key] = *p
		}
	}
	return values
}

// table prints the answer for people.
func (x *runAnswer) table(w io.Writer) error {
	call := strings.TrimSpace(fmt.Sprintf("%s %s", x.Program, strings.Trim(fmt.Sprint(x.Args), "[]")))
	fmt.Fprintf(w, "%s on %s, %d PEs, seed %d\n", call, x.Machine, x.PEs, x.Seed)
	if len(x.params) > 0 {
		fmt.Fprintf(w, "%s\n", strings.Join(x.params, " "))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value, note string, args ...any) {
		if note = fmt.Sprintf(note, args...); note != "" {
			value += "\t" + note
		}
		fmt.Fprintf(t, "%s\t%s\n", name, value)
	}
	row("result", x.resultText(), "%s", x.signedText())
	row("clocks", count(x.Clocks), "from the entry of the start packet %s%s", x.until(), x.spread())
	row("time", fmt.Sprintf("%.4g ms", x.TimeMS), "at %.4g MHz, %.4g ns a clock", 1e3/x.config.ClockNS, x.config.ClockNS)
	row("PE utilisation", percent(x.Utilisation), "PE-clocks with IBU, FMU or EXU at work")
	row("  EXU or FMU", percent(x.States.ExuFmu), "executing or matching")
	row("  IBU only", percent(x.States.IbuOnly), "the input buffer has the memory, FMU and EXU stand still")
	row("network wait", percent(x.States.NetworkWait), "the EXU holds a packet that the switch has not taken")
	row("idle", percent(x.States.Idle), "no packet to work on")
	row("instructions", count(x.Instructions), "%s", x.perCall(x.Instructions))
	row("calls", count(x.Calls), "function instances%s", x.mlpeText())
	row("packets", count(x.Packets.Sent), "%s", x.perCall(x.Packets.Sent))
	row("  spilled", count(x.Packets.Spilled), "%swritten to the memory input buffer (MIB) and read back", part(x.Packets.Spilled, x.Packets.Sent))
	row("  hops", count(x.Packets.Hops), "links between PEs that packets crossed")
	row("operand segments", strconv.Itoa(x.SegmentsPeak), "at most in use in one PE, of %d", x.config.Segments)
	row("MIB words", strconv.Itoa(x.MIBPeakWords), "at most in use in one PE, of %d", x.config.MIBWords)
	row("simulated in", fmt.Sprintf("%.2f s", x.WallSeconds), "%s PE-clocks/s", short(x.PEClocksPerSecond))
	return t.Flush()
}

func (x *runAnswer) resultText() string {
	const most = 20
	var words []string
	for i, v := range x.Result {
		if i == most {
			words = append(words, fmt.Sprintf("... %d words in all", len(x.Result)))
			break
		}
		words = append(words, strconv.FormatUint(v, 10))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

// signedText says what a single result is as a negative number.
func (x *runAnswer) signedText() string {
	if len(x.Result) == 1 && x.Result[0]>>(x.wordBits-1) == 1 {
		return fmt.Sprintf("as a signed word %d", int64(x.Result[0]<<(64-x.wordBits))>>(64-x.wordBits))
	}
	return ""
}

// until says where the measured time ends.
func (x *runAnswer) until() string {
	if x.failed {
		return fmt.Sprintf("until it stopped; it began at the machine's clock %s", count(x.StartClock))
	}
	return "to the last word to the host"
}

// spread says how several runs differ.
func (x *runAnswer) spread() string {
	if len(x.Runs) < 2 {
		return ""
	}
	return fmt.Sprintf("; the fastest of %d runs: %s", len(x.Runs), strings.Trim(fmt.Sprint(x.Runs), "[]"))
}

func (x *runAnswer) perCall(n uint64) string {
	if x.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f a call", float64(n)/float64(x.Calls))
}

func (x *runAnswer) mlpeText() string {
	if x.MLPEPackets == 0 && x.MLPECalls == 0 {
		return ""
	}
	return fmt.Sprintf("; %s of them placed by MLPE, with %s MLPE packets", count(x.MLPECalls), count(x.MLPEPackets))
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func part(n, of uint64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%, ", 100*float64(n)/float64(of))
}

// count prints an integer with commas between thousands.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
