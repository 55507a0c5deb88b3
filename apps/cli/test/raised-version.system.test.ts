import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, Protocol } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { openClickHouse } from '@orrery/read-model'
import { networkFromJson } from '@orrery/registry'
import { afterAll, expect, it } from 'vitest'
import { IndexedNetwork } from './indexed-network.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-raised-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lake = shortLake(join(folder, 'lake'), 3)
const data = join(folder, 'data')
const registry = JSON.parse(readFileSync(lake.registry, 'utf8'))

/** The build with another adapter version of Soroswap, whose fold differs by `change`. */
function raised(version: number, change: (adapter: Adapter<unknown>) => Partial<Adapter<unknown>> = () => ({})): Protocol<unknown>[] {
  return PROTOCOLS.map((protocol) => {
    if (protocol.id !== 'soroswap') return protocol
    return {
      ...protocol,
      adapter(network) {
        const adapter = protocol.adapter(network)
        return { ...adapter, load: adapter.load.bind(adapter), fold: adapter.fold.bind(adapter), version, ...change(adapter) }
      },
    }
  })
}

async function select<Row>(index: IndexedNetwork, query: string): Promise<Row[]> {
  await using connection = openClickHouse(index.system.clickhouse.address('admin'))
  return await (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>()
}

const VERSIONS = 'SELECT index_version, adapter_version, purpose, was_active FROM index_versions_v1 FINAL WHERE protocol = {p}'.replace(
  '{p}',
  "'soroswap' ORDER BY index_version",
)
const ACTIVE = "SELECT adapter_version AS index_version FROM active_versions_v1 FINAL WHERE protocol = 'soroswap'"

it('a build with a raised version folds beside the served rows and is then served; the earlier build goes on with its own', async () => {
  const network = networkFromJson(PROTOCOLS, registry)
  const own = PROTOCOLS.find(({ id }) => id === 'soroswap')?.adapter(network).version ?? 0
  const before = await (async () => {
    await using index = await IndexedNetwork.of({ registry, lake: lake.directory, data })
    expect(await select(index, ACTIVE)).toEqual([{ index_version: 1 }])
    return await select(index, "SELECT * EXCEPT adapter_version FROM state WHERE protocol = 'soroswap' ORDER BY ALL")
  })()
  expect(before.length).toBeGreaterThan(10)

  // The fold of the new build stores one member more in each pool snapshot.
  const changed = raised(own + 1, (adapter) => ({
    fold(state, slice) {
      const rows = adapter.fold(state, slice)
      return { ...rows, poolSnapshots: rows.poolSnapshots.map((row) => ({ ...row, native: { ...row.native, build: 'new' } })) }
    },
  }))
  {
    await using index = await IndexedNetwork.of({ registry, lake: lake.directory, data, protocols: changed })
    expect(await select(index, ACTIVE)).toEqual([{ index_version: 2 }])
    expect(await select(index, VERSIONS)).toEqual([
      { index_version: 1, adapter_version: own, purpose: 'index', was_active: true },
      { index_version: 2, adapter_version: own + 1, purpose: 'upgrade', was_active: true },
    ])
    expect(await select(index, "SELECT * EXCEPT adapter_version FROM state WHERE protocol = 'soroswap' ORDER BY ALL")).toEqual(before)
    const [snapshots] = await select<{ all: string; changed: string }>(
      index,
      "SELECT count() AS all, countIf(JSONExtractString(native, 'build') = 'new') AS changed FROM pool_snapshots WHERE protocol = 'soroswap'",
    )
    expect(snapshots?.all).toBe(snapshots?.changed)
    expect(Number(snapshots?.all)).toBeGreaterThan(0)
    const { data: seen } = await index.get('/v1/index')
    expect(seen.adapters.find((it: { protocol_id: string }) => it.protocol_id === 'soroswap').adapter).toMatchObject({
      ...{ version: String(own + 1), index_version: 2, replay: null, status: 'healthy', last_sync_ledger: lake.lastLedger },
    })
  }

  // The earlier build again: readers stay on the newer rows, because an operator decides about going back.
  await using index = await IndexedNetwork.of({ registry, lake: lake.directory, data })
  expect(await select(index, ACTIVE)).toEqual([{ index_version: 2 }])
  expect(await select(index, VERSIONS)).toHaveLength(2)
})

it('while a newer version is folded, the earlier one is served with its ledger, and the answer shows the progress', async () => {
  const other = join(folder, 'other')
  {
    await using index = await IndexedNetwork.of({ registry, lake: lake.directory, data: other })
    expect(await select(index, ACTIVE)).toEqual([{ index_version: 1 }])
  }
  const failing = raised(99, () => ({
    fold() {
      throw new Error('this build cannot fold its first ledger')
    },
  }))
  await expect(IndexedNetwork.of({ registry, lake: lake.directory, data: other, protocols: failing })).rejects.toThrow(/cannot fold/)
  await using index = await IndexedNetwork.of({ registry, lake: lake.directory, data: other })
  expect(await select(index, ACTIVE)).toEqual([{ index_version: 1 }])
  const { data: seen, meta } = await index.get('/v1/index')
  expect(meta.last_indexed_ledger).toBe(lake.lastLedger)
  expect(seen.adapters.find((it: { protocol_id: string }) => it.protocol_id === 'soroswap').adapter).toMatchObject({
    index_version: 1,
    replay: { index_version: 2, version: '99', last_sync_ledger: 0 },
  })
})
