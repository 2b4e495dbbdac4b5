/**
 * What a container has of its host. `hostRoot`: the host's files, at `/host-root` (the node agent). `driverRoot`: the driver in its
 * own files, which are at `/run/nvidia/driver` as well (the driver pod). `nothing`: a shell.
 */
export type ContainerView = 'hostRoot' | 'driverRoot' | 'nothing';
