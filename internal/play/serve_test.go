package play

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// serving serves a page without an engine under a host name, and returns its address.
func serving(t *testing.T, address, host string) string {
	l, err := net.Listen("tcp", address)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- fake(t, nil).Serve(ctx, l, host) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	return l.Addr().String()
}

// requested returns the response to a request with a host name.
func requested(t *testing.T, address, method, path, host string) *http.Response {
	c, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(c, method+" "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	r, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	require.NoError(t, err)
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	r.Body = io.NopCloser(strings.NewReader(string(text)))
	return r
}

// A page of another host, whose name refers to this computer, cannot read anything.
func TestServesUnderItsOwnNames(t *testing.T) {
	address := serving(t, "127.0.0.1:0", "Lab.Example")
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	for _, host := range []string{
		"localhost", "LOCALHOST.", "localhost:9000", "127.0.0.1:" + port, "127.1.2.3",
		"[::1]:" + port, "lab.example", "lab.example:" + port,
	} {
		require.Equal(t, http.StatusOK, requested(t, address, "GET", "/start.json", host).StatusCode, host)
	}
	for _, host := range []string{
		"evil.example", "evil.example:" + port, "localhost.evil.example",
		"127.0.0.1.evil.example", "192.0.2.1", "[2001:db8::1]", "0.0.0.0", "", "a b", "localhost@evil.example",
	} {
		r := requested(t, address, "GET", "/start.json", host)
		require.GreaterOrEqual(t, r.StatusCode, 400, host)
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.NotContains(t, string(text), "null", "%s: the program", host)
		if !strings.ContainsAny(host, " @") { // these are no hosts: 400
			require.Equal(t, http.StatusMisdirectedRequest, r.StatusCode, host)
			require.Contains(t, string(text), "use localhost, or start the server with --addr and that name")
		}
	}
	// An absolute address takes precedence over the header.
	require.Equal(t, http.StatusMisdirectedRequest,
		requested(t, address, "GET", "http://evil.example/start.json", "localhost").StatusCode)

	// A server that listens on all addresses answers under each of them.
	all := serving(t, "0.0.0.0:0", "0.0.0.0")
	_, port, err = net.SplitHostPort(all)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, requested(t, "127.0.0.2:"+port, "GET", "/", "127.0.0.2").StatusCode)
	require.Equal(t, http.StatusMisdirectedRequest,
		requested(t, "127.0.0.2:"+port, "GET", "/", "evil.example").StatusCode)
}

// The server only lets files be read.
func TestServesGetAndHeadOnly(t *testing.T) {
	address := serving(t, "127.0.0.1:0", "")
	for _, method := range []string{"POST", "PUT", "DELETE", "TRACE", "PATCH", "OPTIONS", "CONNECT", "PROPFIND"} {
		for _, path := range []string{"/", "/start.json", "/nothing", "*"} {
			r := requested(t, address, method, path, "localhost")
			if path == "*" && method != "OPTIONS" || path != "/" && method == "CONNECT" {
				continue // there are no such requests
			}
			require.Equal(t, http.StatusMethodNotAllowed, r.StatusCode, "%s %s", method, path)
			require.Equal(t, "GET, HEAD", r.Header.Get("Allow"))
		}
	}
	r := requested(t, address, "HEAD", "/start.json", "localhost")
	require.Equal(t, http.StatusOK, r.StatusCode)
	require.Equal(t, int64(len("null")), r.ContentLength)
}

// pipes is a listener within this process, so that a test can control the time. It counts the open connections.
type pipes struct {
	come      chan net.Conn
	now, most atomic.Int32
}

type counted struct {
	net.Conn
	close func() error
}

func (c counted) Close() error { return c.close() }

func (p *pipes) Accept() (net.Conn, error) {
	c, ok := <-p.come
	if !ok {
		return nil, net.ErrClosed
	}
	p.most.Store(max(p.most.Load(), p.now.Add(1)))
	return counted{c, sync.OnceValue(func() error { p.now.Add(-1); return c.Close() })}, nil
}
func (p *pipes) Close() error   { close(p.come); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// The server ends at once, even if there are more idle connections than it has room for.
func TestServerEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, done := &pipes{come: make(chan net.Conn)}, make(chan error)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- fake(t, nil).Serve(ctx, l, "") }()
		for range mostAtOnce + 1 {
			_, there := net.Pipe()
			l.come <- there
		}
		synctest.Wait()
		begin := time.Now()
		cancel()
		require.NoError(t, <-done)
		require.Less(t, time.Since(begin), time.Second)
	})
}

// A client that sends no request, sends it slowly, or does not read the answer is disconnected, so that 300 such
// connections do not block others for long.
func TestServesNoIdleConnections(t *testing.T) {
	const ask = "GET /start.json HTTP/1.1\r\nHost: localhost\r\n"
	for name, x := range map[string]struct {
		first, then string // sent at once, and sent one letter a second
		deaf        bool   // the client reads nothing
		most        time.Duration
	}{
		"silent":    {"", "", false, headTime},
		"slow":      {ask, strings.Repeat("X-Slow: 1\r\n", 100), false, headTime},
		"slow body": {ask + "Content-Length: 1000\r\n\r\n", strings.Repeat("x", 1000), false, headTime},
		"idle":      {ask + "\r\n", "", false, idleTime},
		"deaf":      {ask + "\r\n", "", true, answerTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, done := &pipes{come: make(chan net.Conn)}, make(chan error)
				ctx, cancel := context.WithCancel(t.Context())
				go func() { done <- fake(t, nil).Serve(ctx, l, "") }()
				var all sync.WaitGroup
				begin := time.Now()
				for range 300 {
					all.Go(func() {
						here, there := net.Pipe()
						l.come <- there
						all.Go(func() {
							_, err := io.WriteString(here, x.first)
							for i := 0; i < len(x.then) && err == nil; i++ {
								time.Sleep(time.Second)
								_, err = io.WriteString(here, x.then[i:i+1])
							}
						})
						if x.deaf {
							time.Sleep(x.most + time.Second)
						}
						_, err := io.Copy(io.Discard, here)
						require.NoError(t, err, "the server closes it")
					})
				}
				all.Wait()
				took := time.Since(begin)
				cancel()
				require.NoError(t, <-done)
				require.LessOrEqual(t, l.most.Load(), int32(mostAtOnce+1), "and one that waits for room")
				require.LessOrEqual(t, took, (300/mostAtOnce+1)*(x.most+2*time.Second))
			})
		})
	}
}
