package asm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
)

// tokKind is the kind of a token.
type tokKind uint8

const (
	tokEnd    tokKind = iota // end of the line
	tokError                 // text is the message
	tokWord                  // name, mnemonic or register, with dots inside
	tokDotted                // .name: directive or local label
	tokHere                  // a single dot: the current address
	tokNumber                // an integer or a character, see val
	tokFloat                 // a floating-point number, see float
	tokString                // a string, as in the source
	tokOp                    // operator or punctuation
)

// token is a piece of a line. It keeps the place where it was written, even
// if a macro has moved it elsewhere. Tokens are small because a program has
// many.
type token struct {
	text     string
	val      int64 // value; of a floating-point number, its bits
	line     *srcLine
	col, end int32 // bytes of line.text
	kind     tokKind
	spaced   bool // follows white space, or is first
}

// float returns the value of a floating-point number.
func (t token) float() float64 { return math.Float64frombits(uint64(t.val)) }

// stringValue returns the characters that a string stands for.
func (t token) stringValue() string {
	var b strings.Builder
	for l := (&lexer{text: t.text, pos: 1}); l.pos < len(t.text)-1; {
		r, _ := l.quotedChar()
		b.WriteRune(r)
	}
	return b.String()
}

// is reports whether the token is the operator op.
func (t token) is(op string) bool { return t.kind == tokOp && t.text == op }

// describe returns the token's description in an error message.
func (t token) describe() string {
	switch t.kind {
	case tokEnd:
		if t.text == "" {
			return "the end of the line"
		}
	case tokString:
		return "a string"
	}
	return strconv.Quote(brief(t.text))
}

// Limits that keep macros from making lines grow for ever.
const (
	maxTokens = 10_000 // of a line
	maxWord   = 1_000  // bytes of a word
)

// lexer splits a line into tokens. Each state function handles one kind of token and returns the next state.
type lexer struct {
	line   *srcLine
	text   string
	start  int // start of the current token
	pos    int
	spaced bool
	toks   []token
	grown  bool       // the line is larger than any sensible program needs
	call   *macroCall // the call that \p refers to, or nil
	shown  int        // number of further errors that will be shown
}

type stateFn func(*lexer) stateFn

// lex returns the tokens of a line, without a tokEnd. Errors are tokens too. If macros have made the line too long,
// grown is true, and the run should end. Only errors that will be shown have a text. The tokens overwrite tokens of
// earlier lines in room.
func lex(line *srcLine, call *macroCall, shown int, room []token) (toks []token, grown bool) {
	l := &lexer{line: line, text: line.text, call: call, shown: shown, toks: room[:0]}
	for state := stateFn(lexAny); state != nil; {
		if state = state(l); len(l.toks) > maxTokens {
			l.toks, l.shown = l.toks[:0], shown
			l.fail("the line has grown to more than %d tokens", maxTokens)
			return l.toks, true
		}
	}
	return l.toks, l.grown
}

func (l *lexer) addToken(t token) stateFn {
	t.line, t.col, t.end, t.spaced = l.line, int32(l.start), int32(l.pos), l.spaced
	if t.text == "" {
		t.text = l.text[l.start:l.pos]
	}
	l.toks = append(l.toks, t)
	l.spaced = false
	return lexAny
}

