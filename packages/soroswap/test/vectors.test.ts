// The deployed contracts, executed outside this repository: every event and entry change of 29 calls, and what the accounts held afterwards.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntryRecord, EventRecord, LedgerExtract } from '@orrery/ledger'
import type { ActivityRow, Network, Slice } from '@orrery/protocol-kit'
import { networkFromJson } from '@orrery/protocols'
import { poolSide, Slicer, sharedDir, tokenMoves } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readPairInstance, readPairKey, readShares } from '../src/chain/entries.ts'
import { readPairEvent } from '../src/chain/events.ts'
import { payoutSupply, removalPayout, swapFee } from '../src/math/constant-product.ts'
import { soroswap } from '../src/protocol.ts'
import { amountIn, amountOut, quote, sharesFor } from './formulas/constant-product.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/soroswap.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

const figure = (value: unknown) => BigInt(String(value))
const figures = (value: unknown) => (value as string[]).map(BigInt) as [bigint, bigint]

describe.runIf(vectors !== null)('the formulas of the contracts (from ../shared)', () => {
  it('equal the unit tests of soroswap/core', () => {
    let compared = 0
    for (const { fn, in: input, expected } of vectors?.math ?? []) {
      const ours = formulas[fn]?.(input)
      if (ours === undefined) continue // whole cycles of calls: the executed contracts below go through those
      const theirs = typeof expected === 'string' ? expected : (expected as Record<string, unknown>)[ours.member]
      expect({ fn, input, result: String(ours.result) }).toEqual({ fn, input, result: String(theirs) })
      compared++
    }
    expect(compared).toBe(17)
  })

  it('explain eight swaps of mainnet', () => {
    for (const { swap, derived } of vectors?.mainnet_swaps ?? []) {
      const read = readPairEvent({ topics: topicsOf(swap.topics_xdr), data: base64(swap.data_xdr) })
      if (read.name !== 'swap') throw new Error(`not a swap but ${read.name}`)
      const [given, got] = read.amountsIn[0] > 0n ? ([0, 1] as const) : ([1, 0] as const)
      const before = [BigInt(derived.reserve_0_before), BigInt(derived.reserve_1_before)] as const
      expect(amountOut(read.amountsIn[given], before[given], before[got])).toBe(read.amountsOut[got])
      expect(swapFee(read.amountsIn[given])).toBe(BigInt(derived.lp_fee_in_input_token))
    }
  })
})

describe.runIf(vectors !== null)('the entries of three pairs of mainnet (from ../shared)', () => {
  it('are read, and a holder of each could withdraw the expected amounts', () => {
    for (const it of vectors?.mainnet_state ?? []) {
      const instance = readPairInstance(base64(it.instance_val_xdr), it.pair)
      if (instance === null) throw new Error(`${it.pair} has no tokens`)
      const { token0, token1, reserve0, reserve1, totalSupply, kLast, metadata } = instance
      expect([token0, token1, reserve0, reserve1, totalSupply].map(String)).toEqual([
        it.token_0,
        it.token_1,
        it.reserve_0,
        it.reserve_1,
        it.total_supply,
      ])
      expect([kLast, metadata?.symbol, metadata?.decimals]).toEqual([null, it.lp_symbol, it.lp_decimals])
      const key = readPairKey(base64(it.holder.balance_key_xdr))
      expect(key).toEqual({ name: 'Balance', values: [it.holder.account] })
      const shares = readShares(base64(it.holder.balance_val_xdr)) ?? 0n
      const pool = { reserve0, reserve1, balance0: reserve0, balance1: reserve1, totalSupply, kLast: 0n, feesEnabled: false }
      expect(removalPayout(shares, pool, totalSupply)?.map(String)).toEqual([it.holder.expected_amount_0, it.holder.expected_amount_1])
    }
  })
})

