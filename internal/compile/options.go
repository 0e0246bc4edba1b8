package compile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
)

// Placement says how policy, MLPE, blocks and guards of a program are chosen.
type Placement string

// The ways to choose.
const (
	Given    Placement = "given"    // by the command line, or by the defaults
	Auto     Placement = "auto"     // by a bounded number of trials, as far as the command line leaves them open
	Measured Placement = "measured" // likewise, by any number of trials
)

// Option is a choice among translations of a program. Every Go program has it as a parameter.
type Option struct {
	Name   string
	Values []string // the first is the default
	Does   string
	field  func(o *Options) *string
}

// OptionList returns the options.
func OptionList() []Option {
	return []Option{
		{"blocks", []string{string(Largest), string(Medium), string(Finest)}, "length of strongly connected blocks", func(o *Options) *string { return (*string)(&o.Blocks) }},
		{"guards", []string{string(Caller), string(Callee)}, "who tests whether a call ends at once", func(o *Options) *string { return (*string)(&o.Guards) }},
		{"placement", []string{string(Given), string(Auto), string(Measured)}, "who chooses policy, MLPE, blocks and guards", func(o *Options) *string { return (*string)(&o.Placement) }},
	}
}

// OptionNames lists the names of the options.
func OptionNames() []string {
	return lists.Of(OptionList(), func(x Option) string { return x.Name })
}

// TakeOptions splits a program's parameters into options and others. It rejects a value that an option does not have.
func TakeOptions(params map[string]string) (Options, map[string]string, error) {
	var o Options
	rest := maps.Clone(params)
	for _, x := range OptionList() {
		if v, ok := rest[x.Name]; ok {
			*x.field(&o) = v
			delete(rest, x.Name)
		}
	}
	_, err := o.withDefaults()
	return o, rest, err
}

// withDefaults fills in defaults, and rejects a value that an option does not have.
func (o Options) withDefaults() (Options, error) {
	for _, x := range OptionList() {
		f := x.field(&o)
		*f = cmp.Or(*f, x.Values[0])
		if !slices.Contains(x.Values, *f) {
			return o, simerr.Usagef("the parameter %s cannot be %q: expected %s%s", x.Name, *f, strings.Join(x.Values, ", "), suggest.DidYouMean(*f, x.Values))
		}
	}
	return o, nil
}

// paramLines returns lines that record the options in the text, as parameters with one value.
func (o Options) paramLines() []string {
	var out []string
	for _, x := range OptionList() {
		out = append(out, fmt.Sprintf("%-40s ; %s", fmt.Sprintf(".param %s, %s", x.Name, *x.field(&o)), x.Does))
	}
	return append(out, "")
}
