package debug

import (
	"context"
	"fmt"
	"strings"
)

// stopHelp lists the words of break, watch and until.
const stopHelp = `A PE is [GROUP,MEMBER] or GROUP.MEMBER, with * for all groups or all members;
without one every PE counts, for memory and registers that of the prompt.
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
  [ADDRESS], mem[ADDRESS]       a memory word of the PE; of a continuation the address counts
  10, 0x1f, 0b101               words are numbers with a sign; 0x and 0b give their bits
  NAME                          a label or constant of the program
  * & + - | ^ < <= > >= == != && and || or ! not ( )
                                they bind as in Go
A breakpoint's condition is for the state before the event: registers are those that the
instruction will read. A watchpoint's is for the state after the change.
`

// usageWidth is the column of the help's explanations.
const usageWidth = 26

// groups is the table of commands.
func groups() []group {
	return []group{
		{"Moving", moving()},
		{"Stopping", stopping()},
		{"Looking at the machine", looking()},
		{"Looking at a PE", lookingAt()},
		{"Others", others()},
	}
}

func moving() []command {
	return []command{
		{
			name: "step", short: []string{"s"}, args: "[N]", doc: "one clock, or N", repeats: true,
			more: "Stops that are on end it.", run: (*Debugger).stepClocks,
		},
		{
			name: "continue", short: []string{"c"}, doc: "on to the next stop, or to the end of the run", repeats: true,
			more: "Ctrl-C ends it. Without stops it goes at full speed.", run: (*Debugger).goOn,
		},
		{
			name: "until", short: []string{"u"}, args: "CLOCK | +N | WHAT", doc: "on to a clock, or to any event that a stop can name", repeats: true,
			more: "CLOCK is the machine's, +N counts from the start of the run. WHAT is as for 'break':\n" + stopHelp,
			run:  (*Debugger).until, words: stopWords,
		},
		{
			name: "finish", short: []string{"f"}, args: "[PE]", doc: "on to the end of the block in progress", repeats: true,
			run: (*Debugger).finish,
		},
		{
			name: "back", short: []string{"bk"}, args: "[N]", doc: "back by one clock, or N", repeats: true,
			more: "The run is repeated from a snapshot: the state is the same to the last bit.", run: (*Debugger).back,
		},
		{
			name: "goto", args: "CLOCK | +N", doc: "to a clock, backward or forward; stops do not end it",
			run: (*Debugger).goTo,
		},
	}
}

func stopping() []command {
	return []command{
		{
			name: "break", short: []string{"b"}, args: "WHAT", doc: "stop when something happens",
			more: stopHelp, run: (*Debugger).addStop, words: stopWords,
		},
		{
			name: "watch", args: "WHAT", doc: "stop when something changes, and say old → new",
			more: stopHelp, run: (*Debugger).addStop, words: stopWords,
		},
		{name: "stops", doc: "list the stops, and how often each was hit", run: alone((*Debugger).listStops)},
		{name: "delete", args: "[NUMBER...]", doc: "forget stops, or all", run: plain((*Debugger).deleteStops)},
		{
			name: "enable", args: "[NUMBER...]", doc: "switch stops on, or all",
			run: plain(func(d *Debugger, words []string) error {
				return d.changeStops(words, func(s *stop) { s.on = true })
			}),
		},
		{
			name: "disable", args: "[NUMBER...]", doc: "switch stops off, or all",
			run: plain(func(d *Debugger, words []string) error {
				return d.changeStops(words, func(s *stop) { s.on = false })
			}),
		},
	}
}

func looking() []command {
	return []command{
		{name: "where", short: []string{"w"}, doc: "clock, busy PEs, packets in flight, words to the host", run: alone((*Debugger).where)},
		{
			name: "loads", args: "[load|fifo|mib|segments|operands]", doc: "a number of every PE, groups by members",
			run: plain((*Debugger).loads), words: plainWords("load", "fifo", "mib", "segments", "operands"),
		},
		{
			name: "tree", args: "[PE] [all] [depth N] [lines N]", doc: "the function instances, each below the one that called it",
			more: `An operand segment is an instance from its first operand to its release. The instance
in whose block that operand's packet was made called it; what a system block sends
counts for whoever sent the packet that started the block. Known is what happened
since the beginning, or since the checkpoint. 'all' shows those that have ended too.`,
			run: (*Debugger).showTree, words: plainWords("all", "depth", "lines"),
		},
		{name: "network", doc: "the switches that hold packets", run: alone((*Debugger).allLinks)},
		{name: "program", doc: "what runs on which machine", run: alone((*Debugger).program)},
		{name: "symbols", args: "[PREFIX]", doc: "names of the program", run: plain((*Debugger).symbols), words: (*Debugger).completions},
	}
}

