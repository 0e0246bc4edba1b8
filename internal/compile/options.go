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

// Placement says what decides how a program is spread over the machine.
type Placement string

// The ways to decide.
const (
	Given    Placement = "given"    // the command line, or the defaults
	Auto     Placement = "auto"     // trials decide what the command line leaves open, within a bound
	Measured Placement = "measured" // likewise, without a bound
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

// TakeOptions takes the options out of a program's parameters and returns the rest. It rejects a value that an
// option does not have.
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

// paramLines records the options in the text: parameters with one value.
func (o Options) paramLines() []string {
	var out []string
	for _, x := range OptionList() {
		out = append(out, fmt.Sprintf("%-40s ; %s", fmt.Sprintf(".param %s, %s", x.Name, *x.field(&o)), x.Does))
	}
	return append(out, "")
}
