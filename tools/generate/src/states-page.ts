import type { RequestFacts, ResourceFacts } from '@cro/state-machines';
import {
  isConsistent,
  newResource,
  requestDomain,
  requestLife,
  requestOutcomes,
  resourceDomain,
  resourceDomainIn,
  resourceLife,
  resourceOutcomes,
  runningRequest,
  type Act,
  type RequestAct,
} from '@cro/state-machines/catalogue';
import { machinePicture, type Machine } from './machine-picture.ts';
import { machineTable } from './machine-table.ts';

const resource: Machine<ResourceFacts, Act> = {
  life: resourceLife,
  domainIn: (state) => {
    const known = stateIn(resourceDomain.state, state);
    return { ...resourceDomain, ...resourceDomainIn[known], state: [known] };
  },
  isPossible: isConsistent,
  example: (state) => ({ ...newResource, state: stateIn(resourceDomain.state, state) }),
  varied: [
    'goal',
    'finalizer',
    'shared',
    'hold',
    'giveBack',
    'ticket',
    'started',
    'device',
    'visible',
    'node',
    'location',
    'origin',
  ],
  readByActs: ['goal', 'ticket', 'visible'],
  leadsTo: (act, facts) => {
    const words = { name: '', node: '', model: '', deviceId: '', health: '', missing: '', pausedBy: '' };
    return [undefined, ...resourceOutcomes].flatMap((outcome) => placeOf(act(facts, words, outcome)));
  },
};

const request: Machine<RequestFacts, RequestAct> = {
  life: requestLife,
  domainIn: (state) => ({ ...requestDomain, state: [stateIn(requestDomain.state, state)] }),
  isPossible: () => true,
  example: (state) => ({ ...runningRequest, state: stateIn(requestDomain.state, state) }),
  varied: ['goal', 'finalizer', 'shared', 'hold', 'target', 'plan', 'missing', 'lost', 'extra', 'online', 'children'],
  readByActs: ['plan', 'lost'],
  leadsTo: (act, facts) => {
    const words = { targetNode: '', online: 0, planned: 0, childError: '', pausedBy: '' };
    return [undefined, ...requestOutcomes].flatMap((outcome) => placeOf(act(facts, words, outcome)));
  },
};

function stateIn<State extends string>(states: readonly State[], name: string): State {
  const found = states.find((state) => state === name);
  if (found === undefined) throw new Error(`no state "${name}"`);
  return found;
}

interface Reporting {
  readonly state: string;
}
interface Decision {
  readonly tag: string;
  readonly report?: Reporting;
  readonly change?: { readonly tag: string; readonly report?: Reporting };
}

function placeOf({ report, change }: Decision): string[] {
  if (change?.tag === 'removeFinalizer') return ['end'];
  return [report, change?.report].flatMap((one) => (one === undefined ? [] : [one.state]));
}

/** `docs/states.md`: the pictures and tables of both machines, drawn from the tables themselves. */
export function statesPage(): string {
  return `# States

This page is made from the tables in \`packages/state-machines\` by \`npm run generate\`; a test fails when it is stale.

An edge carries the names of the rows that lead along it; rows that stay in their state are in the tables only. In a
state the rows are tried from the top, and the first that fits decides.

## ComposabilityRequest

\`\`\`mermaid
${machinePicture(request)}
\`\`\`

${machineTable(request)}

## ComposableResource

\`\`\`mermaid
${machinePicture(resource)}
\`\`\`

${machineTable(resource)}
`;
}
