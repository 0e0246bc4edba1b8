package engine

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// query is the part of an address after the question mark. It replaces package net/url, which would enlarge the page by
// one per cent.
type query map[string]string

// encode returns the query as text, sorted by key.
func (q query) encode() string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(q)) {
		list = append(list, escaped(key)+"="+escaped(q[key]))
	}
	return strings.Join(list, "&")
}

// escaped writes every byte except letters, digits and -_.~ as % and two hexadecimal digits.
func escaped(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(0x100|uint64(c), 16)[1:]))
		}
	}
	return b.String()
}

// parseQuery parses the result of encode. It also accepts + for a blank, as other programs write it. ok is false if a %
// is not followed by two hexadecimal digits.
func parseQuery(text string) (q query, ok bool) {
	q = query{}
	for part := range strings.SplitSeq(text, "&") {
		key, value, _ := strings.Cut(part, "=")
		for _, word := range []*string{&key, &value} {
			if *word, ok = unescaped(*word); !ok {
				return nil, false
			}
		}
		if _, twice := q[key]; key != "" && !twice {
			q[key] = value
		}
	}
	return q, true
}

func unescaped(text string) (string, bool) {
	before, after, found := strings.Cut(strings.ReplaceAll(text, "+", " "), "%")
	var b strings.Builder
	for b.WriteString(before); found; b.WriteString(before) {
		c, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8)
		if err != nil || len(after) < 2 {
			return "", false
		}
		b.WriteByte(byte(c))
		before, after, found = strings.Cut(after[2:], "%")
	}
	return b.String(), true
}
