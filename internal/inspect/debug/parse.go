package debug

import (
	"regexp"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/packet"
)

var (
	spaced    = regexp.MustCompile(`\[\s*(\w+|\*)\s*,\s*(\w+|\*)\s*\]`)
	peAddress = regexp.MustCompile(`^(?:\[(\d+),(\d+)\]|(\d+)\.(\d+))$`)
	pePattern = regexp.MustCompile(`^(?:\[(\d+|\*),(\d+|\*)\]|(\d+|\*)\.(\d+|\*))$`)
	peForm    = regexp.MustCompile(`^\[|^(\d+|\*)\.(\d|\*)`)
)

// split splits a command into words; an address may contain blanks.
func split(line string) []string { return strings.Fields(spaced.ReplaceAllString(line, "[$1,$2]")) }

// address returns a PE's address.
func (d *Debugger) address(pe int) packet.PE { return d.s.Net.Address(pe) }

// readPE parses [GA,CA] or GA.CA.
func (d *Debugger) readPE(word string) (int, error) {
	if peAddress.FindStringSubmatch(word) == nil {
		return 0, errorf("%q is not a PE: expected [GROUP,MEMBER], such as [0,0], or 0.0", word)
	}
	list, err := d.readPEs(word)
	if err != nil {
		return 0, err
	}
	return list[0], nil
}

// readPEs parses [GA,CA] or GA.CA, in which * stands for all groups or all members. It returns the numbers of the PEs,
// ascending.
func (d *Debugger) readPEs(word string) ([]int, error) {
	m := pePattern.FindStringSubmatch(word)
	if m == nil {
		return nil, errorf("%q is not a PE: expected [GROUP,MEMBER], such as [0,0], or 0.0; * stands for all "+
			"groups or all members", word)
	}
	group, member := m[1]+m[3], m[2]+m[4]
	var list []int
	for pe := range d.s.Config().PEs {
		if at := d.address(pe); matchesField(group, int(at.GA)) && matchesField(member, int(at.CA)) {
			list = append(list, pe)
		}
	}
	if len(list) == 0 {
		return nil, errorf("there is no PE %s: the machine has groups 0..%d with members 0..%d", word, d.s.Net.Groups-1,
			d.s.Net.Members-1)
	}
	return list, nil
}

// matchesField reports whether a field of an address matches a pattern, which is a number or *.
func matchesField(pattern string, value int) bool {
	n, err := strconv.Atoi(pattern)
	return pattern == "*" || err == nil && n == value
}

// takeAddress removes the word that looks like a PE from a command's words, and parses it. Without such a word it
// returns other.
func takeAddress[T any](words []string, read func(word string) (T, error), other T) (T, []string, error) {
	var none T
	var rest []string
	found := false
	for _, w := range words {
		if !peForm.MatchString(w) || idForm.MatchString(w) {
			rest = append(rest, w)
			continue
		}
		if found {
			return none, nil, errorf("one PE is enough, %s is a second one", w)
		}
		var err error
		if other, err = read(w); err != nil {
			return none, nil, err
		}
		found = true
	}
	return other, rest, nil
}

// readNumber parses a number; what names its unit in an error message.
func readNumber(word, what string) (uint64, error) {
	n, err := strconv.ParseUint(word, 0, 63)
	if err != nil {
		return 0, errorf("%q is not a number of %s", word, what)
	}
	return n, nil
}

// atMost returns an error if there are more than `most` words.
func atMost(words []string, most int) error {
	if len(words) <= most {
		return nil
	}
	return errorf("%q is not expected here", strings.Join(words[most:], " "))
}

// readClock parses a clock of the machine, or +N after the start of the run.
func (d *Debugger) readClock(word string) (uint64, error) {
	digits, relative := strings.CutPrefix(word, "+")
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0, errorf("%q is not a clock: expected one of the machine, such as 500, or +500 after the "+
			"start of the run", word)
	}
	if relative {
		n += d.s.Current.StartClock()
	}
	return n, nil
}

// isClock reports whether a word is a clock rather than a name.
func isClock(word string) bool {
	return word != "" && (word[0] == '+' || word[0] >= '0' && word[0] <= '9') && !strings.HasPrefix(word, "0x")
}

// readAddress parses a label, a label with an offset, or a number.
func (d *Debugger) readAddress(word string) (uint32, error) {
	if word[0] >= '0' && word[0] <= '9' {
		n, err := strconv.ParseUint(word, 0, 64)
		if err != nil || n >= asm.MemoryWords {
			return 0, errorf("%q is not a memory address: expected 0..%#x", word, asm.MemoryWords-1)
		}
		return uint32(n), nil
	}
	name, offset, ok := strings.Cut(word, "+")
	n := uint64(0)
	if ok {
		var err error
		if n, err = readNumber(offset, "words after "+name); err != nil {
			return 0, err
		}
	}
	s, ok := lists.Find(d.s.Object.Addresses(), func(s asm.Symbol) bool { return s.Name == name })
	switch {
	case !ok:
		return 0, errorf("%q is not a label of the program%s", name, suggest.DidYouMean(name, d.labels()))
	case uint64(s.Value)+n >= asm.MemoryWords:
		return 0, errorf("%s is beyond the memory", word)
	}
	return uint32(s.Value) + uint32(n), nil
}

// labels returns the names of addresses.
func (d *Debugger) labels() []string {
	return lists.Of(d.s.Object.Addresses(), func(s asm.Symbol) string { return s.Name })
}

// abbreviated returns the names that a word can mean: the name equal to it or, if there is none, all names that begin
// with it.
func abbreviated(word string, names []string) (found []string) {
	for _, n := range names {
		if n == word {
			return []string{n}
		}
		if strings.HasPrefix(n, word) {
			found = append(found, n)
		}
	}
	return found
}

// oneOf returns the name that a word is or abbreviates; what names the kind of word in an error message.
func oneOf(word, what string, names []string) (string, error) {
	switch found := abbreviated(word, names); len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", errorf("%q is not a valid %s: expected %s%s", word, what, strings.Join(names, ", "),
			suggest.DidYouMean(word, names))
	default:
		return "", errorf("%q can be %s", word, strings.Join(found, " or "))
	}
}
