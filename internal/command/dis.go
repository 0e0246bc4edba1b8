package command

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/internal/base/interrupt"
)

// disAnswer is what 'emsim dis' prints with --json.
type disAnswer struct {
	File   string `json:"file"`
	Source string `json:"source"`
}

func newDisCmd(a *app) *cobra.Command {
	var defines []string
	var include includeFlag
	cmd := &cobra.Command{
		Use:   "dis FILE",
		Short: "Disassemble an object file or a program",
		Long: `dis prints the assembly text of an object file. The text assembles to an equal
object. A program in assembly text is assembled first: its macros, conditions and
expressions are then shown expanded.`,
		Example: "  emsim dis prog.emo\n  emsim dis prog.s -D policy=random",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			params, err := parsePairs("-D", defines)
			if err != nil {
				return err
			}
			if err := errors.Join(notGo(args[0]), include.check()); err != nil {
				return err
			}
			o, err := interrupt.Await(cmd.Context(), func() (*asm.Object, error) {
				return asm.Load(args[0], include.options(params))
			})
			if err != nil {
				return err
			}
			text := asm.Disassemble(o)
			return a.emitAnswer(disAnswer{File: args[0], Source: text}, func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			})
		},
	}
	addDefineFlag(cmd, &defines)
	include.addFlags(cmd)
	return cmd
}