// fail adds an error token.
func (l *lexer) fail(format string, args ...any) stateFn {
	if l.shown--; l.shown < 0 {
		return l.addToken(token{kind: tokError})
	}
	return l.addToken(token{kind: tokError, text: fmt.Sprintf(format, args...)})
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func lexAny(l *lexer) stateFn {
	if l.pos == 0 {
		l.spaced = true
	}
	for l.pos < len(l.text) && (l.text[l.pos] == ' ' || l.text[l.pos] == '\t') {
		l.pos++
		l.spaced = true
	}
	l.start = l.pos
	if l.pos == len(l.text) {
		return nil
	}
	switch c := l.text[l.pos]; {
	case c == ';' || strings.HasPrefix(l.text[l.pos:], "//"):
		return nil
	case c == '"':
		return lexString
	case c == '\'':
		return lexChar
	case c == '\\' || isWordByte(c):
		return lexWord
	}
	return lexOp
}

var signs = [...]string{
	"<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "(", ")", "[", "]", "{", "}", "@", ",", ":", "=",
}

func lexOp(l *lexer) stateFn {
	rest := l.text[l.pos:]
	for _, op := range signs {
		if strings.HasPrefix(rest, op) {
			l.pos += len(op)
			return l.addToken(token{kind: tokOp})
		}
	}
	r, n := utf8.DecodeRuneInString(rest)
	l.pos += n
	switch {
	case r == utf8.RuneError && n == 1:
		return l.noText()
	case r == '#':
		return l.fail("# has no meaning here: constants are written without it, and a comment begins with ;")
	case unicode.IsPrint(r):
		return l.fail("the character %q has no meaning here", r)
	}
	return l.fail("the character %U has no meaning here", r)
}

// noText reports a run of bytes that are not UTF-8; the first byte has already been taken.
func (l *lexer) noText() stateFn {
	for l.pos < len(l.text) {
		if r, n := utf8.DecodeRuneInString(l.text[l.pos:]); r != utf8.RuneError || n != 1 {
			break
		}
		l.pos++
	}
	if n := l.pos - l.start; n > 1 {
		return l.fail("the %d bytes from %#02x on are not UTF-8 text", n, l.text[l.start])
	}
	return l.fail("the byte %#02x is not UTF-8 text", l.text[l.start])
}

// lexWord takes a run of letters, digits, _ and dots, including macro parameters \p, and only then determines its
// kind. So parameters can be parts of names and numbers.
func lexWord(l *lexer) stateFn {
	var word strings.Builder
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case isWordByte(c):
			word.WriteByte(c)
			l.pos++
		case (c == '+' || c == '-') && exponent(word.String()) && l.pos+1 < len(l.text) && isDigit(l.text[l.pos+1]):
			word.WriteByte(c)
			l.pos++
		case c == '\\':
			arg, msg := l.parameter()
			if msg != "" {
				return l.fail("%s", msg)
			}
			alone := word.Len() == 0 && (l.pos == len(l.text) || !isWordByte(l.text[l.pos]) && l.text[l.pos] != '\\')
			if alone && (len(arg) != 1 || arg[0].line != nil) {
				return l.splice(arg)
			}
			if len(arg) > 1 || len(arg) == 1 && !arg[0].joins() {
				return l.fail("the parameter stands for %s, which cannot be part of a word", brief(source(arg)))
			}
			for _, t := range arg {
				word.WriteString(t.text)
			}
		default:
			return l.addWord(word.String())
		}
		if word.Len() > maxWord {
			l.grown = true
			return l.fail("the word is longer than %d characters", maxWord)
		}
	}
	return l.addWord(word.String())
}

// joins reports whether a token can be joined with letters next to it.
func (t token) joins() bool {
	switch t.kind {
	case tokWord, tokDotted, tokFloat:
		return true
	case tokNumber:
		return t.text[0] != '\''
	}
	return false
}

// splice replaces \p with the tokens of a macro's argument. The tokens keep their own places.
func (l *lexer) splice(arg []token) stateFn {
	for i, t := range arg {
		if i == 0 {
			t.spaced = l.spaced
		}
		l.toks = append(l.toks, t)
	}
	l.spaced = l.spaced && len(arg) == 0
	return lexAny
}

// parameter reads \p, \@ or \() and returns the tokens that it stands for, or
// an error message.
func (l *lexer) parameter() ([]token, string) {
	from := l.pos
	l.pos++
	switch {
	case strings.HasPrefix(l.text[l.pos:], "@"):
		l.pos++
	case strings.HasPrefix(l.text[l.pos:], "()"):
		l.pos += 2
		return nil, ""
	default:
		l.pos += parameterName(l.text[l.pos:])
	}
	name := l.text[from+1 : l.pos]
	switch {
	case l.call == nil:
		return nil, fmt.Sprintf("%s stands for a parameter and only has a meaning inside a macro",
			brief(l.text[from:l.pos]))
	case name == "@":
		n := strconv.Itoa(l.call.unique)
		return []token{{kind: tokNumber, text: n}}, ""
	}
	if arg, ok := l.call.argument(name); ok {
		return arg, ""
	}
	if l.shown <= 0 {
		return nil, "no such parameter"
	}
	names := lists.Of(l.call.macro.params, func(p macroParam) string { return p.name })
	return nil, fmt.Sprintf("the macro %q has no parameter %q%s", l.call.macro.name, brief(name),
		suggest.DidYouMean(name, names))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// exponent reports whether a decimal number ends with the e of its exponent.
func exponent(s string) bool {
	return len(s) > 1 && isDigit(s[0]) && !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0X") &&
		(s[len(s)-1] == 'e' || s[len(s)-1] == 'E')
}
