package screen

import (
	"slices"
	"strings"
)

// line is a command being typed.
type line struct {
	text []rune
	at   int // of the cursor
	back int // how many commands before the next one are recalled
}

func newLine(front string) *line {
	l := &line{}
	l.set(front)
	return l
}

func (l *line) String() string { return string(l.text) }

// set replaces the text, with the cursor at its end.
func (l *line) set(text string) { l.text, l.at = []rune(text), len([]rune(text)) }

// insert puts a text at the cursor.
func (l *line) insert(text string) {
	add := []rune(text)
	l.text = slices.Insert(l.text, l.at, add...)
	l.at += len(add)
}

// key edits the line.
func (l *line) key(name, text string) {
	switch name {
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.text), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.text)
	case "backspace":
		if l.at > 0 {
			l.at--
			l.text = slices.Delete(l.text, l.at, l.at+1)
		}
	case "delete":
		if l.at < len(l.text) {
			l.text = slices.Delete(l.text, l.at, l.at+1)
		}
	case "ctrl+u":
		l.text, l.at = l.text[l.at:], 0
	case "ctrl+k":
		l.text = l.text[:l.at]
	default:
		l.insert(text)
	}
}

// recall replaces the line by an earlier or later command; after the latest one
// it is empty.
func (l *line) recall(typed []string, by int) {
	back := l.back - by
	if back < 0 || back > len(typed) {
		return
	}
	if l.back = back; back == 0 {
		l.set("")
		return
	}
	l.set(typed[len(typed)-back])
}

// complete extends the line by what all its completions have in common, and
// lists them if there are several.
func (l *line) complete(all func(line string) []string) []string {
	front, rest := string(l.text[:l.at]), string(l.text[l.at:])
	list := all(front)
	if len(list) == 0 {
		return []string{"there is no completion"}
	}
	common := list[0]
	for _, x := range list {
		for !strings.HasPrefix(x, common) {
			common = common[:len(common)-1]
		}
	}
	if len(list) == 1 {
		common += " "
	}
	l.set(common)
	at := l.at
	l.text, l.at = append(l.text, []rune(rest)...), at
	if len(list) == 1 {
		return nil
	}
	var words []string
	for _, x := range list {
		words = append(words, x[strings.LastIndexAny(front, " ;")+1:])
	}
	slices.Sort(words)
	return []string{strings.Join(slices.Compact(words), " ")}
}
