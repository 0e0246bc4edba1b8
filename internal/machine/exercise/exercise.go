// Package exercise checks what students hand in: the page of 'emsim play' and 'emsim
// grade' by the same files and rules. Only 'emsim grade' adds cases that are drawn.
//
//	exercise.go  an exercise and its file; those of emsim in library/
//	check.go     what is handed in, and the rules
package exercise

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/rng"
	"emsim/internal/base/tomlfile"
	"emsim/programs"
)

// The kinds of exercises, by what is handed in: a program; settings of one, or of the
// machine; answers about a run.
const (
	Program    = "program"
	Settings   = "settings"
	Prediction = "prediction"
)

// Exercise is a task. docs/PLAY.md describes its file.
type Exercise struct {
	Name     string           `json:"name"`
	Title    string           `json:"title"`
	Lesson   string           `json:"lesson"` // at whose end the page shows it
	Kind     string           `json:"kind"`
	Task     string           `json:"task"`    // paragraphs; code stands in backquotes
	Program  string           `json:"program"` // that runs, or to begin with: a built-in one, or a file beside the exercise's
	Solution string           `json:"-"`       // of kind Program: a file that answers right
	PEs      int              `json:"pes"`
	Set      map[string]any   `json:"set,omitempty"`    // knobs of the machine
	Params   map[string]any   `json:"params,omitempty"` // of the program
	Case     []Case           `json:"case"`
	Hidden   Hidden           `json:"-"`
	Must     map[string]any   `json:"-"` // limits by quantity, as "<= 400", or "<= 1.5 x": times what the reference needs
	Allow    map[string][]any `json:"-"` // of kind Settings: what may be changed; to which values, if any are named
	Question []Question       `json:"question,omitempty"`

	files fs.FS
}

// Case is a run.
type Case struct {
	Args []int64 `json:"args"`
	PEs  int     `json:"pes,omitempty"` // 0: the exercise's
	Seed int64   `json:"seed,omitempty"`

	hidden bool
}

// Hidden says how the cases are drawn that students do not see.
type Hidden struct {
	Cases int
	Args  [][]int64 // least and greatest of each argument, which the first two cases have
	PEs   []int     // sizes of the machine, in turn
}

// Question asks for a quantity of the run, or for when or where a block begins.
type Question struct {
	Key      string  `json:"key"` // of the answer
	Text     string  `json:"text"`
	Hint     string  `json:"-"` // for a wrong answer
	Quantity string  `json:"-"`
	Block    string  `json:"-"`
	Time     int     `json:"-"` // which of its beginnings, from 1
	Of       string  `json:"-"` // the "clock" of that, or the "pe"
	Within   float64 `json:"-"` // the share by which an answer may be wrong
}

// Quantities that are no statistics of the machine, and what they count.
const (
	clocks = "clocks"
	busy   = "pes"
	leaked = "leaked_segments"
)

var means = map[string]string{
	clocks: "clocks up to the last word to the host",
	busy:   "PEs that have executed an instruction; all others must take part, too",
	leaked: "operand segments still taken when all is over; relseg gives one back",
}

//go:embed library
var library embed.FS

// Names lists emsim's own exercises, in the order of the lessons.
func Names() []string {
	text, _ := library.ReadFile("library/order.txt") // which is embedded
	return strings.Fields(string(text))
}

// Named returns one of emsim's own exercises.
func Named(name string) (*Exercise, error) {
	dir, err := fs.Sub(library, "library")
	if err != nil {
		return nil, err
	}
	return Read(dir, name+".toml")
}

