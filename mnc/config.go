package mnc

// A Policy says how a PE shares its load.
type Policy string

// The policies.
const (
	Auto  Policy = "auto"  // the paper's: proper load by measured ability
	Naive Policy = "naive" // equal shares: ability always 1, no slice kept back
	None  Policy = "none"  // no XPUT: each PE processes what it takes in
)

// A Restraint says whether XPUT leaves a slice of work, Config.KeepClk, to its own PE. Besides the abilities, only a
// Restraint reduces transfers of light data.
type Restraint string

// The restraints [chosen].
const (
	ByPolicy  Restraint = "policy" // under Auto, not under Naive
	Restrains Restraint = "on"
	Unbound   Restraint = "off"
)

// A Form is a reading of the denominator of equation (2), whose symbols the paper
// never defines.
type Form string

// The forms of equation (2).
const (
	FormL Form = "L" // ΣPA·X+X over ΣPA²+1: load in proportion to ability is a fixed point
	FormS Form = "S" // ΣX+X over ΣPA+1
	FormW Form = "W" // ΣPA·X+X over ΣPA+1
	FormN Form = "N" // ΣPA·X+X over the number of PEs
)

// One is 1.0 in the Q16 fixed-point numbers used for ability and gain.
const One = 1 << 16

// Costs are times in clocks. [000] gives no times, so all are chosen. Only their ratios matter: one datum's f() is 33
// copies for 100 loops and 333 for 1000, which puts the paper's two loads on either side of saturation within 128
// PEs.
type Costs struct {
	Loop         int64 // one iteration of f(): add, compare, taken branch (2)
	QPRWord      int64 // one word to or from a QPR, and one retry after BUSY; at least 1
	LocalWord    int64 // one word to or from local memory
	Datum        int64 // loop overhead of copying one datum
	Ring         int64 // each ring touched: control word and set-up
	Iteration    int64 // fixed part of one sense-plan-act iteration
	Neighbour    int64 // planning, each neighbour, on top of reading its two words
	AbilityEntry int64 // each neighbour when the ability table is updated
	Idle         int64 // wait of a PE with nothing to do; it doubles each time...
	IdleMax      int64 // ... up to this bound
}

// DefaultCosts returns the costs of every result in docs/MNC.md.
func DefaultCosts() Costs {
	return Costs{
		Loop: 4, QPRWord: 2, LocalWord: 2, Datum: 4, Ring: 4,
		Iteration: 8, Neighbour: 8, AbilityEntry: 8, Idle: 64, IdleMax: 1024,
	}
}

// copyDatum returns the time to move one datum between local memory and a QPR.
func (c Costs) copyDatum() int64 { return datumWords*(c.QPRWord+c.LocalWord) + c.Datum }

// An Event changes a PE's speed, or kills it, during the run.
type Event struct {
	Clock   int64 // the change takes effect at the start of this clock
	PE      int
	Percent int64 // time of f() from now on in per cent of nominal; unused if Dead
	Dead    bool  // the PE stops for ever
}

// SlowAt makes a PE take percent of the nominal time for f() from clock on: 1000 is ten times slower. An action in
// progress keeps its time.
func SlowAt(clock int64, pe int, percent int64) Event {
	return Event{Clock: clock, PE: pe, Percent: percent}
}

// DeadAt stops a PE for ever. Actions that would end at clock or later are never finished, and the data in the PE and
// in the rings to it stay there; its neighbours can still take what it has sent.
func DeadAt(clock int64, pe int) Event { return Event{Clock: clock, PE: pe, Dead: true} }

// Config is a whole machine with its work. The zero value is invalid: start
// from Default.
type Config struct {
	Wiring Incidence // MNC(n), Net16() or your own
	Items  int       // data X that the host puts in [000 §5: 1,000,000]
	Loops  int       // iterations of f() per datum [000 §5: 100 and 1000]
	Work   []Work    // data of different kinds, instead of Items data of Loops each: see SetWork
	Policy Policy
	Give   Giver // a user's own policy; Policy then only says whether abilities are measured
	Form   Form  // reading of equation (2)

	Slow   []int64 // time of f() of each PE, in per cent of nominal; nil means 100 for all
	Events []Event // in any order; if two have the same clock, the later one in the list wins

	Slots     int   // data a ring holds, 1..MaxSlots [chosen]
	Batch     int   // largest number of data that one action moves [chosen: one full ring]
	XCap      int   // X that a PE's local memory holds [chosen]
	YCap      int   // Y that a PE's local memory holds [chosen]
	Slice     int64 // clocks of f() one PROC aims at [chosen: 4 light data]
	KeepClk   int64 // clocks of own work that XPUT leaves [chosen: one slice], as Restraint says
	Restraint Restraint

	// Guard limits the number of consecutive actions other than PROC while a PROC is possible: after that many, the
	// PE does a PROC, whatever the rules say. 0 means no limit, as in the paper [chosen]. It ends the livelock in
	// which each of two PEs finds the other abler.
	Guard int

	AbilityInterval int64 // t_pa of equation (3), clocks [chosen]
	AbilityGain     int64 // G_pa of equation (3), Q16 [chosen]
	AbilityMin      int64 // bounds of PA, Q16 [chosen: 1/16 to 16]
	AbilityMax      int64

	// Stall is the number of clocks without a Y at the sink after which the run fails, counted from the last birth of
	// data if that is later than the last Y. It must exceed 100 times the longest f(). 0 means 4,000,000, or the time
	// of 100 of the longest actions if that is more [chosen].
	Stall int64

	Cost Costs
}

// Default returns the reference run on a wiring: the paper's 1,000,000 data of
// 100 loops under its own policy, with the chosen constants.
func Default(wiring Incidence) Config {
	return Config{
		Wiring: wiring, Items: 1_000_000, Loops: 100, Policy: Auto, Form: FormL, Restraint: ByPolicy,
		Slots: 32, Batch: 32, XCap: 256, YCap: 256, Slice: 1600, KeepClk: 1600,
		AbilityInterval: 20_000, AbilityGain: One, AbilityMin: One / 16, AbilityMax: 16 * One,
		Cost: DefaultCosts(),
	}
}

// f returns the time of f() with the given number of loops at percent of the nominal time.
func (k Costs) f(loops, percent int64) int64 { return max(1, loops*k.Loop*percent/100) }

// workTime returns P, the time of f() at percent of the nominal time, for the datum with the most loops.
func (c *Config) workTime(percent int64) int64 { return c.Cost.f(int64(c.Loops), percent) }

// slowest returns the largest percentage that any PE ever has, but at least 100.
func (c *Config) slowest() int64 {
	worst := int64(100)
	for _, p := range c.Slow {
		worst = max(worst, p)
	}
	for _, e := range c.Events {
		worst = max(worst, e.Percent)
	}
	return worst
}

// longest returns an upper limit of the clocks of any action.
func (c *Config) longest() int64 {
	k := c.Cost
	p := c.workTime(c.slowest())
	iteration := Ports*k.QPRWord + k.Iteration + MaxNeighbours*(3*k.QPRWord+k.Neighbour+k.AbilityEntry) + 2*k.QPRWord
	transfer := k.copyDatum()*int64(c.Batch) + k.Ring*(MaxNeighbours+1)
	return iteration + max(p, c.Slice, transfer, k.IdleMax)
}

// defaultStall is far longer than the machine needs from one Y to the next in the paper's runs [chosen].
const defaultStall = 4_000_000

func (c *Config) stallLimit() int64 {
	if c.Stall > 0 {
		return c.Stall
	}
	return max(defaultStall, 100*c.longest())
}
