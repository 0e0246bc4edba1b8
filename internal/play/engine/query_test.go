package engine

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A query is read and written as by package net/url, except that a blank is written as %20.
func TestQuery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, want := query{}, url.Values{}
		for key, value := range rapid.MapOf(rapid.StringN(1, 5, 20), rapid.String()).Draw(t, "query") {
			q[key] = value
			want.Set(key, value)
		}
		got, err := url.ParseQuery(q.encode())
		require.NoError(t, err)
		require.Equal(t, want, got)
		back, ok := parseQuery(want.Encode())
		require.True(t, ok)
		require.Equal(t, q, back)
	})
	for text, fine := range map[string]bool{
		"": true, "a": true, "a=%41&&a=2": true, "a=%4": false, "%": false,
		"a=%zz": false, "a=%+1": false,
	} {
		q, ok := parseQuery(text)
		require.Equal(t, fine, ok, text)
		require.True(t, !ok || len(q) < 2, text)
	}
	q, _ := parseQuery("a=%41&&a=2")
	require.Equal(t, query{"a": "A"}, q)
}
