// What no cut of the log may change: restarts, partitions, empty slices. And what no event may do: get lost.

import { usdText, usdUnits } from '@orrery/fold-kit'
import { topicText } from '@orrery/ledger'
import type { ActivityRow, Network, Rows, Slice, StateRow, TransactionRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/registry'
import { foldAll, recording, StateTable, slicesOf } from '@orrery/testkit'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { deriveActions } from '../src/activity.ts'
import { directoryFor } from '../src/directory.ts'
import { operationsOf } from '../src/operation.ts'
import { aquarius } from '../src/protocol.ts'

const forge = recording()
const PARTITIONS = 4
let network: Network
const whole: Slice[] = []
const parts: Slice[][] = Array.from({ length: PARTITIONS }, () => [])

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  for await (const [slice] of slicesOf(forge, network, aquarius.routing, 1)) if (slice !== undefined) whole.push(slice)
  for await (const slices of slicesOf(forge, network, aquarius.routing, PARTITIONS)) {
    for (const slice of slices) parts[slice.partition]?.push(slice)
  }
})

const json = (value: unknown) => JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `${it}n` : it))

/** Every row as text, with the table that it goes to; where a row was folded is no part of what it says. */
function texts(rows: Rows): string[] {
  return Object.entries(rows).flatMap(([table, list]) =>
    (list as readonly object[]).map((row) => `${table} ${json({ ...row, scope: undefined, partition: undefined })}`),
  )
}

