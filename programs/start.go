package programs

import (
	"cmp"
	"embed"
	"slices"
	"strings"
)

//go:embed start/*.s start/go/*.go start/go/policy/*.go
var startSources embed.FS

// Start is a small program from which users can begin their own.
type Start struct {
	Name   string
	Does   string   // what it does, in a few words
	Args   []string // arguments of an example run
	Answer uint64   // the word that this run sends to the host
	Placed bool     // it has the parameters of lib/place.s

	file string // file with its text, if that is not Name.s
}

// starts are the starts in assembly language; the first one is the simplest.
var starts = []Start{
	{Name: "block", Does: "one block on one PE", Args: []string{"5"}, Answer: 26},
	{Name: "call", Does: "a function that calls itself on other PEs", Args: []string{"10"}, Answer: 1024, Placed: true},
	{Name: "loop", Does: "a loop whose values go round as packets", Args: []string{"10"}, Answer: 385},
	{Name: "stream", Does: "a producer and a consumer on two PEs", Args: []string{"100"}, Answer: 5050, Placed: true},
}

// GoStart returns the start in Go.
func GoStart() Start {
	return Start{
		Name: "sum", Does: "a parallel loop over all PEs, in Go", Args: []string{"1000"}, Answer: 333833500,
		file: "go/sum.go",
	}
}

// PolicyStart returns the start of a policy, in assembly language or in Go: a file for --policy, which its run uses.
func PolicyStart(inGo bool) Start {
	return Start{
		Name: "policy", Does: "a policy: where the next call goes", Args: []string{"20"}, Answer: 6765,
		file: map[bool]string{true: "go/policy/policy.go"}[inGo],
	}
}

// Starts returns the starts in assembly language.
func Starts() []Start { return slices.Clone(starts) }

// StartNamed returns the start in assembly language with the given name.
func StartNamed(name string) (Start, bool) {
	i := slices.IndexFunc(starts, func(s Start) bool { return s.Name == name })
	if i < 0 {
		return Start{}, false
	}
	return starts[i], true
}

// Text returns the text of the start for a file called program.s or program.go.
func (s *Start) Text(program string) string {
	text, err := startSources.ReadFile("start/" + cmp.Or(s.file, s.Name+".s"))
	if err != nil {
		panic(err) // a test reads all of them
	}
	return strings.ReplaceAll(string(text), "PROGRAM", program)
}
