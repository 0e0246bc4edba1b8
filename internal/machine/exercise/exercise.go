// Package exercise checks students' submissions. The page of 'emsim play' and 'emsim grade' use the same files and
// rules; only 'emsim grade' adds randomly drawn cases.
//
//	exercise.go  an exercise and its file; emsim's own exercises are in library/
//	check.go     submissions and the rules
package exercise

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/input"
	"emsim/internal/base/rng"
	"emsim/internal/base/tomlfile"
	"emsim/programs"
)

// The kinds of exercises, by the type of submission: a program; settings of a program or of the machine; answers about
// a run.
const (
	Program    = "program"
	Settings   = "settings"
	Prediction = "prediction"
)

// Exercise is a task for students. docs/PLAY.md describes its file.
type Exercise struct {
	Name     string              `json:"name"`
	Title    string              `json:"title"`
	Lesson   string              `json:"lesson"` // the lesson at whose end the page shows it
	Kind     string              `json:"kind"`
	Task     string              `json:"task"`           // paragraphs; code is in backquotes
	Program  string              `json:"program"`        // to run or begin with: built-in, or a file next to it
	Text     string              `json:"text,omitempty"` // the text of a Program that is a file
	Solution string              `json:"-"`              // for kind Program: a file with a correct solution
	PEs      int                 `json:"pes"`
	Set      map[string]string   `json:"set"`    // knobs of the machine
	Params   map[string]string   `json:"params"` // of the program
	Case     []Case              `json:"case"`
	Hidden   Hidden              `json:"-"`
	Must     map[string]string   `json:"-"` // limits by statistic: "<= 400", or "<= 1.5 x" its own run's
	Allow    map[string][]string `json:"-"` // for kind Settings: keys to change, and their values, if limited
	Question []Question          `json:"question"`

	files fs.FS
}

// mostTime is the most clocks of any run of an exercise: some minutes of computing [chosen]. A solution that never ends
// is stopped only after twice this number, because the clocks after the last word count too.
const mostTime = 100_000_000

// Case is one run with its arguments.
type Case struct {
	Args []int64 `json:"args"`
	PEs  int     `json:"pes,omitempty"` // 0 means the exercise's number
	Seed int64   `json:"seed,omitempty"`

	hidden bool
}

// Hidden says how to draw the cases that students do not see.
type Hidden struct {
	Cases int
	Args  [][]int64 // minimum and maximum of each argument; the first two cases use them
	PEs   []int     // sizes of the machine, used in turn
}

// Question asks for a statistic of the run, or for the PE or clock at which a block first begins.
type Question struct {
	Key       string  `json:"key"` // of the answer
	Text      string  `json:"text"`
	Hint      string  `json:"-"` // for a wrong answer
	Statistic string  `json:"-"`
	Pe        string  `json:"-"` // a block, whose first PE is asked for
	Clock     string  `json:"-"` // a block, whose first clock in the run is asked for
	Within    float64 `json:"-"` // the relative error that an answer may have
}

//go:embed library
var library embed.FS

// Own returns emsim's own exercises, in the order of the lessons.
func Own() (list []*Exercise) {
	dir, _ := fs.Sub(library, "library") // the name is right, and a test reads all files
	order, _ := fs.ReadFile(dir, "order.txt")
	for _, name := range strings.Fields(string(order)) {
		x, err := Read(dir, name+".toml")
		if err != nil {
			panic(err)
		}
		list = append(list, x)
	}
	return list
}

// settingsFile describes the files of exercises, settings and answers.
var settingsFile = input.Want{
	What: "a TOML file", Kinds: []input.Kind{input.TOML}, Most: 1 << 16,
	Why: "a few keys are shorter",
}

// programFile describes the file of an exercise's program.
var programFile = input.Want{
	What: "a program", Kinds: []input.Kind{input.Assembly}, Most: 1 << 16,
	Why: "a program to start from is shorter",
}

