package command

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/asm"
	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/fingerprint"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/programs"
	"emsim/trace/sink"
)

// made holds the data for the recipes of a command line's results.
type made struct {
	cmd     *cobra.Command
	args    []string
	flags   map[string][]string // the given flags with their values; a command may change them
	outputs map[string]bool     // the flags that name an output file
	names   map[string]string   // names of inputs, by the words of the command line
	inputs  []recipe.Input
	machine string
	also    string // words that the user did not write, but that a repetition needs
	given   string // the recipe of a result that is being repeated; the new result has the same
}

// aboutEmsim marks a command that only prints information about emsim, which has no recipe.
var aboutEmsim = map[string]string{"about": "emsim"}

// recipe returns the text of the recipe for the output of a flag, such as -o or --csv, or for the answer if flag is "".
// It returns "" if there is no recipe.
func (a *app) recipe(flag string) string {
	m := &a.made
	if m.given != "" || m.cmd == nil || m.cmd.Annotations["about"] == "emsim" {
		return m.given
	}
	b := thisBuild()
	r := recipe.Recipe{
		Version: b.Version, Fingerprint: fingerprint.Recorded, Revision: b.revision(),
		Machine: m.machine, Inputs: m.inputs,
	}
	r.Output = strings.NewReplacer("--", "", "-o", "output").Replace(flag)
	r.Command = m.line(r.Output, a.json && flag == "")
	return r.Text()
}

// changeNothing lists flags that do not affect any result.
var changeNothing = []string{"profile", "threads", "jobs", "top", "details", "collect"}

// alone maps flags to the output without which they have no effect.
var alone = map[string]string{"at": "checkpoint", "sample": "series", "x": "plot", "y": "plot"}

// about lists the commands whose answer describes the file that they write.
var about = []string{"trace", "plot", "report"}

// leaves reports whether a flag leaves a result unchanged. The result is the output of the flag own, or the answer if
// own is "".
func (m *made) leaves(flag, own string) bool {
	of := flag
	if output := alone[of]; output != "" && m.cmd.Flags().Lookup(output) != nil {
		of = output
	}
	needed := of == own
	switch own {
	case "": // the answer describes the outputs
		needed = of == "plot" || of == "output" && slices.Contains(about, m.cmd.Name())
	case "checkpoint": // a checkpoint contains the state of the other files
		needed = true
	}
	return slices.Contains(changeNothing, flag) || m.outputs[of] && !needed
}

// line returns the command line with its flags in alphabetical order, for the output of a flag or, if own is "", for
// the answer.
func (m *made) line(own string, json bool) string {
	flags := maps.Clone(m.flags)
	if own != "" && flags[own] == nil {
		flags[own] = []string{own + ".csv"} // a table that gets its name by default
	}
	maps.DeleteFunc(flags, func(name string, _ []string) bool {
		return m.leaves(name, own) || name == "json" && !json
	})
	return m.written(m.cmd.CommandPath(), flags) + m.also
}

// next returns a further command about the same run, with the flags of this one that it has: `after` is the command
// with words of its own, without the word emsim.
func (m *made) next(after string, args []string) string {
	same := *m
	same.names, same.args = nil, args // the user's own words
	cmd, rest, err := m.cmd.Root().Find(strings.Fields(after))
	if err != nil {
		panic(err) // a test tries all of them
	}
	flags := maps.Clone(m.flags)
	maps.DeleteFunc(flags, func(name string, _ []string) bool {
		return m.leaves(name, "") || name == "vs" || cmd.Flags().Lookup(name) == nil || slices.Contains(rest, "--"+name)
	})
	return same.written("emsim "+after, flags)
}

// written returns a command line: the command, the arguments, and flags in alphabetical order.
func (m *made) written(command string, flags map[string][]string) string {
	line := []string{command}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		alone := m.cmd.Flags().Lookup(name).NoOptDefVal // the flag's meaning without a value
		for _, v := range flags[name] {
			switch v = m.renamed(name, v); {
			case v != "" && v == alone:
				line = append(line, "--"+name)
			case alone != "" || strings.HasPrefix(v, "-"):
				line = append(line, recipe.Quoted("--"+name+"="+v))
			default:
				line = append(line, "--"+name, recipe.Quoted(v))
			}
		}
	}
	args := lists.Of(m.args, func(w string) string { return recipe.Quoted(m.named(w)) })
	if slices.ContainsFunc(m.args, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		return strings.Join(append(append(line, "--"), args...), " ")
	}
	return strings.Join(slices.Concat(line[:1], args, line[1:]), " ")
}

// named returns a word of the command line in the form that the recipe has.
func (m *made) named(word string) string {
	if name, ok := m.names[word]; ok {
		return name
	}
	return word
}

// renamed returns the value of a flag in the form that the recipe has: its files without their folders.
func (m *made) renamed(flag, value string) string {
	switch files := policiesIn(flag, value); {
	case len(files) == 0:
	case flag != "vs":
		return policyKey + m.named(files[0])
	default:
		return changeWords.ReplaceAllStringFunc(value, func(word string) string {
			if file := policyIn(unquotedChange(word)); file != "" {
				return policyKey + quotedChange(m.named(file))
			}
			return word
		})
	}
	return m.named(value)
}

