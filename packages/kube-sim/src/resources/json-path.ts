import { isList, isObject, type JsonValue } from '../base/json.ts';

type Step =
  | { readonly tag: 'field'; readonly name: string }
  | { readonly tag: 'index'; readonly index: number }
  | { readonly tag: 'all' }
  | { readonly tag: 'filter'; readonly path: readonly Step[]; readonly equal: boolean; readonly text: string };

/** A field, `['field']`, `[0]`, `[*]`, or `[?(@.type=="Ready")]`: what printer columns use of kubectl's JSONPath. */
const STEP =
  /^(?:\.(\*|(?:\\.|[^.[\\])+)|\[(?:'([^']*)'|"([^"]*)"|(-?\d+)|(\*)|\?\(@((?:\.[^=!<>\s]+)+)\s*(==|!=)\s*['"]?([^'")]*)['"]?\))\])/u;

/** Reads a path once; the result finds the values in an object. A path that is not understood finds nothing. */
export function compileJsonPath(text: string): (value: JsonValue) => readonly JsonValue[] {
  const steps = parse(text.startsWith('.') || text.startsWith('[') ? text : `.${text}`);
  return (value) => (steps === undefined ? [] : find(value, steps));
}

function parse(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let rest = text; rest !== '';) {
    const match = STEP.exec(rest);
    if (match === null) return undefined;
    const step = toStep(match);
    if (step === undefined) return undefined;
    steps.push(step);
    rest = rest.slice(match[0].length);
  }
  return steps;
}

function toStep(match: RegExpExecArray): Step | undefined {
  const [, field, single, double, index, star, filterPath, operator, text] = match;
  if (field === '*' || star !== undefined) return { tag: 'all' };
  const name = field?.replaceAll(/\\(.)/gu, '$1') ?? single ?? double;
  if (name !== undefined) return { tag: 'field', name };
  if (index !== undefined) return { tag: 'index', index: Number(index) };
  const path = parse(filterPath ?? '');
  return path === undefined ? undefined : { tag: 'filter', path, equal: operator === '==', text: text ?? '' };
}

function find(value: JsonValue, steps: readonly Step[]): readonly JsonValue[] {
  return steps.reduce<readonly JsonValue[]>((found, step) => found.flatMap((item) => take(item, step)), [value]);
}

function take(value: JsonValue, step: Step): readonly JsonValue[] {
  switch (step.tag) {
    case 'field': {
      const found = isObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
      return found === undefined ? [] : [found];
    }
    case 'index': {
      const found = isList(value) ? value.at(step.index) : undefined;
      return found === undefined ? [] : [found];
    }
    case 'all':
      return isList(value) ? value : isObject(value) ? Object.values(value) : [];
    case 'filter':
      return isList(value) ? value.filter((item) => matches(item, step)) : [];
  }
}

function matches(item: JsonValue, step: Extract<Step, { tag: 'filter' }>): boolean {
  const found = find(item, step.path).some((value) => String(value) === step.text);
  return found === step.equal;
}
