import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import { explain } from '../https/explain.ts';
import type { Upgrade } from '../https/https-transport.ts';
import { messageOf } from '../json.ts';
import { outcomeOfAnswer, outcomeOfStatus, type ExecOutcome } from './outcome.ts';
import { Output } from './output.ts';
import type { ExecRequest } from './request.ts';

/**
 * The one protocol that can say that input has ended; served since Kubernetes 1.30. Each message begins with the number of
 * its channel.
 */
const PROTOCOL = 'v5.channel.k8s.io';
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;

const DEFAULT_OUTPUT_BYTES = 1_048_576;
/** Of one message of input. */
const INPUT_BYTES = 32_768;
/** Of one message, and of a refusal's body. What a kubelet sends at a time is 32 KiB. */
const MOST_BYTES_AT_ONCE = 4_194_304;

/** Runs one command over a WebSocket. Resolves with its outcome; `signal` closes the connection, and is no outcome. */
export function runSession(upgrade: Upgrade, request: ExecRequest, signal: AbortSignal): Promise<ExecOutcome> {
  const { maxOutputBytes = DEFAULT_OUTPUT_BYTES, stdin } = request;
  const { url, agent, headers } = upgrade;
  return new Promise((resolve) => {
    // From when the request has left: what was not answered may have arrived all the same.
    let mayHaveBegun = false;
    const finishRequest = (sent: ClientRequest) => {
      sent.once('finish', () => {
        mayHaveBegun = true;
      });
      sent.end();
    };
    const options = { agent, headers, maxPayload: MOST_BYTES_AT_ONCE, perMessageDeflate: false, finishRequest };
    const socket = new WebSocket(url, PROTOCOL, options);
    const stdout = new Output(maxOutputBytes);
    const stderr = new Output(maxOutputBytes);
    const end = (outcome: ExecOutcome) => {
      resolve(outcome);
      // At once, and not after a closing handshake: a connection is held until then.
      socket.terminate();
    };
    const lose = (message: string) => {
      end({ tag: mayHaveBegun ? 'lost' : 'unreachable', message });
    };
    signal.addEventListener('abort', () => {
      socket.terminate();
    });
    socket.on('open', () => {
      if (stdin !== undefined) sendInput(socket, stdin);
    });
    socket.on('message', (data) => {
      const { channel, content } = parse(data);
      if (channel === CHANNEL.status) end(outcomeOfStatus(content.toString('utf8'), stdout.text, stderr.text));
      const output = channel === CHANNEL.stdout ? stdout : channel === CHANNEL.stderr ? stderr : undefined;
      if (output?.add(content) === 'full') end({ tag: 'tooMuchOutput', maxOutputBytes });
    });
    socket.on('unexpected-response', (_, response) => {
      if (response.statusCode === 401) upgrade.refused();
      textOf(response).then(
        (text) => {
          end(outcomeOfAnswer({ status: response.statusCode ?? 0, headers: {}, text }));
        },
        (error: unknown) => {
          end({ tag: 'unreachable', message: messageOf(error) });
        },
      );
    });
    socket.on('error', (error) => {
      lose(explain(error, url).message);
    });
    socket.on('close', () => {
      lose('the connection was closed before the command ended');
    });
  });
}

/** All of it, and that it has ended. */
function sendInput(socket: WebSocket, stdin: string): void {
  const bytes = Buffer.from(stdin);
  for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
    socket.send(Buffer.concat([Buffer.of(CHANNEL.stdin), bytes.subarray(at, at + INPUT_BYTES)]));
  }
  socket.send(Buffer.of(CHANNEL.close, CHANNEL.stdin));
}

function parse(data: RawData): { readonly channel: number | undefined; readonly content: Buffer } {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
  return { channel: bytes[0], content: bytes.subarray(1) };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response) {
    text += String(part);
    if (text.length > MOST_BYTES_AT_ONCE) break;
  }
  return text;
}
