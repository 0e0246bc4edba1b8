package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// node is a value of a TOML file that knows where it stands. The library's
// decoder gives the values, its parser the places; both read the same text.
type node struct {
	at    unstable.Range // of the value; of a table, its header or key
	value any            // of a scalar: string, int64, float64, bool or a date
	list  []*node        // of an array or an array of tables
	isSet bool           // an array, even an empty one
	keys  []entry        // of a table, in the file's order
	table bool
}

// entry is a key of a table with its value.
type entry struct {
	name string
	at   unstable.Range
	*node
}

// get returns the value of a key, or nil.
func (n *node) get(name string) *node {
	for _, e := range n.keys {
		if e.name == name {
			return e.node
		}
	}
	return nil
}

// under returns the value of a key, made when it is not there yet; of an array
// of tables the last one.
func (n *node) under(name string, at unstable.Range) *node {
	n.table = true
	child := n.get(name)
	if child == nil {
		child = &node{at: at}
		n.keys = append(n.keys, entry{name, at, child})
	}
	if k := len(child.list); k > 0 {
		return child.list[k-1]
	}
	return child
}

// what names the kind of value, for errors.
func (n *node) what() string {
	switch {
	case n.table:
		return "a table"
	case n.isSet:
		return "a list"
	}
	switch v := n.value.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case int64, float64, bool:
		return fmt.Sprint(v)
	}
	return "a date"
}

// parse reads TOML. Its errors are of the library, with places.
func parse(text []byte) (*node, error) {
	values := map[string]any{}
	if err := toml.NewDecoder(bytes.NewReader(text)).Decode(&values); err != nil {
		return nil, err
	}
	root := &node{table: true}
	var p unstable.Parser
	p.Reset(text)
	here := root
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			here = descend(root, e.Key())
			here.table = true
		case unstable.ArrayTable:
			here = appended(root, e.Key())
		case unstable.KeyValue:
			place(descend(here, e.Key()), e.Value())
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	fill(root, values)
	return root, nil
}

// descend follows a dotted key.
func descend(n *node, key unstable.Iterator) *node {
	for key.Next() {
		n = n.under(string(key.Node().Data), key.Node().Raw)
	}
	return n
}

// appended follows the key of an array of tables and adds a table to it.
func appended(n *node, key unstable.Iterator) *node {
	for key.Next() {
		k := key.Node()
		if !key.IsLast() {
			n = n.under(string(k.Data), k.Raw)
			continue
		}
		n.table = true
		array := n.get(string(k.Data))
		if array == nil {
			array = &node{at: k.Raw, isSet: true}
			n.keys = append(n.keys, entry{string(k.Data), k.Raw, array})
		}
		array.list = append(array.list, &node{at: k.Raw, table: true})
		n = array.list[len(array.list)-1]
	}
	return n
}

// place notes where a value and its parts stand. Arrays have no place of their
// own in the parser's answer: the key's stays.
func place(n *node, v *unstable.Node) {
	if v.Raw.Length > 0 {
		n.at = v.Raw
	}
	parts := v.Children()
	switch v.Kind {
	case unstable.Array:
		n.isSet = true
		for parts.Next() {
			child := &node{at: n.at}
			place(child, parts.Node())
			n.list = append(n.list, child)
		}
	case unstable.InlineTable:
		n.table = true
		for parts.Next() {
			place(descend(n, parts.Node().Key()), parts.Node().Value())
		}
	}
}

// fill gives the scalars their values.
func fill(n *node, v any) {
	switch v := v.(type) {
	case map[string]any:
		n.table = true
		for _, e := range n.keys {
			fill(e.node, v[e.name])
		}
	case []any:
		n.isSet = true
		for i, child := range n.list {
			fill(child, v[i])
		}
	default:
		n.value = v
	}
}

// Error is one error of a sweep file, with its place.
type Error struct {
	File         string
	Line, Column int // from 1, in characters; 0 when the whole file is meant
	Message      string
	source       string // the line
	width        int    // characters that the error is about
}

// Error returns "file:line:column: message", the line and a caret below the
// place.
func (e Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string([]rune(e.source)[:e.Column-1])) // a tab stays one: both lines have the same width
	return fmt.Sprintf("%s:%d:%d: %s\n    %s\n    %s^%s", e.File, e.Line, e.Column, e.Message, e.source, blank, strings.Repeat("~", max(0, e.width-1)))
}

// Errors are all errors of a sweep file that were found, in their order.
type Errors []Error

// Error prints one error after the other.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// Kind is the JSON error's kind.
func (e Errors) Kind() string { return "usage" }

// Details returns the further keys of the JSON error.
func (e Errors) Details() map[string]any {
	list := make([]map[string]any, len(e))
	for i, x := range e {
		list[i] = map[string]any{"file": x.File, "message": x.Message}
		if x.Line > 0 {
			list[i]["line"], list[i]["column"] = x.Line, x.Column
		}
	}
	return map[string]any{"errors": list}
}

// errorAt makes an error about a range of the text.
func errorAt(file string, text []byte, at unstable.Range, message string) Error {
	offset := min(int(at.Offset), len(text))
	before := text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	return Error{
		File: file, Message: message, source: string([]rune(string(line))), // bytes that are no UTF-8 count one each
		Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(text[start:offset]) + 1,
		width: min(utf8.RuneCount(text[offset:min(len(text), offset+int(at.Length))]), utf8.RuneCount(line)-utf8.RuneCount(text[start:offset])),
	}
}

// syntaxError makes an error of text that is no TOML.
func syntaxError(file string, text []byte, err error) Errors {
	message := "this is no TOML: " + strings.TrimPrefix(err.Error(), "toml: ")
	var d *toml.DecodeError
	if !errors.As(err, &d) {
		return Errors{{File: file, Message: message}}
	}
	line, column := d.Position()
	offset := 0
	for range line - 1 {
		offset += bytes.IndexByte(text[offset:], '\n') + 1
	}
	return Errors{errorAt(file, text, unstable.Range{Offset: uint32(offset + column - 1), Length: 1}, message)}
}