describe.runIf(vectors !== null)('the executed contracts (from ../shared)', () => {
  const steps = vectors?.execution.steps.filter((step) => step.events !== undefined) ?? []

  it('did what the activities report, and left the amounts of the positions', () => {
    expect(steps.length).toBe(28)
    const network = mainnet()
    const adapter = soroswap.adapter(network)
    const slicer = new Slicer(network, soroswap.routing, 1)
    const state = adapter.load([], 0)
    const entries = new Map<string, Uint8Array>()
    for (const [n, step] of steps.entries()) {
      const [slice] = slicer.feed(extractOf(step, n + 1, entries))
      if (slice === undefined) throw new Error('one partition makes one slice')
      const { activities, notices } = adapter.fold(state, slice)
      expect({ step: step.name, notices }).toEqual({ step: step.name, notices: [] })
      expect({ step: step.name, rows: rowsAsText(activities) }).toEqual({ step: step.name, rows: expectedOf(step, slice) })
      for (const [pair, after] of Object.entries<Record<string, unknown>>(step.positions_after ?? {})) {
        const known = state.pairs.get(pair)
        const instance = known?.instance?.value
        if (known === undefined || instance === undefined) throw new Error(`${pair} is unknown`)
        const { token0, token1, reserve0, reserve1, totalSupply, kLast } = instance
        expect([reserve0, reserve1, totalSupply, kLast].map((it) => it?.toString() ?? null)).toEqual([
          after.reserve_0,
          after.reserve_1,
          after.total_supply,
          after.k_last,
        ])
        const pool = {
          reserve0,
          reserve1,
          balance0: known.balances.get(token0)?.value ?? 0n,
          balance1: known.balances.get(token1)?.value ?? 0n,
          totalSupply,
          kLast: kLast ?? 0n,
          // The vectors have payouts before a pending mint; the mint has its own vector.
          feesEnabled: false,
        }
        for (const [holder, it] of Object.entries(after.holders as Record<string, Record<string, string>>)) {
          const shares = known.holders.get(holder)?.shares?.value ?? 0n
          const payout = removalPayout(shares, pool, payoutSupply(pool)) ?? [0n, 0n]
          expect([step.name, holder, shares, ...payout].map(String)).toEqual([step.name, holder, it.shares, it.amount_0, it.amount_1])
        }
      }
    }
  })
})

/** What the file holds of what is read here. Figures are decimal strings. */
interface Vectors {
  readonly addresses: { readonly mainnet: { readonly factory: string; readonly router: string } }
  readonly math: readonly Formula[]
  readonly mainnet_swaps: readonly {
    readonly swap: { readonly topics_xdr: string[]; readonly data_xdr: string }
    readonly derived: Readonly<Record<'reserve_0_before' | 'reserve_1_before' | 'lp_fee_in_input_token', string>>
  }[]
  readonly mainnet_state: readonly {
    readonly pair: string
    readonly token_0: string
    readonly token_1: string
    readonly reserve_0: string
    readonly reserve_1: string
    readonly total_supply: string
    readonly lp_symbol: string
    readonly lp_decimals: number
    readonly instance_val_xdr: string
    readonly holder: Readonly<Record<'account' | 'balance_key_xdr' | 'balance_val_xdr' | 'expected_amount_0' | 'expected_amount_1', string>>
  }[]
  readonly execution: {
    readonly network_passphrase: string
    readonly accounts: Readonly<Record<'alice' | 'dave', string>>
    readonly tokens: Readonly<Record<string, string>>
    readonly steps: readonly Step[]
  }
}

interface Formula {
  readonly fn: string
  readonly in: Readonly<Record<string, unknown>>
  readonly expected: unknown
}

/** The result of a formula, and its member in the expected object where there is more than one. */
const formulas: Readonly<Record<string, (input: Formula['in']) => { readonly member: string; readonly result: unknown } | undefined>> = {
  quote: (it) => ({ member: '', result: quote(figure(it.amount_a), figure(it.reserve_a), figure(it.reserve_b)) }),
  get_amount_out: (it) => ({ member: '', result: amountOut(figure(it.amount_in), figure(it.reserve_in), figure(it.reserve_out)) }),
  get_amount_in: (it) => ({ member: '', result: amountIn(figure(it.amount_out), figure(it.reserve_in), figure(it.reserve_out)) }),
  pair_swap_max_out: (it) => {
    const reserves = [figure(it.reserve_0), figure(it.reserve_1)] as const
    const [reserveIn, reserveOut] = it.side === 'token_0 in' ? reserves : [reserves[1], reserves[0]]
    return { member: '', result: amountOut(figure(it.amount_in), reserveIn, reserveOut) }
  },
  first_deposit: (it) => {
    const shares = sharesFor(figure(it.amount_0), figure(it.amount_1), 0n, 0n, 0n)
    return shares > 0n ? { member: 'user_shares', result: shares } : { member: 'error', result: 106 }
  },
  fee_on_second_deposit: (it) => ({
    member: 'minted',
    result: sharesFor(...figures(it.amounts), ...figures(it.reserves), figure(it.total_supply) + figure(it.fee_liquidity)),
  }),
  fee_on_withdraw: (it) => {
    const [reserve0, reserve1] = figures(it.reserves_before_withdraw)
    // The first deposit minted the user's shares and the thousand that are locked.
    const totalSupply = figure(it.user_shares) + 1_000n
    const pool = { reserve0, reserve1, balance0: reserve0, balance1: reserve1, totalSupply, kLast: figure(it.k_last), feesEnabled: true }
    return { member: 'user_out', result: removalPayout(figure(it.user_shares), pool, payoutSupply(pool)) }
  },
}

interface Step {
  readonly name: string
  readonly call: { readonly contract: string; readonly fn: string }
  /** Absent when the call failed on purpose. */
  readonly events?: readonly { index: number; contract: string; topics_xdr: string[]; data_xdr: string }[]
  readonly entry_changes: readonly {
    contract: string
    durability: 'persistent' | 'temporary'
    change: 'created' | 'updated'
    key_xdr: string
    val_xdr: string
  }[]
  readonly expected_activities: readonly ExpectedActivity[]
  readonly positions_after?: Record<string, Record<string, unknown>>
}

