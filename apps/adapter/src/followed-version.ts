// Which index version the adapters of this build write, and since when another one is due.

import type { ProtocolId } from '@orrery/protocol-kit'
import { type IndexVersion, type Store, versionToFollow } from '@orrery/read-model'
import type { Clock } from '@orrery/service-kit'
import { nextReading } from './version-readings.ts'

export interface FollowedVersion {
  readonly version: IndexVersion
  /** Null before any version was made active. */
  readonly active: IndexVersion | null
}

interface Wanted {
  readonly protocol: ProtocolId
  readonly adapterVersion: number
  readonly partitions: number
}

/** Finds the version to write, and begins one where none has rows of this adapter version. The first of a protocol becomes active. */
export async function findVersion(store: Store, wanted: Wanted): Promise<FollowedVersion> {
  const { protocol, adapterVersion, partitions } = wanted
  const version = await store.findOrCreateIndexVersion({ protocol, adapterVersion, partitions, purpose: 'upgrade' })
  await store.activateIfNone(protocol, version.indexVersion, partitions)
  const now = await store.indexVersions(protocol)
  return {
    version: now.find((one) => one.indexVersion === version.indexVersion) ?? version,
    active: now.find((one) => one.isActive) ?? null,
  }
}

/** Whether adapters may write nothing now, because the rows are being repaired. */
export function isHeld({ heldUntilMs }: IndexVersion, clock: Clock): boolean {
  return heldUntilMs > clock.nowMs()
}

/**
 * Resolves with the version that is due when the adapters of this code shall write another one than `current`, or nothing for a while; with null
 * when `signal` aborts.
 * A read model that does not answer is asked again: writing fails for the same reason.
 * @param onRead Called with each reading.
 */
export async function untilOther(
  { store, clock, signal }: { readonly store: Store; readonly clock: Clock; readonly signal: AbortSignal },
  current: IndexVersion,
  onRead: (versions: readonly IndexVersion[]) => Promise<void>,
): Promise<IndexVersion | null> {
  while (!signal.aborted) {
    const versions = await nextReading(store, current.protocol, signal).catch(() => null)
    if (signal.aborted) return null
    if (versions === null) continue
    const due = versionToFollow(versions, current.adapterVersion)
    if (due === null || due.indexVersion !== current.indexVersion || isHeld(due, clock)) return due
    await onRead(versions)
  }
  return null
}
