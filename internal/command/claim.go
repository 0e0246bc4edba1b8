package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/wholefile"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/recipe"
)

// writes annotates a flag that names an output file. The annotation's values are the input flags whose file the output
// may replace.
const writes = "writes"

// outFlag adds the flag of an output file. The command checks that it can write the file before it begins.
func outFlag(cmd *cobra.Command, file *string, flag, usage string, mayReplace ...string) {
	flag, short, _ := strings.Cut(flag, ",")
	cmd.Flags().StringVarP(file, flag, short, "", usage)
	cmd.Flags().Lookup(flag).Annotations = map[string][]string{writes: mayReplace}
}

// output is an output file of a command line.
type output struct {
	flag string // as the user writes it
	name string // "" if the file is not wanted
	over string // name of an input that it may replace
}

// outputsOf returns the output files that a command's flags name.
func outputsOf(cmd *cobra.Command) (list []output) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if over, ok := f.Annotations[writes]; ok {
			o := output{flag: "--" + f.Name, name: f.Value.String()}
			if f.Shorthand != "" {
				o.flag = "-" + f.Shorthand
			}
			for _, name := range over {
				o.over = cmd.Flag(name).Value.String()
			}
			list = append(list, o)
		}
	})
	return list
}

// claimFlags claims the output files of a command's flags. They must not replace a file that any other word of the
// command line names.
func claimFlags(cmd *cobra.Command, args []string) error {
	outputs := outputsOf(cmd)
	if len(outputs) == 0 {
		return nil
	}
	reads := slices.Clone(args)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, ok := f.Annotations[writes]; !ok {
			reads = append(reads, flagTexts(f)...)
		}
	})
	return claim(outputs, reads...)
}

// claim rejects outputs that cannot be written, that are the same file, or that would replace an input of the command.
// It does so before any work is done.
func claim(outputs []output, reads ...string) error {
	for i, o := range outputs {
		switch {
		case o.name == "":
			continue
		case o.name == "-":
			return usagef("%s is -, which does not mean standard output here: expected the name of a file", o.flag)
		case o.name[0] == '-':
			return usagef("%s is %s, which looks like a flag or a number; if it is the name of a file, write ./%[2]s",
				o.flag, o.name)
		}
		for _, other := range outputs[:i] {
			if wholefile.SameFile(o.name, other.name) {
				return usagef("%s and %s need different files", other.flag, o.flag)
			}
		}
		if err := o.spares(reads, "this command reads"); err != nil {
			return err
		}
		if err := wholefile.Probe(o.name); err != nil {
			return usagef("%s: %w", o.flag, err)
		}
	}
	return nil
}

// spares returns an error if the output would replace an input.
func (o output) spares(inputs []string, who string) error {
	for _, in := range inputs {
		if o.name != "" && in != o.over && replaces(o.name, in) {
			return usagef("%s would replace the file %s, which %s: choose another name", o.flag, o.name, who)
		}
	}
	return nil
}

// spare rejects outputs that would replace a file that a program includes. These files are known only after the program
// has been read.
func spare(outputs []output, files []string) error {
	for _, o := range outputs {
		if err := o.spares(files, "the program includes"); err != nil {
			return err
		}
	}
	return nil
}

// replaces reports whether an output would replace an existing file.
func replaces(out, in string) bool {
	_, err := os.Stat(in)
	return err == nil && wholefile.SameFile(out, in)
}

// writeOutput writes the output file of a flag.
func writeOutput(flag, name string, text []byte) error {
	if err := wholefile.WriteFile(name, text, 0o666); err != nil {
		return usagef("%s: %w", flag, err)
	}
	return nil
}

// writeTable writes the output file of a flag, and its recipe to a second file, because the format has no place for a
// recipe.
func (a *app) writeTable(flag, name string, text []byte) error {
	return errors.Join(writeOutput(flag, name, text), a.writeSidecar(flag, name, nil))
}

// between rejects a value of a count flag that is out of range. It is for flags of the command itself; the models check
// their own parameters.
func between(flag string, n, least, most int, why string) error {
	if n < least || n > most {
		return usagef("--%s is %d, it must be %d..%d (%s)", flag, n, least, most, why)
	}
	return nil
}

// workersBetween rejects a number of parallel workers that is out of range.
func workersBetween(flag string, n int, what string) error {
	return between(flag, n, 1, 1024, "each has its own "+what+" in memory")
}

// wantsPicture rejects file names without the ending of an image format.
func wantsPicture(flag, name string) error {
	if !slices.Contains(figures.Formats(), strings.ToLower(filepath.Ext(name))) {
		return usagef("%s needs a file that ends in %s, got %q", flag, strings.Join(figures.Formats(), " or "), name)
	}
	return nil
}

// drawTo draws a figure to the file of a flag.
func (a *app) drawTo(ctx context.Context, x figures.Figure, flag, name string) error {
	data, err := figures.Encode(ctx, x, name)
	if err != nil {
		return usagef("%s: %w", flag, err)
	}
	return writeOutput(flag, name, recipe.InFile(name, data, a.recipe(flag)))
}

// checkFiles rejects files that cannot be written, and empty file names, which the shell makes of unset variables. It
// does so before a command begins.
func checkFiles(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if what, _ := pflag.UnquoteUsage(f); (what == "FILE" || what == "MAP" || f.Name == "machine") &&
			f.Value.String() == "" {
			err = usagef("--%s is empty: expected the name of a file\nsee '%s --help'", f.Name, cmd.CommandPath())
		}
	})
	if err != nil {
		return err
	}
	return claimFlags(cmd, args)
}

// flagTexts returns the values of a flag that takes text.
func flagTexts(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	if f.Value.Type() == "string" {
		return []string{f.Value.String()}
	}
	return nil
}
