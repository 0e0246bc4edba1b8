package debug

import (
	"fmt"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/internal/base/lists"
)

// stopHelp lists the words of break, watch and until.
const stopHelp = `A PE is [GROUP,MEMBER] or GROUP.MEMBER, with * for all groups or all members;
without one every PE counts, for memory and registers the PE of the prompt.
  FILE:LINE [PE]                an instance comes to a line of the source, as in fib.go:15:
                                stops before its first instruction
  LABEL [PE]                    the EXU begins the instruction there (LABEL+N: N words after)
  block [LABEL] [PE]            the EXU begins a block, any or the one at LABEL
  packet KIND [made|consumed]   data, mlpe, or host (words to the host)
  packet NAME                   whatever happens to one packet: packet [1,2].3
  state [UNIT] STATE [PE]       a PE or a unit (exu, fmu, ibu, su) enters a state of the
                                trace: network_wait, exu wait_switch, ...
  memory ADDRESS [changed|written|read] [PE]
                                a memory word changes, or an operand begins to wait there;
                                or any write or read, even of the same value
  register rN [PE]              a register of the EXU changes
  load|fifo|mib|segments|operands [PE]
                                load value, words queued, segments in use, waiting operands
After these, in any order:
  if CONDITION                  only if it holds in the PE: 'help conditions'
  on PE...                      the same as a PE before, or several: on [2,*] [0,1]
  times N                       only every N-th time
'if CONDITION' alone stops when it begins to hold in a PE.`

// conditionHelp explains conditions.
const conditionHelp = `conditions: what must hold in the PE of a stop, after 'if'
  r1 == 3 && (load > 5 || [fp+2] != -1)
  r0 .. r15, fp                 registers
  left, right                   the operands that the FMU holds for the next node, or 0
  load fifo mib segments operands
                                as for 'watch'
  pe ga ca k clock mlpe segs strs seed gapos prefetch
                                special registers, as 'rds' reads them; mlpe stays full
  data                          the packet's data, for stops of packets and blocks
  [ADDRESS], mem[ADDRESS]       a memory word of the PE; a continuation stands for its address
  10, 0x1f, 0b101               words are numbers with a sign; 0x and 0b give their bits
  NAME                          a variable of a program in Go, which hides every other thing
                                of that name, or a label or constant
  * & + - | ^ < <= > >= == != && and || or ! not ( )
                                with the precedence that they have in Go
A breakpoint's condition is for the state before the event: registers are those that the
instruction will read. A watchpoint's is for the state after the change.
`

// usageWidth is the width of the help's usage column, which is left of the explanations.
const usageWidth = 26

