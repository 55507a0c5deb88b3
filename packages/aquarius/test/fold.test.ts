// What no cut of the log may change: restarts, partitions, empty slices. And what no event may do: get lost.

import { usdText, usdUnits } from '@orrery/fold-kit'
import { topicText } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { recording, StateTable } from '@orrery/testkit'
import { depositedTokens } from '@orrery/testkit/deposited-tokens'
import { foldContract } from '@orrery/testkit/fold-contract'
import { describe, expect, it } from 'vitest'
import { deriveActions } from '../src/fold/activity.ts'
import { directoryFor } from '../src/fold/directory.ts'
import { operationsOf } from '../src/fold/operation.ts'
import { aquarius } from '../src/protocol.ts'

const forge = recording()
const folded = foldContract(aquarius, {
  recording: forge,
  network: () => loadNetwork(forge.registryFile),
  partitions: 4,
  digests: {
    version: 6,
    rows: {
      state: '106096 6d757a0c666bc026',
      prices: '77270 959ddd670e135e9e',
      positionSnapshots: '133181 b25144bab63af719',
      reserveSnapshots: '25276 9e4a6bf8605e4868',
      poolSnapshots: '11983 3925a67d8434f7d7',
      activities: '3689 7fe7c0a3ebffad7f',
      transactions: '2292 c043104ed96f1575',
      notices: '0 e3b0c44298fc1c14',
    },
  },
})

describe('swaps over several partitions', () => {
  it('are valued once: by the amount that the first pool received', () => {
    const rows = folded.parts.flatMap((part, partition) => part.flatMap((it) => it.rows.activities.map((row) => ({ ...row, partition }))))
    const actions = [...Map.groupBy(rows, (row) => row.actionId).values()]
    for (const legs of actions) {
      const first = legs.reduce((a, b) => (a.key.row < b.key.row ? a : b))
      if (first.activityType !== 'swap') continue
      const volume = legs.reduce((total, leg) => total + usdUnits(leg.volumeUsd), 0n)
      expect(volume).toBe(usdUnits(first.usdValue ?? '0'))
    }
    expect(actions.filter((legs) => new Set(legs.map((leg) => leg.partition)).size > 1).length).toBeGreaterThan(20)
  })
})

