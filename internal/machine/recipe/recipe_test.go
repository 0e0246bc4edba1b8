package recipe

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/machinefile"
)

// odd is a recipe with all characters that could cause problems in a form.
var odd = Recipe{
	Version: "1", Fingerprint: "ab", Command: `emsim run '<a> & $end --> é'`, Output: "stats",
	Inputs: []Input{{"<a> & $end --> é", "00"}},
}

// textIn returns the recipe's text in a file.
func textIn(file []byte) string {
	_, text := Find(file)
	return text
}

// Text returns one line, which Find can read back, and which cannot end a comment in XML, HTML or VCD.
func TestText(t *testing.T) {
	text := odd.Text()
	require.NotContains(t, text, "\n")
	for _, end := range []string{"$", "<", ">", "&"} {
		require.NotContains(t, text, end)
	}
	r, again := Find([]byte(Line(text)))
	require.Equal(t, text, again)
	require.Equal(t, odd, r)
	require.Equal(t, `{"version":"1","fingerprint":"f","revision":"r","command":"c","machine_sha256":"m"}`,
		Recipe{Version: "1", Fingerprint: "f", Revision: "r", Command: "c", Machine: "m"}.Text())
	for _, wrong := range []string{
		"", "{", `{"command":"x"}`, `{"fingerprint":"x"}`,
		`{"command":1,"fingerprint":"x"}`,
	} {
		r, text := Find([]byte(Line(wrong)))
		require.Empty(t, text, wrong)
		require.Equal(t, Recipe{}, r)
	}
}

// Find finds the text in every form, and the rest of the file is unchanged.
func TestForms(t *testing.T) {
	text := odd.Text()
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	for name, file := range map[string]string{
		"a.svg":  "<?xml version=\"1.0\"?>\n<svg\n\twidth=\"3\"><g/></svg>\n",
		"b.PNG":  picture.String(),
		"c.html": "<!DOCTYPE html><html><head><meta charset=\"utf-8\">\n<title>x</title></head><body/></html>",
	} {
		made := InFile(name, []byte(file), text)
		require.Equal(t, text, textIn(made), name)
		require.Empty(t, textIn([]byte(file)), name)
		at := bytes.Index(made, []byte(Mark))
		require.Equal(t, file[:10], string(made[:10]))
		require.Equal(t, file[len(file)-10:], string(made[len(made)-10:]))
		require.Positive(t, at)
	}
	back, err := png.Decode(bytes.NewReader(InFile("b.png", picture.Bytes(), text)))
	require.NoError(t, err, "its length and checksum are right")
	require.Equal(t, image.Rect(0, 0, 3, 2), back.Bounds())
	d := xml.NewDecoder(bytes.NewReader(InFile("a.svg", []byte("<svg width=\"3\"><g/></svg>"), text)))
	for inside := false; ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if words, ok := token.(xml.CharData); ok && inside {
			require.Equal(t, text, string(words))
		}
		begin, ok := token.(xml.StartElement)
		inside = ok && begin.Name.Local == "metadata"
	}
	require.Equal(t, text, textIn([]byte("a{b\n# "+Line(text)+"\nemsim-recipe {}")), "the first")
	require.Equal(t, text, textIn([]byte(Mark+"\x12{\x00"+text)), "a length may look like a brace")
	require.Empty(t, textIn([]byte(Mark+" nothing")))
	require.Equal(t, text, textIn([]byte(Mark+text)))
	require.Equal(t, text, textIn([]byte(Mark+strings.Repeat(" ", 15)+text)))
	require.Empty(t, textIn([]byte(Mark+strings.Repeat(" ", 16)+text)), "so far apart they do not belong together")

	svg := "<?xml version=\"1.0\"?>\n<svg\n\twidth=\"3\"><g/></svg>\n"
	made := string(InFile("a.svg", []byte(svg), "{}"))
	require.Equal(t, strings.Replace(svg, "<g/>", "<metadata class=\"emsim-recipe\">{}</metadata><g/>", 1), made)
	require.Equal(t, made, string(InFile("a.svg", []byte(made), text)), "a file keeps the recipe that it has")
	require.Regexp(t, `^<script .*</script>\n<p>$`, string(InFile("a.html", []byte("<p>"), "{}")), "there is no title")
	require.Equal(t, "<p>\n<script type=\"application/json\" class=\"emsim-recipe\">{}</script>\n<title>",
		string(InFile("a.htm", []byte("<p>\n<title>"), "{}")))
}

// InJSON adds the recipe as the last key of an object, or of every object in a list.
func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: `{"recipe":R}`, `{"a":[{}]}`: `{"a":[{}],"recipe":R}`, `[]`: `[]`, `[1]`: `[1]`, `7`: `7`,
		`[{"a":1},{},{}]`: `[{"a":1,"recipe":R},{"recipe":R},{"recipe":R}]`,
	} {
		got := InJSON([]byte(in), odd.Text())
		require.Equal(t, string(bytes.ReplaceAll([]byte(want), []byte("R"), []byte(odd.Text()))), string(got))
		if bytes.Contains(got, []byte("recipe")) {
			var pretty bytes.Buffer
			require.NoError(t, json.Indent(&pretty, got, "", "  "))
			require.Equal(t, odd.Text(), textIn(pretty.Bytes()))
		}
	}
	require.Equal(t, "{\n  \"table\": \"x.csv\",\n  \"recipe\": {}\n}\n", string(Sidecar("dir/x.csv", nil, "{}")))
}

// Digests equal those that sha256sum computes. A machine's digest depends on the values of its knobs, not on how they
// are written.
func TestDigests(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(file, []byte("abc"), 0o600))
	sum, err := DigestFile(file)
	require.NoError(t, err)
	require.Equal(t, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", sum) // FIPS 180-4
	_, err = DigestFile(t.TempDir())
	require.Error(t, err)

	c := em4.Small12()
	one := DigestMachine(machinefile.EM4(&c))
	require.Equal(t, one, DigestMachine(machinefile.EM4(&c)))
	c.HopClocks++
	require.NotEqual(t, one, DigestMachine(machinefile.EM4(&c)))
	kind, _ := machinefile.KindOf("mnc")
	require.NotEqual(t, one, DigestMachine(kind.NewMachine()))
}

// Words with characters that are special in a shell are quoted.
func TestQuoted(t *testing.T) {
	for _, plain := range []string{"a", "z", "A", "Z", "0", "9", "/x/._-+,:@%=", "pes=12"} {
		require.Equal(t, plain, Quoted(plain))
	}
	for _, word := range []string{
		"", "a b", "x;y", "[0,0]", "a^b", "`a`", "{", "/~", "é", "$x", "a\nb", "<", "?",
		"!",
	} {
		require.Equal(t, "'"+word+"'", Quoted(word))
	}
	require.Equal(t, `'it'\''s'`, Quoted("it's"))
}
