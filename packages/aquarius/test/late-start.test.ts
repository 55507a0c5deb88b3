// An index that begins after the pools: its exact answers equal those of the full one, and the others are marked as inexact.

import type { EntryRecord } from '@orrery/ledger'
import { sc, writeScVal } from '@orrery/ledger'
import type { KnownPool, Network, Slice, TrackedContract } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldAll, readBatchFile, recording, Slicer, StateTable } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { tokensSalt } from '../src/chain/bootstrap-entries.ts'
import { payout } from '../src/math/constant-product.ts'
import { aquarius } from '../src/protocol.ts'
import { routing } from '../src/registry.ts'
import { sharesOf, totalLocked } from '../src/state/state.ts'
import { claimsOf } from '../src/view/claims-of-holder.ts'
import { viewReserves } from '../src/view/pool-reserves.ts'
import { rangeWorth } from '../src/view/ranges-of-holder.ts'
import { aquariusView } from '../src/view/view.ts'
import { pool, router, tokenA, tokenB } from './scene.ts'

const forge = recording()
const FIRST_FILE = 50
const report = (line: string) => process.stdout.write(`${line}\n`)
let network: Network
const table = new StateTable()
let firstLedger = 0

/** The registry names the pools that the router had listed by then. */
async function lateNetwork(): Promise<Network> {
  const full = await loadNetwork(forge.registryFile)
  const pools: KnownPool[] = []
  for await (const { kind, contract, in_registry } of forge.expected()) {
    if (kind !== 'aquarius.pool' || in_registry !== true || pools.some((it) => it.contract === contract)) continue
    pools.push({ protocol: 'aquarius', contract, fromLedger: 0, tokens: [] })
  }
  return { ...full, knownPools: pools }
}

beforeAll(async () => {
  network = await lateNetwork()
  const slicer = new Slicer(network, routing, 1)
  const slices: Slice[] = []
  for (const file of forge.batchFiles().slice(FIRST_FILE)) {
    for (const ledger of await readBatchFile(file)) slices.push(...slicer.slices(ledger))
  }
  firstLedger = slices[0]?.ledger ?? 0
  for (const { rows } of foldAll(slices, aquarius.adapter(network))) table.write(rows.state)
})

describe('an index that begins in the middle', () => {
  it('pays what the contracts pay, for every holder of whom it has seen an entry', async () => {
    const view = aquariusView(network)
    const isOracle = (contract: string) => network.oracles.some((oracle) => oracle.contract === contract)
    const states = new Map<number, ReturnType<typeof view.load>>()
    const counts = { payouts: 0, claims: 0, ranges: 0, unseen: 0, inexact: 0 }
    for await (const answer of forge.expected()) {
      const { ledger, contract, close_time: closeTimeSeconds } = answer
      if (answer.kind !== 'aquarius.user' || ledger <= firstLedger) continue
      const rows = table.asOf(ledger, (row) => !isOracle(row.contract))
      const state = states.get(ledger) ?? view.load(rows, ledger)
      states.set(ledger, state)
      const known = state.pools.get(contract)
      const instance = known?.instance?.value
      const holder = known?.holders.get(String(answer.address))
      if (known === undefined || instance === undefined || holder === undefined) {
        counts.unseen++
        continue
      }
      const about = { ledger, contract, address: answer.address }
      if (holder.shares !== null && answer.share_balance !== undefined) {
        const amounts = payout(sharesOf(holder), viewReserves(known, ledger), instance.totalShares).map(String)
        expect({ ...about, amounts }).toEqual({ ...about, amounts: answer.withdraw_all })
        counts.payouts++
      }
      const [own] = claimsOf(known, instance, holder, { closeTimeSeconds, totalLocked: totalLocked(state) })
      if (holder.reward === null || answer.claim_now === null) continue
      if (own?.exact) expect({ ...about, claim: own.amount.toString() }).toEqual({ ...about, claim: answer.claim_now })
      counts[own?.exact ? 'claims' : 'inexact']++
    }
    for await (const answer of forge.expected()) {
      if (answer.kind !== 'aquarius.position' || answer.ledger <= firstLedger) continue
      const known = states.get(answer.ledger)?.pools.get(answer.contract)
      const range = known?.holders.get(String(answer.address))?.ranges.get(`${answer.tick_lower}:${answer.tick_upper}`)
      const core = known?.instance?.value.concentrated
      const worth = known && range && core ? rangeWorth(known, core, range) : null
      if (worth === null || !worth.exact) continue
      const about = { ledger: answer.ledger, contract: answer.contract, address: answer.address, range: range?.tickLower }
      expect({ ...about, fees: worth.fees.map(String) }).toEqual({ ...about, fees: answer.fees })
      counts.ranges++
    }
    report(`late start: ${JSON.stringify(counts)}`)
    expect(counts.payouts).toBeGreaterThan(1_000)
    expect(counts.claims).toBeGreaterThan(1_000)
    expect(counts.ranges).toBeGreaterThan(500)
  })

  it('asks for the router’s list of pools set by set, and for the page on which rewards go on', () => {
    const source: TrackedContract = { protocol: 'aquarius', contract: router, role: 'router', home: router, balances: [], fromLedger: 1 }
    const read = (contract: string, key: Uint8Array, value: Uint8Array): EntryRecord => ({
      kind: 'entry',
      tx: -1,
      opIndex: 0,
      index: 0,
      change: 'bootstrap',
      contract,
      key,
      durability: 'persistent',
      value,
      before: null,
      liveUntil: null,
    })
    const named = (name: string) => sc.vec(sc.symbol(name))
    const wasm = { kind: 'wasm', hash: '00'.repeat(32) } as const
    const instance = sc.instance(wasm, [named('TokensSetCounter'), sc.u128(2n)])
    const keys = (of: TrackedContract, record: EntryRecord) =>
      routing.bootstrap(of, record, network).map(({ contract, key }) => [contract, Buffer.from(key).toString('hex')])
    const hex = (value: Parameters<typeof writeScVal>[0]) => Buffer.from(writeScVal(value)).toString('hex')
    expect(keys(source, read(router, writeScVal(sc.instanceKey()), writeScVal(instance)))).toEqual(
      [0n, 1n].map((n) => [router, hex(sc.vec(sc.symbol('TokensSet'), sc.u128(n)))]),
    )
    const set = sc.vec(sc.symbol('TokensSet'), sc.u128(0n))
    expect(keys(source, read(router, writeScVal(set), writeScVal(sc.vec(sc.address(tokenA), sc.address(tokenB)))))).toEqual([
      [router, hex(sc.vec(sc.symbol('TokensSetPools'), sc.bytes(tokensSalt([tokenA, tokenB]))))],
    ])
    const data = sc.struct({ accumulated: sc.u128(0n), block: sc.u64(1_234n), claimed: sc.u128(0n), last_time: sc.u64(0n) })
    const ofPool = { ...source, contract: pool, role: 'pool' }
    expect(keys(ofPool, read(pool, writeScVal(sc.instanceKey()), writeScVal(sc.instance(wasm, [named('PoolRewardData'), data]))))).toEqual([
      [pool, hex(sc.vec(sc.symbol('RewardInvDataV2'), sc.u32(0), sc.u64(12n)))],
    ])
  })
})
