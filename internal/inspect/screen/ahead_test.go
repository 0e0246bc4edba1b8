package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

// Keys typed during a motion take effect after it, in order. Ctrl-C and a failure discard them.
func TestKeysDuringAMotion(t *testing.T) {
	typed := func(b *bench, keys string) tea.Cmd {
		var first tea.Cmd
		for _, r := range keys {
			if _, cmd := b.Update(tea.KeyPressMsg{Code: r, Text: string(r)}); first == nil {
				first = cmd
			}
		}
		return first
	}
	run := func(b *bench, cmd tea.Cmd) {
		for cmd != nil {
			_, cmd = b.Update(cmd())
		}
	}
	quick, slow := newBench(t, begun(t, 12, "fib", "8"), 80, 24), newBench(t, begun(t, 12, "fib", "8"), 80, 24)
	run(quick, typed(quick, "sssssssssssssss")) // fifteen keys
	for range 15 {
		slow.press("s")
	}
	require.Equal(t, slow.screen(), quick.screen())
	run(quick, typed(quick, "s:step 4"))
	require.Equal(t, "step 4", quick.line.String())
	quick.press("<esc>")
	slow.press("s")
	require.Equal(t, slow.screen(), quick.screen())
	first := typed(quick, "sss")
	quick.send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	run(quick, first)
	require.Empty(t, quick.ahead)
}
