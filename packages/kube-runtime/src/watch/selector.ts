import { isObject, objectField } from '../json.ts';
import type { ListOptions } from '../client/list.ts';

type Test = (value: unknown) => boolean;

/** `a in (x,y)`, `a notin (x)`, `!a`, `a`, `a=x`, `a==x`, `a!=x`: one requirement of a label selector. */
const SET = /^([^\s=!,()]+)\s+(in|notin)\s*\(([^)]*)\)$/;
const EQUALITY = /^([^\s=!,()]+)\s*(==|=|!=)\s*([^\s=!,()]*)$/;
const EXISTS = /^(!?)\s*([^\s=!,()]+)$/;
/** Requirements of a field selector. A backslash takes the character behind it into the value. */
const FIELDS = /(?:\\.|[^,\\])+/g;
const FIELD = /^([\w.]+)\s*(==|=|!=)\s*((?:\\.|[^\\=])*)$/;

/**
 * Says whether an object belongs to a selection, as the server would. Needed for own writes only: what the watch sends
 * belongs. Throws on a selector that cannot be read: it is a mistake of the program.
 */
export function matcherOf({ namespace, labelSelector = '', fieldSelector = '' }: ListOptions): Test {
  const tests: Test[] = [
    // A comma inside parentheses belongs to a set.
    ...parts(labelSelector, /,(?![^(]*\))/).map(labelTest),
    ...(fieldSelector.match(FIELDS) ?? []).map((part) => fieldTest(part.trim())),
  ];
  if (namespace !== undefined) tests.push((value) => fieldOf(value, 'metadata.namespace') === namespace);
  return (value) => tests.every((test) => test(value));
}

function parts(selector: string, separator: RegExp): string[] {
  return selector
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function labelTest(requirement: string): Test {
  const [, setLabel = '', operator, list = ''] = SET.exec(requirement) ?? [];
  if (operator !== undefined) {
    const values = new Set(list.split(',').map((value) => value.trim()));
    // As in Kubernetes, `notin` and `!=` are true where the label is absent.
    return (value) => values.has(labelOf(value, setLabel) ?? absent) === (operator === 'in');
  }
  const [, label = '', comparison, expected = ''] = EQUALITY.exec(requirement) ?? [];
  if (comparison !== undefined) return (value) => (labelOf(value, label) === expected) === (comparison !== '!=');
  const [, not, present] = EXISTS.exec(requirement) ?? [];
  if (present === undefined) throw new Error(`label selector: cannot read ${JSON.stringify(requirement)}`);
  return (value) => (labelOf(value, present) !== undefined) === (not === '');
}

function fieldTest(requirement: string): Test {
  const [, path, comparison, escaped = ''] = FIELD.exec(requirement) ?? [];
  const expected = escaped.replaceAll(/\\(.)/g, '$1');
  if (path === undefined) throw new Error(`field selector: cannot read ${JSON.stringify(requirement)}`);
  // A field that is absent counts as empty.
  return (value) => ((fieldOf(value, path) ?? '') === expected) === (comparison !== '!=');
}

/** No label value holds a space. */
const absent = ' ';

function labelOf(value: unknown, label: string): string | undefined {
  const text = objectField(objectField(value, 'metadata'), 'labels')[label];
  return typeof text === 'string' ? text : undefined;
}

function fieldOf(value: unknown, path: string): string | undefined {
  let found: unknown = value;
  for (const name of path.split('.')) found = isObject(found) ? found[name] : undefined;
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}
