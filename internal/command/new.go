package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/suggest"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/recipe"
	"emsim/programs"
)

func newNewCmd(a *app) *cobra.Command {
	var template string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small program to begin with",
		Long: `new writes NAME.s, a small commented program that works, and says what to do with
it next. It replaces no file. The templates are:

` + strings.Join(listOf(programs.Starts(), func(s programs.Start) string { return fmt.Sprintf("  %-8s%s\n", s.Name, s.Does) }), "") + `
docs/ASSEMBLY.md describes the language, docs/MACROS.md the library.`,
		Example: "  emsim new first\n  emsim new tree --template call",
		Args:    exactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.newProgram(args[0], template) },
	}
	cmd.Flags().StringVar(&template, "template", programs.Starts()[0].Name, "what to begin with: "+strings.Join(templateNames(), "|"))
	completes(cmd, "template", cobra.FixedCompletions(described(programs.Starts(), func(s programs.Start) (string, string) { return s.Name, s.Does }), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func templateNames() []string {
	return listOf(programs.Starts(), func(s programs.Start) string { return s.Name })
}

// newProgram writes the program of a template to NAME.s.
func (a *app) newProgram(name, template string) error {
	start, ok := programs.StartNamed(template)
	if !ok {
		return usagef("there is no template %q: expected %s%s", template, strings.Join(templateNames(), ", "), suggest.DidYouMean(template, templateNames()))
	}
	file, err := newFile(name)
	if err != nil {
		return err
	}
	program := strings.TrimSuffix(filepath.Base(file), ".s")
	if err := wholefile.WriteFile(file, []byte(start.Text(program)), 0o666); err != nil {
		return usagef("%w", err)
	}
	call := shellWord(file) + " " + strings.Join(start.Args, " ")
	next := []string{"emsim run " + call}
	if start.Placed {
		next = append(next, "emsim run "+call+" --policy line --mlpe")
	}
	next = append(next, "emsim debug "+call+" --pes 12", "emsim asm "+shellWord(file)+" --listing -")
	x := object{"file", file, "template", start.Name, "does", start.Does, "args", start.Args, "result", []uint64{start.Answer}, "next", next}
	return a.emitAnswer(x, func(w io.Writer) error {
		fmt.Fprintf(w, "%s: %s. Next:\n\n", file, start.Does)
		for i, line := range next {
			if i == 0 {
				line += fmt.Sprintf("    (prints %d)", start.Answer)
			}
			fmt.Fprintf(w, "  %s\n", line)
		}
		_, err := fmt.Fprint(w, "\nThe comments in the file say what its lines do; docs/ASSEMBLY.md describes the language, docs/MACROS.md the library.\n")
		return err
	})
}

// newFile is the file of a program called name. It must not exist.
func newFile(name string) (string, error) {
	base := strings.TrimSuffix(filepath.Base(name), ".s")
	ext := filepath.Ext(name)
	switch {
	case base == "" || base == "." || base == ".." || strings.HasSuffix(name, "/") || os.IsPathSeparator(base[0]):
		return "", usagef("%q is not the name of a program: expected one such as first, which makes first.s", name)
	case ext != "" && ext != ".s":
		return "", usagef("%q is not the name of a program: expected %s, which makes %[2]s.s", name, strings.TrimSuffix(name, ext))
	case ext == "":
		name += ".s"
	}
	switch _, err := os.Lstat(name); {
	case err == nil:
		return "", usagef("%s is there already: choose another name, or remove it first", name)
	case !errors.Is(err, fs.ErrNotExist):
		return "", usagef("%w", err)
	}
	return name, nil
}

// shellWord quotes a file name for a command line that the user may copy.
func shellWord(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return recipe.Quoted(name)
}
