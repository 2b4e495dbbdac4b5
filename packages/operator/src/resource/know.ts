import type { ComposableResource } from '@cro/crd-types';
import type { ResourceKnowledge } from '@cro/state-machines';
import { idOf } from '../fabric/fabric.ts';
import type { Services } from '../services.ts';
import type { ResourceMemory } from './memory.ts';

/** What is known of an object beyond itself, at this moment. */
export function know(resource: ComposableResource, memory: ResourceMemory, services: Services): ResourceKnowledge {
  const { nodes, nodeSides, health, clock, fabric, draining } = services;
  const { target_node: node, type } = resource.spec;
  const { visibility } = nodeSides[type];
  // What an operation brought is not in the status yet: it is written together with what is known of it.
  const brought = memory.outcome !== undefined && 'device' in memory.outcome ? memory.outcome.device : undefined;
  const deviceId = brought === undefined ? resource.status?.device_id : brought.deviceId;
  const missing = deviceId ? visibility.missing?.(node, deviceId) : undefined;
  return {
    node: nodes.of(node),
    visible: deviceId === undefined ? 'absent' : visibility.of(node, deviceId),
    ...(missing !== undefined && { missing }),
    health: brought === undefined ? health.of(resource) : health.ofDevice(idOf(brought)),
    running: runningOf(memory),
    unstartedTicket: memory.unstartedTicket,
    draining,
    settled: memory.inheritedSinceMs !== undefined && clock.monotonic() - memory.inheritedSinceMs >= fabric.settleMs,
  };
}

function runningOf({ running }: ResourceMemory): ResourceKnowledge['running'] {
  if (running === undefined) return 'nothing';
  if (running.request === 'start' || running.request === 'resume') return 'withTicket';
  return running.queued ? 'queued' : 'beforeTicket';
}
