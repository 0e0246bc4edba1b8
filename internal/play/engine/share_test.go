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

// A link restores the whole view; a damaged link is rejected with a reason.
func TestLinks(t *testing.T) {
	pe := 7
	v := View{
		Setup: fib, Clock: 410, PE: &pe, Colour: "load", Tab: "console", Lesson: "mlpe",
		Marks: []Mark{{Clock: 300, Kind: "own"}},
	}
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

// packed returns a link that contains the given text.
func packed(t *testing.T, text string) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	require.NoError(t, err)
	_, err = w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return linkForm + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// The error for a broken link says what is wrong.
func TestBrokenLinks(t *testing.T) {
	good := packed(t, `{"clock":410}`)
	v, err := ReadLink(good)
	require.NoError(t, err)
	require.Equal(t, &View{Clock: 410}, v)
	const empty = `{"setup":{"main":""}}`
	for _, c := range []struct{ link, want string }{
		{"1" + good[1:], "it does not begin with 2., the form that this page knows"},
		{good + "!", "it has characters other than A-Z, a-z, 0-9, - and _"},
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

// A readable address contains the whole view of emsim's own programs. A changed text and marks follow in packed form.
func TestAddresses(t *testing.T) {
	pe := 4
	setup := Setup{Main: "fib.s", Args: []string{"16"}, PEs: 80}
	other := Setup{
		Main: "fib.go", Args: []string{"16"}, PEs: 12, Params: map[string]string{"policy": "line"},
		Sets: map[string]string{"banks": "1"}, Seed: 7,
	}
	for want, v := range map[string]View{
		"run/fib/16/80":                                   {Setup: setup},
		"run/fib/16/80?clock=1600&pe=0.4":                 {Setup: setup, Clock: 1600, PE: &pe},
		"run/fib.go/16/12?policy=line&seed=7&set.banks=1": {Setup: other},
		"compare/fib/16/80?b=fib.go%2F16%2F12&b.policy=line&b.seed=7&b.set.banks=1&mode=compare&side=B": {
			Setup:  setup,
			Versus: &other, Mode: "compare", Side: "B",
		},
	} {
		got, err := v.Address()
		require.NoError(t, err)
		require.Equal(t, want, got)
		back, err := ReadAddress("#" + got)
		require.NoError(t, err)
		require.Equal(t, &v, back)
	}
	line := setup
	line.Params = map[string]string{"policy": "line"}
	searches := setup
	searches.Params = map[string]string{"policy": "line", "mlpe": "on"}
	v, err := ReadAddress("#compare/fib/16/80?policy=line&b.mlpe=on") // B is A with a change
	require.NoError(t, err)
	require.Equal(t, &View{Setup: line, Versus: &searches}, v)
	changed := View{Setup: Setup{
		Main: "fib.s", Args: []string{"5"}, PEs: 12,
		Files: map[string]string{"fib.s": "; mine"},
	}}
	marked := View{Setup: setup, Marks: []Mark{{Clock: 300, Kind: "own"}}}
	for _, v := range []View{changed, marked} {
		text, err := v.Address()
		require.NoError(t, err)
		back, err := ReadAddress(text)
		require.NoError(t, err)
		require.Equal(t, &v, back)
	}
	for link, want := range map[string]string{
		"run/fib/16/many":          `"fib/16/many" is not a program with arguments and a size, as in fib/16/80`,
		"run/80":                   `"80" is not a program`,
		"run/fib/16/80?clock=soon": `clock is "soon", which is not a number`,
		"run/fib/16/80?pe=9.9":     `pe is "9.9", not a group and a member`,
		"compare/fib/16/80?b=fib":  `"fib" is not a program`,
		"run/fib/16/80?a=%zz":      "its part after the ? cannot be read",
		"walk/fib":                 "it does not begin with 2.",
	} {
		_, err := ReadAddress(link)
		require.ErrorContains(t, err, want)
	}
}
