// Contracts as a protocol tracks them, and pools that a network's registry names: no event of the index announces them.

import type { ContractId } from '@orrery/ledger'
import type { Network, ProtocolId, TrackedContract } from '@orrery/protocol-kit'

export interface NamedPool {
  readonly contract: ContractId
  readonly fromLedger: number
  /** Empty where the registry does not name them: the pool's instance does. */
  readonly tokens: readonly ContractId[]
}

/** Pools of a protocol that predate the index, and price pools, each once. */
export function namedPools({ knownPools, pricePools, firstLedger }: Network, protocol: ProtocolId): NamedPool[] {
  const known = knownPools.filter((pool) => pool.protocol === protocol)
  const others = pricePools.filter((pool) => pool.protocol === protocol && !known.some((it) => it.contract === pool.contract))
  return [
    ...known.map(({ contract, fromLedger, tokens }) => ({ contract, fromLedger, tokens })),
    ...others.map(({ contract }) => ({ contract, fromLedger: firstLedger, tokens: [] })),
  ]
}

/** Makes the tracked contracts of a protocol. By default no balances of theirs are tracked. */
export function trackerOf<Role extends string>(protocol: ProtocolId) {
  return (
    role: Role,
    contract: ContractId,
    home: ContractId | null,
    fromLedger: number,
    balances: readonly ContractId[] = [],
  ): TrackedContract => ({ protocol, contract, role, home, balances, fromLedger })
}
