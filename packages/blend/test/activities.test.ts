// The feed of the whole recording against the contracts' own answers and the tokens' own transfers: nothing is missing, nothing is counted twice.

import type { ActivityRow, Network, Rows } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type FoldedRecording, foldedRecording, placeOf, Reconciliation, type TokenMove } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Directory, directoryOf } from '../src/fold/directory.ts'
import { blend } from '../src/protocol.ts'
import { assetsOf } from '../src/state/state.ts'
import { shareChange } from './share-change.ts'
import { holderFlows, isPaidIn, kindOf, reasonOfNoMove } from './token-flows.ts'

const forge = groundTruthRecording()
let network: Network
let world: FoldedRecording
/** Who is who in the end: contracts never change sides. */
let directory: Directory
/** Assets by pool, in the order of their reserve index. */
let assets: ReadonlyMap<string, readonly string[]>

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  world = await foldedRecording(forge, network, blend)
  const last = world.slices.at(-1)?.ledger ?? 0
  const state = blend.adapter(network).load(world.table.asOf(last), last)
  directory = directoryOf(state)
  assets = new Map([...state.pools.values()].map((pool) => [pool.pool, assetsOf(pool)]))
})

const add = (sums: Map<string, bigint>, name: string, amount: bigint) => sums.set(name, (sums.get(name) ?? 0n) + amount)
const activities = () => world.rows.flatMap((rows: Rows) => rows.activities)

describe('share amounts of the feed', () => {
  it('share amounts of the feed add up to every position and backstop balance that the contracts answered', async () => {
    const answers = new Map<number, { name: string; shares: bigint }[]>()
    const counts = { positions: 0, backstops: 0, nonzero: 0 }
    for await (const answer of forge.expected()) {
      const of = answers.get(answer.ledger) ?? []
      answers.set(answer.ledger, of)
      if (answer.kind === 'blend.user') {
        const maps = answer.positions as Record<'supply' | 'collateral' | 'liabilities', Record<string, string>>
        for (const [index, asset] of assets.get(answer.contract)?.entries() ?? []) {
          const name = (type: string) => `${answer.contract} ${answer.address} ${type} ${asset}`
          of.push({ name: name('b_token'), shares: BigInt(maps.supply[index] ?? 0) })
          of.push({ name: name('b_token_collateral'), shares: BigInt(maps.collateral[index] ?? 0) })
          of.push({ name: name('d_token'), shares: BigInt(maps.liabilities[index] ?? 0) })
          counts.positions += 3
        }
      } else if (answer.kind === 'blend.backstop_user') {
        of.push({ name: `${answer.pool} ${answer.address} backstop_share`, shares: BigInt(String(answer.all_shares)) })
        counts.backstops++
      }
    }
    const sums = new Map<string, bigint>()
    const wrong: unknown[] = []
    for (const { slice, rows } of world.ledgers()) {
      const { ledger } = slice
      for (const row of rows.activities) {
        if (row.shareType === '' || row.shareType === 'lp_share') continue
        const asset = row.shareType === 'backstop_share' ? '' : ` ${row.assetId}`
        add(sums, `${row.contract} ${row.address} ${row.shareType}${asset}`, shareChange(row))
      }
      for (const { name, shares } of answers.get(ledger) ?? []) {
        if (shares !== 0n) counts.nonzero++
        if ((sums.get(name) ?? 0n) !== shares) wrong.push({ ledger, name, contract: shares, feed: sums.get(name) ?? 0n })
      }
    }
    expect(wrong).toEqual([])
    expectCounts('blend: share legs add up to', counts, { positions: 146_223, backstops: 5_705, nonzero: 36_510 })
  })
})

