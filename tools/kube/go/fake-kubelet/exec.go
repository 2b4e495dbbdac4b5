package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	utilexec "k8s.io/utils/exec"
)

// idle and creation are the times that a kubelet gives a connection without traffic, and a client to open its streams.
const (
	idle     = 4 * time.Hour
	creation = 30 * time.Second
)

// handler answers as the kubelet of one node.
func handler(n *nodes, node string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/exec/{namespace}/{pod}/{container}", func(w http.ResponseWriter, r *http.Request) {
		serveExec(n.socket, node, w, r)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Every certificate of the authority gets through TLS, such as a person's; only the API server may come in.
		if name := r.TLS.PeerCertificates[0].Subject.CommonName; name != n.client {
			refuse(w, http.StatusForbidden, fmt.Sprintf("client %q is not allowed, only %q is", name, n.client))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func serveExec(socket, node string, w http.ResponseWriter, r *http.Request) {
	options, err := newOptions(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	backend, err := dial(socket)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	defer backend.Close()
	pod, container, command := r.PathValue("pod"), r.PathValue("container"), r.Form["command"]
	order := message{Tag: "exec", Node: node, Namespace: r.PathValue("namespace"), Pod: pod, Container: container,
		Command: command, TTY: options.TTY, Stdin: options.Stdin}
	answer, err := ask(backend, order)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	if answer.Tag == "refused" {
		refuse(w, answer.Status, answer.Message)
		return
	}
	conn := connectionOf(r)
	defer remember(node, conn)()
	go func() {
		// Closing the line tells the other side that the client has hung up.
		<-conn.closed
		backend.Close()
	}()
	serveStreams(w, r, options, execution{backend, options.Stdin}, pod, container, command)
}

func ask(backend *line, order message) (message, error) {
	if err := backend.send(order); err != nil {
		return message{}, err
	}
	return backend.receive()
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.WriteHeader(status)
	io.WriteString(w, text)
}

// execution is a command that runs at the other end of a line.
type execution struct {
	backend *line
	stdin   bool
}

// run copies its streams until it ends.
func (e execution) run(in io.Reader, out, err io.Writer) error {
	if e.stdin && in != nil {
		go e.copyInput(in)
	}
	for {
		m, failure := e.backend.receive()
		if failure != nil {
			return fmt.Errorf("the command was lost: %w", failure)
		}
		switch m.Tag {
		case "stdout":
			failure = write(out, m.Data)
		case "stderr":
			failure = write(err, m.Data)
		case "exit":
			return exitError(m.Code)
		case "failed":
			return errors.New(m.Message)
		default:
			failure = fmt.Errorf("unknown message %q", m.Tag)
		}
		if failure != nil {
			return failure
		}
	}
}

func (e execution) copyInput(in io.Reader) {
	buffer := make([]byte, 32*1024)
	for {
		n, err := in.Read(buffer)
		if n > 0 && e.backend.send(message{Tag: "stdin", Data: buffer[:n]}) != nil {
			return
		}
		if err != nil {
			e.backend.send(message{Tag: "stdinEnd"})
			return
		}
	}
}

// write leaves out what the client did not ask for.
func write(to io.Writer, data []byte) error {
	if to == nil {
		return nil
	}
	_, err := to.Write(data)
	return err
}

func exitError(code int) error {
	if code == 0 {
		return nil
	}
	return utilexec.CodeExitError{Err: fmt.Errorf("exit status %d", code), Code: code}
}
