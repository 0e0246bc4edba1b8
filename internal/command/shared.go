package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"emsim/internal/machines"
)

// sharedRows prints, of the keys that the answers of all machines have, those that
// the table of one has no row of its own for.
func sharedRows(t io.Writer, kind string, answer any, keys ...string) {
	text, _ := json.Marshal(answer) // every answer can be written as JSON
	var values map[string]any
	_ = json.Unmarshal(text, &values)
	numbers := machines.Numbers(kind)
	for _, key := range keys {
		i := slices.IndexFunc(numbers, func(n machines.Number) bool { return n.Key == key })
		n, v := numbers[i], values[key].(float64)
		unit := n.Unit
		if unit != "" {
			unit = " " + unit
		}
		switch key {
		case "efficiency":
			fmt.Fprintf(t, "%s\t%s\t%s\n", key, percent(v), n.Doc)
		case "imbalance":
			fmt.Fprintf(t, "%s\t%.2f\t%s\n", key, v, n.Doc)
		default:
			fmt.Fprintf(t, "%s\t%s%s\t%s\n", key, mean(v), unit, n.Doc)
		}
	}
}

// mean prints a count, or the mean of several.
func mean(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}
