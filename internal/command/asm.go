package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
)

// asmAnswer is what 'emsim asm' says about the object it wrote.
type asmAnswer struct {
	File    string         `json:"file"`
	Output  string         `json:"output"`
	Words   int            `json:"words"` // of code, data and space together, without the table per PE
	Code    int            `json:"code_words"`
	Data    int            `json:"data_words"`
	Space   int            `json:"space_words"`
	Symbols []symbolAnswer `json:"symbols"`
	Params  []paramAnswer  `json:"params"`
	Args    []argAnswer    `json:"args"`
	Init    *uint32        `json:"init"`
	Start   *uint32        `json:"start"`
	PerPE   *uint32        `json:"per_pe"` // start of the table of one word per PE
}

type symbolAnswer struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Value int64  `json:"value"`
	Reach uint32 `json:"reach,omitempty"` // of a template: highest addressed displacement
}

type paramAnswer struct {
	Name   string   `json:"name"`
	Value  string   `json:"value"`
	Values []string `json:"values,omitempty"`
	Min    *int64   `json:"min,omitempty"`
	Max    *int64   `json:"max,omitempty"`
}

type argAnswer struct {
	Name  string `json:"name"`
	Min   int64  `json:"min"`
	Max   int64  `json:"max"`
	Entry uint32 `json:"entry"`
}

func newAsmCmd(a *app) *cobra.Command {
	var output, listing string
	var defines []string
	var include includeFlag
	cmd := &cobra.Command{
		Use:   "asm FILE",
		Short: "Assemble a program into an object file",
		Long: `asm assembles a program and writes an object file that 'emsim run' loads. All
errors are reported at once, each with its place, the line and a caret. The
listing is written even if there are errors. docs/ASSEMBLY.md describes the
language and docs/FORMATS.md the object file.`,
		Example: "  emsim asm prog.s\n  emsim asm prog.s -o prog.emo --listing prog.lst -D policy=random\n  emsim asm prog.s -I ../common",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			params, err := parsePairs("-D", defines)
			if err != nil {
				return err
			}
			if err := errors.Join(notGo(args[0]), include.check()); err != nil {
				return err
			}
			return a.assemble(cmd.Context(), args[0], output, listing, include.options(params))
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "object file to write (default FILE with .emo)")
	cmd.Flags().StringVar(&listing, "listing", "", "write a listing to this file (- is standard output)")
	addDefineFlag(cmd, &defines)
	include.addFlags(cmd)
	return cmd
}

func addDefineFlag(cmd *cobra.Command, defines *[]string) {
	cmd.Flags().StringArrayVarP(defines, "define", "D", nil, "NAME=VALUE: choose the value of a parameter that the program declares (may be repeated)")
}

// parsePairs reads the values of a flag that chooses parameters.
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

func (a *app) assemble(ctx context.Context, file, object, listing string, opt asm.Options) error {
	if object == "" {
		object = strings.TrimSuffix(file, filepath.Ext(file)) + ".emo"
	}
	if listing == "-" && a.json {
		return usagef("--listing - and --json both use standard output: give the listing a file name")
	}
	files := []output{{flag: "-o", name: object}}
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
	}
	if l != nil && listing != "" {
		if err := a.writeListing(listing, l.String()); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := writeOutput("-o", object, o.Marshal()); err != nil {
		return err
	}
	answer := newAsmAnswer(file, object, o)
	return a.emitAnswer(answer, func(w io.Writer) error {
		perPE := ""
		if o.PerPE != nil {
			perPE = " and one per PE"
		}
		_, err := fmt.Fprintf(w, "%s: %s (%d code, %d data, %d space)%s, %s\n",
			object, plural.Of(answer.Words, "word"), answer.Code, answer.Data, answer.Space, perPE, plural.Of(len(answer.Symbols), "symbol"))
		return err
	})
}

func (a *app) writeListing(listing, text string) error {
	if listing == "-" {
		_, err := io.WriteString(a.out, text)
		return err
	}
	return writeOutput("--listing", listing, []byte(text))
}

func newAsmAnswer(file, output string, o *asm.Object) asmAnswer {
	x := asmAnswer{
		File: file, Output: output, Init: o.Init, Start: o.Start, PerPE: o.PerPE,
		Symbols: []symbolAnswer{}, Params: []paramAnswer{}, Args: []argAnswer{},
	}
	x.Code, x.Data, x.Space = o.Words()
	x.Words = x.Code + x.Data + x.Space
	for _, s := range o.Symbols {
		x.Symbols = append(x.Symbols, symbolAnswer{s.Name, s.Kind.String(), s.Value, s.Reach})
	}
	for i := range o.Params {
		p := &o.Params[i]
		q := paramAnswer{Name: p.Name, Value: p.Chosen(), Values: p.Values}
		if len(p.Values) == 0 {
			q.Min, q.Max = &p.Min, &p.Max
		}
		x.Params = append(x.Params, q)
	}
	for _, g := range o.Args {
		x.Args = append(x.Args, argAnswer(g))
	}
	return x
}
