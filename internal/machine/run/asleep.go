package run

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/compile/panics"
	"emsim/packet"
	"emsim/programs"
)

// Asleep is the error of a Go program whose goroutines all wait. Its text has the form of Go's own message.
type Asleep struct {
	*em4.NoResult
	Goroutines []Sleeper // in the order of the text
}

// Sleeper says where goroutines of a program wait.
type Sleeper struct {
	Function string `json:"function"` // as in the assembly text, without trailing underscores
	Does     string `json:"waits_in"` // in Go's words: "chan send" or "chan receive"
	File     string `json:"file"`
	Line     int    `json:"line"`
	Count    int    `json:"count"`
}

// at returns the place, such as main.go:5.
func (s Sleeper) at() string { return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line) }

// Error lists the goroutines that wait for channels.
func (e *Asleep) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "all goroutines are asleep - deadlock! (after %s)", plural.Of(e.Clock, "clock"))
	for i, s := range e.Goroutines {
		if i == explained {
			fmt.Fprintf(&b, "\n  and %d more places", len(e.Goroutines)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s [%s]", s.at(), s.Function, s.Does)
		if s.Count > 1 {
			fmt.Fprintf(&b, ", %d goroutines", s.Count)
		}
	}
	return b.String()
}

// Unwrap returns the machine's own error.
func (e *Asleep) Unwrap() error { return e.NoResult }

// Details returns the further keys of the JSON error.
func (e *Asleep) Details() map[string]any {
	all := e.NoResult.Details()
	all["goroutines"] = e.Goroutines
	return all
}

// asleep returns the error of a Go program that ended without a result because its goroutines wait. It returns err
// unchanged if err is another error, or if no goroutine waits for a channel.
func (t *Target) asleep(err error) error {
	var none *em4.NoResult
	if !errors.As(err, &none) || !programs.FromGo(t.Object) {
		return err
	}
	count := map[Sleeper]int{}
	for _, w := range t.HalfMatched(math.MaxInt) {
		if s, ok := t.sleeper(w); ok {
			count[s]++
		}
	}
	if len(count) == 0 {
		return err
	}
	x := &Asleep{NoResult: none}
	for s, n := range count {
		s.Count = n
		x.Goroutines = append(x.Goroutines, s)
	}
	slices.SortFunc(x.Goroutines, func(a, b Sleeper) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Does, b.Does),
			cmp.Compare(a.Function, b.Function))
	})
	waits := []simerr.Wait{}
	for _, s := range x.Goroutines {
		waits = append(waits, simerr.Wait{Who: s.Function, For: s.Does + ", " + s.at()})
	}
	return &em4.Deadlock{Machine: "em4", Clock: int64(none.Clock), Waits: waits, Err: x}
}

// sleeper finds where a goroutine waits, given an operand without a partner at the node of a channel. The operand is
// the token of a sender or the request of a receiver. For another operand, ok is false.
func (t *Target) sleeper(w em4.Operand) (s Sleeper, ok bool) {
	node, site := w.Node.Code, ""
	s.Does = "chan send"
	if site = panics.SendSite(t.Object.NameAt(node), int(int32(w.Data))); w.Have == packet.Right.String() {
		to := t.PEConfig().Format.Cont(w.Data)
		item, known := t.PE(t.Net.Index(to.PE)).NodeAddress(&packet.Packet{Addr: to.Addr})
		if !known {
			return s, false
		}
		node, s.Does = item, "chan receive"
		site = panics.ReceiveSite(t.Object.NameAt(node), to.Match)
	}
	line, known := t.symbol(asm.Constant, site)
	name, _, _ := strings.Cut(site, ".")
	function, isTemplate := t.symbol(asm.Template, name)
	s.Function = strings.TrimRight(name, "_")
	s.Line = int(line.Value)
	for a := range function.Size { // all code of a function comes from one file
		file, _, _ := t.Object.LineAt(uint32(function.Value) + a)
		if filepath.Ext(file) == ".go" {
			s.File = file
			break
		}
	}
	return s, known && isTemplate
}

// symbol returns the program's symbol of the given kind and name, and whether there is one.
func (t *Target) symbol(kind asm.SymbolKind, name string) (asm.Symbol, bool) {
	return lists.Find(t.Object.Symbols, func(x asm.Symbol) bool { return x.Kind == kind && x.Name == name })
}
