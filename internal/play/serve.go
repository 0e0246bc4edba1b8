package play

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

// types maps endings to the content types of the site's files, for browsers that require them.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml", ".s": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".gz": "application/gzip",
}

// policy is the page's own content security policy; the server also sets it for the worker.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP answers requests for the site's files.
func (s Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, r.Method+" is not allowed for files: use GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	text, ok := s[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", types[path.Ext(name)])
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store") // another emsim may serve another page on the same port
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// The server's time limits and its largest number of connections [all chosen]. One page and its worker use some ten
// connections.
const (
	headTime   = 5 * time.Second  // for a request to arrive
	idleTime   = 15 * time.Second // for the next request on the same connection
	answerTime = 5 * time.Minute  // for sending an answer, even over a slow line
	mostAtOnce = 64               // connections; others wait
)

// Serve serves the site until ctx ends. host is the user's name for the computer of the listener, or "". Apart from its
// addresses and localhost, the server answers only under this name. Otherwise an attacker could let a name of his own
// refer to this server, and read it from his page (DNS rebinding).
func (s Site) Serve(ctx context.Context, l net.Listener, host string) error {
	room := make(chan struct{}, mostAtOnce)
	server := &http.Server{
		Handler: under(host, s), DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout: headTime, ReadTimeout: headTime, IdleTimeout: idleTime, WriteTimeout: answerTime,
		ConnState: func(_ net.Conn, state http.ConnState) { // while this blocks, no other connection is accepted
			switch state {
			case http.StateNew:
				select {
				case room <- struct{}{}:
				case <-ctx.Done(): // the server can close only when nothing blocks here
				}
			case http.StateClosed, http.StateHijacked:
				select {
				case <-room:
				case <-ctx.Done(): // the connection may not have got a place
				}
			}
		},
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	_ = server.Close()
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// under passes on requests whose host is the given name, this computer's own name, or the address at which they
// arrived.
func under(host string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		name := strings.ToLower(strings.TrimSuffix((&url.URL{Host: r.Host}).Hostname(), "."))
		ip := net.ParseIP(name)
		if name == "" || name != strings.ToLower(host) && name != "localhost" && !ip.IsLoopback() &&
			(local == nil || !local.IP.Equal(ip)) {
			http.Error(w, fmt.Sprintf("%q is not a name of this server: use localhost, or start the server with "+
				"--addr and that name", r.Host), http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}
