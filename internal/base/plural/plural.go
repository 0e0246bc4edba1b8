// Package plural writes counts and lists of numbers in messages: "1 packet", "2 packets".
package plural

import "strconv"

// Of returns a count, 0 or more, followed by the word `what`, with an s unless the count is 1.
func Of[N int | int64 | uint32 | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Commas(n) + " " + what + "s"
}

// Verb returns one if n is 1, and many otherwise: "is" or "are".
func Verb[N int | int64 | uint32 | uint64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Commas returns a count, 0 or more, with commas between the thousands.
func Commas[N int | int64 | uint32 | uint64](n N) string {
	s := strconv.FormatUint(uint64(n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Ranges returns ascending numbers as strings, each a single number or a range: "1-3", "7".
func Ranges(list []int) []string {
	var out []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		text := strconv.Itoa(list[i])
		if j > i {
			text += "-" + strconv.Itoa(list[j])
		}
		out, i = append(out, text), j+1
	}
	return out
}
