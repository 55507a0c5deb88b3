// What an account has in a lending pool: positions and shares of the backstop first; then, of who has any, the emissions on them and a
// liquidation that goes on.

import { type Address, type ContractId, type ScVal, sc, writeScVal } from '@orrery/ledger'
import type { AccountEntries, EntryName, EntryValue } from '@orrery/protocol-kit'
import { readBackstopKey } from '../chain/backstop-entries.ts'
import { readPoolKey } from '../chain/pool-entries.ts'
import { pool, reserveList } from '../state/pool.ts'
import { assetsOf, type BlendState } from '../state/state.ts'

const USER_LIQUIDATION = 0

export const accountEntries: AccountEntries<BlendState> = {
  listings: ({ deployments }) => deployments.blend.map(({ factory }) => factory),
  poolKeys: [pool.key, reserveList.key],
  predatingPools: ({ pools }) => [...pools.values()].flatMap((it) => (it.listed ? [] : it.pool)).sort(),
  poolOf: ({ contract }) => contract,
  names(contract, address, read, state) {
    const known = state.pools.get(contract)
    const backstop = known?.deployment?.backstop
    return [
      named('Positions', contract, sc.address(address)),
      ...(has('positions', contract, read) ? ofPositions(contract, address, known === undefined ? 0 : assetsOf(known).length) : []),
      ...(backstop === undefined ? [] : ofBackstop(backstop, contract, address, read)),
    ]
  },
}

/** Emissions of each reserve's debt and supply, also of what was repaid or withdrawn: they may wait to be claimed. */
function ofPositions(pool: ContractId, user: Address, reserves: number): EntryName[] {
  const tokenIds = Array.from({ length: reserves * 2 }, (_, id) => id)
  const auction = named('Auction', pool, sc.struct({ auct_type: sc.u32(USER_LIQUIDATION), user: sc.address(user) }))
  return [
    ...tokenIds.map((id) => named('UserEmis', pool, sc.struct({ reserve_id: sc.u32(id), user: sc.address(user) }))),
    { ...auction, durability: 'temporary' },
  ]
}

function ofBackstop(backstop: ContractId, pool: ContractId, user: Address, read: readonly EntryValue[]): EntryName[] {
  const who = sc.struct({ pool: sc.address(pool), user: sc.address(user) })
  const shares = named('UserBalance', backstop, who)
  return has('user', backstop, read) ? [shares, named('UEmisData', backstop, who)] : [shares]
}

function has(kind: 'positions' | 'user', contract: ContractId, read: readonly EntryValue[]): boolean {
  const kindOf = kind === 'positions' ? readPoolKey : readBackstopKey
  return read.some((entry) => entry.contract === contract && kindOf(entry.key).kind === kind)
}

function named(name: string, contract: ContractId, of: ScVal): EntryName {
  return { contract, key: writeScVal(sc.vec(sc.symbol(name), of)), durability: 'persistent' }
}