func lookingAt() []command {
	return []command{
		{name: "pe", args: "PE|NUMBER", doc: "the PE that commands mean when they name none", run: plain((*Debugger).focus)},
		{name: "units", args: "[PE]", doc: "EXU, FMU, IBU, switch: what each does, and why it waits", run: onePE((*Debugger).units)},
		{name: "registers", short: []string{"r"}, args: "[PE]", doc: "registers and special registers", run: onePE((*Debugger).registers)},
		{name: "segments", args: "[PE] [N]", doc: "operand segments with their waiting operands", run: ofPE((*Debugger).segments)},
		{name: "queues", short: []string{"q"}, args: "[PE] [N]", doc: "packets in FIFO, MIB and intake", run: ofPE((*Debugger).queues)},
		{name: "links", args: "[PE]", doc: "packets in the switch and what they wait for, busy ports", run: onePE((*Debugger).links)},
		{name: "callers", short: []string{"bt"}, args: "[PE]", doc: "whose block the EXU runs, and who called it", run: (*Debugger).callers},
		{name: "follow", args: "PACKET", doc: "a packet's way so far, from its send to its match", more: "PACKET is its name, as 'queues' and 'links' show it: [1,2].3 is the third that PE [1,2]\nmade. Known is what happened since the beginning, or since the checkpoint.", run: (*Debugger).follow},
		{name: "x", args: "ADDRESS [N] [PE]", doc: "memory words", run: plain((*Debugger).examine), words: (*Debugger).completions},
		{name: "list", short: []string{"l", "disassemble"}, args: "[LABEL] [N] [PE]", doc: "code around the EXU's instruction, marked =>, or from a label", more: "f> marks the node that the FMU holds or works on.", run: plain((*Debugger).list), words: (*Debugger).completions},
	}
}

func others() []command {
	return []command{
		{name: "show", short: []string{"info"}, args: "COMMAND [...]", doc: "the same as COMMAND: 'info registers'", run: (*Debugger).show, words: shownNames},
		{name: "help", short: []string{"h", "?"}, args: "[COMMAND]", doc: "this list, what a command does, or 'help conditions'", run: plain((*Debugger).help), words: func(*Debugger) []string { return append(Commands(), "conditions") }},
		{name: "screen", doc: "the full-screen view; q returns to the prompt", run: (*Debugger).screen},
		{name: "quit", short: []string{"exit"}, doc: "leave", run: alone(func(d *Debugger) { d.quit = true })},
	}
}

// screen is the command.
func (d *Debugger) screen(ctx context.Context, words []string) error {
	switch {
	case len(words) > 0:
		return tooMany(words)
	case d.Screen == nil:
		return errorf("screen needs the prompt on a terminal")
	}
	return d.Screen(ctx)
}

// Commands lists the names of all commands.
func Commands() []string {
	var list []string
	for _, c := range every() {
		list = append(list, c.name)
	}
	return list
}

// help is the command.
func (d *Debugger) help(words []string) error {
	if len(words) > 1 {
		return tooMany(words[1:])
	}
	if len(words) == 1 && words[0] == "conditions" {
		d.printf("%s", conditionHelp)
		return nil
	}
	if len(words) == 1 {
		c, err := find(words[0])
		if err != nil {
			return err
		}
		d.printf("%s\n  %s\n", c.usage(), c.doc)
		if c.more != "" {
			d.printf("%s\n", indent(c.more))
		}
		return nil
	}
	d.printf("%s", Help())
	return nil
}

// usage is the command with its short names and its words.
func (c *command) usage() string {
	return strings.TrimSpace(strings.Join(append([]string{c.name}, c.short...), ", ") + " " + c.args)
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// Help lists the commands.
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
	b.WriteString("Names may be shortened if unambiguous. A PE is [GROUP,MEMBER] or GROUP.MEMBER; an\nempty line repeats the last motion; ; separates commands, # begins a comment.\n")
	return b.String()
}
