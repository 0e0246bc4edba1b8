package answer

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"emsim/internal/base/ordered"
)

// A List is a table of an answer. Its cells are strings, numbers and Percents.
type List struct {
	Title    string   `json:",omitempty"` // above it
	Heads    []string // nil for none
	Rows     [][]any
	Notes    []string `json:",omitempty"` // sentences below it
	Whole    bool     // show all rows, whatever their number
	Unbroken bool     `json:",omitempty"` // break no cell to fit the terminal, because some are to be copied
}

// Add adds a row, with one cell for each head.
func (l *List) Add(cells ...any) { l.Rows = append(l.Rows, cells) }

// Columns declare the rows of a list once: for JSON, for display, and for the table of keys.
type Columns[T any] []Column[T]

// A Column describes one column of rows that are made from values of type T.
type Column[T any] struct {
	Key    string // in JSON; "" if displayed only
	Head   string // displayed, with the unit; "" for JSON only
	Doc    string // its meaning; "" if the key says it
	Format string // of fmt, for display; "" is a list's usual format
	Of     func(T) any
}

// Objects returns the rows as JSON objects.
func (c Columns[T]) Objects(rows []T) []ordered.Object {
	list := make([]ordered.Object, len(rows))
	for i, row := range rows {
		for _, column := range c {
			if column.Key != "" {
				list[i] = append(list[i], column.Key, column.Of(row))
			}
		}
	}
	return list
}

// List returns the rows as a table to display.
func (c Columns[T]) List(rows []T) List {
	l := List{Rows: make([][]any, len(rows)), Whole: true}
	for _, column := range c {
		if column.Head == "" {
			continue
		}
		l.Heads = append(l.Heads, column.Head)
		for i, row := range rows {
			l.Rows[i] = append(l.Rows[i], column.cell(row))
		}
	}
	return l
}

// cell returns the displayed cell of a row, or "-" for a number that the row does not have.
func (c *Column[T]) cell(row T) any {
	v := c.Of(row)
	n, isNumber := number(v)
	switch isPointer := reflect.ValueOf(v).Kind() == reflect.Pointer; {
	case v == nil, isPointer && !isNumber, math.IsNaN(n):
		return "-"
	case isPointer:
		v = n
	}
	if c.Format != "" {
		return fmt.Sprintf(c.Format, v)
	}
	return v
}

// Keys describes the keys of a row, for a table of keys.
func (c Columns[T]) Keys() string {
	var keys []string
	for _, column := range c {
		switch {
		case column.Key != "" && column.Doc != "":
			keys = append(keys, fmt.Sprintf("`%s`: %s", column.Key, column.Doc))
		case column.Key != "":
			keys = append(keys, fmt.Sprintf("`%s`", column.Key))
		}
	}
	return strings.Join(keys, "; ")
}

// Unless returns v or, if there is nothing to show, nil: null in JSON, "-" in a table.
func Unless(nothing bool, v any) any {
	if nothing {
		return nil
	}
	return v
}
