// What one seed stands for: the processes that run, and the faults that come to them, one after the other.

import { seededRandom } from '@orrery/testkit'

export const SYSTEMS = ['up', 'apart over LMDB', 'apart over Kafka'] as const
export type SystemName = (typeof SYSTEMS)[number]

/** In any system. */
const EVERYWHERE = ['kill', 'pause', 'engine pause', 'clock jump', 'source refuses', 'source fails'] as const
const FAULTS = {
  up: [...EVERYWHERE, 'engine kill', 'full disk'],
  'apart over LMDB': [...EVERYWHERE, 'refused inserts', 'slow inserts', 'full disk'],
  'apart over Kafka': [...EVERYWHERE, 'refused inserts', 'slow inserts', 'broker kill'],
} as const
export type FaultName = (typeof FAULTS)[SystemName][number]

/** Before a fault, while processes start, load and index. */
const BEFORE_MS = 1_500
/** How long a fault lasts that has a duration. */
const LASTS_MS = 2_500

export interface PlannedFault {
  readonly name: FaultName
  readonly afterMs: number
  readonly lastsMs: number
  /** Chooses among the processes, or the kinds of a fault: from 0 (included) to 1. */
  readonly choice: number
}

export interface FaultPlan {
  readonly system: SystemName
  /** Where ledgers come from, over HTTP. */
  readonly source: 'lake' | 'rpc'
  readonly faults: readonly PlannedFault[]
}

/** The same plan for the same seed. Consecutive seeds take turns with the systems, the sources and the first fault, so that few seeds have all of them. */
export function faultPlan(seed: number, count: number): FaultPlan {
  const random = seededRandom(seed)
  const system = SYSTEMS[seed % SYSTEMS.length] ?? 'up'
  const kinds = FAULTS[system]
  const faults = Array.from({ length: count }, (_, n): PlannedFault => {
    const kind = n === 0 ? Math.floor(seed / SYSTEMS.length) % kinds.length : Math.floor(random() * kinds.length)
    return { name: kinds[kind] ?? 'kill', afterMs: random() * BEFORE_MS, lastsMs: random() * LASTS_MS, choice: random() }
  })
  return { system, source: seed % 2 === 0 ? 'rpc' : 'lake', faults }
}

/** For the name of a test. */
export function describePlan({ system, source, faults }: FaultPlan): string {
  return `${system}, ${source}: ${faults.map(({ name }) => name).join(', ')}`
}
