package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
)

func newAsmCmd(a *app) *cobra.Command {
	var output, listing string
	f := &asmFlags{}
	cmd := &cobra.Command{
		Use:   "asm FILE",
		Short: "Assemble a program into an object file",
		Long: `asm assembles a program and writes an object file that 'emsim run' loads. All
errors are reported at once, each with its place, the line and a caret. The
listing is written even if there are errors. 'emsim docs ASSEMBLY' describes the
language and 'emsim docs FORMATS' the object file.`,
		Example: "  emsim asm prog.s\n  emsim asm prog.s -o prog.emo --listing prog.lst -D policy=random\n  emsim " +
			"asm prog.s -I ../common",
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt, err := f.options(args[0])
			if err != nil {
				return err
			}
			return a.assemble(cmd.Context(), args[0], output, listing, opt)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "object file to write (default FILE with .emo)")
	cmd.Flags().StringVar(&listing, "listing", "", "write a listing to this file (- is standard output)")
	f.addFlags(cmd)
	return cmd
}

// asmFlags holds the flags for the assembler.
type asmFlags struct {
	includeFlag
	defines []string
}

func (f *asmFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.defines, "define", "D", nil,
		"NAME=VALUE: choose the value of a parameter that the program declares (may be repeated)")
	f.includeFlag.addFlags(cmd)
}

// options returns the assembler's options for a file.
func (f *asmFlags) options(file string) (asm.Options, error) {
	params, err := parsePairs("-D", f.defines)
	if err == nil {
		err = errors.Join(notGo(file), f.check())
	}
	return f.includeFlag.options(params), err
}

// parsePairs parses the NAME=VALUE pairs of a flag.
func parsePairs(flag string, pairs []string) (map[string]string, error) {
	params := map[string]string{}
	for _, d := range pairs {
		name, value, ok := strings.Cut(d, "=")
		if !ok || name == "" {
			return nil, usagef("%s %s: expected NAME=VALUE, for example %[1]s policy=ring", flag, d)
		}
		if old, twice := params[name]; twice {
			return nil, usagef("%s gives %s two values, %q and %q", flag, name, old, value)
		}
		params[name] = value
	}
	return params, nil
}

func (a *app) assemble(ctx context.Context, file, to, listing string, opt asm.Options) error {
	to = cmp.Or(to, strings.TrimSuffix(file, filepath.Ext(file))+".emo")
	if listing == "-" && a.json {
		return usagef("--listing - and --json both use standard output: give the listing a file name")
	}
	files := []output{{flag: "-o", name: to}}
	if listing != "-" {
		files = append(files, output{flag: "--listing", name: listing})
	}
	if err := claim(files, file); err != nil {
		return err
	}
	var l *asm.Listing
	o, err := interrupt.Await(ctx, func() (o *asm.Object, err error) {
		o, l, err = asm.Assemble(file, opt)
		return o, err
	})
	if interrupt.Ended(err) {
		return interrupt.Of(ctx, "while %s was assembled", file)
	}
	if o != nil {
		if err := spare(files, o.Files); err != nil {
			return err
		}
		a.made.assembled(o, file, opt.Include)
	}
	if l != nil && listing != "" {
		write := func(text string) error { return writeOutput("--listing", listing, []byte(text)) }
		if listing == "-" {
			write = func(text string) error { _, err := io.WriteString(a.out, text); return err }
		}
		if err := write(l.String()); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := writeOutput("-o", to, o.Marshal()); err != nil {
		return err
	}
	code, data, space := o.Words()
	perPE := map[bool]string{true: " and one per PE"}[o.PerPE != nil]
	x := assembled(file, to, o)
	x.Title = fmt.Sprintf("%s: %s (%d code, %d data, %d space)%s, %s", to, plural.Of(code+data+space, "word"), code,
		data,
		space, perPE, plural.Of(len(o.Symbols), "symbol"))
	return a.tell(x)
}

// assembled returns the keys of the answer of 'emsim asm' for an object.
func assembled(file, output string, o *asm.Object) *answer.Answer {
	code, data, space := o.Words()
	symbols, params, args := []object{}, []object{}, []object{}
	for _, s := range o.Symbols {
		x := object{"name", s.Name, "kind", s.Kind.String(), "value", s.Value}
		if s.Reach > 0 {
			x = append(x, "reach", s.Reach) // for a template: its highest addressed displacement
		}
		symbols = append(symbols, x)
	}
	for i := range o.Params {
		p := &o.Params[i]
		x := object{"name", p.Name, "value", p.Chosen(), "values", p.Values}
		if len(p.Values) == 0 {
			x = object{"name", p.Name, "value", p.Chosen(), "min", p.Min, "max", p.Max}
		}
		params = append(params, x)
	}
	for _, g := range o.Args {
		args = append(args, object{"name", g.Name, "min", g.Min, "max", g.Max, "entry", g.Entry})
	}
	x := new(answer.Answer).SayAll("file", file, "output", output, "words", code+data+space, "code_words", code,
		"data_words", data, "space_words", space, "symbols", symbols, "params", params, "args", args, "init", o.Init,
		"start", o.Start, "per_pe", o.PerPE)
	if o.Result != "" {
		x.Say("type", o.Result)
	}
	return x
}
