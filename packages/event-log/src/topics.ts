// Names of the topics, the same for every driver. The version is that of the value's layout.

import type { ProtocolId } from '@orrery/protocol-kit'

/** Topic with the slices of one protocol. */
export function sliceTopic(network: string, protocol: ProtocolId): string {
  return `orrery.${network}.${protocol}.slices.v1`
}

/** Topic with one partition that never expires: ledger facts, tracked contracts, the start of the index, the end of its source. */
export function controlTopic(network: string): string {
  return `orrery.${network}.control.v1`
}

/** Topic with one partition that holds snapshots of the control topic. Older ones may be dropped. */
export function controlSnapshotTopic(network: string): string {
  return `orrery.${network}.control-snapshots.v1`
}
