import type { DeviceLine } from './device-lines.ts';

/** What a person sees of the story while it goes on. */
export interface View {
  /** A part of the story begins. */
  step(title: string): void;
  /** Something to know. */
  note(text: string): void;
  /** A part of the story is over. */
  stepDone(title: string, seconds: number): void;
  /** How a device stands now. */
  device(key: string, line: DeviceLine): void;
  /** A device's object is gone. */
  deviceGone(key: string): void;
  /** Text after the story, as it is. */
  text(text: string): void;
  close(): void;
}

/** Where a view writes. */
export interface Output {
  write(text: string): void;
}
