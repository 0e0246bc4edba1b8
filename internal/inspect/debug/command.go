package debug

import (
	"context"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/packet"
	"emsim/trace"
)

// command is one row of the table of commands.
type command struct {
	name    string
	short   []string // other names
	args    string   // the arguments; [PE] stands for a PE anywhere in the command
	doc     string   // one line
	more    string   // further lines of its help
	repeats bool     // an empty line repeats the command
	own     int      // the largest number of words that run or show reads itself
	counts  string   // the unit of a number argument; "" if the command takes no number
	usual   uint64   // the number if none is given
	show    func(d *Debugger, x call)
	run     func(d *Debugger, x call) error // used instead of show if the command can fail
	words   func(d *Debugger) []string      // possible words, for completion
}

// anyWords is the value of own for a command that reads all its words itself.
const anyWords = 1 << 30

// call holds a command's arguments, parsed as its row of the table requires.
type call struct {
	ctx    context.Context // ends a motion
	pe     int             // the PE that the words name, or the prompt's PE
	named  bool            // the words name a PE
	number uint64
	words  []string // the words that the command reads itself
}

// perform parses the command's words, and executes the command.
func (c *command) perform(ctx context.Context, d *Debugger, words []string) error {
	x, pe := call{ctx: ctx, pe: d.pe, number: c.usual}, -1
	var err error
	if strings.Contains(c.args, "[PE]") {
		if pe, words, err = takeAddress(words, d.readPE, -1); err != nil {
			return err
		}
	}
	if pe >= 0 {
		x.pe, x.named = pe, true
	}
	own := min(c.own, len(words))
	x.words, words = words[:own], words[own:]
	if c.counts != "" && len(words) > 0 {
		if err := atMost(words, 1); err != nil {
			return err
		}
		if x.number, err = readNumber(words[0], c.counts); err != nil {
			return err
		}
		words = nil
	}
	if err := atMost(words, 0); err != nil {
		return err
	}
	if c.run != nil {
		return c.run(d, x)
	}
	c.show(d, x)
	return nil
}

// group is a heading of the help.
type group struct {
	title    string
	commands []command
}

// every returns the commands of all groups.
func every() []command {
	return slices.Concat(lists.Of(groups(), func(g group) []command { return g.commands })...)
}

// findCommand finds a command by its name, a short name or the beginning of its
// name.
func findCommand(word string) (*command, error) {
	all := every()
	if i := slices.IndexFunc(all, func(c command) bool { return slices.Contains(c.short, word) }); i >= 0 {
		return &all[i], nil
	}
	names := Commands()
	switch found := abbreviated(word, names); len(found) {
	case 1:
		return &all[slices.Index(names, found[0])], nil
	case 0:
		return nil, errorf("there is no command %q%s; 'help' lists them", word, suggest.DidYouMean(word, names))
	default:
		return nil, errorf("%q can be %s", word, strings.Join(found, " or "))
	}
}

// Complete returns the completions of the last word of a line, each as a whole line. In a condition the last word may
// follow an operator without a blank.
func (d *Debugger) Complete(line string) []string {
	i := strings.LastIndexAny(line, " ;") + 1
	words := split(line[strings.LastIndexByte(line[:i], ';')+1 : i])
	var candidates []string
	if len(words) == 0 {
		candidates = Commands()
	} else if c, err := findCommand(words[0]); err == nil && c.words != nil {
		if candidates = c.words(d); inCondition(words) {
			i += strings.LastIndexAny(line[i:], "([!=<>&|+-*^") + 1
			candidates = conditionWords(d)
		}
	}
	var list []string
	for _, x := range candidates {
		if strings.HasPrefix(x, line[i:]) {
			list = append(list, line[:i]+x)
		}
	}
	return list
}

// stopWords returns the words that can follow break, for completion.
func stopWords(d *Debugger) []string {
	list := append([]string{
		"block", "label", "packet", "state", packet.Data.String(), packet.MLPE.String(), "host",
		"made", "consumed", "changed", "written", "read",
	}, append(watched(), clauseWords...)...)
	return slices.Concat(list, lists.Of(trace.Statuses(), trace.Status.String), d.completions())
}

// plainWords returns a completion function that always gives the same words.
func plainWords(words ...string) func(*Debugger) []string {
	return func(*Debugger) []string { return words }
}
