package main

import (
	"context"
	"io"
	"net/http"
	"time"

	streaming "k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// The kubelet's own streaming, since it moved there from k8s.io/kubelet: the build takes the file for its version.

var newOptions = streaming.NewOptions

func serveStreams(w http.ResponseWriter, r *http.Request, options *streaming.Options, e execution, pod, container string, command []string) {
	streaming.ServeExec(w, r, executor{e}, pod, "", container, command, options, idle, creation, streaming.SupportedStreamingProtocols)
}

type executor struct{ execution }

func (e executor) ExecInContainer(_ context.Context, _ string, _ string, _ string, _ []string, in io.Reader, out, err io.WriteCloser, _ bool, _ <-chan streaming.TerminalSize, _ time.Duration) error {
	return e.run(in, out, err)
}
