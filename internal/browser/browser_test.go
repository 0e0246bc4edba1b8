package browser

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// A page is shown in a window of the size that was asked for; expressions and promises
// have values; exceptions, errors and requests are recorded.
func TestTab(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(`<!doctype html><title>x</title><link rel="icon" href="data:,"><p id="p">text</p>`))
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	b := Open(t, 700, 500, time.Minute)
	b.Do(t, chromedp.Navigate(server.URL+"/"))
	require.Empty(t, b.Complaints())
	require.Equal(t, "text", Eval[string](t, b, `document.getElementById("p").textContent`))
	require.Equal(t, 3, Eval[int](t, b, `new Promise(done => setTimeout(() => done(3), 10))`))
	require.Equal(t, []int{700, 500}, Eval[[]int](t, b, "[outerWidth, outerHeight]"))
	require.Contains(t, Get(t, b, chromedp.Evaluate[string]("location.href")), server.URL)

	_ = Eval[bool](t, b, `fetch("missing").then(() => true)`)
	_ = Eval[bool](t, b, `new Promise(done => { setTimeout(() => { setTimeout(() => done(true)); throw new Error("oops"); }); })`)
	require.Equal(t, []string{server.URL + "/", server.URL + "/missing"}, b.Requests()[len(b.Requests())-2:])
	require.Eventually(t, func() bool { return len(b.Complaints()) == 2 }, time.Minute, 10*time.Millisecond, "a missing file and an exception")
}
