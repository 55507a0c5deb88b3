// The fixtures with pairs that predate the index, and an RPC that has the balances of their holders.

import { sc, writeScVal } from '@orrery/ledger'
import { type Network, NO_ROWS, SHARED_SCOPE } from '@orrery/protocol-kit'
import { registryText } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { openRpc } from '@orrery/stellar-rpc'
import { type FakeRpc, ledgerBuilder, startFakeRpc, testAccount } from '@orrery/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyOf } from '../management/testing/requests.ts'
import { memoryStore } from '../response-cache/answer-store.ts'
import { openResponseCache } from '../response-cache/response-cache.ts'
import { indexState } from '../routes/basis.ts'
import { VERSION, withFixtureApi } from '../routes/testing/fixture-api.ts'
import {
  ALICE,
  BOB,
  CAROL,
  closeTime,
  FACTORY,
  FIRST,
  LAST,
  NETWORK,
  NEW,
  NEW_PAIR,
  PAIR,
  UNKNOWN_ACCOUNT,
  USDC,
  whole,
  XLM,
} from '../routes/testing/fixtures/network.ts'
import { stateRow } from '../routes/testing/fixtures/rows.ts'
import { routes } from '../testing/all-routes.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { READ_THROUGH_LIMITS, type ReadThroughLimits, RpcReadThrough } from './read-through.ts'

/** The deployment of the fixtures begins before the index. */
const LATE: Network = {
  ...NETWORK,
  deployments: { ...NETWORK.deployments, soroswap: NETWORK.deployments.soroswap.map((it) => ({ ...it, fromLedger: FIRST - 50 })) },
}
const MINUTE = 60_000
/** For so long a node that failed is not asked. */
const REST = 10_000
const fixture = withFixtureApi()
const clock = { ms: 0, nowMs: () => clock.ms }
let stack: AsyncDisposableStack
let node: FakeRpc
let metrics = createMetrics()

const balance = (holder: string) => sc.vec(sc.symbol('Balance'), sc.address(holder))
const shares = (pair: string, holder: string, units: number) => ({
  contract: pair,
  key: writeScVal(balance(holder)),
  durability: 'persistent' as const,
  value: writeScVal(sc.i128(whole(units))),
})

beforeAll(async () => {
  // No factory of the index announced them: holders may be older.
  const listing = (pair: string, token_1: string) =>
    stateRow('soroswap', FACTORY, `pair:${pair}`, FIRST + 1, { token_0: USDC, token_1, index: null }, { scope: SHARED_SCOPE })
  await fixture.store.write([{ ...NO_ROWS, state: [listing(PAIR, XLM), listing(NEW_PAIR, NEW)] }], VERSION)
})
beforeEach(async () => {
  clock.ms = closeTime(LAST) * 1000
  metrics = createMetrics()
  stack = new AsyncDisposableStack()
  const chain = ledgerBuilder({ passphrase: NETWORK.passphrase, firstLedger: LAST })
  const change = {
    change: 'updated',
    contract: PAIR,
    key: balance(UNKNOWN_ACCOUNT),
    before: sc.i128(whole(400)),
    value: sc.i128(whole(100)),
  } as const
  const ledgers = [chain.ledger(), chain.ledger({ transactions: [{ operations: [{ changes: [change] }] }] })]
  // Of Alice in PAIR the index knows better: she did something since.
  const archived = { ...shares(PAIR, CAROL, 7), liveUntilLedger: LAST - 1 }
  const earlier = [shares(PAIR, UNKNOWN_ACCOUNT, 400), shares(PAIR, BOB, 200), shares(PAIR, ALICE, 3), archived]
  node = stack.use(await startFakeRpc({ ledgers, passphrase: NETWORK.passphrase, latest: LAST, earlier }))
})
afterEach(() => stack.disposeAsync())

