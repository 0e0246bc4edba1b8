package command

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/inspect/portrait"
	"emsim/internal/inspect/profile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// ownFlags choose the runs of a program for figures and reports.
type ownFlags struct {
	targetFlags
	vs     []string
	window uint64
}

// vsText is the help of --vs for commands that run programs.
const vsText = "NAME=VALUE[,...]: another run next to it, with other parameters of the program, " +
	"knobs of the machine, " +
	"pes or seed; quote a value with blanks or commas, as in policy='my own.s' (may be repeated)"

func (f *ownFlags) addFlags(a *app, cmd *cobra.Command) {
	f.targetFlags.addFlags(a, cmd)
	cmd.Flags().StringArrayVar(&f.vs, "vs", nil, vsText)
	cmd.Flags().Uint64Var(&f.window, "sample", 0, "clocks that each point of a figure averages (0: about 1/400 "+
		"of the run)")
}

// ownKeys returns the flags that have an effect only with a program.
func (f *ownFlags) ownKeys() []string {
	return []string{
		"machine", "pes", "set", "param", "include", "policy", "mlpe", "blocks", "guards",
		"placement", "seed", "max-clocks", "threads", "resume", "vs", "sample",
	}
}

// onlyWith rejects flags that have no effect.
func onlyWith(cmd *cobra.Command, keys []string, why string) error {
	for _, k := range keys {
		if cmd.Flags().Changed(k) {
			return usagef("--%s %s\nsee '%s --help'", k, why, cmd.CommandPath())
		}
	}
	return nil
}

// maxVs is the maximum number of --vs flags for a figure; a reader cannot tell more runs apart.
const maxVs = 7

// observed is a run that was recorded completely.
type observed struct {
	*run.Batch
	Name     string // distinguishes it from the other runs
	Answer   *run.Answer
	Portrait *portrait.Portrait
	Profile  *profile.Profile
}

// both is a sink that passes events to two sinks.
type both struct{ a, b trace.Sink }

func (s both) Event(e *trace.Event) { s.a.Event(e); s.b.Event(e) }

// Close closes both sinks.
func (s both) Close(end uint64) error {
	if err := s.a.Close(end); err != nil {
		return err
	}
	return s.b.Close(end)
}

// ownRuns does the run of a command line and the runs of --vs. It returns an error if a run fails.
func (a *app) ownRuns(cmd *cobra.Command, f *ownFlags, args []string) ([]*observed, error) {
	if err := f.checkResume(cmd, args); err != nil {
		return nil, err
	}
	if f.resume != "" && len(f.vs) > 0 {
		return nil, usagef("--vs needs a program: the run in %s is fixed", f.resume)
	}
	if len(f.vs) > maxVs {
		return nil, usagef("%d times --vs: at most %d runs fit next to the first", len(f.vs), maxVs)
	}
	first, err := f.begun(a, cmd, args)
	if err != nil {
		return nil, err
	}
	variants, names := []run.Spec{{}}, []string(nil) // variants collects the runs, and names all that any run changes
	if len(f.vs) > 0 {
		base, err := f.runSpec(cmd, args)
		if err != nil {
			return nil, err
		}
		for _, text := range f.vs {
			v, err := vsSpec(base, first.Target, text, &names)
			if err != nil {
				return nil, err
			}
			variants = append(variants, v)
		}
	}
	var list []*observed
	for i := range variants {
		s := first
		if i > 0 {
			if s, err = a.beginRun(cmd, &variants[i]); err != nil {
				return nil, ofSeveral(err, "--vs %q", f.vs[i-1])
			}
		}
		o, err := a.recordRun(cmd.Context(), s, f)
		if err != nil {
			return nil, err
		}
		o.Name = namedRun(s.Target, names)
		list = append(list, o)
	}
	return list, nil
}

