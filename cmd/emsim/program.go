package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/internal/suggest"
	"emsim/packet"
	"emsim/programs"
)

// programFlags choose the values of a program's parameters.
type programFlags struct {
	params []string
	policy string
	mlpe   bool
}

func (f *programFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.params, "param", nil, "NAME=VALUE: choose the value of a parameter that the program declares (may be repeated)")
	completes(cmd, "param", completeParams)
	cmd.Flags().StringVar(&f.policy, "policy", "", "how calls choose their PE (fib: ring|random|round-robin|ring-random|ring-round-robin|line): the same as --param policy=...")
	completes(cmd, "policy", completePolicies)
	cmd.Flags().BoolVar(&f.mlpe, "mlpe", false, "distribute calls by MLPE packets: the same as --param mlpe=on")
}

// values returns the chosen parameters.
func (f *programFlags) values(cmd *cobra.Command) (map[string]string, error) {
	values := map[string]string{}
	for _, d := range f.params {
		name, value, ok := strings.Cut(d, "=")
		if !ok || name == "" {
			return nil, usagef("--param %s: expected NAME=VALUE, for example --param policy=ring", d)
		}
		if old, twice := values[name]; twice {
			return nil, usagef("--param gives %s two values, %q and %q", name, old, value)
		}
		values[name] = value
	}
	short := func(name, value string) error {
		if old, twice := values[name]; twice && old != value {
			return usagef("--param %s=%s and --%s contradict each other", name, old, name)
		}
		values[name] = value
		return nil
	}
	if cmd.Flags().Changed("policy") {
		if err := short("policy", f.policy); err != nil {
			return nil, err
		}
	}
	if cmd.Flags().Changed("mlpe") {
		if err := short("mlpe", map[bool]string{true: "on", false: "off"}[f.mlpe]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// loadProgram reads PROGRAM: a built-in name, assembly text or an object file.
func loadProgram(name string, params map[string]string) (*asm.Object, error) {
	if programs.Known(name) {
		return programs.Assemble(name, params)
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		if filepath.Ext(name) != "" || strings.ContainsRune(name, filepath.Separator) {
			return nil, usagef("there is no file %s", name)
		}
		return nil, usagef("no program is called %q: expected %s, an assembly file (.s) or an object file%s",
			name, strings.Join(programs.Names(), ", "), suggest.DidYouMean(name, programs.Names()))
	}
	return asm.Load(name, asm.Options{Params: params})
}

// programArgs reads the arguments of a program's command line and cuts them
// to the machine's words.
func programArgs(name string, o *asm.Object, f packet.Format, args []string) (values []int64, words []uint64, err error) {
	if len(args) != len(o.Args) {
		return nil, nil, usagef("%s takes %s, got %s", name, argList(o.Args), plural(len(args), "argument"))
	}
	if len(args) == 0 { // .start: a start packet without meaning
		return []int64{}, []uint64{0}, nil
	}
	for i, text := range args {
		a := o.Args[i]
		v, err := parseInt(text)
		if err != nil {
			return nil, nil, usagef("the argument %s of %s is a whole number %d..%d, not %q", a.Name, name, a.Min, a.Max, text)
		}
		if v < a.Min || v > a.Max {
			return nil, nil, usagef("the argument %s of %s is %d, it must be %d..%d", a.Name, name, v, a.Min, a.Max)
		}
		if bits := f.DataBits; bits < 64 && (v < -1<<(bits-1) || v > 1<<bits-1) {
			return nil, nil, usagef("the argument %s of %s is %d, which the machine's words of %d bits cannot hold", a.Name, name, v, bits)
		}
		values = append(values, v)
		words = append(words, uint64(v)&(1<<f.DataBits-1))
	}
	return values, words, nil
}

// parseInt reads a decimal number, or a hexadecimal, octal or binary one
// behind 0x, 0o or 0b. A leading zero alone changes nothing.
func parseInt(text string) (int64, error) {
	digits := strings.ToLower(strings.TrimLeft(text, "+-"))
	if slices.ContainsFunc([]string{"0x", "0o", "0b"}, func(p string) bool { return strings.HasPrefix(digits, p) }) {
		return strconv.ParseInt(text, 0, 64)
	}
	return strconv.ParseInt(text, 10, 64)
}

func argList(args []asm.Arg) string {
	if len(args) == 0 {
		return "no arguments"
	}
	var list []string
	for _, a := range args {
		list = append(list, fmt.Sprintf("%s (%d..%d)", a.Name, a.Min, a.Max))
	}
	return plural(len(args), "argument") + ": " + strings.Join(list, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
