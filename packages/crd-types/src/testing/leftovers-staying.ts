import { DELETE_DEVICE_ANNOTATION, LAST_USED_ANNOTATION } from '../names.ts';
import { goRequest, goResource } from './go-objects.ts';
import { ATTACHED, each, family, LEFT_REQUEST, nameOf, NOT_ATTACHED, spec, wish, type Leftover } from './leftover.ts';

/** The request works. */
export const working: readonly Leftover[] = [
  {
    what: 'Running, its devices Online',
    attached: 2,
    objects: (ids) => family('Running', ids.map(each('Online'))),
    calls: NOT_ATTACHED,
    end: 2,
  },
  {
    what: 'Running, a device Online with an error of the fabric that is over',
    attached: 1,
    objects: (ids) =>
      family('Running', ids.map(each('Online', "the target gpu 'x' is showing a Warning status in FM"))),
    calls: NOT_ATTACHED,
    end: 1,
  },
  {
    what: 'Running, its devices annotated by an autoscaler',
    attached: 1,
    objects: (ids) => {
      const [request, ...children] = family('Running', ids.map(each('Online')));
      const annotations = { [LAST_USED_ANNOTATION]: '2026-01-01T10:30:00Z', [DELETE_DEVICE_ANNOTATION]: 'true' };
      const annotated = children.map((child) => ({ ...child, metadata: { ...child.metadata, annotations } }));
      return request === undefined ? [] : [request, ...annotated];
    },
    calls: NOT_ATTACHED,
    end: 1,
  },
  {
    what: 'Running, a device known by the id of the node alone',
    attached: 1,
    objects: (ids) =>
      family(
        'Running',
        ids.map(({ device_id }) => ({ state: 'Online', device_id })),
      ),
    calls: NOT_ATTACHED,
    end: 1,
  },
  {
    what: 'Running, with a spec that was changed a moment ago',
    attached: 1,
    objects: (ids) =>
      family('Running', ids.map(each('Online'))).map((object) =>
        object.kind === 'ComposabilityRequest' ? { ...object, spec: { resource: wish(2) } } : object,
      ),
    calls: ATTACHED,
    end: 2,
  },
  {
    what: 'Updating, its devices Online',
    attached: 1,
    objects: (ids) => family('Updating', ids.map(each('Online'))),
    calls: NOT_ATTACHED,
    end: 1,
  },
];

/** Nothing was asked of the fabric yet. */
export const beginning: readonly Leftover[] = [
  {
    what: 'a request that nobody has seen',
    attached: 0,
    objects: () => [goRequest(LEFT_REQUEST, wish(1), undefined)],
    calls: ATTACHED,
    end: 1,
  },
  {
    what: 'NodeAllocating, nothing chosen',
    attached: 0,
    objects: () => family('NodeAllocating', []).map((one) => ({ ...one, spec: { resource: wish(1) } })),
    calls: ATTACHED,
    end: 1,
  },
  {
    what: 'NodeAllocating that found no node',
    attached: 0,
    objects: () => [
      goRequest(LEFT_REQUEST, wish(1), {
        state: 'NodeAllocating',
        error: 'insufficient number of available nodes',
      }),
    ],
    calls: ATTACHED,
    end: 1,
  },
  {
    what: 'Updating, names chosen and no resource created',
    attached: 0,
    objects: () => family('Updating', [undefined]),
    calls: ATTACHED,
    end: 1,
  },
  {
    what: 'Updating, one device Online and one not created',
    attached: 1,
    objects: (ids) => family('Updating', [...ids.map(each('Online')), undefined]),
    calls: ATTACHED,
    end: 2,
  },
  {
    what: 'Updating, a resource that nobody has seen',
    attached: 0,
    objects: () => [...family('Updating', [undefined]), goResource(nameOf(0), LEFT_REQUEST, spec, undefined)],
    calls: ATTACHED,
    end: 1,
  },
];

/** The fabric was asked for a device. */
export const attaching: readonly Leftover[] = [
  {
    what: 'Attaching without ids, and the call never came to anything',
    attached: 0,
    objects: () => family('Updating', [{ state: 'Attaching' }]),
    calls: ATTACHED,
    end: 1,
  },
  {
    what: 'Attaching without ids, and the fabric refused',
    attached: 0,
    objects: () =>
      family('Updating', [{ state: 'Attaching', error: "FM returned code: 'E02XXXX', error message: 'busy'" }]),
    calls: ATTACHED,
    end: 1,
  },
  {
    what: 'Attaching without ids, and the call took effect',
    attached: 1,
    objects: () => family('Updating', [{ state: 'Attaching' }]),
    calls: NOT_ATTACHED,
    end: 1,
  },
  {
    what: 'two Attaching without ids, and one call took effect',
    attached: 1,
    objects: () => family('Updating', [{ state: 'Attaching' }, { state: 'Attaching' }]),
    calls: ATTACHED,
    end: 2,
  },
  {
    what: 'Attaching with ids',
    attached: 1,
    objects: (ids) => family('Updating', ids.map(each('Attaching'))),
    calls: NOT_ATTACHED,
    end: 1,
  },
  {
    what: 'Attaching with ids and an error of the node',
    attached: 1,
    objects: (ids) =>
      family('Updating', ids.map(each('Attaching', 'nvidia-driver-daemonset pod is not found on node worker-0'))),
    calls: NOT_ATTACHED,
    end: 1,
  },
];
