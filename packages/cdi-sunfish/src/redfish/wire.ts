import { wireDecoder } from '@cro/cdi-core';
import { Type, type Static } from 'typebox';

/*
 * What is read of Redfish resources (DMTF schemas 2025.4; nec-and-sunfish.md, section 2). Nearly everything is optional in them,
 * and other fields pass.
 */

const Text = Type.Optional(Type.String());

/** A reference to a resource. */
export const Ref = Type.Object({ '@odata.id': Type.String() });
/** A reference to a resource. */
export type Ref = Static<typeof Ref>;
const Refs = Type.Optional(Type.Array(Ref));

const Status = Type.Optional(Type.Object({ State: Text, Health: Text, HealthRollup: Text }));
/** `Status` of a resource. */
export type Status = Static<typeof Status>;

const Oem = Type.Optional(Type.Object({ Sunfish_RM: Type.Optional(Type.Unknown()) }));

const Root = Type.Object({
  ProtocolFeaturesSupported: Type.Optional(
    Type.Object({
      ExpandQuery: Type.Optional(
        Type.Object({
          ExpandAll: Type.Optional(Type.Boolean()),
          NoLinks: Type.Optional(Type.Boolean()),
          Levels: Type.Optional(Type.Boolean()),
          MaxLevels: Type.Optional(Type.Integer()),
        }),
      ),
    }),
  ),
  Systems: Type.Optional(Ref),
  Chassis: Type.Optional(Ref),
  Fabrics: Type.Optional(Ref),
  CompositionService: Type.Optional(Ref),
  Tasks: Type.Optional(Ref),
});
/** The service root. */
export type Root = Static<typeof Root>;

const Collection = Type.Object({
  Members: Type.Optional(Type.Array(Type.Unknown())),
  'Members@odata.nextLink': Text,
});
/** A collection, its members references or resources. */
export type Collection = Static<typeof Collection>;

const Action = Type.Optional(Type.Object({ target: Text }));

const System = Type.Object({
  '@odata.id': Type.String(),
  '@odata.etag': Text,
  Id: Text,
  UUID: Text,
  HostName: Text,
  Status,
  Oem,
  Composition: Type.Optional(Type.Object({ UseCases: Type.Optional(Type.Array(Type.String())) })),
  Links: Type.Optional(Type.Object({ ResourceBlocks: Type.Optional(Type.Array(Type.Unknown())) })),
  Actions: Type.Optional(
    Type.Object({ '#ComputerSystem.AddResourceBlock': Action, '#ComputerSystem.RemoveResourceBlock': Action }),
  ),
});
/** A ComputerSystem: a machine. */
export type System = Static<typeof System>;

const Block = Type.Object({
  '@odata.id': Type.String(),
  ResourceBlockType: Type.Optional(Type.Array(Type.String())),
  CompositionStatus: Type.Optional(
    Type.Object({
      CompositionState: Text,
      Reserved: Type.Optional(Type.Boolean()),
      MaxCompositions: Type.Optional(Type.Integer()),
      NumberOfCompositions: Type.Optional(Type.Integer()),
    }),
  ),
  Processors: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Object({})])),
  Links: Type.Optional(Type.Object({ ComputerSystems: Refs, Zones: Refs })),
  Status,
});
/** A ResourceBlock. */
export type Block = Static<typeof Block>;

const Processor = Type.Object({
  '@odata.id': Type.String(),
  ProcessorType: Text,
  Model: Text,
  UUID: Text,
  SerialNumber: Text,
  Status,
});
/** A Processor: a GPU is one. */
export type Processor = Static<typeof Processor>;

const Fabric = Type.Object({
  '@odata.id': Type.String(),
  Endpoints: Type.Optional(Ref),
  Connections: Type.Optional(Ref),
  Oem,
});
/** A fabric. */
export type Fabric = Static<typeof Fabric>;

