//go:build slow

package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
)

// The machine on the front page replaces the picture, repeats its program, and can be paused.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	var errs strings.Builder
	require.Zero(t, run(context.Background(), repository, []string{dir}, &errs), &errs)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	b := browser.Open(t, 1280, 800, 3*time.Minute)
	until := func(js string) {
		t.Helper()
		require.Eventually(t, func() bool { return browser.Eval[bool](t, b, js) }, 3*time.Minute, 50*time.Millisecond)
	}
	b.Do(t, chromedp.Navigate(server.URL+"/index.html"))
	until(`document.querySelectorAll("#live img").length === 0`)
	for _, width := range []int64{1440, 1024, 899, 768, 390} {
		b.Do(t, chromedp.EmulateViewport(width, 844))
		until(`(r => r.width / r.height > 1.59 || r.height === 320)(
			document.getElementById("live").getBoundingClientRect())`)
		until(`(frame => frame.getElementById("run").getBoundingClientRect().top >= frame.getElementById("view").getBoundingClientRect().bottom)(frames[0].document)`)
		until(`frames[0].document.getElementById("machine").clientHeight >= 240 && frames[0].document.documentElement.scrollHeight <= frames[0].innerHeight`)
	}
	_ = browser.Eval[bool](t, b, "(globalThis.inside = frames[0].emsim, true)")
	until("inside.frame.ended")
	until("!inside.frame.ended && inside.frame.clock > 100")
	_ = browser.Eval[bool](t, b, `(frames[0].document.getElementById("run").click(), true)`)
	until("!inside.running")
	clock := browser.Eval[int](t, b, "inside.frame.clock")
	time.Sleep(time.Second)
	require.Equal(t, clock, browser.Eval[int](t, b, "inside.frame.clock"))
}
