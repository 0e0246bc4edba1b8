package lines

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
)

// Words are separated by spaces, tabs and both kinds of line ends. A # begins a comment. Empty lines are skipped.
func TestWords(t *testing.T) {
	f := New("f", []byte("a  bc # d\n\n#\n\tx y\r\n  z"))
	var got [][]Word
	f.Each(func(words []Word) { got = append(got, words) })
	require.Equal(t, [][]Word{{{"a", 0}, {"bc", 3}}, {{"x", 14}, {"y", 16}}, {{"z", 21}}}, got)
	require.NoError(t, f.Err())
}

func TestErrors(t *testing.T) {
	f := New("f", []byte("one 12 0.25\n7"))
	f.Each(func(words []Word) {
		if !f.Between(words, 2, 2, "two words") {
			return
		}
	})
	err := f.Err()
	require.ErrorAs(t, err, new(*simerr.Usage))
	require.EqualError(t, err, "f:1:8: expected the end of the line: two words\n    one 12 0.25\n           "+
		"^~~~\nf:2:1: the line ends here; expected two words\n    7\n    ^")
	require.Equal(t, 2, f.Errors())

	f = New("f", []byte("x"))
	f.Wholef("nothing %s", "here")
	require.EqualError(t, f.Err(), "f: nothing here")

	f = New("f", []byte(strings.Repeat("x\n", 50)))
	seen := 0
	f.Each(func(words []Word) { seen++; f.Errorf(words[0], "bad") })
	require.Equal(t, 20, seen)
	require.ErrorContains(t, f.Err(), "these are the first 20 errors")
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{"3": 3, "-3": -3, "12": 12} {
		f := New("f", []byte(text))
		require.Equal(t, want, f.Whole(Word{text, 0}, "a count", -3, 12))
		require.NoError(t, f.Err())
	}
	for _, text := range []string{"-4", "13", "1.5", "x", "99999999999999999999"} {
		f := New("f", []byte(text))
		f.Whole(Word{text, 0}, "a count", -3, 12)
		require.ErrorContains(t, f.Err(), "\""+text+"\" is not a count from -3 to 12")
	}
	for text, want := range map[string]int64{"0": 0, "0.1": 100_000, "2.000001": 2_000_001, "1e-6": 1, "8": 8_000_000} {
		f := New("f", []byte(text))
		require.Equal(t, want, f.Millionths(Word{text, 0}, "a rate", 0, 8), text)
		require.NoError(t, f.Err(), text)
	}
	for text, want := range map[string]string{
		"-0.1": "from 0 to 8", "8.1": "from 0 to 8", "NaN": "from 0 to 8",
		"Inf": "from 0 to 8", "x": "from 0 to 8", "0.0000015": "six digits",
	} {
		f := New("f", []byte(text))
		require.Zero(t, f.Millionths(Word{text, 0}, "a rate", 0, 8))
		require.ErrorContains(t, f.Err(), want, text)
	}
}

func TestSpansAndTimes(t *testing.T) {
	for text, want := range map[string][2]int{"0": {0, 1}, "7": {7, 8}, "2-5": {2, 6}, "0-7": {0, 8}} {
		f := New("f", []byte(text))
		from, to, ok := f.Span(Word{text, 0}, "host", 8)
		require.True(t, ok)
		require.Equal(t, want, [2]int{from, to})
	}
	for _, text := range []string{"8", "-1", "3-2", "2-8", "a", "1-", "1-2-3"} {
		f := New("f", []byte(text))
		_, _, ok := f.Span(Word{text, 0}, "host", 8)
		require.False(t, ok)
		require.ErrorContains(t, f.Err(), "is not a host or a range of them from 0 to 7")
	}
	f := New("f", []byte("x"))
	require.Equal(t, 70*time.Millisecond, f.Time(Word{"70ms", 0}, time.Microsecond, time.Hour))
	require.NoError(t, f.Err())
	for text, want := range map[string]string{
		"2": "from 0s to 1h0m0s", "-1s": "from 0s", "2h": "from 0s to 1h0m0s",
		"1ns": "not a whole number of 1µs",
	} {
		f := New("f", []byte(text))
		f.Time(Word{text, 0}, time.Microsecond, time.Hour)
		require.ErrorContains(t, f.Err(), want)
	}
}
