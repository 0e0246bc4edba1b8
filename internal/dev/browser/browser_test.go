package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	m.Run()
	Close()
}

// A page is shown in a window of the requested size. Expressions and promises have values, and requests are recorded.
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
	require.Equal(t, []int{700, 500}, Eval[[]int](t, b, "[innerWidth, innerHeight]"))
	require.Contains(t, Get(t, b, chromedp.Evaluate[string]("location.href")), server.URL)

	for _, theme := range []string{"dark", "light"} {
		b.Prefer(t, "prefers-reduced-motion", "reduce")
		b.Prefer(t, "prefers-color-scheme", theme)
		require.True(t, Eval[bool](t, b, `matchMedia("(prefers-color-scheme: `+theme+
			`) and (prefers-reduced-motion: reduce)").matches`))
	}
	require.Empty(t, Eval[[]string](t, b, "[..."+Texts+".problems]"))
	_ = Eval[bool](t,
		b,
		`(document.body.innerHTML = "<p id=p style='color: #888'>pale <small style='font-size: 9px; color: #000'>small</small>", true)`)
	require.Equal(t, []string{"#p: contrast 3.54, at least 4.5 is needed", "small “small”: letters of 9.0 pixels"},
		Eval[[]string](t, b, "[..."+Texts+".problems]"))

	_ = Eval[bool](t, b, `fetch("missing").then(() => true)`)
	require.Equal(t, []string{server.URL + "/", server.URL + "/missing"}, b.Requests()[len(b.Requests())-2:])
	b.Expect("404")
}

// watched is a test that records its failures, which a page causes.
type watched struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (w *watched) Cleanup(f func()) { w.cleanups = append(w.cleanups, f) }
func (w *watched) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

// A test fails for every error of its page and of the page's workers that it does not expect.
func TestComplaints(t *testing.T) {
	w := &watched{TB: t}
	b := Open(w, 700, 500, time.Minute)
	mistakes := []string{
		`throw new Error("oops NAME")`, `Promise.reject(new Error("oops NAME"))`,
		`console.error("oops NAME")`, `console.assert(false, "oops NAME")`,
	}
	for i, code := range mistakes {
		_ = Eval[bool](t, b, fmt.Sprintf(`(setTimeout(() => { %s; }), true)`,
			strings.ReplaceAll(code, "NAME", fmt.Sprint("page ", i))))
		worker := strings.ReplaceAll(code, "NAME", fmt.Sprint("worker ", i))
		_ = Eval[bool](t, b, fmt.Sprintf(`(globalThis.w%d = new Worker(URL.createObjectURL(new Blob([%q]))), true)`, i,
			worker))
	}
	_ = Eval[bool](t, b, `(console.warn("no mistake"), console.error("expected"), true)`)
	b.Expect("^console: .expected")
	require.Eventually(t, func() bool { return len(b.Complaints()) >= 2*len(mistakes) }, time.Minute,
		10*time.Millisecond)
	for _, f := range slices.Backward(w.cleanups) {
		f()
	}
	slices.Sort(w.failures)
	require.Len(t, w.failures, 2*len(mistakes))
	all := strings.Join(w.failures, "\n")
	for i := range mistakes {
		require.Contains(t, all, fmt.Sprint("oops page ", i))
		require.Contains(t, all, fmt.Sprint("oops worker ", i))
	}
}