// groups returns the table of commands.
func groups() []group {
	return []group{
		{"Moving", []command{
			{
				name: "step", short: []string{"s"}, args: "[N]", doc: "step one clock, or N", repeats: true,
				more:   "It ends early at a stop that is on.",
				counts: "clocks", usual: 1, run: (*Debugger).stepClocks,
			},
			{
				name: "continue", short: []string{"c"}, doc: "continue to the next stop, or to the end of the run",
				repeats: true, more: "Ctrl-C ends it. Without stops it goes at full speed.",
				run: func(d *Debugger, x call) error { return d.moveTo(x.ctx, em4.ToEnd) },
			},
			{
				name: "until", short: []string{"u"}, args: "CLOCK | +N | WHAT",
				doc: "continue to a clock, or to any event that a stop can name", repeats: true,
				more: "CLOCK is the machine's, +N counts from the start of the run. WHAT is as for 'break':\n" +
					stopHelp,
				own: anyWords, run: (*Debugger).until, words: stopWords,
			},
			{
				name: "finish", short: []string{"f"}, args: "[PE]", doc: "continue to the end of the block in progress",
				repeats: true, run: (*Debugger).finish,
			},
			{
				name: "back", short: []string{"bk"}, args: "[N]", doc: "go back one clock, or N", repeats: true,
				more:   "The run is repeated from a snapshot: the state is the same to the last bit.",
				counts: "clocks", usual: 1, run: (*Debugger).back,
			},
			{
				name: "goto", args: "CLOCK | +N", doc: "go to a clock, backward or forward; stops do not end it",
				own: anyWords, run: (*Debugger).goTo,
			},
		}},
		lineCommands(),
		{"Stopping", []command{
			{
				name: "break", short: []string{"b"}, args: "WHAT", doc: "stop when something happens", more: stopHelp,
				own: anyWords, run: (*Debugger).addStop, words: stopWords,
			},
			{
				name: "watch", args: "WHAT", doc: "stop when something changes, and say old → new", more: stopHelp,
				own: anyWords, run: (*Debugger).addStop, words: stopWords,
			},
			{name: "stops", doc: "list the stops, and how often each was hit", show: (*Debugger).listStops},
			{
				name: "delete", args: "[NUMBER...]", doc: "delete stops, or all", own: anyWords,
				run: changeStops(func(d *Debugger, s *stop) {
					d.stops = slices.DeleteFunc(d.stops, func(x *stop) bool { return x == s })
				}),
			},
			{
				name: "enable", args: "[NUMBER...]", doc: "switch stops on, or all", own: anyWords,
				run: changeStops(func(_ *Debugger, s *stop) { s.on = true }),
			},
			{
				name: "disable", args: "[NUMBER...]", doc: "switch stops off, or all", own: anyWords,
				run: changeStops(func(_ *Debugger, s *stop) { s.on = false }),
			},
		}},
		{"Looking at the machine", []command{
			{
				name: "where", short: []string{"w"}, doc: "clock, busy PEs, packets in flight, words to the host",
				show: (*Debugger).where,
			},
			{
				name: "loads", args: "[" + strings.Join(levelNames(), "|") + "]",
				doc: "a number of every PE, groups by members", own: 1, run: (*Debugger).loads,
				words: plainWords(levelNames()...),
			},
			{
				name: "tree", args: "[PE] [all] [depth N] [lines N]",
				doc: "the function instances, each below the one that called it",
				more: `An operand segment is an instance from its first operand to its release. Its caller is
the instance whose block made that operand's packet; a packet from a system block counts
for the sender of the packet that started the block. Only what happened since the
beginning, or since the checkpoint, is known. 'all' also shows instances that have ended.`,
				own: anyWords, run: (*Debugger).showTree, words: plainWords("all", "depth", "lines"),
			},
			{name: "network", doc: "the switches that hold packets", show: (*Debugger).allLinks},
			{name: "program", doc: "what runs on which machine", show: (*Debugger).program},
			{
				name: "symbols", args: "[PREFIX]", doc: "names of the program", own: anyWords, run: (*Debugger).symbols,
				words: (*Debugger).completions,
			},
		}},
		{"Looking at a PE", []command{
			{
				name: "pe", args: "PE|NUMBER", doc: "the PE that commands mean when they name none", own: 1,
				run: (*Debugger).focus,
			},
			{
				name: "units", args: "[PE]", doc: "EXU, FMU, IBU, switch: what each does, and why it waits",
				show: (*Debugger).units,
			},
			{
				name: "registers", short: []string{"r"}, args: "[PE]", doc: "registers and special registers",
				show: (*Debugger).registers,
			},
			{
				name: "segments", args: "[PE] [N]", doc: "operand segments with their waiting operands",
				counts: "lines", usual: mostListed, show: (*Debugger).segments,
			},
			{
				name: "queues", short: []string{"q"}, args: "[PE] [N]", doc: "packets in FIFO, MIB and intake",
				counts: "lines", usual: mostListed, show: (*Debugger).queues,
			},
			{
				name: "links", args: "[PE]", doc: "packets in the switch and what they wait for, busy ports",
				show: (*Debugger).links,
			},
			{
				name: "callers", short: []string{"bt"}, args: "[PE]",
				doc: "whose block the EXU runs, and who called it", run: (*Debugger).callers,
			},
			{
				name: "follow", args: "PACKET", doc: "a packet's path so far, from its send to its match",
				own: anyWords,
				run: (*Debugger).follow,
				more: "PACKET is its name, as 'queues' and 'links' show it: [1,2].3 is the third that PE [1,2]\n" +
					"made. Only what happened since the beginning, or since the checkpoint, is known.",
			},
			{
				name: "x", args: "ADDRESS [N] [PE]", doc: "memory words", own: 1, counts: "words", usual: 1,
				run: (*Debugger).examine, words: (*Debugger).completions,
			},
			{
				name: "list", short: []string{"l", "disassemble"}, args: "[LABEL] [N] [PE]",
				doc:  "code around the EXU's instruction, marked =>, or from a label",
				more: "f> marks the node that the FMU holds or works on.", own: 1, counts: "lines", usual: 12,
				run: (*Debugger).list, words: (*Debugger).completions,
			},
		}},
		{"Others", []command{
			{
				name: "help", short: []string{"h", "?"}, args: "[COMMAND]",
				doc: "this list, what a command does, or 'help conditions'", own: 1, run: (*Debugger).help,
				words: func(*Debugger) []string { return append(Commands(), "conditions") },
			},
			{name: "screen", doc: "the full-screen view; q returns to the prompt", run: (*Debugger).screen},
			{name: "quit", short: []string{"exit"}, doc: "leave", show: func(d *Debugger, _ call) { d.quit = true }},
		}},
	}
}

// screen runs the command screen.
func (d *Debugger) screen(x call) error {
	if d.Screen == nil {
		return errorf("screen needs the prompt on a terminal")
	}
	return d.Screen(x.ctx)
}

// Commands returns the names of all commands.
func Commands() []string {
	return lists.Of(every(), func(c command) string { return c.name })
}

// help runs the command help.
func (d *Debugger) help(x call) error {
	text := Help()
	for _, word := range x.words {
		if text = conditionHelp; word == "conditions" {
			break
		}
		c, err := findCommand(word)
		if err != nil {
			return err
		}
		text = c.usage() + "\n  " + strings.ReplaceAll(strings.TrimSuffix(c.doc+"\n"+c.more, "\n"), "\n", "\n  ") + "\n"
	}
	d.printf("%s", text)
	return nil
}

// usage returns the command's name, its short names and its arguments.
func (c *command) usage() string {
	return strings.TrimSpace(strings.Join(append([]string{c.name}, c.short...), ", ") + " " + c.args)
}

// Help returns the list of commands.
func Help() string {
	var b strings.Builder
	for _, g := range groups() {
		fmt.Fprintf(&b, "%s\n", g.title)
		for _, c := range g.commands {
			usage := c.usage()
			if len(usage) > usageWidth {
				usage += "\n  " + strings.Repeat(" ", usageWidth)
			}
			fmt.Fprintf(&b, "  %-*s %s\n", usageWidth, usage, c.doc)
		}
	}
	b.WriteString("Names may be shortened if unambiguous. A PE is [GROUP,MEMBER] or GROUP.MEMBER; an\n" +
		"empty line repeats the last motion; ; separates commands, # begins a comment.\n")
	return b.String()
}