// begin records the words of a command line that name files. A recipe names output files after their flags.
func (m *made) begin(cmd *cobra.Command, args []string) {
	*m = made{
		cmd: cmd, args: args, flags: map[string][]string{}, outputs: map[string]bool{},
		names: map[string]string{}, given: m.given,
	}
	for _, word := range args {
		m.reads(word, "")
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, ok := f.Annotations[writes]; ok || slices.Contains(laterWritten, f.Name) {
			plain, _ := sink.Plain(f.Value.String())
			m.outputs[f.Name], m.flags[f.Name] = true, []string{f.Name + strings.ToLower(filepath.Ext(plain))}
			return
		}
		if m.flags[f.Name] = slices.Clone(flagTexts(f)); m.flags[f.Name] == nil {
			m.flags[f.Name] = []string{f.Value.String()}
		}
		for _, word := range flagTexts(f) {
			m.reads(word, "")
			for _, file := range policiesIn(f.Name, word) {
				m.reads(file, "")
			}
		}
	})
}

// policyKey is the parameter whose value may be a file.
const policyKey = "policy="

// policyIn returns the policy file in a choice of a parameter, or "".
func policyIn(choice string) string {
	if file, ok := strings.CutPrefix(choice, policyKey); ok && programs.IsPolicyFile(file) {
		return file
	}
	return ""
}

// policiesIn returns the policy files in a flag's value.
func policiesIn(flag, value string) []string {
	var choices []string
	switch flag {
	case "param", "define":
		choices = []string{value}
	case "vs":
		choices = lists.Of(changeWords.FindAllString(value, -1), unquotedChange)
	}
	return slices.DeleteFunc(lists.Of(choices, policyIn), func(file string) bool { return file == "" })
}

// laterWritten lists flags of outputs that a command claims later itself.
var laterWritten = []string{"output", "listing", "csv", "plot"}

// reads records an input of the command, if the file exists. Its name in the recipe is the given name or, if that is
// "", the last part of its path. If several files share that part, the name is as much of the path as distinguishes
// them.
func (m *made) reads(path, name string) {
	if path == "" || machinefile.BuiltIn(path) || programs.Known(path) {
		return
	}
	sum, err := recipe.DigestFile(path)
	if err != nil {
		return
	}
	if name == "" {
		name = m.shortName(path, sum)
		m.names[path] = undashed(name)
	}
	if in := (recipe.Input{Name: filepath.ToSlash(name), SHA256: sum}); !slices.Contains(m.inputs, in) {
		m.inputs = append(m.inputs, in)
	}
}

// shortName returns the shortest end of a file's path that no other input has.
func (m *made) shortName(path, sum string) string {
	name, folder := filepath.Base(path), filepath.Dir(filepath.Clean(path))
	for slices.ContainsFunc(m.inputs, func(in recipe.Input) bool {
		return in.Name == filepath.ToSlash(name) &&
			in.SHA256 != sum
	}) && filepath.IsLocal(filepath.Base(folder)) {
		name, folder = filepath.Join(filepath.Base(folder), name), filepath.Dir(folder)
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return name
}

// on records the machine of the command; of several machines, the first.
func (m *made) on(x *machinefile.Machine) {
	if m.machine == "" {
		m.machine = recipe.DigestMachine(x)
	}
}

// runs records the machine of a run and the files of its program.
func (m *made) runs(t *run.Target, program string, include []string) {
	c := t.Config()
	m.on(machinefile.EM4(&c))
	switch {
	case program == "" && !programs.Known(t.Name): // from a checkpoint, which may have the text
		for _, file := range t.Object.Files {
			m.reads(file, file)
		}
	case slices.ContainsFunc(t.Sources,
		func(file string) bool { return filepath.Clean(file) == filepath.Clean(program) }): // program is source text
		m.includes(t.Sources, t.Object.Files, program, include)
	case run.IsGoProgram(program):
		m.readsFolder(program)
	}
}

// includes records the files of a program, with the names that they get when the recipe is repeated. Folders of -I then
// lie in the program's own folder, or are that folder.
func (m *made) includes(files, names []string, program string, include []string) {
	for _, folder := range include {
		m.names[folder] = "."
		within, err := filepath.Rel(filepath.Dir(program), folder)
		within = filepath.ToSlash(within)
		if err == nil && filepath.IsLocal(within) &&
			slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, within+"/") }) {
			m.names[folder] = undashed(within)
		}
	}
	for i, file := range files {
		m.reads(file, names[i])
	}
}

// assembled records the files of an assembled program.
func (m *made) assembled(o *asm.Object, program string, include []string) {
	if !slices.ContainsFunc(o.Files,
		func(file string) bool { return filepath.Clean(file) == filepath.Clean(program) }) {
		return // the program is an object
	}
	folders := append([]string{filepath.Dir(program)}, include...)
	m.includes(o.Files, lists.Of(o.Files, func(file string) string { return run.Relative(file, folders) }), program,
		include)
}

// readsFolder records the files of a Go program that is a folder.
func (m *made) readsFolder(folder string) {
	path, err := filepath.Abs(folder)
	if info, e := os.Stat(folder); e != nil || err != nil || !info.IsDir() {
		return
	}
	m.names[folder] = undashed(filepath.Base(path))
	files, _ := run.GoFiles(folder) // run has just read them
	for _, file := range files {
		m.reads(file, filepath.Join(filepath.Base(path), filepath.Base(file)))
	}
}

// undashed returns a name that no command mistakes for a flag.
func undashed(name string) string {
	if strings.HasPrefix(name, "-") {
		return "./" + name
	}
	return name
}

// writeSidecar writes a file's recipe, and terms that it uses, into a second file, because the file's format has no
// place for them.
func (a *app) writeSidecar(flag, name string, terms ordered.Object) error {
	text := a.recipe(flag)
	if text == "" || wholefile.InPlace(name) {
		return nil
	}
	return writeOutput(flag, name+".json", recipe.Sidecar(name, terms, text))
}
