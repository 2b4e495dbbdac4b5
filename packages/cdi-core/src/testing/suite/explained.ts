import assert from 'node:assert/strict';

/** Says in which of many stories of one case something failed. */
export async function explained(story: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const message = `${story}: ${error instanceof Error ? error.message : String(error)}`;
    throw new assert.AssertionError({ message, operator: 'explained' });
  }
}
