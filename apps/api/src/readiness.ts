// `orrery api` is ready for requests once every adapter has reached the tip of the source.
// An adapter that falls behind later does not change that: `meta` of each answer reports it, and an outage of the API would not help clients.

import { deploymentsOf, type Network, type ProtocolId } from '@orrery/protocol-kit'
import type { ReadModel } from '@orrery/read-model'
import { adapterHealth } from '@orrery/read-model/queries'
import type { Clock, Readiness } from '@orrery/service-kit'
import { adapterRecords } from './present/adapter-status.ts'

interface ReadinessOf {
  readonly readModel: ReadModel
  readonly network: Network
  /** The protocols that this build has an adapter for. */
  readonly protocols: readonly { readonly id: ProtocolId }[]
  readonly clock: Clock
}

/** The readiness check. Rejects with `unavailable` if the database is unreachable. */
export function watchReadiness({ readModel, network, protocols, clock }: ReadinessOf): () => Promise<Readiness> {
  const deployed = protocols.map(({ id }) => id).filter((id) => deploymentsOf(network, id).length > 0)
  let caughtUp = false
  return async () => {
    const { ledger } = await readModel.watermark()
    if (caughtUp) return { ok: true, why: '' }
    if (ledger === 0) return { ok: false, why: 'Nothing is indexed yet.' }
    const partitions = await readModel.query(adapterHealth, {}, { tag: { route: '/readyz', requestId: 'probe' } })
    const records = adapterRecords(partitions, deployed, deployed, clock.nowMs())
    const behind = deployed.filter((id) => records[id]?.status !== 'healthy')
    caughtUp = behind.length === 0
    return { ok: caughtUp, why: caughtUp ? '' : `Not caught up yet: ${behind.join(', ')}.` }
  }
}
