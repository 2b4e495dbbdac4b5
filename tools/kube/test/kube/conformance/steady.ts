import { fieldAt } from '../support/kinds.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const AGE = /^\d+s$/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** What a server draws for a generateName: five letters and digits that spell no words. */
const SUFFIX = /([Gg]enerated[-_])[bcdfghjklmnpqrstvwxz2456789]{5}/g;

/** Left out: managedFields, which this project leaves alone, and what people read about a table's columns. */
const LEFT_OUT: ReadonlySet<string> = new Set(['managedFields', 'description']);

/** A text without what differs from run to run. */
export function steady(text: string): string {
  return text
    .replaceAll(UID, '<uid>')
    .replaceAll(SUFFIX, '$1<suffix>')
    .replaceAll(TIME, (time) => time.replaceAll(/\d/g, '0'))
    .replaceAll(
      /("resourceVersion"|resource version|"path":"\/metadata\/resourceVersion","value")(:\s*)"?\d+"?/g,
      '$1$2<rv>',
    )
    .replaceAll(/resourceVersion=\d+/g, 'resourceVersion=<rv>')
    .replaceAll(/continue=[^&]+/g, 'continue=<token>')
    .replaceAll(/in record \(\d+\)/g, 'in record (<rv>)')
    .replaceAll(/resource version: \S+ \(\d+\)/g, 'resource version: <rv> (<rv>)')
    .replaceAll(/(resource version: <rv>, current: )\d+/g, '$1<rv>')
    .replaceAll(/ \(possibly because of .*?\\?"cro-kube\\?"\)/g, '')
    .replaceAll(/scheme\.go:\d+/g, 'scheme.go:<line>')
    .replaceAll(/(Invalid value: "\{)[^\n]*(\}": strict)/g, '$1<object>$2');
}

/** A value without what differs from run to run. */
export function steadyValue(value: unknown): unknown {
  if (typeof value === 'string') return AGE.test(value) ? '<age>' : steady(value);
  if (Array.isArray(value)) return value.map(steadyValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, steadyField(key, item)]));
}

function steadyField(key: string, value: unknown): unknown {
  if (key === 'resources' && Array.isArray(value)) return value.map(steadyValue).toSorted(byName);
  if (typeof value !== 'string' || value === '') return steadyValue(value);
  if (key === 'resourceVersion') return '<rv>';
  return key === 'continue' ? '<token>' : steadyValue(value);
}

/** In which order a server tells what resources a group has is another one from start to start. */
function byName(left: unknown, right: unknown): number {
  return nameOf(left).localeCompare(nameOf(right));
}

/** Of a resource in discovery: `name`, or in aggregated discovery `resource`. Nothing else that is called so has one. */
function nameOf(resource: unknown): string {
  const name = fieldAt(resource, 'name') ?? fieldAt(resource, 'resource');
  return typeof name === 'string' ? name : '';
}
