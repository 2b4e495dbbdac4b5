import { badRequest } from '../base/failures.ts';
import { type JsonObject, stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import type { Matcher } from './label-selector.ts';

interface Term {
  readonly label: (object: JsonObject) => string;
  readonly equal: boolean;
  readonly value: string;
}

const TERM = /^([^=!]+)(==|=|!=)(.*)$/u;

/** Reads `a.b=c,d!=e`. Labels that the resource does not know are refused, as the server does. */
export function parseFieldSelector(text: string, type: ResourceType): Result<Matcher> {
  const terms: Term[] = [];
  for (const part of text.split(/(?<!\\),/u).filter((piece) => piece !== '')) {
    const match = TERM.exec(part);
    if (match?.[1] === undefined) return badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    const label = labelOf(match[1], type);
    if (label === undefined) return badRequest(unknownLabel(match[1], type));
    const value = (match[3] ?? '').replaceAll(/\\([\\,=])/gu, '$1');
    terms.push({ label, equal: match[2] !== '!=', value });
  }
  return success((object) => terms.every((term) => (term.label(object) === term.value) === term.equal));
}

/** Kinds that declare no labels of their own are told the two that every kind has. */
function unknownLabel(name: string, type: ResourceType): string {
  if (type.custom || type.fieldLabels.size > 0) return `field label not supported: ${name}`;
  return `"${name}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function labelOf(name: string, type: ResourceType): ((object: JsonObject) => string) | undefined {
  if (name === 'metadata.name') return (object) => stringAt(object, 'metadata', 'name') ?? '';
  if (name === 'metadata.namespace') return (object) => stringAt(object, 'metadata', 'namespace') ?? '';
  return type.fieldLabels.get(name);
}
