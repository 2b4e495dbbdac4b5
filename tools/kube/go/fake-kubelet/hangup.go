package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// A connection that was upgraded to streams is no longer watched by net/http: its request's context outlives it. So the
// connections themselves tell when they are closed.

// tracked accepts connections that tell when they are closed.
type tracked struct{ net.Listener }

func (t *tracked) Accept() (net.Conn, error) {
	conn, err := t.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &trackedConn{Conn: conn, closed: make(chan struct{})}, nil
}

type trackedConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (c *trackedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

type connectionKey struct{}

// contextOfConnection lets a handler find its connection (http.Server.ConnContext).
func contextOfConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn.(*tls.Conn).NetConn())
}

func connectionOf(r *http.Request) *trackedConn {
	return r.Context().Value(connectionKey{}).(*trackedConn)
}

// open are the connections over which commands run, by node: closing a server leaves upgraded connections alone.
var open = struct {
	sync.Mutex
	byNode map[string]map[*trackedConn]bool
}{byNode: map[string]map[*trackedConn]bool{}}

// remember keeps a connection until the result is called.
func remember(node string, conn *trackedConn) func() {
	open.Lock()
	defer open.Unlock()
	if open.byNode[node] == nil {
		open.byNode[node] = map[*trackedConn]bool{}
	}
	open.byNode[node][conn] = true
	return func() {
		open.Lock()
		defer open.Unlock()
		delete(open.byNode[node], conn)
	}
}

func hangUpAll(node string) {
	open.Lock()
	defer open.Unlock()
	for conn := range open.byNode[node] {
		conn.Close()
	}
}
