package asm

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"emsim/isa"
)

// addWord adds the token for a word.
func (l *lexer) addWord(s string) stateFn {
	switch {
	case s == "":
		l.spaced = true
		return lexAny
	case s == ".":
		return l.addToken(token{kind: tokHere})
	case isDigit(s[0]):
		return l.number(s)
	case strings.HasSuffix(s, ".") || strings.Contains(s, ".."):
		return l.fail("the name %q has one dot too many", brief(s))
	case s[0] == '.' && isDigit(s[1]):
		return l.fail("%q is not a name: write a digit before the point, or a letter after it", brief(s))
	case s[0] == '.':
		return l.addToken(token{kind: tokDotted, text: s})
	}
	return l.addToken(token{kind: tokWord, text: s})
}

// number adds an integer or a floating-point number.
func (l *lexer) number(s string) stateFn {
	hex := strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X")
	if !hex && !strings.HasPrefix(s, "0b") && !strings.HasPrefix(s, "0B") && strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 32)
		if err != nil && !math.IsInf(f, 0) {
			return l.fail("%q is not a number: expected 10, 0x1f, 0b101 or 1.5e3", brief(s))
		}
		if err != nil {
			return l.fail("%s is too large for single precision", brief(s))
		}
		return l.addToken(token{kind: tokFloat, text: s, val: int64(math.Float64bits(f))})
	}
	if len(s) > 1 && s[0] == '0' && (isDigit(s[1]) || s[1] == '_') {
		return l.fail("%s begins with 0: an octal number begins with 0o", brief(s))
	}
	u, err := strconv.ParseUint(s, 0, 64)
	decimal := isDecimal(s)
	switch {
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrRange, err == nil && decimal && u > math.MaxInt64:
		return l.fail("%s is out of range: numbers reach up to %d, or 64 bits in 0x and 0b", brief(s),
			int64(math.MaxInt64))
	case err != nil:
		return l.fail("%q is not a number: expected 10, 0x1f, 0b101 or 1.5e3 (a name begins with a letter)", brief(s))
	}
	return l.addToken(token{kind: tokNumber, text: s, val: int64(u)})
}

func isDecimal(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '_' }) < 0
}

// escapes holds the escapes in characters and strings.
var escapes = map[byte]rune{'n': '\n', 't': '\t', 'r': '\r', '0': 0, '\\': '\\', '\'': '\'', '"': '"'}

// quotedChar reads one character or escape inside quotes, or returns an error
// message.
func (l *lexer) quotedChar() (rune, string) {
	c := l.text[l.pos]
	if c != '\\' {
		r, n := utf8.DecodeRuneInString(l.text[l.pos:])
		l.pos += n
		if r == utf8.RuneError && n == 1 {
			return 0, "the quotes hold a byte that is not UTF-8 text"
		}
		return r, ""
	}
	l.pos++
	if l.pos == len(l.text) {
		return 0, "the line ends inside quotes"
	}
	c = l.text[l.pos]
	l.pos++
	if c == 'x' {
		if l.pos+2 <= len(l.text) {
			if v, err := strconv.ParseUint(l.text[l.pos:l.pos+2], 16, 8); err == nil {
				l.pos += 2
				return rune(v), ""
			}
		}
		return 0, `\x needs two hexadecimal digits`
	}
	r, ok := escapes[c]
	if !ok {
		return 0, `the escape \` + string(rune(c)) + ` has no meaning: expected \n \t \r \0 \\ \' \" or \x41`
	}
	return r, ""
}

func lexChar(l *lexer) stateFn {
	l.pos++
	if l.pos == len(l.text) || l.text[l.pos] == '\'' {
		l.pos = min(l.pos+1, len(l.text))
		return l.fail("a character is missing between the quotes")
	}
	r, msg := l.quotedChar()
	switch {
	case msg != "":
		l.pos = len(l.text)
		return l.fail("%s", msg)
	case l.pos == len(l.text) || l.text[l.pos] != '\'':
		l.pos = len(l.text)
		return l.fail("the character has no closing quote (text goes in double quotes)")
	}
	l.pos++
	return l.addToken(token{kind: tokNumber, val: int64(r)})
}

func lexString(l *lexer) stateFn {
	l.pos++
	for l.pos < len(l.text) && l.text[l.pos] != '"' {
		if _, msg := l.quotedChar(); msg != "" {
			l.pos = len(l.text)
			return l.fail("%s", msg)
		}
	}
	if l.pos == len(l.text) {
		return l.fail("the string has no closing quote")
	}
	l.pos++
	return l.addToken(token{kind: tokString})
}

// source returns tokens as the user wrote them, for messages and listings.
func source(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.spaced {
			b.WriteByte(' ')
		}
		if t.kind == tokError { // the text of an error token is the message
			t.text = t.line.text[t.col:t.end]
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// register returns the number of the register with the given name.
func register(name string) (uint8, bool) {
	if name == "fp" {
		return isa.FP, true
	}
	if len(name) < 2 || name[0] != 'r' || name[1] == '0' && len(name) > 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(name[1:], 10, 8)
	return uint8(n), err == nil && n < isa.Registers
}

// registerName returns the name of a register. It is the inverse of register.
func registerName(r uint8) string {
	if r == isa.FP {
		return "fp"
	}
	return "r" + strconv.Itoa(int(r))
}

// validName reports whether s can name a symbol.
func validName(s string) bool {
	if s == "" || len(s) > maxWord || s[0] == '.' || isDigit(s[0]) || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	_, reg := register(s)
	return !reg
}

// constantName turns a parameter's value into the last part of a name. Characters that a name cannot have, such as
// blanks in a file's name, become _.
func constantName(value string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 || !isWordByte(byte(r)) {
			return '_'
		}
		return r
	}, value)
}

// validValue reports whether s can be a value of an enumerated parameter. A value consists of names without dots and
// plain numbers, joined by single -.
func validValue(s string) bool {
	if len(s) > maxWord {
		return false
	}
	for part := range strings.SplitSeq(s, "-") {
		switch {
		case part == "" || strings.Contains(part, "."):
			return false
		case isDigit(part[0]):
			n, err := strconv.ParseInt(part, 10, 64)
			if err != nil || strconv.FormatInt(n, 10) != part {
				return false
			}
		case strings.IndexFunc(part, func(r rune) bool { return r >= 0x80 || !isWordByte(byte(r)) }) >= 0:
			return false
		}
	}
	return true
}

// validFile reports whether s can be a value that is a file's name: any name without a folder that ends in .s or .go.
// Options.OpenValue translates .go.
func validFile(s string) bool {
	name, ok := strings.CutSuffix(s, ".s")
	if !ok {
		name, ok = strings.CutSuffix(s, ".go")
	}
	return ok && name != "" && len(s) <= maxWord && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '/' })
}
