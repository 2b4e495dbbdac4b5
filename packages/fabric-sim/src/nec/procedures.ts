import { Type, type Static, type TSchema } from 'typebox';
import { readJson, type Read } from '../core/read-json.ts';
import type { NecDialect } from './context.ts';
import type { Procedure } from './apply-record.ts';

const Step = Type.Object({ operationID: Type.Integer(), dependencies: Type.Array(Type.Integer()) });

/** `connect` and `disconnect` name two ends, in words that differ between the dialects; power names a device. */
function stepOf(dialect: NecDialect) {
  const ends =
    dialect === 'oss'
      ? Type.Object({ targetCPUID: Type.String(), targetDeviceID: Type.String() })
      : Type.Object({ sourceDeviceID: Type.String(), destinationDeviceID: Type.String() });
  const link = Type.Object({ operation: Type.Union([Type.Literal('connect'), Type.Literal('disconnect')]) });
  const power = Type.Object({
    operation: Type.Union([Type.Literal('boot'), Type.Literal('shutdown')]),
    targetDeviceID: Type.String(),
  });
  return Type.Union([Type.Intersect([Step, link, ends]), Type.Intersect([Step, power])]);
}

const Body = <Item extends TSchema>(item: Item) => Type.Object({ procedures: Type.Array(item) });
const OSS = Body(stepOf('oss'));
const PRODUCT = Body(stepOf('product'));

/** The steps of a POST's body, as they came and as they are understood. */
export interface ReadProcedures {
  readonly bodies: readonly unknown[];
  readonly procedures: readonly Procedure[];
}

/** Reads the body of `POST /layout-apply`. The words of the other dialect are refused, as the real one does. */
export function readProcedures(dialect: NecDialect, text: string): Read<ReadProcedures> {
  const body = readJson(dialect === 'oss' ? OSS : PRODUCT, text, 'body');
  if (body.tag === 'failed') return body;
  const { procedures } = body.value;
  return { tag: 'value', value: { bodies: procedures, procedures: procedures.map(procedureOf) } };
}

function procedureOf(item: Static<typeof OSS>['procedures'][number] | Static<typeof PRODUCT>['procedures'][number]) {
  const { operationID, operation, dependencies } = item;
  if ('targetCPUID' in item) {
    return { operationID, operation, dependencies, source: item.targetCPUID, device: item.targetDeviceID };
  }
  if ('sourceDeviceID' in item) {
    return { operationID, operation, dependencies, source: item.sourceDeviceID, device: item.destinationDeviceID };
  }
  return { operationID, operation, dependencies, device: item.targetDeviceID };
}