// Read reads an exercise, whose programs are files beside it. What is wrong has a place.
func Read(files fs.FS, name string) (*Exercise, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	x := &Exercise{Name: strings.TrimSuffix(name, ".toml"), PEs: 12, files: files}
	f := &tomlfile.File{Name: name, Text: text}
	root := f.Tree()
	if root == nil {
		return nil, f.Err()
	}
	f.Decode(x, root, "title", "lesson", "kind", "task", "program", "solution", "pes", "set", "params", "case", "hidden", "must", "allow", "question")
	if len(x.Case) == 0 {
		x.Case = []Case{{}}
	}
	need, ok := map[string][]string{Program: {"program", "solution"}, Settings: {"program", "allow"}, Prediction: {"program", "question"}}[x.Kind]
	if !ok {
		f.Failf(root.At, "kind is %q: expected %s, %s or %s", x.Kind, Program, Settings, Prediction)
	}
	for _, key := range need {
		if root.Get(key) == nil {
			f.Failf(root.At, "an exercise of the kind %s needs the key %s", x.Kind, key)
		}
	}
	for _, key := range []string{"program", "solution"} {
		if n := root.Get(key); n != nil && !f.Failed() {
			if _, err := x.assemble(fmt.Sprint(n.Value), nil); err != nil {
				f.Failf(tomlfile.Point(n.At), "%v", err)
			}
		}
	}
	for i, q := range x.Question {
		if (q.Quantity == "") == (q.Block == "") || q.Quantity != "" && meaning(q.Quantity) == "" {
			f.Failf(tomlfile.Point(root.Get("question").List[i].At), "a question asks for a block, or for a quantity: %s", strings.Join(quantities(), ", "))
		}
	}
	if x.Hidden.Cases < 0 || x.Hidden.Cases > 1000 || slices.ContainsFunc(x.Hidden.Args, func(r []int64) bool { return len(r) != 2 || r[0] > r[1] }) {
		f.Failf(tomlfile.Point(root.Get("hidden").At), "hidden has up to 1000 cases, and args with a [least, greatest] for each argument")
	}
	if n := root.Get("must"); n != nil {
		for _, e := range n.Keys {
			if _, _, err := limit(x.Must[e.Name], 1); err != nil || meaning(e.Name) == "" {
				f.Failf(tomlfile.Point(e.At), `expected a quantity with its limit, as in clocks = "<= 400" or pes = ">= 1 x"; there are %s`, strings.Join(quantities(), ", "))
			}
		}
	}
	return x, f.Err()
}

func quantities() []string {
	names := slices.Sorted(maps.Keys(means))
	for _, s := range em4.StatisticsIn(em4.InJSON) {
		names = append(names, s.Key)
	}
	return names
}

// meaning says what a quantity counts, "" of one that there is not.
func meaning(name string) string {
	if s, ok := em4.StatisticOf(name); ok {
		return s.MachineDoc()
	}
	return means[name]
}

// limit reads a limit: at most or at least a number, or times what the reference has.
func limit(text any, reference float64) (sign string, n float64, err error) {
	times, relative := strings.CutSuffix(fmt.Sprint(text), " x")
	if _, err = fmt.Sscanf(times, "%s %g", &sign, &n); err == nil && (sign != "<=" && sign != ">=" || !(n >= 0 && n <= 1e15)) {
		err = fmt.Errorf("no limit")
	}
	if relative {
		n = float64(n * reference)
	}
	return sign, n, err
}

// Draw draws the hidden cases; every seed gives others.
func (x *Exercise) Draw(seed uint64) (list []Case) {
	const purpose = 0x6772616465 // "grade"
	r := rng.New(seed, purpose)
	for i := range x.Hidden.Cases {
		c := Case{Seed: int64(r.Next()>>33) + 1, hidden: true}
		if n := len(x.Hidden.PEs); n > 0 {
			c.PEs = x.Hidden.PEs[i%n]
		}
		for _, a := range x.Hidden.Args {
			v := a[0] + int64(r.Next()%max(1, uint64(a[1]-a[0])+1))
			if i < 2 {
				v = a[i]
			}
			c.Args = append(c.Args, v)
		}
		list = append(list, c)
	}
	return list
}

// Text is the program's text.
func (x *Exercise) Text() string {
	if text, ok := programs.Source(x.Program + ".s"); ok {
		return text
	}
	text, _ := fs.ReadFile(x.files, x.Program) // Read has read it
	return string(text)
}

// Begin is a file to begin a solution with: the task, and the program or the keys.
func (x *Exercise) Begin() string {
	task := x.Title + "\n\n" + strings.TrimSpace(x.Task)
	if x.Kind == Program {
		return commented(";", task) + "\n" + x.Text()
	}
	for _, q := range x.Question {
		task += "\n\n" + q.Text + "\n" + q.Key + " ="
	}
	for _, key := range slices.Sorted(maps.Keys(x.Allow)) {
		task += "\n\n" + key + " ="
	}
	return commented("#", task)
}

// commented makes lines comments.
func commented(mark, text string) string {
	return strings.ReplaceAll(mark+" "+strings.ReplaceAll(text, "\n", "\n"+mark+" ")+"\n", " \n", "\n")
}

// keys are what a solution may set or answer.
func (x *Exercise) keys() (names []string) {
	for _, q := range x.Question {
		names = append(names, q.Key)
	}
	return slices.Concat(names, slices.Sorted(maps.Keys(x.Allow)))
}

// assemble assembles the program, or the solution.
func (x *Exercise) assemble(file string, params map[string]string) (*asm.Object, error) {
	if programs.Known(file) {
		return programs.Assemble(file, params)
	}
	o, _, err := asm.Assemble(file, asm.Options{Params: params, Library: programs.Library(), Open: func(name string) ([]byte, error) { return fs.ReadFile(x.files, path.Clean(name)) }})
	return o, err
}
