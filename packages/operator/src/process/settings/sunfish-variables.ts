import type { AttachMethod, AuthMethod, MemoryModel } from '@cro/cdi-sunfish';
import { defaulted, variable } from './declare.ts';
import { oneOf } from './parsers.ts';
import type { Parsed } from './variable.ts';

/** Where the Go operator looks for Sunfish when it is told nothing. */
const ENDPOINT = 'http://composition-service.cro-system.svc.cluster.local:5060';

/** The variables of a Redfish service or a Sunfish server: that of the Go operator, and what it does not say. */
export const SUNFISH_VARIABLES = {
  sunfishEndpoint: defaulted<string>({
    name: 'SUNFISH_ENDPOINT',
    meaning:
      'With SUNFISH: where the Redfish service or the Sunfish server answers. Without a scheme it is http, as in the Go operator.',
    accepts: '[http[s]://]host[:port][/]',
    fallback: ENDPOINT,
    parse: origin,
  }),
  sunfishAuth: defaulted<AuthMethod>({
    name: 'CRO_SUNFISH_AUTH',
    meaning:
      'With SUNFISH: how to sign in, with the keys username and password (basic, session) or token (bearer) of the Secret `credentials`. All but none need an https endpoint.',
    accepts: 'none, basic, session or bearer',
    fallback: 'none',
    parse: oneOf('none', 'basic', 'session', 'bearer'),
  }),
  sunfishAttachMethod: defaulted<AttachMethod>({
    name: 'CRO_SUNFISH_ATTACH_METHOD',
    meaning: 'With SUNFISH: how GPUs are attached; auto takes what the service offers for each system.',
    accepts: 'auto, resourceBlocks or connections',
    fallback: 'auto',
    parse: oneOf('auto', 'resourceBlocks', 'connections'),
  }),
  sunfishMemoryModels: variable<Readonly<Record<string, MemoryModel>>>({
    name: 'CRO_SUNFISH_MEMORY_MODELS',
    meaning:
      'With SUNFISH: what a request of type cxlmemory may name as its model, and how large one piece of it is: cxl-64g=65536.',
    accepts: 'name=MiB with commas between them',
    parse: memoryModels,
  }),
} as const;

/** The origin of an http or https URL; `http` where no scheme is given. */
function origin(text: string): Parsed<string> {
  const match = /^(https?:\/\/)?((?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?)\/?$/.exec(text);
  const [, scheme = 'http://', authority] = match ?? [];
  const url = `${scheme}${authority ?? ''}`;
  return authority !== undefined && URL.canParse(url) ? { tag: 'ok', value: url } : { tag: 'invalid' };
}

function memoryModels(text: string): Parsed<Readonly<Record<string, MemoryModel>>> {
  const models = text.split(',').map((item) => /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})=([1-9]\d{0,8})$/.exec(item.trim()));
  const entries = models.flatMap((match) => {
    const [, name, size] = match ?? [];
    return name === undefined || size === undefined ? [] : [[name, { sizeMiB: Number(size) }] as const];
  });
  if (entries.length < models.length) return { tag: 'invalid' };
  return { tag: 'ok', value: Object.fromEntries(entries) };
}
