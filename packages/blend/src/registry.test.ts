// Who is followed, and where a record goes: by contract identity, and by the pool that a backstop's record names.

import { type ContractId, type EntryRecord, type ScVal, sc, writeScVal, writeScVals } from '@orrery/ledger'
import type { BlendDeployment, Network, TrackedContract } from '@orrery/protocol-kit'
import { networkFromJson } from '@orrery/protocols'
import { testAccount, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { routing } from './registry.ts'

const [factory, backstop, emitter, comet, blnd, usdc, pool, token] = Array.from({ length: 8 }, (_, n) => testContract(`blend ${n}`))
const alice = testAccount('alice')
const deployment = { version: 'v2', factory, backstop, emitter, backstopToken: comet, blnd, usdc, fromLedger: 1 } as BlendDeployment
const empty = networkFromJson({
  network: 'small',
  passphrase: 'small',
  first_ledger: 1,
  protocols: {},
  oracles: [],
  price_pools: [],
  usd_pegs: [],
  assets: {},
})
const network: Network = { ...empty, deployments: { ...empty.deployments, blend: [deployment] } }
const roots = routing.roots(network)
const tracked = (role: string, contract = pool as ContractId): TrackedContract =>
  roots.find((root) => root.role === role) ?? { protocol: 'blend', contract, role, home: contract, balances: [], fromLedger: 1 }

const named = (name: string, ...of: readonly ScVal[]): ScVal => sc.vec(sc.symbol(name), ...of)

function entry(contract: ContractId, key: ScVal, value: ScVal, durability: EntryRecord['durability'] = 'persistent'): EntryRecord {
  const bytes = { key: writeScVal(key), value: writeScVal(value), before: null }
  return { kind: 'entry', tx: 0, opIndex: 0, index: 0, change: 'created', contract, durability, liveUntil: null, ...bytes }
}

describe('what is followed', () => {
  it('the contracts of the registry are followed from the start, a shared one once, with the tokens that they hold', () => {
    const second = {
      ...deployment,
      version: 'v1',
      factory: testContract('other factory'),
      backstop: testContract('other backstop'),
    } as const
    const both = routing.roots({ ...network, deployments: { ...network.deployments, blend: [deployment, second] } })
    expect(both.map(({ role, contract, home, balances }) => ({ role, contract, home, balances }))).toEqual([
      { role: 'factory', contract: factory, home: backstop, balances: [] },
      { role: 'backstop', contract: backstop, home: backstop, balances: [blnd] },
      { role: 'factory', contract: second.factory, home: second.backstop, balances: [] },
      { role: 'backstop', contract: second.backstop, home: second.backstop, balances: [blnd] },
      { role: 'emitter', contract: emitter, home: backstop, balances: [] },
      { role: 'comet', contract: comet, home: backstop, balances: [blnd, usdc] },
    ])
  })

  it('a pool that a factory lists is followed, and the tokens that a pool lists', () => {
    const listed = entry(factory as ContractId, named('Contracts', sc.address(pool as ContractId)), sc.bool(true))
    expect(routing.discover(listed, tracked('factory'), network)).toMatchObject([
      { contract: pool, role: 'pool', home: pool, balances: [] },
    ])
    const reserves = entry(pool as ContractId, sc.symbol('ResList'), sc.vec(sc.address(token as ContractId)))
    expect(routing.discover(reserves, tracked('pool'), network)).toMatchObject([{ contract: pool, balances: [token] }])
  })

  it('a pool that another contract lists is not followed', () => {
    const claimed = entry(pool as ContractId, named('Contracts', sc.address(token as ContractId)), sc.bool(true))
    for (const role of ['pool', 'backstop', 'comet', 'emitter']) expect(routing.discover(claimed, tracked(role), network)).toEqual([])
  })
})

describe('a record', () => {
  const ofPool = sc.struct({ pool: sc.address(pool as ContractId), user: sc.address(alice) })

  it.each([
    ['pool', sc.symbol('ResList'), { owned: true, shared: false }],
    ['pool', named('Auction', sc.struct({ auct_type: sc.u32(0), user: sc.address(alice) })), { owned: true, shared: true }],
    ['backstop', named('UserBalance', ofPool), { owned: true, shared: false, home: pool }],
    ['backstop', named('PoolBalance', sc.address(pool as ContractId)), { owned: true, shared: false, home: pool }],
    ['backstop', sc.symbol('RZ'), { owned: true, shared: false }],
    ['backstop', sc.symbol('LPTknVal'), { owned: true, shared: true }],
    ['factory', named('Contracts', sc.address(pool as ContractId)), { owned: true, shared: true }],
    ['emitter', sc.symbol('Swap'), { owned: true, shared: false }],
    ['comet', named('TotalShares'), { owned: true, shared: true }],
    ['comet', named('Balance', sc.address(alice)), { owned: true, shared: false }],
    ['comet', named('Allowance', ofPool), { owned: false, shared: false }],
  ] as const)('an entry of the %s goes to the partition that its key names: %#', (role, key, route) => {
    const source = tracked(role)
    expect(routing.route(entry(source.contract, key, sc.bool(true)), source, network)).toEqual(route)
  })

  it('an event of the backstop goes to the partition of the pool that it names', () => {
    const at = { kind: 'event', tx: 0, opIndex: 0, index: 0, contract: backstop as ContractId, type: 'contract' } as const
    const data = writeScVal(sc.vec(sc.i128(5n), sc.i128(5n)))
    const deposit = { ...at, topics: writeScVals([sc.symbol('deposit'), sc.address(pool as ContractId), sc.address(alice)]), data }
    expect(routing.route(deposit, tracked('backstop'), network)).toEqual({ owned: true, shared: false, home: pool })
    const distribute = { ...at, topics: writeScVals([sc.symbol('distribute')]), data: writeScVal(sc.i128(5n)) }
    expect(routing.route(distribute, tracked('backstop'), network)).toEqual({ owned: true, shared: false })
  })
})
