package tomlfile

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A Node is a value of a TOML file with its place. The library's decoder supplies the values and its parser the places;
// both read the same text.
type Node struct {
	At     Range   // of the value; for an array, of its key; for a table, of its header, key or opening brace
	Value  any     // of a scalar: string, int64, float64, bool or a date
	List   []*Node // of an array or an array of tables
	IsList bool    // the value is an array, perhaps empty
	Keys   []Entry // of a table, in the file's order
	Table  bool

	index map[string]int // index of each key in Keys
}

// An Entry is a key of a table with its value.
type Entry struct {
	Name string
	At   Range
	*Node
}

// Get returns the value of a key, or nil.
func (n *Node) Get(name string) *Node {
	if i, ok := n.index[name]; ok {
		return n.Keys[i].Node
	}
	return nil
}

// addKey adds a new key.
func (n *Node) addKey(name string, at Range, value *Node) {
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[name] = len(n.Keys)
	n.Keys = append(n.Keys, Entry{name, at, value})
}

// under returns the value of a key, and creates it if missing. For an array of tables it returns the last element.
func (n *Node) under(name string, at Range) *Node {
	child := n.Get(name)
	if child == nil {
		child = &Node{At: at}
		n.addKey(name, at, child)
	}
	if k := len(child.List); k > 0 {
		return child.List[k-1]
	}
	return child
}

// Tables reports whether the value is a table or a list whose first element is one.
func (n *Node) Tables() bool { return n.Table || len(n.List) > 0 && n.List[0].Table }

// KindName describes the value, for errors.
func (n *Node) KindName() string {
	switch {
	case n.Table:
		return "a table"
	case n.IsList:
		return "a list"
	}
	switch v := n.Value.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case int64, bool:
		return fmt.Sprint(v)
	case float64:
		text := fmt.Sprint(v)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0" // 80.0 is not an integer
		}
		return text
	}
	return "a date"
}

// parse parses TOML. It returns the library's errors, which have places.
func parse(text []byte) (*Node, error) {
	values := map[string]any{}
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	root := &Node{}
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
			put(descend(here, e.Key()), e.Value())
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	setScalars(root, values)
	return root, nil
}

// descend returns the node that a dotted key leads to.
func descend(n *Node, key unstable.Iterator) *Node {
	for key.Next() {
		n = n.under(string(key.Node().Data), key.Node().Raw)
	}
	return n
}

// appended adds a table to the array of tables with the given key, and returns the table.
func appended(n *Node, key unstable.Iterator) *Node {
	for key.Next() {
		k := key.Node()
		if !key.IsLast() {
			n = n.under(string(k.Data), k.Raw)
			continue
		}
		array := n.Get(string(k.Data))
		if array == nil {
			array = &Node{At: k.Raw}
			n.addKey(string(k.Data), k.Raw, array)
		}
		array.List = append(array.List, &Node{At: k.Raw})
		n = array.List[len(array.List)-1]
	}
	return n
}

// put records the places of a value and its parts. An array keeps its key's place, because the parser gives none.
func put(n *Node, v *unstable.Node) {
	if v.Raw.Length > 0 {
		n.At = v.Raw
	}
	parts := v.Children()
	switch v.Kind {
	case unstable.Array:
		for parts.Next() {
			child := &Node{At: n.At}
			put(child, parts.Node())
			n.List = append(n.List, child)
		}
	case unstable.InlineTable:
		for parts.Next() {
			put(descend(n, parts.Node().Key()), parts.Node().Value())
		}
	}
}

// setScalars sets the values of the scalars, and marks the nodes that are tables and lists.
func setScalars(n *Node, v any) {
	switch v := v.(type) {
	case map[string]any:
		n.Table = true
		for _, e := range n.Keys {
			setScalars(e.Node, v[e.Name])
		}
	case []any:
		n.IsList = true
		for i, child := range n.List {
			setScalars(child, v[i])
		}
	default:
		n.Value = v
	}
}
