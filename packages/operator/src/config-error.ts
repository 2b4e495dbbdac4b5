import type { Provider } from '@cro/cdi-core';

/** A configuration that cannot work. `message` is one line for a person. */
export class OperatorConfigError extends Error {
  override readonly name = 'OperatorConfigError';
}

/** A provider that cannot be made is one that cannot be used as it is configured. */
export function made(create: () => Provider): Provider {
  try {
    return create();
  } catch (error) {
    throw new OperatorConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
