/** Whether a node shows a device. `unknown`: the cluster has not told us yet what its nodes show. */
export type Visible = 'visible' | 'absent' | 'unknown';

/** What the cluster sees of the devices on its nodes. */
export interface Visibility {
  /** Whether `node` shows the device that it calls `deviceId` now. */
  of(node: string, deviceId: string): Visible;
  /** What is missing until the node shows a device, for a person; undefined: there is nothing more to say. */
  missing?(node: string, deviceId: string): string | undefined;
  /**
   * Calls `listener` each time that a device comes or goes on a node; the result ends that. When `unknown` ends nothing
   * is called for devices that are absent: ask again after the first sync.
   */
  onChange(listener: (node: string, deviceId: string) => void): () => void;
}
