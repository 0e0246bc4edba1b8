package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"

	root "emsim"
	"emsim/df"
	"emsim/internal/base/answer"
	"emsim/internal/base/input"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/recipe"
	"emsim/programs"
)

func newNewCmd(a *app) *cobra.Command {
	var template string
	var policy bool
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small program to start from",
		Long: `new writes NAME.s, a small commented program that works, and says what to do with
it next. It never overwrites a file. NAME.go is a program in Go: next to the first one in a
folder, new writes a go.mod, and package df in ` + dfFolder + `, so that plain go run and
go vet work without a clone of emsim and without a network. With --policy NAME.s or
NAME.go is a policy, which says where calls go: a file for --policy. The templates
of NAME.s:

` + strings.Join(lists.Of(programs.Starts(),
			func(s programs.Start) string { return fmt.Sprintf("  %-8s%s\n", s.Name, s.Does) }), "") + `
'emsim docs ASSEMBLY' describes the language, 'emsim docs MACROS' the library,
'emsim docs DATAFLOW' programs in Go, 'emsim docs POLICY' policies.`,
		Example: "  emsim new first\n  emsim new tree --template call\n  emsim new --policy mine\n  emsim new " +
			"--policy mine.go\n  emsim new sum.go",
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if policy && cmd.Flags().Changed("template") {
				return usagef("--template is for programs, and --policy for policies: leave one of them out")
			}
			if filepath.Ext(args[0]) != ".go" {
				return a.newProgram(args[0], template, policy)
			}
			if cmd.Flags().Changed("template") {
				return usagef("--template is for programs in assembly language: leave it out, or write %s",
					strings.TrimSuffix(args[0], ".go"))
			}
			return a.newGoProgram(args[0], policy)
		},
	}
	cmd.Flags().StringVar(&template, "template", programs.Starts()[0].Name,
		"template to start from: "+strings.Join(templateNames(), "|"))
	cmd.Flags().BoolVar(&policy, "policy", false, "write a policy instead of a program")
	a.completes(cmd, "template", cobra.FixedCompletions(described(programs.Starts(),
		func(s programs.Start) (string, string) { return s.Name, s.Does }), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func templateNames() []string {
	return lists.Of(programs.Starts(), func(s programs.Start) string { return s.Name })
}

// newProgram writes the program of a template, or a policy, to NAME.s.
func (a *app) newProgram(name, template string, policy bool) error {
	start, ok := programs.StartNamed(template)
	if policy {
		start, ok = programs.PolicyStart(false), true
	}
	if !ok {
		return usagef("there is no template %q: expected %s%s", template, strings.Join(templateNames(), ", "),
			suggest.DidYouMean(template, templateNames()))
	}
	file, err := newFile(name, ".s")
	if err != nil {
		return err
	}
	if err := wholefile.WriteFile(file, []byte(start.Text(strings.TrimSuffix(filepath.Base(file), ".s"))),
		0o666); err != nil {
		return usagef("%w", err)
	}
	if policy {
		return a.emitPolicy(start, file)
	}
	call := shellWord(file) + " " + strings.Join(start.Args, " ")
	next := []string{"emsim run " + call}
	if start.Placed {
		next = append(next, "emsim run "+call+" --policy line --mlpe")
	}
	next = append(next, "emsim debug "+call+" --pes 12", "emsim asm "+shellWord(file)+" --listing -")
	return a.emitNew(start, file, next, "'emsim docs ASSEMBLY' describes the language, 'emsim docs MACROS' the library")
}

// emitPolicy works like emitNew, for a policy.
func (a *app) emitPolicy(start programs.Start, file string) error {
	with := " --policy " + shellWord(file)
	return a.emitNew(start, file, []string{
		"emsim run fib 20" + with, "emsim debug fib 10 --pes 12" + with,
		"emsim report queens 8" + with + " --vs policy=ring -o queens.html",
	},
		"'emsim docs POLICY' says what a policy may know and do, and how to compare it")
}

// emitNew prints what was written, and what to do next.
func (a *app) emitNew(start programs.Start, file string, next []string, pages string) error {
	x := &answer.Answer{
		Title: fmt.Sprintf("%s: %s", file, start.Does),
		Says:  []string{"The comments in the file say what its lines do; " + pages + "."},
		Lists: []answer.List{{
			Title: "Later:", Rows: lists.Of(next[1:], func(line string) []any { return []any{line} }), Unbroken: true,
		}},
		Next: answer.Next{Command: next[0], Why: fmt.Sprintf("prints %d", start.Answer)},
	}
	return a.tell(x.SayAll("file", file, "template", start.Name, "does", start.Does, "args", start.Args, "result",
		[]uint64{start.Answer}, "next", next))
}

// newGoProgram writes a program or a policy in Go, and the module files that Go needs.
func (a *app) newGoProgram(name string, policy bool) error {
	file, err := newFile(name, ".go")
	if err != nil {
		return err
	}
	dir, start := filepath.Dir(file), programs.GoStart()
	if policy {
		start = programs.PolicyStart(true)
	}
	if err = makeModule(dir); err == nil {
		err = wholefile.WriteFile(file, []byte(start.Text(strings.TrimSuffix(filepath.Base(file), ".go"))), 0o666)
	}
	if err != nil {
		return usagef("%w", err)
	}
	if policy {
		return a.emitPolicy(start, file)
	}
	call := shellWord(file) + " " + strings.Join(start.Args, " ")
	plain := "go run " + call
	if dir != "." { // Go looks for go.mod in its working folder
		plain = "go -C " + shellWord(dir) + " run " + shellWord(filepath.Base(file)) +
			" " + strings.Join(start.Args, " ")
	}
	return a.emitNew(start, file, []string{"emsim run " + call, plain, "emsim debug " + call + " --pes 12"},
		"'emsim docs DATAFLOW' describes programs in Go")
}

// dfFolder is the folder with the copy of package df, to which go.mod refers.
const dfFolder = "emsim-df"

// goModule describes a valid go.mod.
var goModule = input.Want{What: "a go.mod", Most: 1 << 20, Why: "it lists modules"}

// makeModule lets Go programs in dir import package df. It writes a go.mod and a copy of the package. If dir already
// has a go.mod, it writes nothing, and returns an error unless that go.mod is emsim's own or requires emsim's module.
func makeModule(dir string) error {
	text, err := root.Sources.ReadFile("go.mod")
	if err != nil {
		return err
	}
	own, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return err
	}
	address, version, name := own.Module.Mod.Path, own.Go.Version, filepath.Join(dir, "go.mod")
	if text, err = goModule.Read(name); !errors.Is(err, fs.ErrNotExist) {
		mod, wrong := modfile.ParseLax(name, text, nil)
		if err = cmp.Or(err, wrong); err == nil && modfile.ModulePath(text) != address &&
			!slices.ContainsFunc(mod.Require, func(r *modfile.Require) bool { return r.Mod.Path == address }) {
			err = fmt.Errorf("%s is there already and does not require the module %s: choose an empty folder "+
				"for the program", name, address)
		}
		return err
	}
	copied := filepath.Join(dir, dfFolder)
	if err := os.Mkdir(copied, 0o777); err != nil {
		return fmt.Errorf("%w: choose a folder that exists and is empty", err)
	}
	text = fmt.Appendf(nil, "module programs\n\ngo %s\n\nrequire %s v0.0.0\n\n// Package df, the only part of "+
		"emsim that programs import, is in this folder.\nreplace %[2]s => ./%s\n", version, address, dfFolder)
	return errors.Join(os.CopyFS(filepath.Join(copied, "df"), df.Sources),
		wholefile.WriteFile(filepath.Join(copied, "go.mod"), fmt.Appendf(nil, "module %s\n\ngo %s\n", address, version),
			0o666),
		wholefile.WriteFile(name, text, 0o666))
}

// newFile returns the name of the file for a program, with the ending `own`. It returns an error if the file exists.
func newFile(name, own string) (string, error) {
	base := strings.TrimSuffix(filepath.Base(name), own)
	ext := filepath.Ext(name)
	switch {
	case base == "" || base == "." || base == ".." || strings.HasSuffix(name, "/") || os.IsPathSeparator(base[0]):
		return "", usagef("%q is not the name of a program: expected one such as first, which makes first.s", name)
	case own == ".go" && (strings.HasSuffix(base, "_test") || strings.ContainsAny(base[:1], "-_.")):
		return "", usagef("%q is not the name of a program: Go runs no file of such a name; choose another one", name)
	case ext != "" && ext != own:
		return "", usagef("%q is not the name of a program: expected %s, which makes %[2]s.s", name,
			strings.TrimSuffix(name, ext))
	case ext == "":
		name += own
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
