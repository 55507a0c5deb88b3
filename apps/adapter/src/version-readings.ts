// Periodic readings of the index versions, one statement for all protocols of a process.

import { setTimeout as delay } from 'node:timers/promises'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { IndexVersion, Store } from '@orrery/read-model'

/** How often the decision of an operator is looked for. A hold must last longer than this. */
export const VERSIONS_EVERY_MS = 5_000

/** After the reports of health, which are due at the same multiples by the machine's clock: one wake of process and engine for both. */
const AFTER_MS = 4

type Versions = ReadonlyMap<ProtocolId, readonly IndexVersion[]>

interface Reading {
  /** Those that wait for it. More may be added until it begins. */
  readonly waiting: Map<AbortSignal, ProtocolId>
  readonly versions: Promise<Versions>
}

const due = new WeakMap<Store, Reading>()

/**
 * The versions of `protocol` at the next reading, at most 5 s from now. Adapters that share a store share its readings.
 * @param signal Aborted when the versions are not needed any more: there may be no reading then, and no versions.
 * @throws what the store throws.
 */
export async function nextReading(store: Store, protocol: ProtocolId, signal: AbortSignal): Promise<readonly IndexVersion[]> {
  const reading = due.get(store) ?? schedule(store)
  reading.waiting.set(signal, protocol)
  return (await reading.versions).get(protocol) ?? []
}

function schedule(store: Store): Reading {
  const waiting = new Map<AbortSignal, ProtocolId>()
  const read = async (): Promise<Versions> => {
    await delay(VERSIONS_EVERY_MS - (Date.now() % VERSIONS_EVERY_MS) + AFTER_MS, undefined, { ref: false })
    due.delete(store)
    const protocols = new Set([...waiting].filter(([{ aborted }]) => !aborted).map(([, protocol]) => protocol))
    return protocols.size === 0 ? new Map() : store.indexVersionsOf([...protocols])
  }
  const reading = { waiting, versions: read() }
  due.set(store, reading)
  return reading
}
