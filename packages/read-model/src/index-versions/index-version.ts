// Index versions: each fold of a protocol from its first ledger writes under a number of its own, which is the last column of every sort key
// (`adapter_version` in the tables). So a fold that runs beside the one that readers see never replaces its rows.

import type { ProtocolId } from '@orrery/protocol-kit'

/** Why a version was begun: `index` is the first one, `upgrade` that of a newer adapter version, `replay` one of the same code. */
export type Purpose = 'index' | 'upgrade' | 'replay'

export interface IndexVersion {
  readonly protocol: ProtocolId
  /** The number under which its rows are written, never used twice. */
  readonly indexVersion: number
  /** Version of the adapter's code that writes them. */
  readonly adapterVersion: number
  readonly partitions: number
  readonly purpose: Purpose
  /** Readers see it. */
  readonly isActive: boolean
  /** Readers saw it at some time. */
  readonly wasActive: boolean
  /** Its rows are deleted. */
  readonly isRetired: boolean
  /** Until this time its adapters write nothing, Unix milliseconds; in the past otherwise. */
  readonly heldUntilMs: number
  /** By partition number; null before the first checkpoint. */
  readonly checkpoints: readonly (number | null)[]
}

/** The ledger up to which all partitions are folded; 0 before. */
export function foldedLedger({ checkpoints }: Pick<IndexVersion, 'checkpoints'>): number {
  return checkpoints.length === 0 ? 0 : Math.min(...checkpoints.map((ledger) => ledger ?? 0))
}

/**
 * The version that adapters with this code write: the active one, else the newest one that readers have seen, else the upgrade in progress.
 * A replay is only written by the command that began it, until it is activated. Null when there is none.
 */
export function versionToFollow(versions: readonly IndexVersion[], adapterVersion: number): IndexVersion | null {
  const own = versions.filter((version) => !version.isRetired && version.adapterVersion === adapterVersion)
  return (
    own.find(({ isActive }) => isActive) ??
    own.findLast(({ wasActive }) => wasActive) ??
    own.find(({ purpose }) => purpose !== 'replay') ??
    null
  )
}

/** The replay of this code that has not been activated yet: it is continued, not begun again. Null when there is none. */
export function unfinishedReplay(versions: readonly IndexVersion[], adapterVersion: number): IndexVersion | null {
  const isUnfinished = (one: IndexVersion) => one.purpose === 'replay' && !one.wasActive && !one.isRetired
  return versions.find((one) => one.adapterVersion === adapterVersion && isUnfinished(one)) ?? null
}
