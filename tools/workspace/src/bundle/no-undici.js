// Stands for undici in the bundle. @kubernetes/client-node needs it for its generated API clients, which this project does
// not use: it has a transport of its own. Loaded all the same it would cost 7 MiB of memory.
class Missing {
  constructor() {
    throw new Error('undici is left out of this bundle: use the transport of @cro/kube-runtime');
  }
}

export { Missing as Agent, Missing as fetch, Missing as FormData, Missing as ProxyAgent };
