package engine

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A link restores all of a view; a damaged one is refused with a reason.
func TestLinks(t *testing.T) {
	pe := 7
	v := View{Setup: fib, Clock: 410, PE: &pe, Colour: "load", Tab: "console", Lesson: "mlpe", Marks: []Mark{{Clock: 300, Kind: "own"}}}
	link, err := v.Link()
	require.NoError(t, err)
	require.Less(t, len(link), 200)
	require.Regexp(t, `^2\.[\w-]+$`, link)
	got, err := ReadLink("#" + link)
	require.NoError(t, err)
	require.Equal(t, &v, got)
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		b := []byte(link)
		b[random.IntN(len(b))] = byte(random.IntN(256))
		if x, err := ReadLink(string(b)); err != nil {
			require.ErrorContains(t, err, "the link is broken: ")
		} else {
			require.NotNil(t, x)
		}
		_, err := ReadLink(link[:random.IntN(len(link))])
		require.Error(t, err)
	}
	big := View{Setup: Setup{Files: map[string]string{"a.s": strings.Repeat("x", mostView)}}}
	_, err = big.Link()
	require.ErrorContains(t, err, "too long for a link")
}

// packed is a link of any text.
func packed(t *testing.T, text string) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	require.NoError(t, err)
	_, err = w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return linkForm + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// What is wrong with a link is said.
func TestBrokenLinks(t *testing.T) {
	good := packed(t, `{"clock":410}`)
	v, err := ReadLink(good)
	require.NoError(t, err)
	require.Equal(t, &View{Clock: 410}, v)
	const empty = `{"setup":{"main":""}}`
	for _, c := range []struct{ link, want string }{
		{"1" + good[1:], "it does not begin with 2., the form that this page knows"},
		{good + "!", "it holds other characters than A-Z, a-z, 0-9, - and _"},
		{good[:len(good)-4], "its end is missing"},
		{linkForm + "____", "a part of it was changed"},
		{packed(t, "oops"), "it is not from this version of the page"},
		{packed(t, `{"clock":410,"speed":3}`), "it is not from this version of the page"},
		{packed(t, strings.Repeat(" ", mostView+1-len(empty))+empty), "it holds a program that is too long"},
	} {
		_, err := ReadLink(c.link)
		require.EqualError(t, err, "the link is broken: "+c.want+"; ask for it again, or begin with a program")
	}
	_, err = ReadLink(packed(t, strings.Repeat(" ", mostView-len(empty))+empty))
	require.NoError(t, err)

	longest := View{Setup: Setup{Files: map[string]string{"a.s": ""}}}
	bare := len(`{"setup":{"main":"","files":{"a.s":""}}}`)
	longest.Setup.Files["a.s"] = strings.Repeat("x", mostView-bare)
	link, err := longest.Link()
	require.NoError(t, err)
	require.Less(t, len(link), mostView/100, "the text is compressed")
	v, err = ReadLink(link)
	require.NoError(t, err)
	require.Equal(t, &longest, v)
	longest.Setup.Files["a.s"] += "x"
	_, err = longest.Link()
	require.EqualError(t, err, "the program is too long for a link: 4194305 bytes, at most 4194304")
}
