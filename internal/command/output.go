package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"strconv"
	"strings"
	"unicode"

	"emsim/internal/base/answer"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/emcr"
	"emsim/internal/base/escape"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/recipe"
)

// answer prints the answer of a command: v as JSON with --json, otherwise the output of table. It returns the first
// error of writing.
func (a *app) answer(v any, table func(w io.Writer)) error {
	if a.json {
		return a.emitJSON(v, a.recipe(""))
	}
	table(a.out)
	return a.out.err
}

// tell prints an answer whose JSON has the keys that its text is made of.
func (a *app) tell(x *answer.Answer) error { return a.answer(x, a.shown(x)) }

// wrote returns the answer of a command that wrote a file, and says what the file is.
func wrote(file string, bytes int, format string, args ...any) *answer.Answer {
	x := &answer.Answer{Title: fmt.Sprintf("%s: %s, %s", file, fmt.Sprintf(format, args...), plural.Of(bytes, "byte"))}
	return x.SayAll("file", file, "bytes", bytes)
}

// printed returns a function that writes the formatted text.
func printed(format string, args ...any) func(io.Writer) {
	return func(w io.Writer) { fmt.Fprintf(w, format, args...) }
}

// emitJSON prints a JSON value. It adds made, the text of a recipe, unless that is "".
func (a *app) emitJSON(v any, made string) error {
	var plain, b bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	text := bytes.TrimSuffix(plain.Bytes(), []byte("\n"))
	if made != "" {
		text = recipe.InJSON(text, made)
	}
	_ = json.Indent(&b, text, "", "  ") // text is valid JSON
	_, err := a.out.Write(append(b.Bytes(), '\n'))
	return err
}

type object = ordered.Object

// usagef returns an error about a command line, a file or a value that the user must correct: what was wrong, what was
// expected and what to do.
func usagef(format string, args ...any) error { return simerr.Usagef(format, args...) }

// errCheckFailed is the failure of a command whose output already shows what failed, such as verify: exit status 1 and
// no further message.
var errCheckFailed = errors.New("a check failed")

// The exit statuses of failures.
const (
	failing = 1 // the modelled machine or a check failed, or the user interrupted
	wrong   = 2 // the command line or a file must be corrected
)

// classify returns an error's kind in JSON and its exit status. An error without a kind is a system error about a file
// that the user named.
func classify(err error) (kind string, status int) {
	switch kind = simerr.Kind(err); kind {
	case "":
		return simerr.KindUsage, wrong
	case simerr.KindUsage, "assembly":
		return kind, wrong
	}
	return kind, failing
}

// reportError reports err to the user and returns the exit status.
func (a *app) reportError(err error) int {
	if errors.Is(err, errCheckFailed) {
		return failing
	}
	kind, status := classify(err)
	if a.json {
		body := simerr.Details(err)
		body["kind"], body["message"] = kind, err.Error()
		made := "" // errors in a command line have no recipe
		if status == failing {
			made = a.recipe("")
		}
		if a.emitJSON(map[string]any{"error": body}, made) == nil {
			return status
		}
	}
	fmt.Fprintf(a.err, "emsim: %s\n", a.oneLineArgs(err.Error()))
	if kind == emcr.SegmentOverflow || kind == emcr.MIBOverflow {
		fmt.Fprintln(a.err, "  not every argument fits, whatever the knobs: 'emsim docs PROGRAMS', \"What fits\"; a "+
			"smaller one does, and more PEs hold more")
	}
	return status
}

// finish reports how the command ended and returns the exit status. A failure to write the answer is always a failure.
func (a *app) finish(err error) int {
	status := 0
	lost := a.out.flush()
	if err != nil && (a.out.err == nil || !errors.Is(err, a.out.err)) {
		status = a.reportError(err)
		lost = a.out.flush()
	}
	if lost != nil {
		var path *fs.PathError
		if errors.As(lost, &path) {
			lost = path.Err
		}
		fmt.Fprintf(a.err, "emsim: standard output could not be written: %v\n", lost)
		status = max(status, failing)
	}
	_ = a.err.flush() // there is no place left to report a failure
	return status
}

// oneLineArgs escapes line breaks in arguments, such as odd file names, so that these cannot look like separate
// messages.
func (a *app) oneLineArgs(text string) string {
	for _, arg := range a.args {
		if strings.Contains(arg, "\n") {
			text = strings.ReplaceAll(text, arg, escape.Line(arg))
		}
	}
	return text
}

