/** The text at a path of properties in a stored object. Throws, naming the path, when there is none. */
export function textAt(object: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    object,
  );
  if (typeof found === 'string' && found !== '') return found;
  throw new Error(`a stored object has no text in ${path.join('.')}`);
}
