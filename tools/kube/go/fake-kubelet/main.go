// Command fake-kubelet serves exec for nodes that are only simulated. To an API server each node is a kubelet with a
// port of its own; what the commands do is decided by the process that started this program, which it reaches through a
// Unix socket. The messages are described in tools/kube/src/kubelet/messages.ts.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"os"
)

func main() {
	socket := flag.String("socket", "", "Unix socket of the process that runs the commands")
	ca := flag.String("ca", "", "certificate of the authority that signed the clients' certificates")
	certificate := flag.String("certificate", "", "certificate to serve with")
	key := flag.String("key", "", "its private key")
	client := flag.String("client", "", "common name that a client's certificate must have")
	flag.Parse()
	if err := run(*socket, *ca, *certificate, *key, *client); err != nil {
		fmt.Fprintln(os.Stderr, "fake-kubelet:", err)
		os.Exit(1)
	}
}

func run(socket, ca, certificate, key, client string) error {
	authority, err := os.ReadFile(ca)
	if err != nil {
		return err
	}
	clients := x509.NewCertPool()
	if !clients.AppendCertsFromPEM(authority) {
		return fmt.Errorf("%s holds no certificate", ca)
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	nodes := &nodes{socket: socket, client: client, tls: &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{pair},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    clients,
	}}
	return nodes.obey()
}