// flagError returns a readable form of an error of the flag parser.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	var value *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &value):
		text = fmt.Sprintf("--%s is %s, not %q", value.GetFlag().Name, flagWants(value.GetFlag().Value.Type()),
			value.GetValue())
		if errors.Is(err, strconv.ErrRange) {
			text = fmt.Sprintf("--%s %s is too large", value.GetFlag().Name, value.GetValue())
		}
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		text += cmp.Or(suggest.Instead("--"+unknown.GetSpecifiedName()),
			suggest.DidYouMean(unknown.GetSpecifiedName(), names))
		for _, sub := range cmd.Commands() {
			if sub.Name() == "run" && sub.Flags().Lookup(unknown.GetSpecifiedName()) != nil {
				text += fmt.Sprintf("; '%s' has it", sub.CommandPath())
			}
		}
	case errors.As(err, &unknown) && unicode.IsDigit(rune(unknown.GetSpecifiedShortnames()[0])):
		text = fmt.Sprintf("-%s looks like a flag; write '--' before negative arguments, as in 'run PROGRAM -- -%[1]s'",
			unknown.GetSpecifiedShortnames())
	}
	return usagef("%s\nsee '%s --help' for the flags and their values", text, cmd.CommandPath())
}

// flagWants describes the values that a flag of a type accepts.
func flagWants(kind string) string {
	return cmp.Or(map[string]string{
		"int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number", "bool": "true or false",
		"intSlice": "a list of whole numbers, such as 16,64",
	}[kind], "a "+kind)
}

// noArgs rejects positional arguments. On a command group it suggests the subcommand that was probably meant.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasAvailableSubCommands() {
		return usagef("unknown command %q for '%s', which takes no arguments\nsee '%[2]s --help'", args[0],
			cmd.CommandPath())
	}
	names := lists.Of(cmd.Commands(), (*cobra.Command).Name)
	return usagef("unknown command %q for '%s'%s\nsee '%[2]s --help'", args[0], cmd.CommandPath(),
		cmp.Or(suggest.Instead(cmd.CommandPath()+" "+args[0]), suggest.DidYouMean(args[0], names)))
}

// exactArgs rejects any number of arguments except n.
func exactArgs(n int) cobra.PositionalArgs { return someArgs(n, "") }

func someArgs(n int, most string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n || len(args) < n && most != "" {
			return nil
		}
		return usagef("'%s' takes "+most+"%s, got %d\nusage: %s", cmd.CommandPath(), plural.Of(n, "argument"),
			len(args), cmd.UseLine())
	}
}

// emitRun ends a command that ran a machine, and prints the run's answer. err says why the run failed; the answer then
// covers the run up to that point. files says why a file could not be written. Either is returned as the error; with
// --json the answer is part of it.
func (a *app) emitRun(x any, table func(io.Writer), err, files error) error {
	switch {
	case err != nil:
		return a.failed(errors.Join(err, files), map[string]any{"statistics": x}, table)
	case files != nil:
		return a.unwritten(files, x, table)
	}
	return a.answer(x, table)
}

// emitParts ends a command that does several things, and prints the answer. If the user interrupted it, the answer
// covers the completed parts, and how says how far it got.
func (a *app) emitParts(ctx context.Context, err error, far answer.Far, x any, table func(io.Writer), how string,
	args ...any,
) error {
	switch {
	case err == nil:
		return a.answer(x, table)
	case !interrupt.Ended(err):
		return err
	}
	return a.partial(interrupt.Of(ctx, how, args...), far, x, table)
}

// ended returns err or, if the user interrupted the work, an error that says how far it got.
func ended(ctx context.Context, err error, how string, args ...any) error {
	if interrupt.Ended(err) {
		return interrupt.Of(ctx, how, args...)
	}
	return err
}

// failed reports a failed run. Its statistics so far are printed, or are part of the JSON error.
func (a *app) failed(err error, keys map[string]any, table func(io.Writer)) error {
	return a.stopped(err, keys, "statistics until it stopped:\n\n", table)
}

// partial reports work that the user interrupted after some parts were complete. done is the answer so far; table
// prints it, or is nil.
func (a *app) partial(err error, far answer.Far, done any, table func(io.Writer)) error {
	return a.stopped(err, map[string]any{"partial": done, "done_share": far.Share()}, far.Label()+
		"; completed until then:\n\n", table)
}

// unwritten reports a file that could not be written after the work was done. The answer is still printed, or is part
// of the JSON error.
func (a *app) unwritten(err error, answer any, table func(io.Writer)) error {
	return a.stopped(err, map[string]any{"statistics": answer}, "", table)
}

func (a *app) stopped(err error, keys map[string]any, title string, table func(io.Writer)) error {
	if !a.json && table != nil {
		fmt.Fprint(a.out, title)
		table(a.out)
	}
	return &failure{err: err, keys: keys}
}

// failure is an error that carries the answer so far.
type failure struct {
	err  error
	keys map[string]any
}

func (e *failure) Error() string { return e.err.Error() }
func (e *failure) Unwrap() error { return e.err }

// Details returns the keys of the error and of the answer.
func (e *failure) Details() map[string]any {
	all := maps.Clone(e.keys)
	maps.Copy(all, simerr.Details(e.err))
	return all
}