describe('the fold', () => {
  it('gives the same rows from any of 30 checkpoints on, in whichever partition', () => {
    const runs = parts.map((slices) => {
      const table = new StateTable()
      const expected = [...foldAll(slices, aquarius.adapter(network))].map(({ rows }) => {
        table.write(rows.state)
        return json(rows)
      })
      return { slices, table, expected }
    })
    const adapter = aquarius.adapter(network)
    const where = {
      partition: fc.nat(parts.length - 1),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 1, max: 150 }),
    }
    fc.assert(
      fc.property(where.partition, where.place, where.length, (partition, place, length) => {
        const { slices, table, expected } = runs[partition] ?? { slices: [], table: new StateTable(), expected: [] }
        const checkpoint = Math.floor(place * (slices.length - 2))
        const ledger = slices[checkpoint]?.ledger ?? 0
        const state = adapter.load(table.asOf(ledger), ledger)
        for (const [n, slice] of slices.slice(checkpoint + 1, checkpoint + 1 + length).entries()) {
          expect(json(adapter.fold(state, slice))).toBe(expected[checkpoint + 1 + n])
        }
      }),
      { numRuns: 30, seed: 11 },
    )
  })

  it('gives the same rows from one partition as from four, and of each of them when slices without records are left out', () => {
    const one = new Set([...foldAll(whole, aquarius.adapter(network))].flatMap(({ rows }) => texts(rows)))
    const rowsOf = (slices: readonly Slice[]) => [...foldAll(slices, aquarius.adapter(network))].flatMap(({ rows }) => texts(rows))
    const four = parts.map(rowsOf)
    const all = new Set(four.flat())
    expect([...all].filter((row) => !one.has(row)).slice(0, 5)).toEqual([])
    expect([...one].filter((row) => !all.has(row)).slice(0, 5)).toEqual([])
    for (const [n, slices] of parts.entries()) {
      const some = rowsOf(slices.filter((slice) => slice.records.length > 0 || slice.hourStart))
      expect(some.length).toBe(four[n]?.length)
      expect(some.filter((row, place) => row !== four[n]?.[place]).slice(0, 5)).toEqual([])
    }
  })

  it('writes a key of state at most once a ledger, an activity key once, and counts an action once for each address', () => {
    const activityKeys = new Set<string>()
    const counted = new Map<string, number>()
    for (const { rows } of foldAll(whole, aquarius.adapter(network))) {
      const keys = rows.state.map((row: StateRow) => `${row.contract} ${row.key} ${row.ledger}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const row of rows.activities) {
        const key = json(row.key)
        expect(activityKeys.has(key)).toBe(false)
        activityKeys.add(key)
        const action = `${row.actionId} ${row.address}`
        counted.set(action, (counted.get(action) ?? 0) + row.counts)
      }
    }
    expect([...counted.values()].filter((count) => count !== 1)).toEqual([])
  })
})

describe('actions over several partitions', () => {
  it('are told with each leg by the partition of its pool, counted and valued once', () => {
    const activities: ActivityRow[] = []
    const transactions = new Map<string, TransactionRow>()
    const partitionsOf = new Map<string, Set<number>>()
    for (const slices of parts) {
      for (const { slice, rows } of foldAll(slices, aquarius.adapter(network))) {
        for (const row of rows.transactions) {
          expect(row).toEqual(transactions.get(row.txHash) ?? row)
          transactions.set(row.txHash, row)
        }
        for (const row of rows.activities) {
          activities.push(row)
          partitionsOf.set(row.actionId, (partitionsOf.get(row.actionId) ?? new Set()).add(slice.partition))
        }
      }
    }
    const rowsOf = Map.groupBy(activities, (row) => row.txHash)
    for (const { txHash, activityRows } of transactions.values()) {
      expect([txHash, activityRows]).toEqual([txHash, rowsOf.get(txHash)?.length ?? 0])
    }
    expect([...rowsOf.keys()].filter((hash) => !transactions.has(hash))).toEqual([])

    for (const legs of Map.groupBy(activities, (row) => row.actionId).values()) {
      legs.sort((a, b) => a.key.row - b.key.row)
      const first = legs[0]
      expect(legs.map((leg) => leg.key.row)).toEqual(legs.map((_, n) => (first?.key.row ?? 0) + n))
      if (first?.activityType !== 'swap') continue
      const sum = (values: readonly (string | null)[]) => values.reduce((total, value) => total + usdUnits(value ?? '0'), 0n)
      expect(sum(legs.map((leg) => leg.volumeUsd))).toBe(usdUnits(first.usdValue ?? '0'))
    }
    expect([...partitionsOf.values()].filter((partitions) => partitions.size > 1).length).toBeGreaterThan(20)
  })
})

describe('costs', () => {
  it('stand for what the holder has, and are the value of the deposits where there was nothing else', () => {
    const table = new StateTable()
    const deposited = new Map<string, bigint>()
    const others = new Set<string>()
    for (const { rows } of foldAll(whole, aquarius.adapter(network))) {
      table.write(rows.state)
      for (const row of rows.activities) {
        const { tick_lower: lower, tick_upper: upper } = row.metadata
        const name =
          lower === undefined ? `${row.contract} ${row.address}:cost` : `${row.contract} ${row.address}:range_cost:${lower}:${upper}`
        if (row.activityType === 'deposit' && row.usdValue !== null) {
          deposited.set(name, (deposited.get(name) ?? 0n) + usdUnits(row.usdValue))
        } else if (row.activityType !== 'swap' && row.activityType !== 'claim') others.add(name)
      }
    }
    const rows = new Map(
      [...table.asOf(Number.POSITIVE_INFINITY)]
        .filter((row) => !row.removed)
        .map((row) => [`${row.contract} ${row.key}`, JSON.parse(row.value)]),
    )
    const compared = { shares: 0, ranges: 0 }
    for (const [key, cost] of rows) {
      const isRange = key.includes(':range_cost:')
      if (!isRange && !key.endsWith(':cost')) continue
      const held = isRange
        ? rows.get(key.replace(':range_cost:', ':range:'))?.liquidity
        : rows.get(key.replace(/:cost$/, ':shares'))?.amount
      expect([key, cost.units]).toEqual([key, held ?? '0'])
      const value = deposited.get(key.replace('@', ''))
      if (value === undefined || others.has(key.replace('@', '')) || cost.cost_usd === null) continue
      expect(cost).toMatchObject({ cost_usd: usdText(value), realized_usd: '0', confidence: 'exact' })
      compared[isRange ? 'ranges' : 'shares']++
    }
    expect(compared.shares).toBeGreaterThan(20)
    expect(compared.ranges).toBeGreaterThan(20)
  })
})

/**
 * From the README of the recording: what Aquarius's contracts emitted over its whole length. Not ours are the wrappers of the router (30
 * charge_provider_fee, 10 withdraw_fee, 1 deploy), and the look-alike router with its pool: 1 add_pool, 2 mint, 2 deposit_liquidity,
 * 2 update_reserves, 1 claim_reward, 1 set_rewards_state.
 */
const EMITTED = {
  add_pool: 11 - 1,
  apply_new_fee: 1,
  apply_transfer_ownership: 2,
  apply_upgrade: 6,
  approve: 12,
  burn: 155,
  claim: 32,
  claim_fees: 89,
  claim_protocol_fee: 31,
  claim_reward: 189 - 1,
  commit_new_fee: 2,
  commit_transfer_ownership: 3,
  commit_upgrade: 7,
  config_rewards: 264,
  deposit: 113,
  deposit_liquidity: 383 - 2,
  disable_emergency_mode: 2,
  enable_emergency_mode: 2,
  executable_update: 11,
  kill_claim: 8,
  kill_deposit: 7,
  kill_swap: 8,
  mint: 272 - 2,
  pool_gauge_switch_token: 7,
  pool_state: 428,
  position_update: 221,
  ramp_a: 7,
  reserves_sync: 9,
  revert_new_parameters: 1,
  revert_transfer_ownership: 1,
  revert_upgrade: 1,
  rewards_gauge_add: 8,
  rewards_gauge_claim: 52,
  rewards_gauge_kill_claim: 1,
  rewards_gauge_remove: 1,
  rewards_gauge_schedule_reward: 11,
  rewards_gauge_unkill_claim: 1,
  set_privileged_addrs: 5,
  set_protocol_fee: 12,
  set_rewards_config: 179,
  set_rewards_state: 16 - 1,
  stop_ramp_a: 1,
  swap: 372,
  trade: 603,
  transfer: 46,
  unkill_claim: 7,
  unkill_deposit: 7,
  unkill_swap: 8,
  update_reserves: 1_217 - 2,
  withdraw: 49,
  withdraw_liquidity: 227,
}

/** Calls that change something and say nothing, by what they do; and calls that said so little that nothing happened. */
const SILENT = {
  'shares out the rewards of the running round': [
    'config_global_rewards',
    'fill_liquidity',
    'distribute_outstanding_reward',
    'return_unused_reward',
  ],
  'sets up the router or a pool': [
    'init_admin',
    'init_config_storage',
    'set_pool_hash',
    'set_stableswap_pool_hash',
    'set_concentrated_pool_hash',
    'set_token_hash',
    'set_reward_token',
    'set_pools_plane',
    'set_liquidity_calculator',
    'configure_init_pool_payment',
    'set_reward_boost_config',
    'set_rewards_config',
  ],
  'takes a pool off the list, or a holder out of rewards, without a word': ['remove_pool', 'admin_set_rewards_state'],
  'pays nothing': ['claim', 'gauges_claim', 'claim_position_fees', 'claim_all_position_fees'],
  'allows and moves nothing': ['approve'],
  'gives tokens to a pool': ['transfer', 'mint'],
  'restores entries': [''],
}

describe('the events of the recording', () => {
  it('are all mapped or on the list of what is ignored', () => {
    const seen: Record<string, number> = {}
    const outcome = { actions: 0, ignored: {} as Record<string, number>, unknown: 0 }
    const types: Record<string, number> = {}
    const adapter = aquarius.adapter(network)
    const directoryOf = directoryFor(network)
    let state: ReturnType<typeof adapter.load> | null = null
    for (const slice of whole) {
      state ??= adapter.load([], slice.ledger - 1)
      adapter.fold(state, slice)
      const directory = directoryOf(state)
      for (const { record } of slice.records) {
        if (record.kind !== 'event' || record.contract === null) continue
        const { contract } = record
        if (!directory.pool(contract) && !directory.poolOfShares(contract) && !directory.isRouter(contract)) continue
        const name = topicText(record, 0)?.text ?? ''
        seen[name] = (seen[name] ?? 0) + 1
      }
      for (const operation of operationsOf(slice, directory)) {
        const { actions, unused } = deriveActions(operation, directory)
        outcome.actions += actions.length
        for (const { type } of actions) types[type] = (types[type] ?? 0) + 1
        for (const { expected, reason } of unused) {
          if (expected) outcome.ignored[reason] = (outcome.ignored[reason] ?? 0) + 1
          else outcome.unknown++
        }
      }
    }
    expect(seen).toEqual(EMITTED)
    const made = {
      deposits: 381,
      withdraws: 227,
      /** Of shares that holders burnt: 155 burns without the 146 of withdraws. */
      burns: 9,
      /** Calls of the recording: swap, swap_strict_receive, swap_chained, swap_chained_strict_receive, claim_fees_and_swap. */
      swaps: 238 + 49 + 112 + 51 + 4,
      transfers: 46,
      /** Rewards, gauges, fees of ranges and of the protocol, without the claims of nothing. */
      claims: 188 + 52 + 89 + 31 - 45,
      settings: 410 + 7,
    }
    expect(types).toEqual({
      deposit: made.deposits,
      withdraw: made.withdraws + made.burns,
      swap: made.swaps,
      transfer: made.transfers,
      claim: made.claims,
      admin: made.settings,
    })
    expect(outcome.actions).toBe(Object.values(made).reduce((sum, count) => sum + count, 0))
    expect(outcome.unknown).toBe(0)
    expect(outcome.ignored).toEqual({
      update_reserves: 1_215,
      pool_state: 428,
      reserves_sync: 9,
      approve: 12,
      executable_update: 11,
      claim_of_nothing: 45,
      /** Rates that their pools told too. */
      repeated: 178,
    })
  })

  it('leave no transaction untold but those that say nothing', () => {
    const silent = new Set(Object.values(SILENT).flat())
    const counts = { told: 0, silent: 0 }
    for (const { slice, rows } of foldAll(whole, aquarius.adapter(network))) {
      const told = new Set(rows.activities.map((row) => row.txHash))
      for (const { txHash, activityRows } of rows.transactions) {
        expect(told.has(txHash)).toBe(activityRows > 0)
        counts[told.has(txHash) ? 'told' : 'silent']++
        if (told.has(txHash)) continue
        const tx = slice.transactions.findIndex(({ hash }) => hash === txHash)
        const call = slice.records.find(({ record }) => record.tx === tx && record.kind === 'call')?.record
        expect(silent).toContain(call?.kind === 'call' ? call.function : '')
      }
    }
    expect(counts.told).toBeGreaterThan(1_600)
  })
})
