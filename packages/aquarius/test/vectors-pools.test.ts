// More figures of mainnet and of the contracts' own tests: prices at the ends of ticks, scores, estimates, and events of what only looks alike.
// The vectors lie beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EventRecord, readScVal, writeScVals } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { Slicer, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readPoolEvent } from '../src/chain/pool-events.ts'
import { pendingReward } from '../src/math/rewards.ts'
import { sqrtPriceAt } from '../src/math/ticks.ts'
import { aquarius } from '../src/protocol.ts'
import { tickAt } from './formulas/concentrated.ts'
import { liquidityScore } from './liquidity-score.ts'
import { figure, figures } from './vectors.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/aquarius.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const base64 = (value: string) => new Uint8Array(Buffer.from(value, 'base64'))
const given = (): Vectors => {
  if (vectors === null) throw new Error('the vectors are not there')
  return vectors
}

interface Bytes {
  readonly contract: string
  readonly ledger: number
  readonly topics_xdr: readonly string[]
  readonly data_xdr: string
}
type Figures = Readonly<Record<string, unknown>>
interface Vectors {
  readonly math: {
    readonly liquidity_calculator: readonly (Figures & { readonly pool: string })[]
    readonly constant_product_liquidity: readonly (Figures & { readonly kind: string })[]
    readonly concentrated: {
      readonly constants: Readonly<Record<'min_tick' | 'max_tick', number>> & Readonly<Record<'min_sqrt_ratio' | 'max_sqrt_ratio', string>>
      readonly mainnet_pool_snapshot: Figures & { readonly tick: number }
    }
    readonly rewards: { readonly accumulated_ratio_approximation: Figures }
  }
  readonly mainnet_events: readonly (Bytes & { readonly event: string })[]
  readonly lookalike_events_not_aquarius: readonly Bytes[]
}

const recordOf = ({ contract, topics_xdr, data_xdr }: Bytes, index: number): EventRecord => ({
  ...{ kind: 'event', tx: 0, opIndex: 0, index, contract, type: 'contract' },
  topics: writeScVals(topics_xdr.map((topic) => readScVal(base64(topic)))),
  data: base64(data_xdr),
})

describe.runIf(vectors !== null)('more figures of Aquarius (from ../shared)', () => {
  it('stand at the ends of ticks, and at the tick of a pool of mainnet', () => {
    const { constants, mainnet_pool_snapshot: snapshot } = given().math.concentrated
    expect(sqrtPriceAt(constants.min_tick)).toBe(figure(constants.min_sqrt_ratio))
    expect(sqrtPriceAt(constants.max_tick)).toBe(figure(constants.max_sqrt_ratio))
    expect(tickAt(figure(snapshot.sqrt_price_x96))).toBe(snapshot.tick)
  })

  it('score constant-product pools as the liquidity calculator does', () => {
    const cases = given().math.liquidity_calculator.filter(({ pool }) => pool === 'standard')
    for (const it of cases) expect(liquidityScore(figures(it.reserves), figure(it.fee))).toBe(figure(it.expect))
    expect(cases).toHaveLength(3)
  })

  it('estimate a reward whose beginning is unknown by what the pool accumulated', () => {
    const it = given().math.rewards.accumulated_ratio_approximation
    const user = { lastBlock: 0n, poolAccumulated: figure(it.user_pool_accumulated), toClaim: 0n, index: null }
    const accrued = { accumulated: figure(it.accumulated), increment: 0n }
    const pending = pendingReward(user, figure(it.working_balance), figure(it.working_supply), accrued, null)
    expect(pending).toEqual({ amount: figure(it.expect), exact: false })
  })

  it('read a withdrawal of mainnet with its shares and amounts', () => {
    const [recorded] = given().math.constant_product_liquidity.filter(({ kind }) => kind === 'withdraw_event')
    const events = given()
      .mainnet_events.filter(({ event }) => event === 'withdraw_liquidity')
      .map((it, n) => readPoolEvent(recordOf(it, n)))
    const amounts = figures(recorded?.amounts)
    const found = events.filter((event) => JSON.stringify(event, asText).includes(String(recorded?.shares)))
    expect(found).toHaveLength(1)
    for (const amount of amounts) expect(JSON.stringify(found, asText)).toContain(String(amount))
  })

  it('pass over events of contracts that no router announced', async () => {
    const network = await loadNetwork('mainnet')
    const events = given().lookalike_events_not_aquarius
    const hash = '1'.padStart(64, '0')
    const [slice] = new Slicer(network, aquarius.routing, 1).feed({
      header: { sequence: events[0]?.ledger ?? 0, closeTimeSeconds: 0, hash, previousHash: hash, protocolVersion: 23 },
      transactions: [
        {
          hash,
          txOrder: 1,
          source: 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
          feeSource: null,
          innerHash: null,
          feeCharged: null,
          memo: null,
        },
      ],
      records: events.map(recordOf),
    })
    expect([events.length, slice?.records]).toEqual([3, []])
  })
})

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