describe('costs', () => {
  it('have the units that the holder has, and equal the value of the deposits where there was nothing else', () => {
    const table = new StateTable()
    const deposited = new Map<string, bigint>()
    const others = new Set<string>()
    for (const { rows } of folded.whole) {
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

describe('the tokens that were deposited', () => {
  it('the tokens that were deposited are those of the deposits, less the part of each withdrawal, wherever units only came and went by these', () => {
    const expected = depositedTokens(folded.whole.flatMap(({ rows }) => rows.activities))
    const table = new StateTable()
    for (const { rows } of folded.whole) table.write(rows.state)
    const compared = { shares: 0, ranges: 0 }
    for (const { contract, owner, key, value, removed } of table.asOf(Number.POSITIVE_INFINITY)) {
      const range = key.split(':range_cost:')[1]
      if (removed || (range === undefined && key !== `@${owner}:cost`)) continue
      const { units, deposited } = JSON.parse(value)
      const name = `${contract} ${owner}${range === undefined ? '' : ` ${range}`}`
      const holding = expected.get(name)
      if (holding === undefined || holding.tokens === null || String(holding.shares) !== units) continue
      const amounts = [...holding.tokens.values()].map(String)
      expect(amounts.filter((it) => it !== '0').toSorted(), name).toEqual([...deposited].filter((it) => it !== '0').toSorted())
      compared[range === undefined ? 'shares' : 'ranges']++
    }
    expect(compared.shares).toBeGreaterThan(20)
    expect(compared.ranges).toBeGreaterThan(20)
  })
})

describe('a position that falls below 1 USD without an action', () => {
  it('is written in that hour, and not again before the next day', () => {
    // The shipped recording: a swap of another account in 1005479 takes the price out of the account's range. At the next hour 0.76 of 437.03 USD are left.
    const address = 'GAAZGZMO64R4PHAOTOBYEVSDEP5IEA7DWOFX6TXIRH6RGRFF6UJQN552'
    const rows = folded.whole.flatMap(({ rows }) => rows.positionSnapshots).filter((row) => row.address === address)
    const pool = rows.find((row) => row.ledger === 1_005_474 && row.netUsd === '437.02505849')?.pool
    const hours = rows.filter((row) => row.pool === pool && row.ledger >= 1_005_468 && row.ledger < 1_005_520)
    expect(hours.map(({ ledger, netUsd }) => [ledger, netUsd])).toEqual([
      [1_005_468, '437.40912148'],
      [1_005_474, '437.02505849'],
      [1_005_480, '0.76147777'],
    ])
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

/** What leaves no activity, by the call: none of it changes how Aquarius works, or what any account has. */
const SILENT = {
  'pays nothing': ['claim', 'gauges_claim', 'claim_position_fees', 'claim_all_position_fees'],
  'allows and moves nothing': ['approve'],
  'gives tokens to a pool': ['transfer', 'mint'],
  'restores entries': [''],
}

/** From the README of the recording: calls of the router and of pools without an event. */
const CALLED = {
  config_global_rewards: 30,
  fill_liquidity: 154,
  distribute_outstanding_reward: 225,
  return_unused_reward: 1,
  remove_pool: 1,
  admin_set_rewards_state: 2,
  /** One by a pool that emits no event for it, one of the look-alike. */
  set_rewards_config: 2 - 1,
  // What follows set up the look-alike router and contracts that are not followed as well.
  set_pool_hash: 4 - 1,
  set_token_hash: 4 - 1,
  set_stableswap_pool_hash: 3,
  set_concentrated_pool_hash: 1,
  configure_init_pool_payment: 3 - 1,
  init_config_storage: 4 - 1,
  init_admin: 4 - 3,
  set_reward_token: 2 - 1,
  set_reward_boost_config: 2 - 1,
  set_pools_plane: 3 - 2,
  set_liquidity_calculator: 1,
}

describe('the events of the recording', () => {
  it('are all mapped or on the list of what is ignored', async () => {
    const seen: Record<string, number> = {}
    const called: Record<string, number> = {}
    const outcome = { actions: 0, ignored: {} as Record<string, number>, unknown: 0 }
    const types: Record<string, number> = {}
    const network = await loadNetwork(forge.registryFile)
    const state = aquarius.adapter(network).load(
      folded.whole.flatMap(({ rows }) => rows.state),
      Number.POSITIVE_INFINITY,
    )
    // Contracts are only added: the last state knows every one of the recording.
    const directory = directoryFor(network)(state)
    for (const { slice } of folded.whole) {
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
        for (const { call } of operation.silent) called[call.function] = (called[call.function] ?? 0) + 1
        for (const { expected, reason } of unused) {
          if (expected) outcome.ignored[reason] = (outcome.ignored[reason] ?? 0) + 1
          else outcome.unknown++
        }
      }
    }
    expect(seen).toEqual(EMITTED)
    expect(called).toEqual(CALLED)
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
      calls: Object.values(CALLED).reduce((sum, count) => sum + count, 0),
    }
    expect(types).toEqual({
      deposit: made.deposits,
      withdraw: made.withdraws + made.burns,
      swap: made.swaps,
      transfer: made.transfers,
      claim: made.claims,
      admin: made.settings + made.calls,
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
      /** Rates that their pools emit too. */
      repeated: 178,
    })
  })

  it('make at least one activity of every transaction, except of calls that change nothing', () => {
    const silent = new Set(Object.values(SILENT).flat())
    const counts = { active: 0, silent: 0 }
    for (const { slice, rows } of folded.whole) {
      const active = new Set(rows.activities.map((row) => row.txHash))
      for (const { txHash, activityRows } of rows.transactions) {
        expect(active.has(txHash)).toBe(activityRows > 0)
        counts[active.has(txHash) ? 'active' : 'silent']++
        if (active.has(txHash)) continue
        const tx = slice.transactions.findIndex(({ hash }) => hash === txHash)
        const call = slice.records.find(({ record }) => record.tx === tx && record.kind === 'call')?.record
        expect(silent).toContain(call?.kind === 'call' ? call.function : '')
      }
    }
    expect(counts.active).toBeGreaterThan(1_600)
  })
})