describe('token amounts of the feed', () => {
  it('token amounts of the feed are what each operation moved in and out of pools and backstops', () => {
    const inFeed = new Map<string, bigint>()
    for (const row of activities()) {
      const moved = movedTokens(row)
      if (moved !== null) add(inFeed, `${placeOf(row)} ${moved.holder} ${row.assetId}`, isPaidIn(row) ? row.amount : -row.amount)
    }
    const moved = new Map<string, bigint>()
    for (const { operations } of world.ledgers()) for (const { place, moves } of operations) addTransfers(place, moves, moved)
    const all = new Set([...inFeed.keys(), ...moved.keys()])
    const wrong = [...all].filter((name) => (inFeed.get(name) ?? 0n) !== (moved.get(name) ?? 0n))
    // Tokens that an account sent to a pool by a plain transfer: the pool's until `gulp`, which has a row.
    const gifts = wrong.filter((name) => !inFeed.has(name))
    expect(wrong.filter((name) => inFeed.has(name))).toEqual([])
    expect(gifts.length).toBe(gulpedGifts())
    expectCounts('blend: token legs by pool', { equal: all.size - gifts.length, gifts: gifts.length }, { equal: 898, gifts: 7 })
  })

  it('token amounts of the feed are what each operation moved between accounts and Blend, by payer and receiver', () => {
    const reconciliation = new Reconciliation()
    for (const { operations } of world.ledgers()) {
      for (const operation of operations) {
        const all = holderFlows(operation, directory)
        for (const comparison of all)
          reconciliation.add(kindOf(comparison, all, operation, directory), { place: operation.place, ...comparison })
      }
    }
    expect(reconciliation.unexplained).toEqual([])
    expectCounts('blend: token legs by holder', reconciliation.counts, {
      equal: 1_155,
      gift: 9,
      'netted in one submit': 28,
      'sent back': 24,
      'sent back to the receiver': 2,
    })
  })

  it('no token moves where shares pass from account to account or the backstop deposits what it buys', () => {
    const reasons = new Reconciliation()
    for (const row of activities()) if (row.assetId !== '') reasons.add(reasonOfNoMove(row) ?? 'moves', row)
    expectCounts('blend: rows that move no token', reasons.counts, {
      'auction backstop': 21,
      'auction filler': 21,
      'bad_debt backstop': 20,
      'bad_debt debtor': 15,
      'bad_debt suppliers': 5,
      'claim auto_compound': 29,
      'liquidation liquidated': 61,
      'liquidation liquidator': 61,
      moves: 1_329,
      'nothing moves': 182,
      'stake auto_compound': 25,
    })
  })

  it('what a claim from a v2 backstop pays is deposited again, but for less than one unit a pool that rounding keeps', () => {
    const counts = { claims: 0, rounded: 0 }
    for (const { activityType, amount, metadata } of activities()) {
      if (activityType !== 'claim' || metadata.lp_tokens === undefined || metadata.version !== 'v2') continue
      const kept = amount - BigInt(String(metadata.lp_tokens))
      const pools = (metadata.pools as string[]).length
      expect({ amount, kept, isRounding: kept === 0n || (kept > 0n && kept < BigInt(pools)) }).toMatchObject({ isRounding: true })
      counts.claims++
      if (kept > 0n) counts.rounded++
    }
    expectCounts('blend: claims that were deposited again', counts, { claims: 22, rounded: 5 })
  })

  /** Whose holding of the tokens a row is about; null where positions changed hands and no token moved. */
  function movedTokens(row: ActivityRow): { holder: string } | null {
    const { activityType, metadata, amount, contract } = row
    if (reasonOfNoMove(row) !== null || amount === 0n) return null
    const backstop = network.deployments.blend.find(({ version }) => version === metadata.version)?.backstop ?? ''
    switch (activityType) {
      case 'deposit':
      case 'withdraw':
      case 'borrow':
      case 'repay':
        return directory.roleOf(contract) === 'pool' ? { holder: contract } : null
      case 'stake':
      case 'unstake':
        return metadata.reason === 'auto_compound' ? null : { holder: backstop }
      case 'claim':
        return directory.roleOf(contract) === 'pool' ? { holder: backstop } : null
      case 'auction':
        if (row.shareType === 'd_token' || metadata.role === 'backstop') return null
        return { holder: directory.roleOf(row.assetId) === 'comet' ? backstop : contract }
      default:
        return null
    }
  }

  function addTransfers(place: string, moves: readonly TokenMove[], moved: Map<string, bigint>): void {
    for (const move of moves) {
      // BLND that is minted for a backstop has a row once it is distributed.
      if (move.from === null || move.to === null) continue
      for (const [holder, amount] of [
        [move.to, move.amount],
        [move.from, -move.amount],
      ] as const) {
        const role = directory.roleOf(holder)
        const isOurs = role === 'pool' || (role === 'backstop' && !isPurchase(move.to))
        if (isOurs) add(moved, `${place} ${holder} ${move.token}`, amount)
      }
    }
  }

  /** BLND that a backstop pays into the Comet pool for a claim: the row of the claim has what it got for it. */
  function isPurchase(to: string): boolean {
    return directory.roleOf(to) === 'comet'
  }

  /** Operations that moved tokens to a pool without a word of the pool. */
  function gulpedGifts(): number {
    return world.slices.reduce((sum, { records }) => {
      const calls = records.flatMap(({ record }) => (record.kind === 'call' && record.parent === -1 && record.index === 0 ? [record] : []))
      return sum + calls.filter(({ contract, function: name }) => name === 'transfer' && directory.roleOf(contract) === null).length
    }, 0)
  }
})

describe('transactions of the recording', () => {
  it('every transaction that touched Blend has activities, or is on the list of those that did nothing', () => {
    const quiet = new Map<string, number>()
    for (const [n, slice] of world.slices.entries()) {
      for (const { txHash, activityRows } of world.rows[n]?.transactions ?? []) {
        if (activityRows > 0) continue
        const tx = slice.transactions.findIndex(({ hash }) => hash === txHash)
        const call = slice.records.find(({ record }) => record.kind === 'call' && record.tx === tx)?.record
        const name = call?.kind === 'call' ? `${directory.roleOf(call.contract) ?? 'token'}.${call.function}` : 'create_contract'
        quiet.set(name, (quiet.get(name) ?? 0) + 1)
      }
    }
    expectCounts('blend: transactions without a row', Object.fromEntries([...quiet].sort()), {
      // Set-up: contracts that were created and initialised.
      create_contract: 6,
      'backstop.initialize': 1,
      'comet.init': 1,
      'emitter.initialize': 1,
      'factory.initialize': 1,
      // An allowance of LP tokens moves nothing.
      'comet.approve': 2,
      // `update_tkn_val` sets the backstop's value of an LP token: any account may call it, and nothing moves.
      'backstop.update_tkn_val': 15,
      // Tokens sent to a pool by a plain transfer are a gift; `gulp` is the event of their credit.
      'token.transfer': 7,
    })
  })

  it('a transaction has as many rows as it counts', () => {
    const rows = Map.groupBy(activities(), (row) => row.txHash)
    const transactions = world.rows.flatMap((it) => it.transactions)
    expect(transactions.map(({ txHash, activityRows }) => [txHash, activityRows])).toEqual(
      transactions.map(({ txHash }) => [txHash, rows.get(txHash)?.length ?? 0]),
    )
    expect(new Set(transactions.map(({ txHash }) => txHash)).size).toBe(transactions.length)
  })
})
