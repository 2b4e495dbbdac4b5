import type { Socket } from 'node:net';
import type { Interface } from 'node:readline';
import { parseControlAnswer, type ControlAnswer, type ControlOrder } from './messages.ts';

/** Tells the kubelet which nodes to serve. It answers in the order in which it is told. */
export class Control {
  /** Resolves when the kubelet has connected. */
  readonly connected: Promise<void>;
  readonly #waiting: ((answer: ControlAnswer) => void)[] = [];
  #onConnected: () => void = () => undefined;
  #socket: Socket | undefined;

  constructor() {
    this.connected = new Promise((resolve) => {
      this.#onConnected = resolve;
    });
  }

  /** The kubelet's connection. */
  connect(socket: Socket, lines: Interface): void {
    this.#socket = socket;
    lines.on('line', (line) => {
      this.#waiting.shift()?.(parseControlAnswer(line));
    });
    this.#onConnected();
  }

  /** Serves a node; answers its port. */
  async listen(node: string): Promise<number> {
    const answer = await this.#tell({ tag: 'listen', node });
    if (answer.tag === 'listening') return answer.port;
    throw refusal(answer);
  }

  /** Ends a node's kubelet. */
  async close(node: string): Promise<void> {
    const answer = await this.#tell({ tag: 'close', node });
    if (answer.tag !== 'closed') throw refusal(answer);
  }

  #tell(order: ControlOrder): Promise<ControlAnswer> {
    const socket = this.#socket;
    if (socket === undefined) throw new Error('the kubelet has not connected yet');
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      socket.write(`${JSON.stringify(order)}\n`);
    });
  }
}

function refusal(answer: ControlAnswer): Error {
  return new Error(`the kubelet of ${answer.node}: ${answer.tag === 'failed' ? answer.message : answer.tag}`);
}
