package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// spy is a test that records its failures.
type spy struct {
	said  string
	fatal bool
}

func (s *spy) Helper() {}

func (s *spy) Errorf(format string, args ...any) { s.said += fmt.Sprintf(format, args...) }

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	s.fatal = true
	panic(s)
}

// spied returns the failure message of a check, and whether the check ended the test.
func spied(check func(t TB)) (said string, fatal bool) {
	s := &spy{}
	func() {
		defer func() {
			if x := recover(); x != nil && x != any(s) {
				panic(x)
			}
		}()
		check(s)
	}()
	return s.said, s.fatal
}

// inFolder moves a test to an empty folder and turns rewriting off.
func inFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	before := *update
	t.Cleanup(func() { *update = before })
	*update = false
}

// Check creates, compares and rewrites a file.
func TestCheck(t *testing.T) {
	inFolder(t)
	check := func(text string) (string, bool) {
		return spied(func(t TB) { Check(t, "a/b.txt", []byte(text)) })
	}
	file := filepath.Join("testdata", "a", "b.txt")
	said, fatal := check("one\n")
	require.True(t, fatal)
	require.Contains(t, said, "b.txt")
	require.Contains(t, said, "(run the test with -update to make it)")

	require.False(t, Update())
	*update = true
	require.True(t, Update())
	said, _ = check("one\n")
	require.Empty(t, said)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "one\n", string(text))
	*update = false
	said, _ = check("one\n")
	require.Empty(t, said)
	said, fatal = check("two\n")
	require.False(t, fatal, "the test goes on")
	require.True(t, strings.HasPrefix(said, file+" differs (-want +got):\n"), said)
	require.Contains(t, said, "one")
	require.Contains(t, said, "two")

	*update = true
	require.NoError(t, os.WriteFile("testdata/c", nil, 0o600))
	_, fatal = spied(func(t TB) { Check(t, "c/d.txt", nil) })
	require.True(t, fatal, "c is a file")
	require.NoError(t, os.Mkdir("testdata/e", 0o700))
	_, fatal = spied(func(t TB) { Check(t, "e", nil) })
	require.True(t, fatal, "e is a folder")
}

// Block compares and rewrites one part of a page, and leaves the rest unchanged.
func TestBlock(t *testing.T) {
	inFolder(t)
	page := func() string {
		text, err := os.ReadFile("page.md")
		require.NoError(t, err)
		return string(text)
	}
	block := func(name, want string) (string, bool) {
		return spied(func(t TB) { Block(t, "page.md", name, want) })
	}
	_, fatal := block("a", "1\n")
	require.True(t, fatal, "there is no page")
	const text = "x\n<!-- a -->\n1\n<!-- end -->\ny\n<!-- b -->\n2\n<!-- end -->\nz\n"
	require.NoError(t, os.WriteFile("page.md", []byte(text), 0o600))
	said, _ := block("b", "2\n")
	require.Empty(t, said)
	said, fatal = block("b", "3\n")
	require.False(t, fatal, "the test goes on")
	require.Contains(t, said, "page.md, b differs")
	_, fatal = block("c", "3\n")
	require.True(t, fatal, "there is no such part")
	require.Equal(t, text, page())
	*update = true
	said, _ = block("b", "3\n")
	require.Empty(t, said)
	require.Equal(t, strings.Replace(text, "2\n", "3\n", 1), page())
}

// A long diff is truncated after a line.
func TestShort(t *testing.T) {
	line := strings.Repeat("x", 999) + "\n"
	three := strings.Repeat(line, 3)
	require.Equal(t, three, short(three))
	require.Equal(t, three+"... and 2 more lines; run the test with -update, then git diff shows all of them\n",
		short(three+"a\nb\n"))
	require.Equal(t, line+line+"... and 1 more lines; run the test with -update, then git diff shows all of them\n",
		short(line+line+strings.Repeat("y", 1000)+"\n"))
}

// Script compares and rewrites the answers in a file.
func TestScript(t *testing.T) {
	inFolder(t)
	script := func(answer string) (string, bool) {
		return spied(func(t TB) { Script(t, "s", func(Case) string { return answer }) })
	}
	said, fatal := script("1")
	require.True(t, fatal)
	require.Contains(t, said, "no such file")

	file := filepath.Join("testdata", "s")
	require.NoError(t, os.Mkdir("testdata", 0o700))
	require.NoError(t, os.WriteFile(file, []byte("say\n----\n1\n"), 0o600))
	said, _ = script("1")
	require.Empty(t, said)
	said, fatal = script("2")
	require.False(t, fatal, "the test goes on")
	require.True(t, strings.HasPrefix(said, file+" differs (-want +got):\n"), said)
	said, fatal = script("1\n\n2")
	require.True(t, fatal)
	require.Equal(t, file+":1: the output has a blank line, which would end it", said)

	*update = true
	said, _ = script("2")
	require.Empty(t, said)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "say\n----\n2\n", string(text))
}

// Same ends the test with a message that says what was compared, and what differs, including unexported fields. The
// message is short for values of any size.
func TestSameFails(t *testing.T) {
	type inner struct{ a, b int }
	type outer struct{ List []inner }
	said, fatal := spied(func(t TB) { Same(t, outer{[]inner{{3, 4}}}, outer{[]inner{{3, 5}}}, "the %s", "number") })
	require.True(t, fatal)
	require.Contains(t, said, "the number: differs (-want +got)\n")
	require.Regexp(t, `-.*b: +4`, said)
	require.Regexp(t, `\+.*b: +5`, said)
	said, _ = spied(func(t TB) { Same(t, []int{1}, []int{1}, "equal") })
	require.Empty(t, said)
	said, _ = spied(func(t TB) {
		Same(t, []string{strings.Repeat("yz\n", 9999)}, []string{strings.Repeat("zy\n", 9999)}, "large")
	})
	require.Less(t, len(said), longestDiff+200)
}
