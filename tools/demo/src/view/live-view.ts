import type { Cancel, Clock } from '@cro/clock';
import type { DeviceLine } from './device-lines.ts';
import type { Output, View } from './view.ts';

/** A terminal. */
export interface Terminal extends Output {
  readonly columns?: number;
}

interface Row {
  readonly line: DeviceLine;
  /** When its state last changed. */
  readonly since: number;
}

/** How often the seconds are counted on. */
const REFRESH_MS = 250;
const COLOURS: Readonly<Record<string, number>> = { new: 90, Attaching: 33, Online: 32, Detaching: 35, Deleting: 90 };

/** Finished steps scroll up; below them stands a table of the devices, drawn again as they change and as time goes by. */
export class LiveView implements View {
  readonly #clock: Clock;
  readonly #terminal: Terminal;
  readonly #rows = new Map<string, Row>();
  #title = '';
  #began = 0;
  #drawn = 0;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, terminal: Terminal) {
    this.#clock = clock;
    this.#terminal = terminal;
    this.#tick();
  }

  step(title: string): void {
    this.#title = title;
    this.#began = this.#clock.monotonic();
    this.#draw();
  }

  note(text: string): void {
    this.#scroll(`    ${text}`);
  }

  stepDone(title: string, seconds: number): void {
    this.#title = '';
    this.#scroll(`${paint(32, '✔')} ${title} ${paint(90, `${seconds.toFixed(2)} s`)}`);
  }

  device(key: string, line: DeviceLine): void {
    const before = this.#rows.get(key);
    const since = before?.line.state === line.state ? before.since : this.#clock.monotonic();
    this.#rows.set(key, { line, since });
    this.#draw();
  }

  deviceGone(key: string): void {
    this.#rows.delete(key);
    this.#draw();
  }

  text(text: string): void {
    this.#erase();
    this.#terminal.write(text);
    this.#draw();
  }

  close(): void {
    this.#cancel();
    this.#erase();
    this.#rows.clear();
    this.#title = '';
  }

  #tick(): void {
    this.#cancel = this.#clock.after(REFRESH_MS, () => {
      this.#draw();
      this.#tick();
    });
  }

  #scroll(line: string): void {
    this.#erase();
    this.#terminal.write(`${line}\n`);
    this.#draw();
  }

  #erase(): void {
    if (this.#drawn > 0) this.#terminal.write(`\u001b[${this.#drawn}A\u001b[J`);
    this.#drawn = 0;
  }

  #draw(): void {
    this.#erase();
    const width = (this.#terminal.columns ?? 100) - 1;
    const head =
      this.#title === '' ? [] : [`${paint(36, '▶')} ${fit(this.#title, width - 12)} ${this.#seconds(this.#began)}`];
    const lines = [...head, ...[...this.#rows.values()].map((row) => this.#row(row, width))];
    this.#terminal.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawn = lines.length;
  }

  #row({ line, since }: Row, width: number): string {
    const { name, node, state, device, waitsFor } = line;
    const fixed = `    ${name.padEnd(13)} ${node.padEnd(10)} `;
    const rest = ` ${this.#seconds(since)}  ${waitsFor === '' ? device : waitsFor}`;
    return fixed + paint(COLOURS[state] ?? 37, state.padEnd(10)) + fit(rest, Math.max(0, width - fixed.length - 10));
  }

  #seconds(since: number): string {
    return `${((this.#clock.monotonic() - since) / 1000).toFixed(1).padStart(5)} s`;
  }
}

function paint(colour: number, text: string): string {
  return `\u001b[${colour}m${text}\u001b[0m`;
}

/** A row must not wrap: the count of drawn lines would be wrong. */
function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