async function anApi(limits: Partial<ReadThroughLimits & { readonly timeoutMs: number }> = {}, network = LATE): Promise<TestApi> {
  const logger = createLogger({ name: 'test', level: 'silent', json: true })
  const { readModel } = fixture
  const time = { nowMs: clock.nowMs, sleep: async () => undefined, random: () => 0.5 }
  const rpc = openRpc({ urls: [node.url], passphrase: NETWORK.passphrase, time })
  const options = {
    ...READ_THROUGH_LIMITS,
    timeoutMs: 600_000,
    ...limits,
    rpc,
    protocols: [soroswap],
    readModel,
    clock,
    metrics,
    logger,
  }
  const shared = {
    ...{ readModel, network, protocols: [soroswap], views: openViews(network, TESTED_PROTOCOLS) },
    readThrough: new RpcReadThrough(options),
    cache: openResponseCache({ store: memoryStore(), scope: '', stateOf: indexState, metrics, logger }),
  }
  return stack.use(await startTestApi({ routes, shared, clock }))
}

interface Pairs {
  readonly pairs: readonly {
    readonly pair_address: string
    readonly metadata: { readonly raw_amount: string; readonly as_of_ledger?: number }
  }[]
}

/** Shares by pair, and where they were read through the ledger of it. */
async function sharesOf(api: TestApi, holder: string, query = '') {
  const { status, body, headers } = await api.ask(`/v1/users/${holder}/positions/soroswap${query}`)
  expect(status).toBe(200)
  const data = body?.data as Pairs | undefined
  const shown = Object.fromEntries(
    (data?.pairs ?? []).map(({ pair_address, metadata }) => [pair_address, [metadata.raw_amount, metadata.as_of_ledger]]),
  )
  return { shown, sources: body?.meta.sources, partial: body?.meta.partial_result, etag: headers.etag }
}

const calls = () => node.requests.filter(({ method }) => method === 'getLedgerEntries')
const outcomes = async () =>
  Object.fromEntries((await metrics.apiReadThrough.get()).values.map(({ labels, value }) => [labels.outcome, value]))

const READ = { shown: { [PAIR]: [whole(400).toString(), LAST] }, sources: ['clickhouse', 'soroban_rpc'], partial: true }
const NOT_READ = { shown: {}, sources: ['clickhouse'], partial: true }

describe('an account that did nothing since the index began', () => {
  it('the position of the account is read from the RPC and valued by the index, with the ledger of the RPC response', async () => {
    const api = await anApi()
    const { body } = await api.ask(`/v1/users/${UNKNOWN_ACCOUNT}/positions/soroswap`)
    // 400 of 4,000 shares: a tenth of 2,000 USDC and of 10,000 XLM at 0.25 USD.
    expect(body?.data).toMatchObject({
      pairs: [
        {
          net_usd: '450',
          pool_share_pct: '10',
          cost_basis: null,
          metadata: { raw_amount: whole(400).toString(), as_of_ledger: LAST },
        },
      ],
    })
    expect(body?.meta).toMatchObject({ partial_result: true, last_indexed_ledger: LAST })
    expect(body?.meta.sources).toContain('soroban_rpc')
    const portfolio = await api.ask(`/v1/users/${UNKNOWN_ACCOUNT}/positions`)
    expect(portfolio.body?.data).toMatchObject({
      total_value_usd: '450',
      protocols: [{ positions: { lp: [{ contract: PAIR, metadata: { as_of_ledger: LAST } }] } }],
    })
    expect(portfolio.body?.meta.sources).toContain('soroban_rpc')
    expect(calls()).toHaveLength(1)
  })

  it('the account is read once per minute for all clients, and once for simultaneous requests', async () => {
    const api = await anApi()
    const answers = await Promise.all(Array.from({ length: 5 }, () => sharesOf(api, UNKNOWN_ACCOUNT)))
    for (const answer of answers) expect(answer).toMatchObject({ shown: READ.shown, partial: true })
    clock.ms += MINUTE
    await sharesOf(api, UNKNOWN_ACCOUNT)
    expect(calls()).toHaveLength(1)
    clock.ms += 1
    await sharesOf(api, UNKNOWN_ACCOUNT)
    expect(calls()).toHaveLength(2)
    expect(await outcomes()).toEqual({ read: 2, kept: 5 })
  })

  it('after that minute the account is read again under another tag, although the index has not changed', async () => {
    const api = await anApi()
    const before = await sharesOf(api, UNKNOWN_ACCOUNT)
    expect((await sharesOf(api, UNKNOWN_ACCOUNT)).etag).toBe(before.etag)
    node.advance()
    clock.ms += MINUTE + 1
    const after = await sharesOf(api, UNKNOWN_ACCOUNT)
    expect(after.shown).toEqual({ [PAIR]: [whole(100).toString(), LAST + 1] })
    expect(after.etag).not.toBe(before.etag)
  })

  it('archived entries are positions, too', async () => {
    const { shown, partial } = await sharesOf(await anApi(), CAROL)
    expect([shown, partial]).toEqual([{ [PAIR]: [whole(7).toString(), LAST] }, true])
  })

  it('the RPC is not asked for a request with as_of_ledger, because it has current entries only', async () => {
    const { shown, sources } = await sharesOf(await anApi(), UNKNOWN_ACCOUNT, `?as_of_ledger=${LAST}`)
    expect([shown, sources, calls()]).toEqual([{}, ['clickhouse'], []])
  })
})

