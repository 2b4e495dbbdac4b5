package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/types"
	protocols "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/tools/remotecommand"
	streaming "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
)

// The kubelet's own streaming, until it moved to k8s.io/cri-streaming: the build takes the file for its version.

var newOptions = streaming.NewOptions

func serveStreams(w http.ResponseWriter, r *http.Request, options *streaming.Options, e execution, pod, container string, command []string) {
	streaming.ServeExec(w, r, executor{e}, pod, "", container, command, options, idle, creation, protocols.SupportedStreamingProtocols)
}

type executor struct{ execution }

func (e executor) ExecInContainer(_ context.Context, _ string, _ types.UID, _ string, _ []string, in io.Reader, out, err io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	return e.run(in, out, err)
}
