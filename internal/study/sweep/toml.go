package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"emsim/internal/base/srcerr"
)

// node is a value of a TOML file with its place. The library's decoder gives
// the values, its parser the places; both read the same text.
type node struct {
	at    unstable.Range // of the value; of a table, its header or key
	value any            // of a scalar: string, int64, float64, bool or a date
	list  []*node        // of an array or an array of tables
	isSet bool           // an array, even an empty one
	keys  []entry        // of a table, in the file's order
	index map[string]int // in keys
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
	if i, ok := n.index[name]; ok {
		return n.keys[i].node
	}
	return nil
}

// add adds a new key.
func (n *node) add(name string, at unstable.Range, value *node) {
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[name] = len(n.keys)
	n.keys = append(n.keys, entry{name, at, value})
}

// under returns the value of a key, created if missing; for an array of
// tables, its last element.
func (n *node) under(name string, at unstable.Range) *node {
	child := n.get(name)
	if child == nil {
		child = &node{at: at}
		n.add(name, at, child)
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

// parse reads TOML. Its errors are the library's, with places.
func parse(text []byte) (*node, error) {
	values := map[string]any{}
	if err := toml.NewDecoder(bytes.NewReader(text)).Decode(&values); err != nil {
		return nil, err
	}
	root := &node{}
	var p unstable.Parser
	p.Reset(text)
	here := root
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			here = descend(root, e.Key())
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
		array := n.get(string(k.Data))
		if array == nil {
			array = &node{at: k.Raw}
			n.add(string(k.Data), k.Raw, array)
		}
		array.list = append(array.list, &node{at: k.Raw})
		n = array.list[len(array.list)-1]
	}
	return n
}

// place records the places of a value and its parts. The parser gives no place
// for an array: it keeps the key's.
func place(n *node, v *unstable.Node) {
	if v.Raw.Length > 0 {
		n.at = v.Raw
	}
	parts := v.Children()
	switch v.Kind {
	case unstable.Array:
		for parts.Next() {
			child := &node{at: n.at}
			place(child, parts.Node())
			n.list = append(n.list, child)
		}
	case unstable.InlineTable:
		for parts.Next() {
			place(descend(n, parts.Node().Key()), parts.Node().Value())
		}
	}
}

// fill sets the values of the scalars, and says which nodes are tables and lists.
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

// Errors are the errors of a sweep file, each with its place.
type Errors = srcerr.Errors

// errorAt makes an error at a range of the text.
func errorAt(file string, text []byte, at unstable.Range, message string) srcerr.Error {
	return srcerr.At(file, text, int(at.Offset), int(at.Length), message)
}

// syntaxError makes an error for text that is not TOML.
func syntaxError(file string, text []byte, err error) Errors {
	message := "this is not TOML: " + strings.TrimPrefix(err.Error(), "toml: ")
	line, column := 0, 0
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, column = d.Position()
	}
	return Errors{srcerr.AtLine(file, text, line, column, message)}
}
