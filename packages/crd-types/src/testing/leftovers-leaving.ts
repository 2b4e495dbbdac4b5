import { READY_TO_DETACH_CDI_DEVICE_LABEL, READY_TO_DETACH_DEVICE_LABEL } from '../names.ts';
import { goResource, type GoObject, type GoStatus, type Ids } from './go-objects.ts';
import { each, family, GIVEN_BACK, nameOf, NOT_ATTACHED, spec, type Leftover } from './leftover.ts';

/** Somebody deleted something. */
export const leaving: readonly Leftover[] = [
  {
    what: 'deleted while Online',
    attached: 1,
    objects: (ids) => family('Cleaning', ids.map(each('Online'))),
    deleted: 'all',
    calls: GIVEN_BACK,
    end: 'gone',
  },
  {
    what: 'deleted while Running, the resource not deleted yet',
    attached: 1,
    objects: (ids) => family('Running', ids.map(each('Online'))),
    deleted: 'all',
    calls: GIVEN_BACK,
    end: 'gone',
  },
  {
    what: 'deleted while Attaching without ids, and the call took effect',
    attached: 1,
    objects: () => family('Cleaning', [{ state: 'Attaching' }]),
    deleted: 'all',
    calls: GIVEN_BACK,
    end: 'gone',
  },
  {
    what: 'deleted while Attaching with ids and an error',
    attached: 1,
    objects: (ids) => family('Cleaning', ids.map(each('Attaching', 'the device is in Critical state in FM'))),
    deleted: 'all',
    calls: GIVEN_BACK,
    end: 'gone',
  },
  {
    what: 'Detaching',
    attached: 1,
    objects: (ids) => family('Cleaning', ids.map(each('Detaching'))),
    deleted: 'all',
    calls: GIVEN_BACK,
    end: 'gone',
  },
  {
    what: 'Detaching, the device known by the id of the node alone',
    attached: 1,
    objects: (ids) =>
      family(
        'Cleaning',
        ids.map(({ device_id }) => ({ state: 'Detaching', device_id })),
      ),
    deleted: 'all',
    calls: GIVEN_BACK,
    end: 'gone',
  },
  {
    what: 'Detaching, and the fabric has taken the device back',
    attached: 0,
    objects: () =>
      family('Cleaning', [
        { state: 'Detaching', device_id: 'GPU-99999999-0000-4000-8000-000000000000', cdi_device_id: 'RES-gone' },
      ]),
    deleted: 'all',
    calls: NOT_ATTACHED,
    end: 'gone',
  },
  {
    what: 'Deleting',
    attached: 0,
    objects: () => family('Cleaning', [{ state: 'Deleting' }]),
    deleted: 'all',
    calls: NOT_ATTACHED,
    end: 'gone',
  },
  {
    what: 'Deleting, no resource left',
    attached: 0,
    objects: () => family('Deleting', []),
    deleted: 'all',
    calls: NOT_ATTACHED,
    end: 'gone',
  },
  {
    what: 'Running, one of its resources deleted by hand',
    attached: 1,
    objects: (ids) => family('Running', ids.map(each('Online'))),
    deleted: 'resources',
    calls: { attach: 1, detach: 1 },
    end: 1,
  },
];

/** A resource of the syncer, which gives a device back that nobody owns. */
function givingBack(status: GoStatus | undefined, ids: readonly Ids[]): readonly GoObject[] {
  return ids.map(({ device_id, cdi_device_id }, index) => {
    const labels = { [READY_TO_DETACH_DEVICE_LABEL]: device_id, [READY_TO_DETACH_CDI_DEVICE_LABEL]: cdi_device_id };
    const withIds = status && { ...status, device_id, cdi_device_id };
    return goResource(nameOf(index), undefined, spec, withIds, { labels });
  });
}

/** The syncer found a device without an owner. */
export const givenBack: readonly Leftover[] = [undefined, 'Attaching', 'Online'].map((state) => ({
  what: `a device that nobody owns, on its way back: ${state ?? 'not seen yet'}`,
  attached: 1,
  objects: (ids) => givingBack(state === undefined ? undefined : { state }, ids),
  calls: GIVEN_BACK,
  end: 'gone',
}));
