package markup

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Words are escaped, in texts and in attributes; HTML, numbers and the layout are not.
func TestFormat(t *testing.T) {
	require.Equal(t, HTML(`<b title="&quot;&lt;&amp;&gt;">7 <i>x</i></b>`),
		Format(`<b title="%s">%d %s</b>`, `"<&>`, 7, HTML("<i>x</i>")))
	var s Sheet
	s.Add("<p>%s", "a < b")
	s.WriteString("</p>")
	require.Equal(t, "<p>a &lt; b</p>", s.String())
}
