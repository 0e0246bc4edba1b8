// Package browser shows pages in a headless Chromium, for tests.
package browser

import (
	"cmp"
	"context"
	_ "embed"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// Tab is a page, with its errors and requests.
type Tab struct {
	ctx   context.Context
	limit time.Duration

	prefers []*emulation.MediaFeature

	mu         sync.Mutex
	complaints []string
	expected   []*regexp.Regexp
	requests   []string
}

// Texts is an expression that finds the texts of a page that a reader cannot make out.
//
//go:embed texts.js
var Texts string

// shared is the browser of all tests of a test binary.
var shared struct {
	once sync.Once
	ctx  context.Context
	end  func()
	err  error
}

// startTime is how long the browser may take to start [chosen: busy machines are slow].
const startTime = 3 * time.Minute

// start starts the browser.
func start(path string) {
	// No sandbox: tests may run as root. The pages are our own.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(startTime))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	shared.ctx, shared.end = ctx, func() { cancel(); end() }
	shared.err = chromedp.Do(ctx) // the browser lives as long as the context of its first use
}

// Close ends the browser, if one was started. TestMain calls it after the tests.
func Close() {
	if shared.end != nil {
		shared.end()
	}
}

// Open shows an empty page of a size to a test, in a tab without anything that an earlier
// one has stored. Whatever the test does in it ends within a time, or the test fails. So
// does a test whose page has Complaints. All tests of a package share a browser.
func Open(t testing.TB, width, height int64, limit time.Duration) *Tab {
	t.Helper()
	path := needs.Tool(t, "chromium")
	shared.once.Do(func() { start(path) })
	require.NoError(t, shared.err)
	b := &Tab{limit: limit}
	ctx, cancel := chromedp.NewContext(shared.ctx, chromedp.WithNewBrowserContext(),
		chromedp.WithListener(b.recordEvent))
	b.ctx = ctx
	t.Cleanup(cancel)
	b.Watch(t)
	require.NoError(t, chromedp.Do(ctx)) // the tab lives as long as the context of its first use
	b.Do(t, chromedp.EmulateViewport(width, height))
	return b
}

// Watch makes a test fail whose page has Complaints, at its end. A subtest takes those that
// it has made, and what it expects, with it.
func (b *Tab) Watch(t testing.TB) {
	t.Cleanup(func() {
		for _, c := range b.Complaints() {
			t.Errorf("the page complains: %s", c)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.complaints, b.expected = nil, nil
	})
}

// recordEvent records exceptions, also of promises, errors on the console, and
// requests.
func (b *Tab) recordEvent(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if x := ev.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		b.complaints = append(b.complaints, text)
	case *runtime.EventConsoleAPICalled:
		if ev.Type == runtime.ConsoleAPICalledTypeError || ev.Type == runtime.ConsoleAPICalledTypeAssert {
			text := "console:"
			for _, x := range ev.Args {
				text += " " + cmp.Or(x.Description, string(x.Value))
			}
			b.complaints = append(b.complaints, text)
		}
	case *log.EventEntryAdded:
		b.complaints = append(b.complaints, ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, ev.Request.URL)
	}
}

// Expect takes complaints that match a pattern for what a test is about.
func (b *Tab) Expect(pattern string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, regexp.MustCompile(pattern))
}

// Complaints returns the exceptions of the page and its workers, and the errors on its
// console, without those that the test expects.
func (b *Tab) Complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.complaints), func(c string) bool {
		return slices.ContainsFunc(b.expected, func(r *regexp.Regexp) bool { return r.MatchString(c) })
	})
}

// Requests returns the addresses that the page has asked for.
func (b *Tab) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Prefer shows the page as to a user who prefers a value of a feature, as dark of
// prefers-color-scheme.
func (b *Tab) Prefer(t testing.TB, feature, value string) {
	t.Helper()
	b.prefers = slices.DeleteFunc(b.prefers, func(f *emulation.MediaFeature) bool { return f.Name == feature })
	b.prefers = append(b.prefers, &emulation.MediaFeature{Name: feature, Value: value})
	b.Do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: b.prefers})
		return err
	}))
}

// Do takes steps, one after the other.
func (b *Tab) Do(t testing.TB, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, b.limit)
	defer cancel()
	require.NoError(t, chromedp.Do(ctx, steps...))
}

// Get takes a step that has a value. about says in a failure what it is.
func Get[T any](t testing.TB, b *Tab, step chromedp.Action[T], about ...any) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, b.limit)
	defer cancel()
	v, err := chromedp.Run(ctx, step)
	require.NoError(t, err, about...)
	return v
}

// Eval returns the value of a JavaScript expression, or what its promise brings.
func Eval[T any](t testing.TB, b *Tab, js string) T {
	t.Helper()
	return Get(t, b, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise), js)
}
