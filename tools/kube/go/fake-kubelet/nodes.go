package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
)

// nodes are the kubelets that are served, each on a port of 127.0.0.1.
type nodes struct {
	socket string
	client string
	tls    *tls.Config
	byName map[string]*http.Server
}

// obey does what it is told through the socket until that is closed: then whoever started this program has ended.
func (n *nodes) obey() error {
	n.byName = map[string]*http.Server{}
	control, err := dial(n.socket)
	if err != nil {
		return err
	}
	if err := control.send(message{Tag: "control"}); err != nil {
		return err
	}
	for {
		order, err := control.receive()
		if err != nil {
			return nil
		}
		answer := message{Node: order.Node}
		switch order.Tag {
		case "listen":
			answer.Tag = "listening"
			answer.Port, err = n.listen(order.Node)
		case "close":
			answer.Tag = "closed"
			err = n.close(order.Node)
		default:
			err = fmt.Errorf("unknown order %q", order.Tag)
		}
		if err != nil {
			answer = message{Tag: "failed", Node: order.Node, Message: err.Error()}
		}
		if err := control.send(answer); err != nil {
			return err
		}
	}
}

func (n *nodes) listen(node string) (int, error) {
	if _, ok := n.byName[node]; ok {
		return 0, fmt.Errorf("node %s is served already", node)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: handler(n, node), ConnContext: contextOfConnection}
	n.byName[node] = server
	go func() {
		err := server.Serve(tls.NewListener(&tracked{Listener: listener}, n.tls))
		if err != http.ErrServerClosed {
			fmt.Fprintf(os.Stderr, "fake-kubelet: node %s: %v\n", node, err)
			os.Exit(1)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// close ends a node's kubelet, with the commands that run through it.
func (n *nodes) close(node string) error {
	server, ok := n.byName[node]
	if !ok {
		return fmt.Errorf("node %s is not served", node)
	}
	delete(n.byName, node)
	err := server.Close()
	hangUpAll(node)
	return err
}