interface ExpectedActivity {
  readonly activity_type: string
  readonly account: string | null
  readonly pool: string
  readonly legs: readonly { token: string; amount: string; direction: string }[]
  readonly share_amount: string | null
}

/** One call as one ledger with one transaction. Pre-images are what the step before left. */
function extractOf(step: Step, ledger: number, entries: Map<string, Uint8Array>): LedgerExtract {
  const changes = step.entry_changes.map((it, index): EntryRecord => {
    const key = `${it.contract} ${it.key_xdr}`
    const before = entries.get(key) ?? null
    const value = base64(it.val_xdr)
    entries.set(key, value)
    const { contract, durability, change } = it
    return {
      kind: 'entry',
      tx: 0,
      opIndex: 0,
      index,
      contract,
      durability,
      change,
      key: base64(it.key_xdr),
      value,
      before,
      liveUntil: null,
    }
  })
  const events = (step.events ?? []).map((it): EventRecord => {
    const { index, contract } = it
    return {
      kind: 'event',
      tx: 0,
      opIndex: 0,
      index,
      contract,
      type: 'contract',
      topics: topicsOf(it.topics_xdr),
      data: base64(it.data_xdr),
    }
  })
  const hash = ledger.toString(16).padStart(64, '0')
  return {
    header: { sequence: ledger, closeTimeSeconds: 1_700_000_000 + ledger * 5, hash, previousHash: hash, protocolVersion: 23 },
    transactions: [
      { hash, txOrder: 1, source: execution().accounts.alice, feeSource: null, innerHash: null, feeCharged: null, memo: null },
    ],
    records: [...changes, ...events],
  }
}

const OUR_TYPES: Readonly<Record<string, string>> = { burn: 'withdraw', protocol_fee: 'emission', skim: 'transfer' }

/**
 * The expected legs of the vectors, as rows; no event of the vectors has the receiver of a skim. With one correction: the file's step
 * `withdraw_direct` burns shares that the step before sent to the pair, and the file has them in the activities of both. By its own positions they
 * left their holder once, with the transfer.
 */
function expectedOf(step: Step, { records }: Slice): string[] {
  const moves = tokenMoves(records.flatMap(({ record }) => (record.kind === 'event' ? [record] : [])))
  return step.expected_activities
    .flatMap((it) => {
      const type = OUR_TYPES[it.activity_type] ?? it.activity_type
      const account = it.activity_type === 'skim' ? execution().accounts.dave : it.account
      const legs = it.legs.filter((leg) => leg.amount !== '0')
      const isSentHere = it.activity_type !== 'withdraw' || moves.some(({ token, to }) => token === it.pool && to === it.pool)
      const sharesOnFirst = (n: number) => (n === 0 && isSentHere ? (it.share_amount ?? '0') : '0')
      if (legs.length === 0) return [`${type} ${account} ${it.pool} ${it.share_amount}`]
      return legs.map((leg, n) => `${type} ${account} ${it.pool} ${sharesOnFirst(n)} ${leg.direction} ${leg.token} ${leg.amount}`)
    })
    .sort()
}

function rowsAsText(rows: readonly ActivityRow[]): string[] {
  return (
    rows
      // The vectors name changes of settings nowhere, and a transfer on the sender's side only.
      .filter((row) => row.activityType !== 'admin' && !(row.metadata.event === 'transfer' && row.direction === 'received'))
      .map((row) => {
        const text = `${row.activityType} ${row.address} ${row.contract} ${row.shareAmount}`
        return row.assetId === '' || row.assetId === row.contract ? text : `${text} ${poolSide(row, rows)} ${row.assetId} ${row.amount}`
      })
      .sort()
  )
}

function mainnet(): Network {
  const { factory, router } = known(vectors).addresses.mainnet
  const assets = Object.fromEntries(
    Object.entries<string>(execution().tokens).map(([code, id]) => [id, { code, issuer: null, decimals: 7, tags: [] }]),
  )
  return {
    ...networkFromJson({
      network: 'vectors',
      passphrase: execution().network_passphrase,
      first_ledger: 1,
      protocols: { soroswap: { deployments: [{ factory, routers: [router], from_ledger: 1 }] } },
      oracles: [],
      price_pools: [],
      usd_pegs: [],
      assets: {},
    }),
    assets,
  }
}

/** `ScVal[]`: a count, then the values. */
function topicsOf(topics: readonly string[]): Uint8Array {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(topics.length)
  return new Uint8Array(Buffer.concat([count, ...topics.map((topic) => Buffer.from(topic, 'base64'))]))
}

const execution = () => known(vectors).execution

function known<T>(value: T | null): T {
  if (value === null) throw new Error('the vectors are absent')
  return value
}
