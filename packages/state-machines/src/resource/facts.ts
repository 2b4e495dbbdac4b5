import type { ResourceState } from '@cro/crd-types';

/**
 * All that the resource machine may base a decision on: a finite projection of the object, its node, the fabric's last
 * listing and what this process is doing for it. Finite, so that a test can visit every combination.
 */
export interface ResourceFacts {
  readonly state: ResourceState;
  /** `gone`: the object has a deletion timestamp. */
  readonly goal: 'present' | 'gone';
  readonly finalizer: boolean;
  /** Whether somebody else's finalizer holds the object too: it then lives on when ours goes. */
  readonly shared: boolean;
  /** `paused`: start nothing new, by annotation or as the operator drains. `detached`: do not touch the hardware any more. */
  readonly hold: 'none' | 'paused' | 'detached';
  /** Made by the syncer to give back a device that nobody owns. */
  readonly giveBack: boolean;
  /** `spec.force_detach`: do not ask whether something uses the device. */
  readonly force: boolean;
  /** The ticket in `status.operation`. `attached`: the fabric is done, the device is not identified on the node. */
  readonly ticket: 'none' | 'attach' | 'attached' | 'detach';
  /** Whether the fabric may have been called for the ticket. `no`: this process saved it and has not called yet. */
  readonly started: 'no' | 'maybe';
  /**
   * `unidentified`: the fabric's id is known, the node's is not. `released`: the fabric took the device back, the node
   * may not have noticed.
   */
  readonly device: 'none' | 'unidentified' | 'identified' | 'released';
  /** Whether the cluster sees the device on the node. `unknown`: not read yet. */
  readonly visible: 'visible' | 'absent' | 'unknown';
  /** `gone` is confirmed by a live read. */
  readonly node: 'ready' | 'notReady' | 'gone' | 'unknown';
  /** Whether `status.fabric` says where the device is. */
  readonly location: 'known' | 'missing';
  /** `inDoubt`: Attaching, left by another operator without ids or ticket: a call may have been lost. */
  readonly origin: 'ours' | 'inDoubt' | 'settled';
  /** The fabric's word on the device in its last listing. `unlisted`: no listing yet. */
  readonly health: 'ok' | 'faulty' | 'unlisted';
  /** What this process is doing for the object at this moment. `queued`: waiting for its lane, and has been for a while. */
  readonly running: 'nothing' | 'queued' | 'beforeTicket' | 'withTicket';
}

/** Texts that go into messages. No decision depends on them. */
export interface ResourceWords {
  readonly name: string;
  readonly node: string;
  readonly model: string;
  readonly deviceId: string;
  /** Who pauses the object, for an object that is. */
  readonly pausedBy: string;
  /** What is wrong with the device, as the fabric says it. */
  readonly health: string;
  /** What is missing until the node shows the device; empty where nobody can say more than that it does not. */
  readonly missing: string;
}
