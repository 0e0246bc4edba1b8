package command

import (
	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/internal/base/interrupt"
)

func newDisCmd(a *app) *cobra.Command {
	f := &asmFlags{}
	cmd := &cobra.Command{
		Use:   "dis FILE",
		Short: "Disassemble an object file or a program",
		Long: `dis prints the assembly text of an object file. The text assembles to an equal
object. A program in assembly text is assembled first: its macros, conditions and
expressions are then shown expanded.`,
		Example: "  emsim dis prog.emo\n  emsim dis prog.s -D policy=random",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt, err := f.options(args[0])
			if err != nil {
				return err
			}
			o, err := interrupt.Await(cmd.Context(), func() (*asm.Object, error) { return asm.Load(args[0], opt) })
			if err != nil {
				return err
			}
			a.made.assembled(o, args[0], f.include)
			text := asm.Disassemble(o)
			return a.answer(object{"file", args[0], "source", text}, printed("%s", text))
		},
	}
	f.addFlags(cmd)
	return cmd
}
