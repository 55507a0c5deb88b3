// The recorded network indexed from its last days only, beside a node: entries of accounts without an action since then are read
// through. None of them may be missing: each is shown as the contract answered it at the tip.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poolOfCurrency } from '@orrery/fxdao'
import { openSource } from '@orrery/ingest'
import type { KnownPool, ProtocolId } from '@orrery/protocol-kit'
import { loadNetwork, protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { type ExpectedAnswer, type FakeRpc, recording, startFakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataFolder } from '../src/data-folder.ts'
import { type RunningSystem, startSystem } from '../src/start-system.ts'

const FIRST = 1_006_400
const TIP = 1_006_527
const dir = mkdtempSync(join(tmpdir(), 'orrery-read-through-'))
const stack = new AsyncDisposableStack()
const scenario = JSON.parse(readFileSync(recording().networkFile, 'utf8'))
const registered = await loadNetwork(recording().registryFile)
/** A factory of Blend has no list of its pools for a late index: the registry names them. */
const network = { ...registered, knownPools: blendPools() }
/** Of a router that is not in the registry. */
const lookAlikes = Object.values<{ address: string }>(scenario.aquarius.not_aquarius_pools).map(({ address }) => address)
const metrics = createMetrics()
let node: FakeRpc
let system: RunningSystem
let answers: ExpectedAnswer[]

beforeAll(async () => {
  answers = []
  for await (const answer of recording().expected()) if (answer.ledger === TIP) answers.push(answer)
  node = stack.use(await startFakeRpc({ ledgers: recording().lakeDir }))
  const source = openSource({ network, rpc: node.url, fromLedger: FIRST, onTrouble: () => undefined })
  const options = {
    ...{ network, source, fromLedger: FIRST, host: '127.0.0.1', port: 0, internalPort: 0, metrics },
    readThrough: { rpc: node.url, callsPerSecond: 100_000 },
    folder: stack.use(openDataFolder(dir, network)),
    logger: createLogger({ name: 'read through', level: 'silent', json: true }),
    stop: new AbortController().signal,
  }
  system = await startSystem(options, stack)
  await Promise.race([system.caughtUp, system.failed.then((error) => Promise.reject(error))])
})
afterAll(async () => {
  await stack.disposeAsync()
  rmSync(dir, { recursive: true, force: true })
})

function blendPools(): KnownPool[] {
  const pools: [string, { from_factory: boolean; version: number }][] = Object.entries(scenario.blend.pools)
  return pools.flatMap(([contract, { from_factory, version }]) => {
    const deployment = registered.deployments.blend.find((it) => it.version === `v${version}`)
    if (!from_factory || deployment === undefined) return []
    return [{ protocol: 'blend' as const, contract, fromLedger: deployment.fromLedger, tokens: [], factory: deployment.factory }]
  })
}

/** JSON as it comes: a test compares what it expects. */
type Data = ReturnType<typeof JSON.parse>

async function get(
  path: string,
): Promise<{ data: Data; meta: { partial_result: boolean; sources: string[]; last_indexed_ledger: number } }> {
  const response = await fetch(`${system.url}${path}`, { headers: { 'x-service-api-key': system.secrets.apiKey } })
  expect(response.status, path).toBe(200)
  return (await response.json()) as Awaited<ReturnType<typeof get>>
}

const of = (kind: string): ExpectedAnswer[] => answers.filter((answer) => answer.kind === kind)
const accountsOf = (lines: readonly ExpectedAnswer[]): string[] => [...new Set(lines.map(({ address }) => String(address)))]

/** Whole units of a token of 7 decimals to its smallest unit: every asset of the recording has 7. */
function raw(units: string): string {
  const [whole = '0', fraction = ''] = units.split('.')
  return BigInt(whole + fraction.padEnd(7, '0')).toString()
}

/** Pools in which the index has a row of the account. */
async function knownPools(address: string, protocol: ProtocolId): Promise<Set<string>> {
  const rows = await system.readModel.ownerStateAsOf(
    { owners: [address], protocol, ledger: TIP },
    { tag: { route: 'test', requestId: 'test' } },
  )
  const entries = protocolsOf(network).find(({ id }) => id === protocol)?.accountEntries
  return new Set(rows.map((row) => entries?.poolOf(row) ?? ''))
}

interface Shown {
  readonly pool: string
  readonly readAt: number | undefined
}

/** Items that were read through are marked, the others are not, and `meta` names the sources. Returns the number of items that were read through. */
async function expectMarks(address: string, protocol: ProtocolId, shown: readonly Shown[], meta: Awaited<ReturnType<typeof get>>['meta']) {
  const known = await knownPools(address, protocol)
  for (const { pool, readAt } of shown) expect([address, pool, readAt]).toEqual([address, pool, known.has(pool) ? undefined : TIP])
  const read = shown.filter(({ readAt }) => readAt !== undefined)
  expect([address, meta.sources.includes('soroban_rpc'), meta.partial_result]).toEqual([address, read.length > 0, true])
  return read.length
}

/** A position that was read through is what the contracts answered: shares of both sides, of the backstop, and emissions to claim. */
function expectLending({ contract, address, supply, collateral, liabilities }: ExpectedAnswer, pool: Data): void {
  const shares = (balances: Data[], name: string) =>
    Object.fromEntries(balances.map((it) => [it.asset_address, raw(it.metadata[name])]).filter(([, amount]) => amount !== '0'))
  const supplied = [...Object.entries(supply as Record<string, string>), ...Object.entries(collateral as Record<string, string>)]
  const sums = Map.groupBy(supplied, ([asset]) => asset)
  const together = [...sums].map(([asset, parts]) => [asset, parts.reduce((sum, [, part]) => sum + BigInt(part), 0n).toString()])
  expect([address, contract, shares(pool.supply, 'share_amount')]).toEqual([address, contract, Object.fromEntries(together)])
  expect([address, contract, shares(pool.supply, 'collateral_share_amount')]).toEqual([address, contract, collateral])
  expect([address, contract, shares(pool.borrow, 'share_amount')]).toEqual([address, contract, liabilities])

  const emissions = of('blend.user_emissions').filter((line) => line.contract === contract && line.address === address)
  for (const [side, balances] of [pool.borrow, pool.supply].entries()) {
    for (const { asset_address, metadata } of balances) {
      const reserve = of('blend.reserve').find((line) => line.contract === contract && line.asset === asset_address)
      const answered = emissions.find(({ reserve_token_id }) => Number(reserve_token_id) === Number(reserve?.index) * 2 + side)
      if (typeof answered?.claimable === 'string')
        expect([address, contract, asset_address, raw(metadata.claimable[0]?.amount ?? '0')]).toEqual([
          address,
          contract,
          asset_address,
          answered.claimable,
        ])
    }
  }
  const backstop = of('blend.backstop_user').find((line) => line.pool === contract && line.address === address)
  if (backstop === undefined) return
  const { shares: notQueued } = backstop.user_balance as { shares: string }
  expect([address, contract, raw(pool.backstop?.shares ?? '0')]).toEqual([address, contract, notQueued])
}

/** Shares, ranges, and where the index knows it exactly also the payout of a claim. */
function expectLiquidity(line: ExpectedAnswer, pool: Data): void {
  const { address, contract, claim_now } = line
  const held = String(line.share_balance ?? line.user_shares)
  const ranges = (line.snapshot as { ranges: object[] } | undefined)?.ranges ?? []
  expect([address, contract, pool?.metadata.raw_amount ?? '0']).toEqual([address, contract, held])
  expect([address, contract, pool?.metadata.ranges.length ?? 0]).toEqual([address, contract, ranges.length])
  const own = pool?.metadata.claimable.find((it: Data) => it.source === 'pool_reward')
  if (own?.exact && typeof claim_now === 'string') expect([address, contract, raw(own.amount)]).toEqual([address, contract, claim_now])
}

describe('an index of the last days, beside a node', () => {
  it('an index of the last days, beside a node shows every share of a pair', async () => {
    let read = 0
    const lines = of('soroswap.shares')
    for (const address of accountsOf(lines)) {
      const { data, meta } = await get(`/v1/users/${address}/positions/soroswap`)
      const mine = lines.filter((line) => line.address === address && line.shares !== '0')
      const pairs = new Map<string, Data>(data.pairs.map((pair: Data) => [pair.pair_address, pair]))
      expect([...pairs.keys()].sort()).toEqual(mine.map(({ contract }) => contract).sort())
      for (const { contract, shares, remove_amount_0, remove_amount_1 } of mine) {
        const pair = pairs.get(contract)
        expect([address, contract, pair.metadata.raw_amount]).toEqual([address, contract, shares])
        if (!/^\d+$/.test(String(remove_amount_0))) continue
        expect(pair.tokens.map((token: Data) => raw(token.units)).sort()).toEqual([remove_amount_0, remove_amount_1].sort())
      }
      const shown = data.pairs.map((pair: Data) => ({ pool: pair.pair_address, readAt: pair.metadata.as_of_ledger }))
      read += await expectMarks(address, 'soroswap', shown, meta)
    }
    expect(read).toBeGreaterThan(20)
  })

  it('an index of the last days, beside a node shows every balance of a lending pool, its share of the backstop, and what may be claimed', async () => {
    let read = 0
    const lines = of('blend.user').filter(({ from_factory }) => from_factory === true)
    expect(lines.length).toBeGreaterThan(40)
    for (const line of lines) {
      const { contract, address } = line
      const { data, meta } = await get(`/v1/users/${address}/positions/blend/${contract}`)
      const { pool } = data
      if (!(await knownPools(String(address), 'blend')).has(contract)) expectLending(line, pool)
      const items: Data[] = [...pool.supply, ...pool.borrow, ...(pool.backstop === null ? [] : [pool.backstop])]
      const shown = items.map(({ metadata }) => ({ pool: contract, readAt: metadata?.as_of_ledger }))
      read += await expectMarks(String(address), 'blend', shown, meta)
    }
    expect(read).toBeGreaterThan(20)
  })

  it('an index of the last days, beside a node shows every share and range of a pool of Aquarius', async () => {
    let read = 0
    const lines = of('aquarius.user').filter(({ contract }) => !lookAlikes.includes(contract))
    for (const address of accountsOf(lines)) {
      const { data, meta } = await get(`/v1/users/${address}/positions/aquarius`)
      const pools = new Map<string, Data>(data.pools.map((pool: Data) => [pool.pool_address, pool]))
      const known = await knownPools(address, 'aquarius')
      for (const line of lines) if (line.address === address && !known.has(line.contract)) expectLiquidity(line, pools.get(line.contract))
      const shown = data.pools.map((pool: Data) => ({ pool: pool.pool_address, readAt: pool.metadata.as_of_ledger }))
      read += await expectMarks(address, 'aquarius', shown, meta)
    }
    expect(read).toBeGreaterThan(10)
  })

  it('an index of the last days, beside a node shows every vault and every locked deposit of FxDAO', async () => {
    let read = 0
    const vaults = of('fxdao.vault')
    const deposits = of('fxdao.locking_deposit')
    for (const address of accountsOf([...vaults, ...deposits])) {
      const { data, meta } = await get(`/v1/users/${address}/positions/fxdao`)
      const shownVaults = data.vaults.map((it: Data) => [it.currency, raw(it.collateral), raw(it.debt)])
      const answered = vaults.filter((line) => line.address === address && line.vault !== null)
      expect([address, shownVaults.sort()]).toEqual([
        address,
        answered.map(({ denomination, vault }: Data) => [denomination, vault.total_collateral, vault.total_debt]).sort(),
      ])
      const shownDeposits = data.locked.map((it: Data) => [it.asset_id, raw(it.amount)])
      const locked = deposits.filter((line) => line.address === address && line.deposit !== null)
      expect([address, shownDeposits.sort()]).toEqual([address, locked.map(({ asset, deposit }: Data) => [asset, deposit.amount]).sort()])
      const shown = [
        ...data.vaults.map((it: Data) => ({ pool: poolOfCurrency(it.currency), readAt: it.metadata?.as_of_ledger })),
        ...data.locked.map((it: Data) => ({ pool: it.contract, readAt: it.metadata?.as_of_ledger })),
      ]
      read += await expectMarks(address, 'fxdao', shown, meta)
    }
    expect(read).toBeGreaterThan(0)
  })

  it('an index of the last days, beside a node shows in the portfolio what the pages of the protocols show, marked alike', async () => {
    for (const address of accountsOf(of('soroswap.shares')).slice(0, 8)) {
      const { data, meta } = await get(`/v1/users/${address}/positions`)
      const items: Data[] = data.protocols.flatMap((entry: Data) => {
        return Object.values<Data[]>(entry.positions).flatMap((list) => list.map((item) => ({ ...item, protocol: entry.protocol_id })))
      })
      for (const { protocol, contract, metadata } of items) {
        const pool = metadata.currency === undefined ? contract : poolOfCurrency(metadata.currency)
        const known = await knownPools(address, protocol)
        expect([address, protocol, pool, metadata.as_of_ledger]).toEqual([address, protocol, pool, known.has(pool) ? undefined : TIP])
      }
      expect(meta.sources.includes('soroban_rpc')).toBe(items.some(({ metadata }) => metadata.as_of_ledger !== undefined))
      const pages = (await get(`/v1/users/${address}/positions/soroswap`)).data.pairs
      expect(
        items
          .filter(({ protocol }) => protocol === 'soroswap')
          .map(({ contract, metadata }) => [contract, metadata.raw_amount])
          .sort(),
      ).toEqual(pages.map((pair: Data) => [pair.pair_address, pair.metadata.raw_amount]).sort())
    }
  })

  it('an index of the last days, beside a node shows in the portfolios of several accounts what it shows of each', async () => {
    const addresses = [
      ...new Set(['soroswap.shares', 'blend.user', 'aquarius.user', 'fxdao.vault'].flatMap((kind) => accountsOf(of(kind)))),
    ].slice(0, 100)
    const { data, meta } = await get(`/v1/positions?addresses=${addresses}`)
    expect([addresses.length > 20, meta.sources.includes('soroban_rpc'), meta.partial_result]).toEqual([true, true, true])
    for (const [n, address] of addresses.entries()) expect(data.portfolios[n]).toEqual((await get(`/v1/users/${address}/positions`)).data)
  })

  it('an index of the last days, beside a node calls no node for a past ledger', async () => {
    const asked = node.requests.length
    const [line] = of('soroswap.shares').filter(({ shares }) => shares !== '0')
    const { meta } = await get(`/v1/users/${line?.address}/positions/soroswap?as_of_ledger=${TIP}`)
    expect([meta.sources.includes('soroban_rpc'), meta.partial_result]).toEqual([false, true])
    expect(node.requests.slice(asked).filter(({ method }) => method === 'getLedgerEntries')).toEqual([])
  })
})
