package run

import (
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/knob"
	"emsim/packet"
)

// Answer is what 'emsim run' says of a run; docs/COMMAND.md describes the keys.
type Answer struct {
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
	States            StateShares       `json:"states"`
	Utilisation       float64           `json:"pe_utilisation"`
	IBUWaiting        float64           `json:"ibu_waiting"` // part of ibu_only in which the EXU held a packet that the switch had not taken
	Instructions      uint64            `json:"instructions"`
	Calls             uint64            `json:"calls"`
	MLPECalls         uint64            `json:"mlpe_calls"`
	MLPEPackets       uint64            `json:"mlpe_packets"`
	Packets           PacketCounts      `json:"packets"`
	SegmentsPeak      int               `json:"segments_peak"`
	MIBPeakWords      int               `json:"mib_peak_words"`
	Runs              []uint64          `json:"runs"`  // clocks of all complete runs
	Bands             *Bands            `json:"bands"` // over the complete runs; nil when there is none
	Knobs             map[string]any    `json:"knobs"`
	WallSeconds       float64           `json:"wall_seconds"`
	PEClocksPerSecond float64           `json:"pe_clocks_per_second"`

	Config   em4.Config `json:"-"`
	WordBits uint8      `json:"-"` // of the machine's words
	Chosen   []string   `json:"-"` // parameters as NAME=VALUE, in the order of their declaration
}

// StateShares are the parts 0..1 of all PE-clocks that were spent in each state.
type StateShares struct {
	ExuFmu      float64 `json:"exu_fmu"`
	IbuOnly     float64 `json:"ibu_only"`
	NetworkWait float64 `json:"network_wait"`
	Idle        float64 `json:"idle"`
}

// PacketCounts are packets of the whole machine.
type PacketCounts struct {
	Sent    uint64 `json:"sent"`
	Spilled uint64 `json:"spilled"`
	Hops    uint64 `json:"hops"`
}

// Answer describes a run of the session.
func (s *Batch) Answer(r OneRun) *Answer {
	x := &Answer{
		Program: s.Name, Args: s.Args, Machine: s.MachineName, PEs: s.PEs, Params: map[string]string{}, Seed: s.Seed,
		Result: append([]uint64{}, r.Words...), Clocks: r.Clocks, StartClock: r.Start, TimeMS: float64(r.Clocks) * s.ClockNS / 1e6,
		States:      StateShares{r.Share(emcr.ExuFmu), r.Share(emcr.IbuOnly), r.Share(emcr.NetworkWait), r.Share(emcr.Idle)},
		Utilisation: r.Utilisation(), Instructions: r.Instructions, Calls: r.Calls, MLPECalls: r.MLPECalls, MLPEPackets: r.MLPESent,
		Packets:      PacketCounts{r.Sent, r.Spilled, r.Hops},
		SegmentsPeak: r.SegmentsPeak, MIBPeakWords: r.MIBPeakWords,
		Runs: []uint64{}, Bands: s.bands(), Knobs: KnobValues(s.Config), WallSeconds: r.Wall.Seconds(),
		Config: s.Config, WordBits: packet.FormatFor(s.Net.K).DataBits,
	}
	for _, t := range s.Done {
		x.Runs = append(x.Runs, t.Clocks)
	}
	if n := float64(r.Clocks) * float64(s.PEs); n > 0 {
		x.IBUWaiting = float64(r.IbuWaiting) / n
	}
	if r.Wall > 0 {
		x.PEClocksPerSecond = float64(r.Stepped) * float64(s.PEs) / r.Wall.Seconds()
	}
	for i := range s.Object.Params {
		p := &s.Object.Params[i]
		v := p.Chosen()
		x.Params[p.Name] = v
		x.Chosen = append(x.Chosen, p.Name+"="+v)
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

// KnobValues returns a machine's knobs by their keys.
func KnobValues(c em4.Config) map[string]any {
	values := map[string]any{}
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		values[r.Key] = r.JSON()
	}
	return values
}
