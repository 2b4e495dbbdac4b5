package main

import (
	"bufio"
	"encoding/json"
	"net"
	"sync"
)

// message is a line of JSON; which fields it has depends on its tag.
type message struct {
	Tag       string   `json:"tag"`
	Node      string   `json:"node,omitempty"`
	Port      int      `json:"port,omitempty"`
	Namespace string   `json:"namespace,omitempty"`
	Pod       string   `json:"pod,omitempty"`
	Container string   `json:"container,omitempty"`
	Command   []string `json:"command,omitempty"`
	TTY       bool     `json:"tty,omitempty"`
	Stdin     bool     `json:"stdin,omitempty"`
	Data      []byte   `json:"data,omitempty"` // base64
	Code      int      `json:"code,omitempty"`
	Status    int      `json:"status,omitempty"`
	Message   string   `json:"message,omitempty"`
}

// line is a connection to the process that runs the commands.
type line struct {
	net.Conn
	sending sync.Mutex
	decoder *json.Decoder
}

func dial(socket string) (*line, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	return &line{Conn: conn, decoder: json.NewDecoder(bufio.NewReader(conn))}, nil
}

func (l *line) send(m message) error {
	l.sending.Lock()
	defer l.sending.Unlock()
	return json.NewEncoder(l).Encode(m)
}

func (l *line) receive() (message, error) {
	var m message
	err := l.decoder.Decode(&m)
	return m, err
}
