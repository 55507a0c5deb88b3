// A protocol that the build does not ship, given to it as one more value of the list: indexed over the whole pipeline and asked through `/v1`.
// `toyswap-network.ts` says what happens in which ledger; here is what follows from it, worked out on paper. USDX is 1 USD, SLV 0.50.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROTOCOLS } from '@orrery/protocols'
import { toyswap } from '@orrery/toyswap'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IndexedNetwork } from './indexed-network.ts'
import * as net from './toyswap-network.ts'
import { writeLake } from './write-lake.ts'

const { alice, bob, carol, pool } = net
const folder = mkdtempSync(join(tmpdir(), 'orrery-toyswap-'))
let network: IndexedNetwork

beforeAll(async () => {
  const lake = join(folder, 'lake')
  const batches = { passphrase: net.PASSPHRASE, ledgersPerBatch: 1, batchesPerPartition: 1, extension: 'xdr.zst' } as const
  writeLake(lake, net.buildLedgers(), batches)
  network = await IndexedNetwork.of({ registry: net.registry, protocols: [...PROTOCOLS, toyswap], lake })
})
afterAll(async () => {
  await network?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe('a new protocol', () => {
  it('is listed, healthy, beside those that this network has no deployment of', async () => {
    const { data } = await network.get('/v1/protocols')
    const statuses = data.protocols.map((it: { protocol_id: string; display_name: string; adapter: { status: string } }) => [
      it.protocol_id,
      it.display_name,
      it.adapter.status,
    ])
    expect(statuses).toEqual([...PROTOCOLS.map(({ id, displayName }) => [id, displayName, 'missing']), ['toyswap', 'Toyswap', 'healthy']])
  })

  it('has positions now and as of a ledger', async () => {
    const shown = async (address: string, query = '') => {
      const { data } = await network.get(`/v1/users/${address}/positions/toyswap${query}`)
      return data.pools.map((it: { pool_share_pct: string; net_usd: string; tokens: { symbol: string; units: string }[] }) => ({
        share: it.pool_share_pct,
        net: it.net_usd,
        ...Object.fromEntries(it.tokens.map(({ symbol, units }) => [symbol, units])),
      }))
    }
    // 500 of 1,000 shares of 1,066.666667 USDX and 1,875 SLV: ⌊533,333,333.5⌋ raw, and 937.5 · 0.50 = 468.75.
    const half = { share: '50', net: '1002.083333', USDX: '533.333333', SLV: '937.5' }
    expect(await shown(alice)).toEqual([half])
    expect(await shown(bob)).toEqual([half])
    expect(await shown(carol)).toEqual([])
    // Ledger 103: 1,000 of 1,500 shares of 1,500 USDX and 3,000 SLV: 1,000 + 2,000 · 0.50.
    expect(await shown(alice, '?as_of_ledger=103')).toEqual([{ share: '66.66666667', net: '2000', USDX: '1000', SLV: '2000' }])
  })

  it('counts in the portfolio', async () => {
    const { data } = await network.get(`/v1/users/${alice}/positions`)
    expect(data.total_value_usd).toBe('1002.083333')
    expect(data.protocols.map((it: { protocol_id: string }) => it.protocol_id)).toEqual(['toyswap'])
  })

  it('has a history: a point where shares changed, and one when an hour began', async () => {
    const { data } = await network.get(`/v1/users/${alice}/positions/toyswap/${pool}/history`)
    expect(data.points.map((it: { ledger: number; net_usd: string }) => [it.ledger, it.net_usd])).toEqual([
      [102, '2000'],
      [105, '1002.083333'],
      [106, '1002.083333'],
    ])
  })

  it('has a feed', async () => {
    const feed = async (address: string) => {
      const { data } = await network.get(`/v1/users/${address}/activities?protocol=toyswap`)
      return data.activities.map(
        (it: { ledger: number; activity_type: string; amount: string; asset_symbol: string; usd_value: string; direction: string }) =>
          [it.ledger, it.activity_type, it.direction, it.amount, it.asset_symbol, it.usd_value].join(' '),
      )
    }
    expect(await feed(alice)).toEqual([
      '105 withdraw received 937.5 SLV 468.75',
      '105 withdraw received 533.333333 USDX 533.333333',
      '102 deposit sent 2000 SLV 1000',
      '102 deposit sent 1000 USDX 1000',
    ])
    expect(await feed(carol)).toEqual(['104 swap received 187.5 SLV 93.75', '104 swap sent 100 USDX 100'])
  })

  it('has reserves and a TVL', async () => {
    const { data } = await network.get('/v1/protocols/toyswap/reserves')
    expect(data.reserves.map((it: { asset_symbol: string; total_supplied: string }) => [it.asset_symbol, it.total_supplied])).toEqual([
      ['SLV', '1875'],
      ['USDX', '1066.666667'],
    ])
    // 1,066.666667 + 1,875 · 0.50
    const { data: tvl } = await network.get('/v1/protocols/toyswap/tvl')
    expect(tvl.points.map((it: { tvl_usd: string }) => it.tvl_usd)).toEqual(['2004.166667'])
  })

  it('has its decoded transactions', async () => {
    const { data } = await network.get(`/v1/users/${carol}/activities`)
    const { data: transaction } = await network.get(`/v1/transactions/${data.activities[0].tx_hash}`)
    expect(transaction.summary).toBe('Swapped 100 USDX for 187.5 SLV in USDX/SLV (Toyswap)')
  })
})

it('is named by no file outside of its package but its tests, the guide and the tables of packages', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const named = execFileSync('git', ['grep', '-lI', '--untracked', '-i', 'toyswap'], { cwd: root, encoding: 'utf8' }).split('\n')
  const outside = named.filter((path) => path !== '' && !path.startsWith('packages/toyswap/'))
  expect(outside).toEqual([
    // Its entry in the list and its entry in a registry, which a shipped protocol has in `packages/protocols` and in a network's file.
    'apps/cli/package.json',
    'apps/cli/test/new-protocol.test.ts',
    'apps/cli/test/toyswap-network.ts',
    // Its page.
    'docs/adding-a-protocol.md',
    'package-lock.json',
    // What the package may import: of a protocol of the list the table has it by itself.
    'tidy.test.ts',
  ])
})
