import { FabricId, wireDecoder, type ListedDevice } from '@cro/cdi-core';
import { Type, type Static } from 'typebox';

/** What the fabric says of a machine. Fields that are not named here pass; a field that is named is checked at every answer. */
const Machine = Type.Object({
  devices: Type.Array(
    Type.Object({
      id: FabricId,
      uuid: Type.String(),
      model: Type.String(),
      healthy: Type.Boolean(),
    }),
  ),
});

export type Machine = Static<typeof Machine>;
export const decodeMachine = wireDecoder(Machine);

/** The same in the words of the contract. `deviceId` is what the node knows the device by: for a GPU its UUID. */
export function devicesOf(machine: string, { devices }: Machine): ListedDevice[] {
  return devices.map(({ id, uuid, model, healthy }) => ({
    machine,
    type: 'gpu',
    model,
    cdiDeviceId: id,
    ...(uuid === '' ? {} : { deviceId: uuid }),
    health: healthy ? { level: 'ok' } : { level: 'critical', message: 'the fabric says that it is not healthy' },
  }));
}
