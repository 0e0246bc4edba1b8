package asm

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
)

// Kinds of program files and their maximum sizes. An object's size is mainly the text of its names.
var (
	programText = input.Want{
		What: "assembly text", Kinds: []input.Kind{input.Assembly},
		Most: maxText, Why: "64 bytes for each word of a PE's memory",
	}
	program = input.Want{
		What: "a program", Kinds: []input.Kind{input.Assembly, input.Object},
		Most: maxObject, Why: "what a PE's memory and all its names need",
	}
)

// maxObject is larger than any object: it allows for words, a line for each, and names with their values.
const maxObject = 3 * maxText

// Load reads a program from an object file or from assembly text; the file's
// contents decide which. It returns the errors of Assemble.
func Load(file string, opt Options) (*Object, error) {
	open := opt.Open
	if open == nil {
		open = opt.reader(program)
	}
	text, err := open(file)
	if err == nil {
		err = program.Check(file, text)
	}
	if err != nil {
		return nil, unread(err)
	}
	if !bytes.HasPrefix(text, []byte(magic)) {
		o, _, err := assembleText(file, text, opt)
		return o, err
	}
	o, err := Unmarshal(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(opt.Include) > 0 {
		return nil, simerr.Usagef("-I has no effect: %s is an object file, which includes no other files", file)
	}
	return o, o.agree(opt.Params)
}

// agree checks that an object was assembled with the run's parameters, because they cannot be changed later.
func (o *Object) agree(params map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		i := slices.IndexFunc(o.Params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			return noParam(name, o.Params)
		}
		want := o.Params[i]
		if err := want.setValue(params[name]); err != nil {
			return err
		}
		if want.Value != o.Params[i].Value {
			return simerr.Usagef("the object was assembled with %s = %s: "+
				"assemble the program again with -D %[1]s=%[3]s",
				name, o.Params[i].Chosen(), params[name])
		}
	}
	return nil
}
