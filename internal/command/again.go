package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/fingerprint"
	"emsim/internal/machine/recipe"
)

func newAgainCmd(a *app) *cobra.Command {
	var folders []string
	cmd := &cobra.Command{
		Use: "again FILE", Annotations: aboutEmsim,
		Short: "Make a result again, and compare",
		Long: `again reads in a result how it was made, makes it again, and compares the two byte
by byte, but for wall times, speeds and the names of output files. FILE is an
answer of --json, a trace, checkpoint, picture, page or profile, or a table that
has its recipe beside it. The exit status is 1 if they are not equal; if the models
are others than those that made FILE, the answer says so.

What the command read is looked for by name in the folder of FILE, the current one
and those of --inputs, and must have the digest that the recipe says. The command
runs in a folder of its own, with copies of these files, and writes nowhere else.`,
		Example: "  emsim run fib 20 --json > fib.json\n  emsim again fib.json\n  emsim again docs/img/em4-fig5.svg\n  emsim again result.vcd.zst --inputs programs --inputs machines",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.again(cmd.Context(), args[0], slices.Compact(append([]string{filepath.Dir(args[0]), "."}, folders...)))
		},
	}
	cmd.Flags().StringArrayVar(&folders, "inputs", nil, "folder with files that the command read (may be repeated)")
	return cmd
}

func (a *app) again(ctx context.Context, file string, folders []string) error {
	was, r, text, err := readResult(file)
	if err != nil {
		return err
	}
	is, err := a.repeat(ctx, r, text, folders)
	if err != nil {
		return fmt.Errorf("%s cannot be made again, by '%s': %w", file, r.Command, err)
	}
	d, changed := firstDifference(was, is), r.Fingerprint != fingerprint.Recorded
	x := object{"file", file, "command", r.Command, "equal", d == nil, "difference", d, "fingerprint", r.Fingerprint, "model_changed", changed}
	err = a.emitAnswer(x, func(w io.Writer) error {
		switch {
		case d == nil:
			fmt.Fprintf(w, "equal: '%s' makes %s\n", r.Command, file)
		case d.Line > 0:
			fmt.Fprintf(w, "different: '%s' does not make %s\nline %d, column %d\n  was  %s\n  is   %s\n", r.Command, file, d.Line, d.Column, d.Was, d.Is)
		default:
			fmt.Fprintf(w, "different: '%s' does not make %s\nbyte %d\n", r.Command, file, d.Byte)
		}
		if changed {
			fmt.Fprintf(w, "the model has changed since: its fingerprint was %s, now it is %s\n", r.Fingerprint, fingerprint.Recorded)
		}
		return nil // a.out remembers its error
	})
	if err == nil && d != nil {
		return errCheckFailed
	}
	return err
}

// Commands that make no result, and flags that act on more than the folder of a command.
var (
	resultless = []string{"debug", "play", "new"}
	outside    = []string{"slurm", "share", "status", "collect", "profile"}
)

// checkRecipe refuses a command line that does anything but make a result in its own
// folder: the recipe may be a stranger's.
func checkRecipe(line []string) (*cobra.Command, error) {
	cmd, rest, err := newRootCmd(&app{}).Find(line)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	switch {
	case err != nil:
		return nil, usagef("%w", err)
	case cmd.Annotations["about"] != "" || slices.Contains(resultless, cmd.Name()):
		return nil, usagef("'%s' makes no result", cmd.CommandPath())
	}
	all := cmd.Flags().Args()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		all = append(all, words(f)...)
		if slices.Contains(outside, f.Name) {
			err = usagef("--%s does more than make a result", f.Name)
		}
	})
	for _, word := range all {
		if word != "" && !filepath.IsLocal(word) {
			err = usagef("%s is in another folder", word)
		}
	}
	return cmd, err
}

// repeat makes a result again, with the same text as its recipe, and returns it
// unpacked.
func (a *app) repeat(ctx context.Context, r recipe.Recipe, text string, folders []string) (result []byte, err error) {
	line := unquoted(r.Command)
	line = line[min(1, len(line)):] // without emsim
	cmd, err := checkRecipe(line)
	if err != nil {
		return nil, err
	}
	file := ""
	if f := cmd.Flags().Lookup(r.Output); f != nil {
		file = f.Value.String()
	}
	if r.Output != "" && file == "" {
		return nil, usagef("the recipe says that it is of --%s, which does not stand there", r.Output)
	}
	folder, err := os.MkdirTemp("", "emsim-again-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	for _, in := range r.Inputs {
		if err := copyInput(folder, in, folders); err != nil {
			return nil, err
		}
	}
	back, err := os.Getwd()
	if err == nil {
		err = os.Chdir(folder)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.Chdir(back)) }()
	var out bytes.Buffer
	inner := &app{in: strings.NewReader(""), out: newAnswers(&out), err: a.err, args: line, made: made{given: text}}
	root := newRootCmd(inner)
	root.SetArgs(line)
	root.SetOut(inner.out)
	root.SetErr(inner.err)
	switch err := root.ExecuteContext(ctx); {
	case ctx.Err() != nil:
		return nil, interrupt.Of(ctx, "before it was made again")
	case err != nil:
		if _, status := classify(err); status == wrong {
			return nil, err
		}
		inner.finish(err) // a failed run is a result, too
	}
	if file == "" {
		return out.Bytes(), nil
	}
	return readUnpacked(file)
}

// copyInput copies an input from the first folder that has it.
func copyInput(to string, in recipe.Input, folders []string) error {
	if !filepath.IsLocal(in.Name) {
		return usagef("%s is in another folder", in.Name)
	}
	others := ""
	for _, folder := range folders {
		from, copied := filepath.Join(folder, in.Name), filepath.Join(to, in.Name)
		sum, err := recipe.DigestFile(from)
		if err != nil {
			continue
		}
		if sum != in.SHA256 {
			others += fmt.Sprintf("\n%s is another one, with the digest %s", from, sum)
			continue
		}
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(copied), 0o700)
		}
		if err == nil {
			err = wholefile.WriteFile(copied, text, 0o600)
		}
		return err
	}
	return usagef("it reads a file %s, with the SHA-256 digest %s, which is not in %s: name its folder with --inputs%s", in.Name, in.SHA256, strings.Join(folders, ", "), others)
}
