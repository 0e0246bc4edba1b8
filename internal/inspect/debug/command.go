package debug

import (
	"context"
	"slices"
	"strings"

	"emsim/internal/base/suggest"
	"emsim/packet"
	"emsim/trace"
)

// command is one row of the table.
type command struct {
	name    string
	short   []string // other names
	args    string
	doc     string // one line
	more    string // further lines of its help
	repeats bool   // an empty line repeats it
	run     func(d *Debugger, ctx context.Context, words []string) error
	words   func(d *Debugger) []string // possible words, for completion
}

// group is a heading of the help.
type group struct {
	title    string
	commands []command
}

// every lists the commands of all groups.
func every() []command {
	var list []command
	for _, g := range groups() {
		list = append(list, g.commands...)
	}
	return list
}

// find finds a command by its name, a short name or the beginning of its name.
func find(word string) (*command, error) {
	all := every()
	var names, found []string
	var one *command
	for i := range all {
		c := &all[i]
		names = append(names, c.name)
		if c.name == word || slices.Contains(c.short, word) {
			return c, nil
		}
		if strings.HasPrefix(c.name, word) {
			found, one = append(found, c.name), c
		}
	}
	switch len(found) {
	case 1:
		return one, nil
	case 0:
		return nil, errorf("there is no command %q%s; 'help' lists them", word, suggest.DidYouMean(word, names))
	}
	return nil, errorf("%q can be %s", word, strings.Join(found, " or "))
}

// Complete lists the completions of the last word of a line, each as a whole
// line. In a condition the last word may follow an operator without a blank.
func (d *Debugger) Complete(line string) []string {
	i := strings.LastIndexAny(line, " ;") + 1
	words := split(line[strings.LastIndexByte(line[:i], ';')+1 : i])
	var candidates []string
	if len(words) == 0 {
		candidates = Commands()
	} else if c, err := find(words[0]); err == nil && c.words != nil {
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

// show is the command show, a prefix for commands that show something.
func (d *Debugger) show(ctx context.Context, words []string) error {
	names := shownNames(d)
	if len(words) == 0 {
		return errorf("show what? %s", strings.Join(names, ", "))
	}
	name, err := oneOf(words[0], "argument of show", names)
	if err != nil {
		return err
	}
	c, err := find(name)
	if err != nil {
		return err
	}
	return c.run(d, ctx, words[1:])
}

// shownNames are the commands that show something.
func shownNames(*Debugger) []string {
	list := []string{"stops"}
	for _, c := range append(looking(), lookingAt()...) {
		list = append(list, c.name)
	}
	return list
}

// stopWords are the words for what breakpoints stop at.
func stopWords(d *Debugger) []string {
	list := append([]string{"block", "label", "packet", "state", packet.Data.String(), packet.MLPE.String(), "host", "made", "consumed", "changed", "written", "read"}, append(watched, clauseWords...)...)
	for _, s := range trace.Statuses() {
		list = append(list, s.String())
	}
	return append(list, d.completions()...)
}

// plainWords makes a completion from fixed words.
func plainWords(words ...string) func(*Debugger) []string {
	return func(*Debugger) []string { return words }
}

// ofPE makes a command that shows a PE, with a bound for its list.
func ofPE(show func(d *Debugger, pe, most int)) func(*Debugger, context.Context, []string) error {
	return func(d *Debugger, _ context.Context, words []string) error {
		pe, words, err := d.takePE(words, d.pe)
		if err != nil {
			return err
		}
		most, err := takeNumber(words, mostListed, "lines")
		if err != nil {
			return err
		}
		show(d, pe, int(min(most, 1<<30)))
		return nil
	}
}

// onePE makes a command that shows a PE and takes nothing else.
func onePE(show func(d *Debugger, pe int)) func(*Debugger, context.Context, []string) error {
	return func(d *Debugger, _ context.Context, words []string) error {
		pe, words, err := d.takePE(words, d.pe)
		if err != nil {
			return err
		}
		if len(words) > 0 {
			return tooMany(words)
		}
		show(d, pe)
		return nil
	}
}

// plain makes a command without context.
func plain(f func(d *Debugger, words []string) error) func(*Debugger, context.Context, []string) error {
	return func(d *Debugger, _ context.Context, words []string) error { return f(d, words) }
}

// alone makes a command that takes no words.
func alone(f func(d *Debugger)) func(*Debugger, context.Context, []string) error {
	return func(d *Debugger, _ context.Context, words []string) error {
		if len(words) > 0 {
			return tooMany(words)
		}
		f(d)
		return nil
	}
}
