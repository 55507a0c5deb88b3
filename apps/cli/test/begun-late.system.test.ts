// `orrery up` with a node only, whose window begins after the first ledgers of the network: the bootstrapped entries equal the entries
// from the history. All other tests of this are below the API.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recording, startFakeRpc } from '@orrery/testkit'
import { afterAll, expect, it } from 'vitest'
import { Orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

/** Of the first five files of the recording the last hundred ledgers. */
const [FIRST, LAST] = [1_000_220, 1_000_319]
const folder = mkdtempSync(join(tmpdir(), 'orrery-late-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Reserve {
  readonly contract: string
  readonly asset_symbol: string
  readonly decimals: number | null
  readonly ledger: number
  readonly metadata: Readonly<Record<string, unknown>>
}

interface Reserves {
  readonly data: { readonly reserves: readonly Reserve[] }
  readonly meta: { readonly partial_result: boolean; readonly last_indexed_ledger: number }
}

/** The answer of `/v1` about Soroswap's pairs when everything is indexed. */
async function reservesOf(args: readonly string[]): Promise<Reserves> {
  await using run = new Orrery(args)
  const { url, apiKey } = await run.result<Ready>()
  await run.result()
  const response = await fetch(`${url}/v1/protocols/soroswap/reserves`, { headers: { connection: 'close', 'x-service-api-key': apiKey } })
  const answer = (await response.json()) as Reserves
  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
  return answer
}

/**
 * A pair without a change since the index began has the ledger before that. The native token has the name `native`. Yields depend on the
 * ledgers that an index has seen.
 */
const comparable = ({ data }: Reserves) =>
  data.reserves.map(({ asset_symbol, metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, fee_apr: '', fee_apy: '' },
    asset_symbol: asset_symbol === 'XLM' ? 'native' : asset_symbol,
    ledger: Math.max(one.ledger, FIRST - 1),
  }))

it('an index that begins with what a node still has knows every pair of the factory as the whole index does, and calls itself partial', async () => {
  const lake = shortLake(join(folder, 'lake'), 5)
  const whole = await reservesOf(upArguments(lake, join(folder, 'whole')))
  // Without the registry's hints decimals have to come from the tokens, which predate the network's first ledger.
  const registry = join(folder, 'registry.json')
  writeFileSync(registry, JSON.stringify({ ...JSON.parse(readFileSync(lake.registry, 'utf8')), assets: {} }))
  await using node = await startFakeRpc({ ledgers: recording().lakeDir, latest: LAST, retention: LAST - FIRST + 1 })
  const up = ['up', '--json', '--port', '0', '--internal-port', '0', '--network', registry, '--data', join(folder, 'late')]
  const late = await reservesOf([...up, '--rpc', node.url])

  const pairs: Record<string, { from_ledger: number }> = JSON.parse(readFileSync(recording().networkFile, 'utf8')).soroswap.pairs
  const made = Object.keys(pairs).filter((pair) => (pairs[pair]?.from_ledger ?? LAST) < FIRST)
  expect(new Set(late.data.reserves.map(({ contract }) => contract))).toEqual(new Set(made))
  expect(late.data.reserves.map(({ decimals }) => decimals)).toEqual(late.data.reserves.map(() => 7))
  expect(comparable(late)).toEqual(comparable(whole))
  expect(late.meta).toMatchObject({ partial_result: true, last_indexed_ledger: LAST })
  expect(whole.meta).toMatchObject({ partial_result: false, last_indexed_ledger: LAST })
})
