import { ref, resource, type Entry } from '../entry.ts';
import type { RedfishState } from '../state.ts';
import { BLOCKS, ROOT, SYSTEMS } from '../uris.ts';
import { blocks } from './blocks.ts';
import { chassis } from './chassis.ts';
import { fabrics } from './fabrics.ts';
import { systems } from './systems.ts';
import { WELL } from './status.ts';

const EXPAND = { ExpandAll: true, Levels: true, Links: true, NoLinks: true, MaxLevels: 6 };

/** The whole service, with its task service if it has one. */
export function serviceRoot(state: RedfishState, tasks?: Entry): Entry {
  const { expand, composeBy } = state.style;
  const hasBlocks = composeBy !== 'connections';
  const composition = resource(
    `${ROOT}/CompositionService`,
    'CompositionService.v1_2_0.CompositionService',
    { ServiceEnabled: true, Status: WELL, ResourceBlocks: ref(BLOCKS) },
    [blocks(state)],
  );
  const properties = {
    RedfishVersion: '1.20.0',
    UUID: '00000000-2000-4000-8000-000000000000',
    ProtocolFeaturesSupported: { ExpandQuery: expand ? EXPAND : {} },
    Systems: ref(SYSTEMS),
    Chassis: ref(`${ROOT}/Chassis`),
    Fabrics: ref(`${ROOT}/Fabrics`),
    ...(hasBlocks ? { CompositionService: ref(`${ROOT}/CompositionService`) } : {}),
    ...(tasks === undefined ? {} : { Tasks: ref(tasks.uri) }),
    SessionService: ref(`${ROOT}/SessionService`),
    Links: { Sessions: ref(`${ROOT}/SessionService/Sessions`) },
  };
  const below = [
    systems(state),
    chassis(state),
    fabrics(state),
    ...(hasBlocks ? [composition] : []),
    ...(tasks === undefined ? [] : [tasks]),
  ];
  return resource(ROOT, 'ServiceRoot.v1_17_0.ServiceRoot', properties, below);
}
