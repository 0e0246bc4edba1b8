// Package browser opens pages in a headless Chromium, for tests.
//
//	browser.go  tabs, and what their pages report
//	axe.go      accessibility errors, found by axe-core
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

// Texts is a JavaScript expression that returns the texts of a page that are too small or too faint to read.
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

// startTime is the time in which the browser must start [chosen: busy machines are slow].
const startTime = 3 * time.Minute

// start starts the shared browser from the program at path.
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

// Open opens an empty page of the given size in a new tab, with no data from earlier tabs. Every later action in the
// tab must end within limit, or the test fails. The test also fails if its page has Complaints. All tests of a package
// share a browser.
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

// Watch makes the test fail at its end if the page has Complaints. At the end of a subtest it removes the subtest's
// complaints and expectations.
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

// recordEvent records exceptions, including those in promises, errors on the console, and requests.
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

// Expect makes the test ignore complaints that match a pattern.
func (b *Tab) Expect(pattern string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, regexp.MustCompile(pattern))
}

// Complaints returns the exceptions of the page and its workers, and the errors on its console, except the ones that
// the test expects.
func (b *Tab) Complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.complaints), func(c string) bool {
		return slices.ContainsFunc(b.expected, func(r *regexp.Regexp) bool { return r.MatchString(c) })
	})
}

// Requests returns the addresses that the page has requested.
func (b *Tab) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests)
}

// Prefer emulates a user who prefers a value of a media feature, such as dark of prefers-color-scheme.
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

// Do executes steps, one after the other.
func (b *Tab) Do(t testing.TB, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, b.limit)
	defer cancel()
	require.NoError(t, chromedp.Do(ctx, steps...))
}

// Get executes a step and returns its value. about describes the value in a failure message.
func Get[T any](t testing.TB, b *Tab, step chromedp.Action[T], about ...any) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, b.limit)
	defer cancel()
	v, err := chromedp.Run(ctx, step)
	require.NoError(t, err, about...)
	return v
}

// Eval returns the value of a JavaScript expression or, if it is a promise, the promise's result.
func Eval[T any](t testing.TB, b *Tab, js string) T {
	t.Helper()
	return Get(t, b, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise), js)
}
