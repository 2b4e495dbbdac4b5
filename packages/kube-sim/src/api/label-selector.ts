import { badRequest } from '../base/failures.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt, stringsAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';

/** Says whether an object is picked. */
export type Matcher = (object: JsonObject) => boolean;

interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent';
  readonly values: readonly string[];
}

const NAME = String.raw`[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?`;
const SET = new RegExp(String.raw`^(${NAME})\s+(in|notin)\s*\(([^()]*)\)$`, 'u');
const EQUAL = new RegExp(String.raw`^(${NAME})\s*(==|=|!=)\s*([-A-Za-z0-9_.]*)$`, 'u');
const EXISTS = new RegExp(String.raw`^(!?)\s*(${NAME})$`, 'u');

/** Reads `a=b,c!=d,e in (f,g),h notin (i),j,!k`. */
export function parseLabelSelector(text: string): Result<Matcher> {
  const requirements: Requirement[] = [];
  // A comma inside parentheses separates values, not requirements.
  for (const part of text.split(/,(?![^(]*\))/u).map((piece) => piece.trim())) {
    if (part === '' && text.trim() === '') continue;
    const requirement = parseRequirement(part);
    if (requirement === undefined) {
      return badRequest(`unable to parse requirement: found '${part}', expected: a label requirement`);
    }
    requirements.push(requirement);
  }
  return success(matchAll(requirements));
}

/** Reads a LabelSelector object: `matchLabels` and `matchExpressions`. Without either it picks everything. */
export function labelSelectorOf(selector: JsonObject): Matcher {
  const equal = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]): Requirement => ({
    key,
    operator: 'in',
    values: [String(value)],
  }));
  const expressions = listAt(selector, 'matchExpressions')
    .filter(isObject)
    .map((expression): Requirement => ({
      key: stringAt(expression, 'key') ?? '',
      operator: OPERATORS.get(stringAt(expression, 'operator') ?? '') ?? 'in',
      values: stringsAt(expression, 'values'),
    }));
  return matchAll([...equal, ...expressions]);
}

const OPERATORS: ReadonlyMap<string, Requirement['operator']> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', 'absent'],
]);

function parseRequirement(part: string): Requirement | undefined {
  const set = SET.exec(part);
  if (set?.[1] !== undefined) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return { key: set[1], operator: set[2] === 'in' ? 'in' : 'notin', values };
  }
  const equal = EQUAL.exec(part);
  if (equal?.[1] !== undefined) {
    return { key: equal[1], operator: equal[2] === '!=' ? 'notin' : 'in', values: [equal[3] ?? ''] };
  }
  const exists = EXISTS.exec(part);
  if (exists?.[2] === undefined) return undefined;
  return { key: exists[2], operator: exists[1] === '!' ? 'absent' : 'exists', values: [] };
}

function matchAll(requirements: readonly Requirement[]): Matcher {
  return (object) => {
    const labels = objectAt(object, 'metadata', 'labels');
    return requirements.every((requirement) => satisfies(labels, requirement));
  };
}

function satisfies(labels: JsonObject, { key, operator, values }: Requirement): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'in':
      return typeof value === 'string' && values.includes(value);
    case 'notin':
      return typeof value !== 'string' || !values.includes(value);
  }
}
