// `sent` and `received` of the actions of every account through `/v1`, against the token transfers of the recorded ledgers as the SDK decodes them.

import { readFileSync } from 'node:fs'
import { groundTruthRecording } from '@orrery/testkit'
import { expectCounts } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Case, explain, type Flow, type RecordedContracts } from './truth/action-transfers.ts'
import { actionsOf, everyAddress, feedOf } from './truth/feeds.ts'
import { each, raw } from './truth/recorded.ts'
import { type RecordedTransaction, recordedTransfers } from './truth/recorded-transfers.ts'
import { WholeNetwork } from './truth/whole-network.ts'

interface Scenario {
  readonly soroswap: { readonly pairs: Readonly<Record<string, unknown>> }
  readonly aquarius: {
    readonly fees_collector: string
    readonly pools: Readonly<Record<string, { readonly address: string; readonly share_token: string | null }>>
  }
  readonly blend: { readonly comet: string }
}

const NO_TRANSFERS: RecordedTransaction = { ledger: 0, transfers: [], surplus: new Map() }

let whole: WholeNetwork
let transactions: ReadonlyMap<string, RecordedTransaction>
let contracts: RecordedContracts

beforeAll(async () => {
  const { soroswap, aquarius, blend } = JSON.parse(readFileSync(groundTruthRecording().networkFile, 'utf8')) as Scenario
  const pairs = Object.keys(soroswap.pairs)
  const ofPools = Object.values(aquarius.pools).flatMap(({ address, share_token }) =>
    share_token === null ? [] : [[address, share_token] as const],
  )
  const ofThemselves = [...pairs, blend.comet].map((pool) => [pool, pool] as const)
  contracts = { shareTokens: new Map([...ofPools, ...ofThemselves]), feesCollector: aquarius.fees_collector }
  transactions = await recordedTransfers(new Set(pairs))
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Sum over the actions. */
function shownFlow(actions: readonly Answer['data'][], asset: string): Flow {
  const of = (side: 'sent' | 'received') =>
    actions
      .flatMap((action) => action[side])
      .filter(({ asset_id }: Answer['data']) => asset_id === asset)
      .reduce((total: bigint, { amount }: Answer['data']) => total + BigInt(raw(amount)), 0n)
  return { sent: of('sent'), received: of('received') }
}

/** Every named address, and every account that sent or received a token. */
function everyHolder(): Set<string> {
  const holders = everyAddress()
  for (const { transfers } of transactions.values())
    for (const { from, to } of transfers) for (const holder of [from, to]) if (holder !== null) holders.add(holder)
  return holders
}

it('what the actions of an account send and receive of a token in a transaction is what the token recorded, or differs by a computed reason', async () => {
  const counts: Record<string, number> = {}
  const unexplained: unknown[] = []
  await each(everyHolder(), async (account) => {
    const byTransaction = Map.groupBy(await actionsOf(whole, account), ({ tx_hash }) => tx_hash)
    if (byTransaction.size === 0) return
    const feed = Map.groupBy(await feedOf(whole, account), ({ tx_hash }) => tx_hash)
    for (const [hash, actions] of byTransaction) {
      const transaction = transactions.get(hash) ?? NO_TRANSFERS
      const named = actions.flatMap(({ sent, received }) => [...sent, ...received].map(({ asset_id }) => asset_id))
      const touched = transaction.transfers.filter(({ from, to }) => from === account || to === account).map(({ token }) => token)
      for (const asset of new Set<string>([...named, ...touched])) {
        const of: Case = { account, asset, rows: feed.get(hash) ?? [], transaction, contracts }
        const shown = shownFlow(actions, asset)
        const reason = explain(shown, of)
        if (reason === null) unexplained.push({ hash, account, asset, shown, transfers: transaction.transfers })
        else counts[reason] = (counts[reason] ?? 0) + 1
      }
    }
  })
  expect(unexplained).toEqual([])
  process.stderr.write(`Compared actions with token transfers: ${JSON.stringify(counts)}\n`)
  expectCounts('actions and token transfers', counts, {
    equal: 6_057,
    'cut of the contract between': 28,
    'cut of the contract between and given back': 2,
    fee: 277,
    'flash loan handed on': 10,
    'given back': 367,
    'netted in one submit': 28,
    'paid to the fees collector': 14,
    'position without tokens': 233,
    'returned to the debtor': 1,
    'scheduled rewards': 11,
    'sent before': 60,
    shares: 847,
    'shares and given back': 29,
    'tokens of the pool': 3,
  })
}, 900_000)
