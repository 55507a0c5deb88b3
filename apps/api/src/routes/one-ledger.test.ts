// An answer is of one ledger although its protocols are at different ones and go on while it is made.
// Each ledger has its own figures: in ledger n Alice has n of everything, and the pair has ten times as many shares.

import { aquarius } from '@orrery/aquarius'
import { blend } from '@orrery/blend'
import { fxdao } from '@orrery/fxdao'
import { NO_ROWS, type ProtocolId, type Rows, type StateRow } from '@orrery/protocol-kit'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { memoryStore } from '../response-cache/answer-store.ts'
import { openResponseCache } from '../response-cache/response-cache.ts'
import { routes } from '../testing/all-routes.ts'
import { startTestApi, type TestApi } from '../testing/start-test-api.ts'
import { TESTED_PROTOCOLS } from '../testing/tested-protocols.ts'
import { openViews } from '../views.ts'
import { indexState } from './basis.ts'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { AQUARIUS_ROWS } from './testing/fixtures/aquarius.ts'
import { BLEND_ROWS } from './testing/fixtures/blend.ts'
import { FXDAO_ROWS } from './testing/fixtures/fxdao.ts'
import { ALICE, AQUA_POOL, closeTime, hashOf, LAST, LOCKING, NETWORK, PAIR, POOL, USDX, whole } from './testing/fixtures/network.ts'
import { SOROSWAP_ROWS } from './testing/fixtures/rows.ts'

const IDS = TESTED_PROTOCOLS.map(({ id }) => id)
const fixture = withFixtureApi(IDS)
const NEWEST = LAST + 6
let api: TestApi

beforeAll(async () => {
  const ledgers = Array.from({ length: NEWEST - LAST }, (_, n) => LAST + 1 + n)
  await fixture.store.writeLedgers(
    ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTime(ledger), hash: hashOf(ledger) })),
    2n,
  )
  const { readModel } = fixture
  const logger = createLogger({ name: 'test', level: 'silent', json: true })
  const cache = openResponseCache({ store: memoryStore(), scope: '', stateOf: indexState, metrics: createMetrics(), logger })
  const protocols = [blend, aquarius, soroswap, fxdao]
  api = await startTestApi({
    routes,
    shared: { readModel, network: NETWORK, protocols, views: openViews(NETWORK, TESTED_PROTOCOLS), cache },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

/** The newest row of an entry, as it is written again. */
function again({ state }: Rows, contract: string, key: string, ledger: number, members: object): StateRow {
  const row = state.findLast((it) => it.contract === contract && it.key === key)
  if (row === undefined) throw new Error(`The fixtures have ${key} of ${contract}.`)
  return { ...row, ledger, closeTimeSeconds: closeTime(ledger), value: JSON.stringify({ ...JSON.parse(row.value), ...members }) }
}

const units = (n: number): string => whole(n).toString()

/** What each protocol writes of ledger n. */
const ROWS: Readonly<Record<ProtocolId, (n: number) => StateRow[]>> = {
  blend: (n) => [again(BLEND_ROWS, POOL, `@${ALICE}:backstop`, n, { shares: units(n), queue: [] })],
  aquarius: (n) => [again(AQUARIUS_ROWS, AQUA_POOL, `@${ALICE}:shares`, n, { amount: units(n) })],
  soroswap: (n) => [
    again(SOROSWAP_ROWS, PAIR, 'pair', n, { total_supply: units(10 * n) }),
    again(SOROSWAP_ROWS, PAIR, `@${ALICE}:shares`, n, { amount: units(n) }),
  ],
  fxdao: (n) => [again(FXDAO_ROWS, LOCKING, `@${ALICE}:deposit:${USDX}`, n, { amount: units(n) })],
}

interface Shown {
  readonly protocol_id: ProtocolId
  readonly positions: Readonly<
    Record<
      'backstop' | 'lp' | 'supply',
      readonly { readonly metadata: { readonly raw_amount: string; readonly pool_share_pct?: string } }[]
    >
  >
}

/** The ledger that an answer says it is of, and what it shows. */
async function portfolio() {
  const { body } = await api.ask(`/v1/users/${ALICE}/positions`)
  const shown = (body?.data as { readonly protocols: readonly Shown[] } | undefined)?.protocols ?? []
  const items = shown.map(({ protocol_id, positions }) => {
    const ofProtocol: Readonly<Record<string, Shown['positions']['lp']>> = { blend: positions.backstop, fxdao: positions.supply }
    const [item] = ofProtocol[protocol_id] ?? positions.lp
    return [protocol_id, item?.metadata.raw_amount] as const
  })
  const pair = shown.find(({ protocol_id }) => protocol_id === 'soroswap')?.positions.lp[0]?.metadata.pool_share_pct
  return { ledger: body?.meta.last_indexed_ledger, amounts: Object.fromEntries(items), pair }
}

const ofLedger = (n: number) => ({
  ledger: n,
  // A share of the backstop is two LP tokens.
  amounts: { blend: units(2 * n), aquarius: units(n), soroswap: units(n), fxdao: units(n) },
  pair: '10',
})

it('an answer shows every protocol as of the smallest checkpoint, also while adapters write', async () => {
  const write = async (protocol: ProtocolId, ledger: number): Promise<void> => {
    await fixture.store.write([{ ...NO_ROWS, state: ROWS[protocol]?.(ledger) ?? [] }], VERSION)
    await setCheckpoint(fixture.store, ledger, ledger, protocol)
  }
  for (const protocol of IDS) await write(protocol, LAST + 1)
  const earliest = await portfolio()
  // Each protocol goes at its own pace, one, two, three or four ledgers of a turn; the slowest tells of which ledger an answer may be.
  const next = new Map(IDS.map((protocol) => [protocol, LAST + 2]))
  const asked: Promise<Awaited<ReturnType<typeof portfolio>>>[] = []
  while ([...next.values()].some((ledger) => ledger <= NEWEST)) {
    for (const [n, protocol] of IDS.entries()) {
      for (let step = 0; step <= n; step++) {
        const ledger = next.get(protocol) ?? NEWEST
        if (ledger > NEWEST) break
        asked.push(portfolio())
        await write(protocol, ledger)
        next.set(protocol, ledger + 1)
      }
    }
  }
  for (const answer of await Promise.all(asked)) expect(answer).toEqual(ofLedger(Number(answer.ledger)))
  expect([earliest, await portfolio()]).toEqual([ofLedger(LAST + 1), ofLedger(NEWEST)])
})