// Read reads an exercise, whose programs are files next to it. Errors give the place in the file.
func Read(files fs.FS, name string) (*Exercise, error) {
	text, err := settingsFile.ReadIn(files, name)
	if err != nil {
		return nil, err
	}
	x := &Exercise{Name: strings.TrimSuffix(name, ".toml"), PEs: 12, files: files}
	f := &tomlfile.File{Name: name, Text: text}
	root := f.Tree()
	if root == nil {
		return nil, f.Err()
	}
	f.Decode(x, root, "title", "lesson", "kind", "task", "program", "solution", "pes", "set", "params", "case",
		"hidden", "must", "allow", "question")
	needs := map[string]string{Program: "solution", Settings: "allow", Prediction: "question"}[x.Kind]
	if needs == "" || root.Get("program") == nil || root.Get(needs) == nil {
		f.Failf(root.At, "an exercise has a program, and a kind: %s with a solution, %s with what it allows, or "+
			"%s with questions", Program, Settings, Prediction)
	}
	for _, key := range []string{"program", "solution"} {
		if n := root.Get(key); n != nil && !f.Failed() {
			if _, err := x.assemble(fmt.Sprint(n.Value), nil); err != nil {
				f.Failf(tomlfile.Point(n.At), "%v", err)
			}
		}
	}
	for i, q := range x.Question {
		if _, ok := em4.StatisticOf(q.Statistic); !ok && q.Pe+q.Clock == "" {
			f.Failf(tomlfile.Point(root.Get("question").List[i].At),
				"a question asks for a statistic of 'emsim run', or for the pe or the clock of a block")
		}
	}
	if n := root.Get("hidden"); x.Hidden.Cases < 0 || x.Hidden.Cases > 1000 ||
		slices.ContainsFunc(x.Hidden.Args, func(r []int64) bool { return len(r) != 2 || r[0] > r[1] }) {
		f.Failf(tomlfile.Point(n.At),
			"hidden has up to 1000 cases, and args with a [least, greatest] for each argument")
	}
	for key, text := range x.Must {
		_, known := em4.StatisticOf(key)
		_, n, ok := limit(text, 1)
		switch {
		case ok && key == "time" && n > mostTime:
			f.Failf(tomlfile.Point(root.Get("must").Get(key).At),
				"the time is %.6g clocks: expected at most %d, because a solution that never ends is refused only "+
					"after twice as many", n, mostTime)
		case !ok || !known:
			f.Failf(tomlfile.Point(root.Get("must").Get(key).At),
				`expected a statistic of 'emsim run' with its limit, as in time = "<= 400" or hops = ">= 1 x"`)
		}
	}
	if x.Case = append(x.Case, Case{})[:max(1, len(x.Case))]; !programs.Known(x.Program) {
		text, _ = programFile.ReadIn(files, x.Program)
		x.Text = string(text)
	}
	return x, f.Err()
}

// limit parses a bound such as "<= 5" or ">= 2 x", where x is the value in the exercise's own run.
func limit(text string, own float64) (sign string, n float64, ok bool) {
	times, relative := strings.CutSuffix(text, " x")
	sign, number, _ := strings.Cut(strings.TrimSpace(times), " ")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	ok = err == nil && (sign == "<=" || sign == ">=") && n >= 0 && n <= 1e15
	if relative {
		n = float64(n * own)
	}
	return sign, n, ok
}

// Draw draws the hidden cases. Different seeds draw different cases.
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

// Begin returns an initial file for a solution: the task, and the program or the keys.
func (x *Exercise) Begin() string {
	task, mark := x.Title+"\n\n"+strings.TrimSpace(x.Task), "#"
	for _, q := range x.Question {
		task += "\n\n" + q.Text + "\n" + q.Key + " ="
	}
	for _, key := range slices.Sorted(maps.Keys(x.Allow)) {
		task += "\n\n" + key + " ="
	}
	if x.Kind == Program {
		mark = ";"
	}
	return strings.ReplaceAll(mark+" "+strings.ReplaceAll(task, "\n", "\n"+mark+" ")+"\n", " \n", "\n") + "\n" + x.Text
}

// assemble assembles a built-in program, or a file next to the exercise's.
func (x *Exercise) assemble(file string, params map[string]string) (*asm.Object, error) {
	if programs.Known(file) {
		return programs.Assemble(file, params)
	}
	o, _, err := asm.Assemble(file, asm.Options{Params: params, Library: programs.Library(), Files: x.files})
	return o, err
}