describe('an account that the index knows', () => {
  it('an account with rows in a pool is read from the RPC only in the other pools', async () => {
    const api = await anApi()
    expect((await sharesOf(api, BOB)).shown).toEqual({
      [PAIR]: [whole(200).toString(), LAST],
      [NEW_PAIR]: [whole(5).toString(), undefined],
    })
    const alice = await sharesOf(api, ALICE)
    expect([alice.shown, alice.sources]).toEqual([
      { [PAIR]: [whole(1_000).toString(), undefined] },
      expect.not.arrayContaining(['soroban_rpc']),
    ])
    const keys = calls().map(({ params }) => (params.keys as string[]).length)
    expect(keys).toEqual([1, 1])
  })

  it('the RPC is not asked if the index begins with the deployment', async () => {
    const { shown, sources, partial } = await sharesOf(await anApi({}, NETWORK), UNKNOWN_ACCOUNT)
    expect([shown, sources, partial, calls()]).toEqual([{}, ['clickhouse'], false, []])
  })
})

describe('limits and failures of the RPC', () => {
  it('a request that needs too many keys reads none', async () => {
    expect(await sharesOf(await anApi({ keysPerRequest: 1 }), UNKNOWN_ACCOUNT)).toMatchObject(NOT_READ)
    expect([calls(), await outcomes()]).toEqual([[], { limited: 1 }])
    expect(await sharesOf(await anApi({ keysPerRequest: 2 }), UNKNOWN_ACCOUNT)).toMatchObject({ shown: READ.shown })
  })

  it('calls beyond the limit per second are not made, and later ones are', async () => {
    const api = await anApi({ callsPerSecond: 1, keysPerRequest: 200 })
    expect((await sharesOf(api, UNKNOWN_ACCOUNT)).shown).toEqual(READ.shown)
    expect((await sharesOf(api, BOB)).shown).toEqual({ [NEW_PAIR]: [whole(5).toString(), undefined] })
    expect(await outcomes()).toEqual({ read: 1, limited: 1 })
    clock.ms += 1_000
    expect(Object.keys((await sharesOf(api, BOB)).shown)).toContain(PAIR)
    expect(calls()).toHaveLength(2)
  })

  it('a busy organization does not use up the budget of another one', async () => {
    // One call a second. The organization of the tests uses it up, and goes on asking each half a second, for an account of its own each time.
    const api = await anApi({ callsPerSecond: 1, keysPerRequest: 200 })
    const { key } = await keyOf(api, 'another')
    const greedy = Array.from({ length: 12 }, (_, n) => testAccount(`greedy ${n}`))
    for (const account of greedy) {
      clock.ms += 500
      await sharesOf(api, account)
    }
    clock.ms += 500
    const path = `/v1/users/${UNKNOWN_ACCOUNT}/positions/soroswap`
    const other = async () => (await api.ask(path, { headers: { 'x-service-api-key': key } })).body?.meta.sources
    // The first question makes its part; by then the greedy one has used up what came in. Two seconds later its part of it is a whole call.
    await other()
    for (let n = 0; n < 4; n++) {
      clock.ms += 500
      await sharesOf(api, testAccount(`greedier ${n}`))
    }
    expect(await other()).toContain('soroban_rpc')
  })

  it('while the RPC is unreachable the answer lacks its positions, and later has them again', async () => {
    const api = await anApi()
    await node.goAway()
    expect(await sharesOf(api, UNKNOWN_ACCOUNT)).toMatchObject(NOT_READ)
    expect(await outcomes()).toEqual({ failed: 1 })
    await node.comeBack()
    clock.ms += REST - 1
    expect(await sharesOf(api, UNKNOWN_ACCOUNT)).toMatchObject(NOT_READ)
    clock.ms += 1
    expect((await sharesOf(api, UNKNOWN_ACCOUNT)).shown).toEqual(READ.shown)
    expect(await outcomes()).toEqual({ failed: 1, limited: 1, read: 1 })
  })

  it('a request waits for a slow RPC only for its timeout, and the next requests do not wait', async () => {
    node.misbehave({ kind: 'slow', ms: 5_000 }, { times: 10 })
    const api = await anApi({ timeoutMs: 50 })
    for (const holder of [UNKNOWN_ACCOUNT, CAROL, UNKNOWN_ACCOUNT]) expect(await sharesOf(api, holder)).toMatchObject(NOT_READ)
    expect(await outcomes()).toEqual({ failed: 1, limited: 2 })
  })

  it('an unreadable RPC response is left out of the answer', async () => {
    node.misbehave({ kind: 'garbage' }, { method: 'getLedgerEntries' })
    expect(await sharesOf(await anApi(), UNKNOWN_ACCOUNT)).toMatchObject(NOT_READ)
    expect(await outcomes()).toEqual({ failed: 1 })
  })

  it('an RPC of another network is not used', async () => {
    node.passphrase = 'Another network'
    expect(await sharesOf(await anApi(), UNKNOWN_ACCOUNT)).toMatchObject(NOT_READ)
    expect([calls(), await outcomes()]).toEqual([[], { failed: 1 }])
  })
})

describe('an API whose registry file is not the one of the index', () => {
  it('entries are read with the registry that ingest recorded', async () => {
    // Its file names no deployment: with it there would be no pool to ask about, and nothing that began late.
    const none: Network = { ...NETWORK, deployments: { ...NETWORK.deployments, soroswap: [] } }
    const api = await anApi({}, none)
    expect((await sharesOf(api, UNKNOWN_ACCOUNT)).sources).toEqual(['clickhouse'])
    await fixture.store.writeControlFacts([{ kind: 'registry', ledger: FIRST, value: registryText(LATE) }])
    const { shown, sources } = await sharesOf(api, UNKNOWN_ACCOUNT)
    expect([shown, sources]).toEqual([READ.shown, expect.arrayContaining(['soroban_rpc'])])
  })

  it('the RPC is read again once another registry applies, and not while it is the same one', async () => {
    const api = await anApi()
    for (const registry of [LATE, { ...LATE, assets: {} }]) {
      await fixture.store.writeControlFacts([{ kind: 'registry', ledger: LAST, value: registryText(registry) }])
      for (let n = 0; n < 2; n++) await sharesOf(api, UNKNOWN_ACCOUNT)
    }
    expect(await outcomes()).toEqual({ read: 2, kept: 2 })
  })
})
