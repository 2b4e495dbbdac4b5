import { delay } from '@cro/clock';
import { timeText, type ApplyEnd, type ItemResult, type Procedure } from './apply-record.ts';
import { machineOfSource, type NecContext } from './context.ts';
import type { HardwareAnswer } from './hardware.ts';

/** What one step came to. `suspends`: the hardware said no, so a person has to decide. */
export interface ItemEnd {
  readonly result: ItemResult;
  readonly suspends: boolean;
}

/** Does one step, as long as it takes. `fate` is what a fault makes of it. */
export async function runItem(context: NecContext, item: Procedure, fate: ApplyEnd | undefined): Promise<ItemEnd> {
  const { clock, connectMs, disconnectMs } = context;
  const startedAt = timeText(clock.now());
  const workMs = item.operation === 'connect' ? connectMs() : item.operation === 'disconnect' ? disconnectMs() : 0;
  if (workMs > 0) await delay(clock, workMs);
  const answer = fate === undefined ? act(context, item) : fated(context, item, fate);
  const times = { startedAt, endedAt: timeText(clock.now()) };
  const { operationID } = item;
  if (answer.tag === 'done') {
    const result = {
      operationID,
      status: 'COMPLETED',
      ...callOf(item),
      statusCode: 200,
      responseBody: {},
      ...times,
    } as const;
    return { result, suspends: false };
  }
  const isUnasked = fate === undefined && isUnknown(context, item);
  const result = { operationID, status: 'FAILED', ...told(item, answer, fate?.at, isUnasked), ...times } as const;
  return { result, suspends: fate === undefined ? !isUnasked : fate.status === 'SUSPENDED' };
}

/** Before a connect the device itself is asked for: where it is unknown, nothing is asked of the hardware, and nobody has to decide. */
function isUnknown({ pool }: NecContext, { operation, device }: Procedure): boolean {
  return operation === 'connect' && pool.device(device) === undefined;
}

/** What the record shows of a step that failed: which call it was, and what that was answered. */
function told(
  item: Procedure,
  { statusCode, code, message }: Extract<HardwareAnswer, { tag: 'refused' }>,
  at: ApplyEnd['at'],
  isUnasked: boolean,
): Partial<ItemResult> {
  const responseBody = { code, message };
  if (isUnasked || at === 'getInformation') return { getInformation: { responseBody } };
  if (at === undefined) return { ...callOf(item), statusCode, responseBody };
  const power = callOf({ ...item, operation: 'boot' });
  return { ...power, statusCode: 200, responseBody: {}, isOSBoot: { statusCode, responseBody } };
}

function act({ hardware, dialect }: NecContext, { operation, source, device }: Procedure): HardwareAnswer {
  switch (operation) {
    case 'connect':
    case 'disconnect':
      return hardware.change(operation, machineOfSource(dialect, source), device);
    case 'boot':
    case 'shutdown':
      hardware.setPower(device, operation === 'boot' ? 'On' : 'Off');
      return { tag: 'done' };
    default:
      return operation satisfies never;
  }
}

function fated(context: NecContext, item: Procedure, fate: ApplyEnd): HardwareAnswer {
  if (fate.happened === true) act(context, item);
  const { code = 'E40007', statusCode = 500 } = fate;
  return { tag: 'refused', statusCode, code, message: `simulated ${code}` };
}

function callOf({ operation, source, device }: Procedure) {
  switch (operation) {
    case 'connect':
    case 'disconnect':
      return {
        uri: `http://hw-control:8000/cdim/api/v1/cpu/${source ?? ''}/aggregations`,
        method: 'PUT',
        requestBody: { action: operation, deviceID: device },
      };
    case 'boot':
    case 'shutdown':
      return {
        uri: `http://hw-control:8000/cdim/api/v1/devices/${device}/power`,
        method: 'PUT',
        requestBody: { action: operation === 'boot' ? 'on' : 'off' },
      };
    default:
      return operation satisfies never;
  }
}
