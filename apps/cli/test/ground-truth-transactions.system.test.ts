// Every transaction that touched one of the four protocols decodes through `/v1`, or is of a kind that leaves no activity.

import { readFileSync } from 'node:fs'
import { type ContractId, type EventRecord, extractLedger, type LedgerExtract, readScVal, TrackedSet, topicText } from '@orrery/ledger'
import { groundTruthRecording, readBatchFile } from '@orrery/testkit'
import { expectCounts } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyAddress, feedOf } from './truth/feeds.ts'
import { each } from './truth/recorded.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork

beforeAll(async () => {
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

interface Scenario {
  readonly soroswap: { readonly factory: string; readonly router: string; readonly pairs: Readonly<Record<string, unknown>> }
  readonly blend: {
    readonly comet: string
    readonly emitter: string
    readonly v1: Readonly<Record<'backstop' | 'factory', string>>
    readonly v2: Readonly<Record<'backstop' | 'factory', string>>
    readonly pools: Readonly<Record<string, { readonly from_factory: boolean }>>
  }
  readonly aquarius: { readonly router: string; readonly pools: Readonly<Record<string, { address: string; share_token: string | null }>> }
  readonly fxdao: { readonly vaults: string; readonly locking_pool: string }
}

/** The protocols' contracts, from the author of the recording, not from Orrery. */
function contractsOf({ soroswap, blend, aquarius, fxdao }: Scenario): Map<ContractId, string> {
  const pools = Object.entries(blend.pools).filter(([, { from_factory }]) => from_factory)
  const ours = {
    soroswap: [soroswap.factory, soroswap.router, ...Object.keys(soroswap.pairs)],
    blend: [blend.comet, blend.emitter, ...Object.values(blend.v1), ...Object.values(blend.v2), ...pools.map(([pool]) => pool)],
    aquarius: [
      aquarius.router,
      ...Object.values(aquarius.pools).flatMap(({ address, share_token }) => [address, share_token ?? []].flat()),
    ],
    fxdao: [fxdao.vaults, fxdao.locking_pool],
  }
  return new Map(Object.entries(ours).flatMap(([protocol, contracts]) => contracts.map((contract) => [contract, protocol] as const)))
}

interface Touch {
  readonly hash: string
  /** Protocols, and the function that the transaction called. */
  readonly what: string
  readonly movesTokens: boolean
}

const MOVES = ['transfer', 'mint', 'burn', 'clawback']

/** A claim of zero emits a transfer of zero. */
function isMove({ topics, data }: EventRecord): boolean {
  if (!MOVES.includes(topicText({ topics }, 0)?.text ?? '')) return false
  const amount = readScVal(data)
  return amount.type !== 'i128' || amount.value !== 0n
}

/** Each transaction that called one of the contracts, made it emit an event, or changed one of its entries. */
function touching({ transactions, records }: LedgerExtract, contracts: ReadonlyMap<ContractId, string>): Touch[] {
  return transactions.flatMap(({ hash }, tx) => {
    const all = records.filter((record) => record.tx === tx)
    const own = all.filter(({ contract }) => contract !== null && contracts.has(contract))
    const isTouched = own.some((it) => it.kind === 'event' || it.kind === 'call' || (it.kind === 'entry' && !same(it.before, it.value)))
    if (!isTouched) return []
    const call = all.find((record) => record.kind === 'call')
    const protocols = [...new Set(own.map(({ contract }) => contracts.get(contract ?? '')))].sort()
    const movesTokens = all.some((it) => it.kind === 'event' && isMove(it))
    return [{ hash, what: `${protocols.join('+')} ${call?.kind === 'call' ? call.function : ''}`, movesTokens }]
  })
}

function same(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && Buffer.compare(a, b) === 0
}

/** Transactions without an activity: the reason, and how often each function is called. None of them moves a token, except for the last. */
const WITHOUT_ACTIVITY: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'restores or extends entries, and calls nothing': { 'soroswap ': 2, 'blend ': 6, 'aquarius ': 1, 'fxdao ': 2 },
  'pays nothing: nothing is owed': {
    'aquarius claim': 8,
    'aquarius claim_position_fees': 4,
    'aquarius claim_all_position_fees': 2,
    'aquarius gauges_claim': 14,
  },
  'allows, and moves nothing': { 'soroswap approve': 3, 'blend approve': 2, 'aquarius approve': 12 },
  'writes down what a pool or a backstop has anyway': { 'soroswap sync': 8, 'blend update_tkn_val': 15, 'aquarius backfill_plane_data': 1 },
  'is kept by a contract that nothing shown depends on': {
    'aquarius set_rewards_gauge_hash': 3,
    'aquarius pool_gauge_set_reward_thresholds': 1,
  },
  'makes a pair: its first deposit is its first action': { 'soroswap create_pair': 1 },
  'sets contracts up': { 'soroswap initialize': 2, 'blend initialize': 3 },
  'sets the pool of LP tokens up, with its first tokens': { 'blend init': 1 },
}

/** One in this many of the transactions in feeds is decoded too, and every transaction that is in no feed. */
const DECODED_EVERY = 10

it('every transaction that touched a protocol decodes to activities, except for the listed kinds without an activity', async () => {
  const { networkFile, batchFiles } = groundTruthRecording()
  const contracts = contractsOf(JSON.parse(readFileSync(networkFile, 'utf8')))
  const tracked = TrackedSet.everything(whole.network.passphrase)
  const touched: Touch[] = []
  for (const file of batchFiles()) {
    for (const ledger of await readBatchFile(file)) touched.push(...touching(extractLedger(ledger, tracked), contracts))
  }
  /** Legs by transaction. */
  const legs = new Map<string, number>()
  await each(everyAddress(), async (address) => {
    for (const { tx_hash: hash } of await feedOf(whole, address)) legs.set(hash, (legs.get(hash) ?? 0) + 1)
  })
  const withoutActivity: Touch[] = []
  const counts = { touched: touched.length, inFeeds: 0, decoded: 0 }
  await each(touched.entries(), async ([n, touch]) => {
    const inFeeds = legs.get(touch.hash) ?? 0
    if (inFeeds > 0) counts.inFeeds++
    if (inFeeds > 0 && n % DECODED_EVERY !== 0) return
    const { status, body } = await whole.ask(`/v1/transactions/${touch.hash}`)
    const shown = status === 200 ? body.data.activities.length : 0
    if (shown === 0) withoutActivity.push(touch)
    else counts.decoded++
    expect(shown, touch.hash).toBeGreaterThanOrEqual(inFeeds)
  })
  process.stderr.write(`Transactions that touched a protocol: ${JSON.stringify({ ...counts, withoutActivity: withoutActivity.length })}\n`)
  const byCall = Map.groupBy(withoutActivity, ({ what }) => what)
  const calls = Object.fromEntries([...byCall].map(([what, of]) => [what, of.length]))
  expectCounts('Transactions without an activity', calls, Object.assign({}, ...Object.values(WITHOUT_ACTIVITY)))
  const moving = new Set(withoutActivity.filter(({ movesTokens }) => movesTokens).map(({ what }) => what))
  const isFirstDeposit = (what: string): boolean => what in (WITHOUT_ACTIVITY['sets the pool of LP tokens up, with its first tokens'] ?? {})
  expect([...moving].filter((what) => !isFirstDeposit(what))).toEqual([])
}, 900_000)