// recordRun does a run and records its profile and its portrait.
func (a *app) recordRun(ctx context.Context, s *run.Batch, f *ownFlags) (*observed, error) {
	o := &observed{Batch: s}
	var err error
	c := s.Config()
	o.Answer, err = a.observe(ctx, s, f.threads, func(from, end uint64) (trace.Sink, error) {
		start := s.Current.StartClock()
		o.Profile = profile.New(s.Object, c.PEs, start, from, end)
		var err error
		o.Portrait, err = portrait.New(s.Machine, s.Net.Topology, c.ClockNS, start, from, end,
			portrait.Options{Window: f.window})
		return both{o.Profile, o.Portrait}, err
	})
	return o, err
}

// vsSpec applies one --vs and adds its names to names.
func vsSpec(base *run.Spec, t *run.Target, text string, names *[]string) (run.Spec, error) {
	v := *base
	v.Params, v.Sets = maps.Clone(base.Params), slices.Clone(base.Sets)
	err := eachChange(text, "policy=line", func(name, value string) error {
		if !slices.Contains(*names, name) {
			*names = append(*names, name)
		}
		return changeSpec(&v, t, name, value)
	})
	return v, err
}

// The words of --vs, separated by blanks or commas, and the quoted parts in them. A quotation mark without a partner is
// an ordinary character.
var (
	changeWords  = regexp.MustCompile(`(?:[^\s,'"]|'[^']*'|"[^"]*"|['"])+`)
	changeQuotes = regexp.MustCompile(`'([^']*)'|"([^"]*)"`)
)

// unquotedChange returns a word of --vs without its quotation marks.
func unquotedChange(word string) string { return changeQuotes.ReplaceAllString(word, "$1$2") }

// quotedChange quotes a value so that --vs reads it unchanged.
func quotedChange(value string) string {
	if !strings.ContainsFunc(value, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`,'"`, c) }) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'"'"'`) + "'"
}

// eachChange calls change for each NAME=VALUE of a --vs.
func eachChange(text, example string, change func(name, value string) error) error {
	words := lists.Of(changeWords.FindAllString(text, -1), unquotedChange)
	if len(words) == 0 {
		return usagef(`--vs needs NAME=VALUE, for example --vs "%s"`, example)
	}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return usagef(`--vs %q: expected NAME=VALUE, for example --vs "%s", not %q`, text, example, word)
		}
		if err := change(name, value); err != nil {
			return fmt.Errorf("--vs %q: %w", text, err)
		}
	}
	return nil
}

// changeSpec makes one change to a run: of the size, the seed, a parameter of the program, or a knob of the machine.
func changeSpec(v *run.Spec, t *run.Target, name, value string) error {
	knobs := knob.Keys(knob.Bind(em4.Knobs(), &em4.Config{}))
	params := lists.Of(t.Object.Params, func(p asm.Param) string { return p.Name })
	switch {
	case name == "pes":
		n, err := strconv.Atoi(value)
		if err != nil {
			return usagef("pes is a whole number, not %q", value)
		}
		v.PEs = &n
	case name == "seed":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return usagef("seed is a whole number, 0 or more, not %q", value)
		}
		v.Seed = n
	case slices.Contains(params, name):
		if v.Params == nil {
			v.Params = map[string]string{}
		}
		v.Params[name] = value
	case slices.Contains(knobs, name):
		of := func(set string) bool { return strings.HasPrefix(set, name+"=") }
		v.Sets = append(slices.DeleteFunc(v.Sets, of), name+"="+value)
	default:
		all := append(append([]string{"pes", "seed"}, params...), knobs...)
		return usagef("%q is neither pes nor seed, nor a parameter of %s, nor a knob of the machine%s", name, t.Name,
			suggest.DidYouMean(name, all))
	}
	return nil
}

// namedRun returns a name that distinguishes a run from others: the values of the given names.
func namedRun(t *run.Target, names []string) string {
	if len(names) == 0 {
		return t.Call()
	}
	var words []string
	for _, n := range names {
		value := fmt.Sprint(run.KnobValues(t.Config())[n])
		if n == "seed" {
			value = strconv.FormatUint(t.Seed, 10)
		}
		if v, ok := t.Object.Chosen()[n]; ok {
			value = v
		}
		words = append(words, n+"="+value)
	}
	return strings.Join(words, " ")
}