const Endpoint = Type.Object({
  '@odata.id': Type.String(),
  ConnectedEntities: Type.Optional(
    Type.Array(
      Type.Object({
        EntityRole: Text,
        EntityType: Text,
        EntityLink: Type.Optional(Ref),
        Identifiers: Type.Optional(Type.Array(Type.Object({ DurableName: Text, DurableNameFormat: Text }))),
      }),
    ),
  ),
});
/** An endpoint of a fabric. */
export type Endpoint = Static<typeof Endpoint>;

const Connection = Type.Object({
  '@odata.id': Type.String(),
  Id: Text,
  Name: Text,
  Description: Text,
  Links: Type.Optional(Type.Object({ InitiatorEndpoints: Refs, TargetEndpoints: Refs })),
  MemoryChunkInfo: Type.Optional(Type.Array(Type.Object({ MemoryChunk: Type.Optional(Ref) }))),
  Status,
});
/** A connection between endpoints. */
export type Connection = Static<typeof Connection>;

const MemoryDomain = Type.Object({
  '@odata.id': Type.String(),
  AllowsMemoryChunkCreation: Type.Optional(Type.Boolean()),
  MinMemoryChunkSizeMiB: Type.Optional(Type.Integer()),
  MemoryChunkIncrementMiB: Type.Optional(Type.Integer()),
  MemorySizeMiB: Type.Optional(Type.Integer()),
  MemoryChunks: Type.Optional(Ref),
  Links: Type.Optional(
    Type.Object({ CXLLogicalDevices: Refs, FabricAdapters: Refs, MediaControllers: Refs, PCIeFunctions: Refs }),
  ),
  Status,
  Oem,
});
/** What memory chunks are cut from. */
export type MemoryDomain = Static<typeof MemoryDomain>;

const Chassis = Type.Object({ '@odata.id': Type.String(), MemoryDomains: Type.Optional(Ref) });
/** A chassis, for its memory domains. */
export type Chassis = Static<typeof Chassis>;

const Chunk = Type.Object({
  '@odata.id': Type.String(),
  Id: Text,
  Name: Text,
  MemoryChunkSizeMiB: Type.Optional(Type.Integer()),
});
/** A piece of a memory domain. */
export type Chunk = Static<typeof Chunk>;

const Task = Type.Object({
  TaskState: Text,
  TaskMonitor: Text,
  PercentComplete: Type.Optional(Type.Number()),
  Payload: Type.Optional(Type.Object({ HttpOperation: Text, TargetUri: Text, JsonBody: Text })),
  Messages: Type.Optional(Type.Array(Type.Object({ Message: Text }))),
});
/** A task, or what a task monitor says of its task, where it says anything. */
export type Task = Static<typeof Task>;

/** Parsers, one for each kind of resource. */
export const decode = {
  anything: /* @__PURE__ */ wireDecoder(Type.Unknown()),
  block: /* @__PURE__ */ wireDecoder(Block),
  chassis: /* @__PURE__ */ wireDecoder(Chassis),
  chunk: /* @__PURE__ */ wireDecoder(Chunk),
  collection: /* @__PURE__ */ wireDecoder(Collection),
  composition: /* @__PURE__ */ wireDecoder(Type.Object({ ResourceBlocks: Type.Optional(Ref) })),
  connection: /* @__PURE__ */ wireDecoder(Connection),
  endpoint: /* @__PURE__ */ wireDecoder(Endpoint),
  error: /* @__PURE__ */ wireDecoder(
    Type.Object({
      error: Type.Object({
        code: Text,
        message: Text,
        '@Message.ExtendedInfo': Type.Optional(Type.Array(Type.Object({ MessageId: Text, Message: Text }))),
      }),
    }),
  ),
  fabric: /* @__PURE__ */ wireDecoder(Fabric),
  memoryDomain: /* @__PURE__ */ wireDecoder(MemoryDomain),
  processor: /* @__PURE__ */ wireDecoder(Processor),
  ref: /* @__PURE__ */ wireDecoder(Ref),
  root: /* @__PURE__ */ wireDecoder(Root),
  system: /* @__PURE__ */ wireDecoder(System),
  task: /* @__PURE__ */ wireDecoder(Task),
  tasks: /* @__PURE__ */ wireDecoder(Type.Object({ Tasks: Type.Optional(Ref) })),
} as const;
