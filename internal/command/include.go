package command

import (
	"os"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/programs"
)

// includeFlag names folders of files that a program includes.
type includeFlag struct{ include []string }

func (f *includeFlag) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.include, "include", "I", nil,
		"folder in which files are looked for that are not beside the file that includes them (may be repeated; emsim's library, such as lib/place.s, comes last)")
	if err := cmd.MarkFlagDirname("include"); err != nil {
		panic(err)
	}
}

// check refuses what is not a folder: nothing would be found in it.
func (f *includeFlag) check() error {
	for _, dir := range f.include {
		info, err := os.Stat(dir)
		switch {
		case dir == "":
			return usagef("-I needs the name of a folder")
		case err != nil:
			return usagef("-I: %w", err)
		case !info.IsDir():
			return usagef("-I: %s is a file: expected a folder", dir)
		}
	}
	return nil
}

// options are those of the assembler for a program of the command line.
func (f *includeFlag) options(params map[string]string) asm.Options {
	return asm.Options{Params: params, Include: f.include, Library: programs.Library()}
}
