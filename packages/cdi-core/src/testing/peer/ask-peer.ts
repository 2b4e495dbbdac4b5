/** Writes one line, without its end. */
type Tell = (line: string) => void;

/**
 * Plays a story on the server whose URL stands in an environment variable, and tells how it went. False when it went wrong; a variable that is
 * not set is told in one line, and is no failure.
 */
export async function askPeer(
  variable: string,
  env: Readonly<Record<string, string | undefined>>,
  play: (url: string, tell: Tell) => Promise<void>,
  tell: Tell,
): Promise<boolean> {
  const url = env[variable]?.replace(/\/+$/, '') ?? '';
  if (url === '') {
    tell(`${variable} is not set: that server is not asked`);
    return true;
  }
  tell(`${variable}=${url}`);
  const indented: Tell = (line) => {
    tell(`  ${line}`);
  };
  try {
    await play(url, indented);
    return true;
  } catch (error) {
    indented(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
