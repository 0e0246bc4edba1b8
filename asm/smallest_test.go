package asm

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// An element of a list has a least size in an object file. A list of a hundred of the smallest elements is read to
// its end, even if it breaks other rules.
func TestSmallestElements(t *testing.T) {
	const n = 100
	empty := len((&Object{}).Marshal())
	require.Equal(t, headerSize+6*4+3*4+4+sumSize, empty, "six lists, three entries and a text")
	for message, c := range map[string]struct {
		o    Object
		size int
	}{
		"section 0 is empty":            {Object{Sections: repeated(n, Section{Kind: Space})}, 1 + 4 + 4},
		`"" is not a valid symbol name`: {Object{Symbols: repeated(n, Symbol{})}, 1 + 8 + 4 + 4 + 4},
		"":                              {Object{Files: repeated(n, "")}, 4},
		"entry 0 of the line map names file 0 of 0":          {Object{Lines: repeated(n, Line{})}, 5 * 4},
		`bad object file: "" is not a valid symbol name`:     {Object{Params: repeated(n, Param{})}, 4 + 4 + 3*8},
		`among the arguments: "" is not a valid symbol name`: {Object{Args: repeated(n, Arg{})}, 4 + 2*8 + 4},
		`it has both arguments and a start entry (at byte 16`: {
			Object{Args: []Arg{{Name: "n"}}, Start: new(uint32)},
			-1,
		},
	} {
		file := c.o.Marshal()
		if c.size > 0 {
			require.Len(t, file, empty+n*c.size, message)
		}
		_, err := Unmarshal(file)
		if message == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, message)
		}
	}
	_, err := Unmarshal((&Object{Params: []Param{{Name: "p", Values: repeated(n, "")}}}).Marshal())
	require.ErrorContains(t, err, `"p." is not a valid symbol name`)
}

func repeated[T any](n int, x T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = x
	}
	return list
}

// A parameter with a mistake is not defined: its name is unknown afterwards. The run may still choose it, because the
// mistake has to be corrected first.
func TestBadParameters(t *testing.T) {
	for text, message := range map[string]string{
		"p":              "expected ,, found the end of the line",
		"p = x":          `"x" is not defined before this line, and .param needs its value here`,
		"p = 1":          "expected ,, found the end of the line",
		"p = 1, 0":       "expected ,, found the end of the line",
		"p = 1, 0, 2, 3": `expected the end of the line, found ","`,
		"p = 3, 0, 2":    "the default 3 is outside of 0..2",
		"p = -1, 0, 2":   "the default -1 is outside of 0..2",
		"p, *a, *b":      "two values are marked as the default",
		"p, a, a.b":      `expected a value such as ring or round-robin, found "a.b"`,
		"p, a-b, a_b":    `the values "a-b" and "a_b" give the same constant p.a_b`,
		"p,":             `the parameter "p" needs at least one value`,
	} {
		opt := textOptions(".param " + text + "\nmov r1, p\nnop!")
		opt.Params = map[string]string{"p": "1"}
		_, _, err := Assemble("p.s", opt)
		var e Errors
		require.ErrorAs(t, err, &e, text)
		require.Len(t, e.List, 2, text)
		require.Equal(t, message, e.List[0].Message, text)
		require.Equal(t, `"p" is not defined`, e.List[1].Message, text)
	}
	for text, value := range map[string]int64{"p = 2, 0, 2": 2, "p = 0, 0, 2": 0, "p, a, *b, c": 1, "p, a": 0} {
		o, _, err := Assemble("p.s", textOptions(".param "+text+"\nmov r1, p\nnop!"))
		require.NoError(t, err, text)
		require.Equal(t, value, o.Params[0].Value, text)
	}
}

// The blocks of .arg, .init and .start must be addresses with an instruction, and an argument must have a range.
func TestBadEntries(t *testing.T) {
	for text, messages := range map[string][]string{
		".arg n, 1, 0, main":                {"the range 1..0 is empty"},
		".arg n, 1, x, main":                {`"x" is not defined`},
		".arg n, 0, 1":                      {"expected ,, found the end of the line"},
		".arg n, 0, 1, -1":                  {"-1 is out of range: an address is 0..262143"},
		".arg n, 0, 1, 262144":              {"262144 is out of range: an address is 0..262143"},
		".arg n, 0, 1, 1":                   {"there is nothing at the code address 1: an instruction was expected"},
		".arg n, 0, 1, main, 2":             {`expected the end of the line, found ","`},
		".arg n, 0, 1, main\n.arg n, 0, 1,": {`the argument "n" is already declared at p.s:1:6`},
		".arg 5, 0, 1, main":                {`expected the argument's name, found "5"`},
		".start main\n.start main":          {"a second .start: the first one is at p.s:1:1"},
		".init main\n.init main":            {"a second .init: the first one is at p.s:1:1"},
		".arg n, 0, 1, main\n.start main": {"the program has both .arg and, at p.s:2:1, .start: the packet of the " +
			"last argument starts it"},
		".arg n, 0, 0, main":             nil,
		".arg n, 0, 1, main\n.init main": nil,
	} {
		_, _, err := Assemble("p.s", textOptions(text+"\nmain: nop!"))
		var found []string
		var e Errors
		if errors.As(err, &e) {
			for _, x := range e.List {
				found = append(found, x.Message)
			}
		}
		require.Equal(t, messages, found, text)
	}
}
