package ordered

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// Keys keep their order. The outer encoder decides whether characters are escaped.
func TestObject(t *testing.T) {
	o := Object{"z", 1, "a", Object{"x<", "&"}, "none", Object{}, "list", []Object{{"b", nil}}}
	text, err := json.Marshal(o)
	require.NoError(t, err)
	require.Equal(t, `{"z":1,"a":{"x\u003c":"\u0026"},"none":null,"list":[{"b":null}]}`, string(text))
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(o))
	require.Contains(t, b.String(), `{"x<":"&"}`)
	require.Equal(t, []any{1, nil, nil}, []any{o.Get("z"), o.Get("x<"), o.Get("y")})
	require.Equal(t, Object{}, o.Get("none"))
	_, err = json.Marshal(Object{"f", func() {}})
	require.Error(t, err)
}
