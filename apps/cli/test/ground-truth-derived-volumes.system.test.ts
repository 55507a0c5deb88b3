// Volumes of pools through `/v1`, recomputed from the trades that the recorded ledgers have: of the last 24 hours and 7 days at the last ledger,
// and of every day of the recording.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Registry, readCheckpoints, readRegistry } from './truth/checkpoint.ts'
import { Compared } from './truth/compared.ts'
import { usdText } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { readTrades } from './truth/recorded-trades.ts'
import { RecordedVolumes } from './truth/recorded-volumes.ts'
import { WholeNetwork } from './truth/whole-network.ts'

const DAY_SECONDS = 86_400

let whole: WholeNetwork
let registry: Registry
let volumes: RecordedVolumes
/** Pools by protocol. */
let pools: Readonly<Record<'aquarius' | 'soroswap', readonly string[]>>
/** Close time of the last ledger. */
let end: number

beforeAll(async () => {
  registry = readRegistry()
  const checkpoints = await readCheckpoints('aquarius.pool', 'soroswap.pair')
  end = checkpoints.at(-1)?.closeTime ?? 0
  whole = await WholeNetwork.open()
  const pairs = new Map(
    checkpoints.flatMap((at) => at.of('soroswap.pair')).map((it) => [it.contract, [String(it.token_0), String(it.token_1)]]),
  )
  const ofAquarius = new Set(checkpoints.flatMap((at) => at.of('aquarius.pool')).map((it) => it.contract))
  const { trades } = await readTrades(pairs, ofAquarius, [])
  volumes = await RecordedVolumes.read(trades, registry)
  pools = { aquarius: [...ofAquarius], soroswap: [...pairs.keys()] }
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

describe.each(['aquarius', 'soroswap'] as const)('the volume of a pool of %s', (protocol) => {
  it('is that of its recorded trades in the last 24 hours and in the last 7 days', async () => {
    const { data } = await whole.get(`/v1/pools?protocol=${protocol}&limit=100&sort=volume`)
    const shown = data.pools.map((it: Record<string, string>) => [it.pool_id, it.volume_24h_usd, it.volume_7d_usd])
    const expected = pools[protocol].map((pool) => [
      pool,
      usdText(volumes.between(pool, end - DAY_SECONDS, end)),
      usdText(volumes.between(pool, end - 7 * DAY_SECONDS, end)),
    ])
    expect(new Map(shown.map(([pool, ...rest]: string[]) => [pool, rest]))).toEqual(
      new Map(expected.map(([pool = '', ...rest]) => [pool, rest])),
    )
  }, 900_000)

  it('is on every day that of its recorded trades of the day', async () => {
    const compared = new Compared()
    await each(pools[protocol], async (pool) => {
      const { data } = await whole.get(`/v1/pools/${pool}/history?interval=1d`)
      for (const { timestamp, volume_usd } of data.points) {
        const start = Date.parse(timestamp) / 1_000
        const expected = usdText(volumes.between(pool, start - 1, start + DAY_SECONDS - 1))
        compared.equal(expected === '0' ? 'quiet day' : 'day', { pool, timestamp }, volume_usd, expected)
      }
    })
    compared.print(`of daily volumes of ${protocol}`)
    expect(compared.counts.day).toBeGreaterThan(100)
  }, 900_000)
})
