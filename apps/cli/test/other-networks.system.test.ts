// Networks like the shipped one, cut and changed, end to end: an index may know less than the contracts, but never shows a wrong value.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recording } from '@orrery/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { firstTouches, soroswapPools } from './first-touches.ts'
import { type Answer, IndexedNetwork } from './indexed-network.ts'
import { partOfLake } from './part-of-lake.ts'
import { compare, nameOf, openOnes, soroswapAnswers } from './recorded-answers.ts'

const registry = JSON.parse(readFileSync(recording().registryFile, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'orrery-other-networks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const early = join(folder, 'early')
const middle = join(folder, 'middle')
const earlyRange = partOfLake(early, 1_000_000, 1_000_100)
// The fee switch is on here, and was turned on before.
const middleRange = partOfLake(middle, 1_002_000, 1_002_100)

const RESERVES = '/v1/protocols/soroswap/reserves'
/** It has shares of three pairs at the end of the early files. */
const MAKER = 'GCPEZOVK46LQ3Y2KYSY6EDDVLI4TIORFTHFPIDGGGFTEYPAFJGAPSLBM'
const POSITIONS = `/v1/users/${MAKER}/positions/soroswap`

describe('a part of a recording', () => {
  it('a part of a recording from the beginning on gives the same answers as the whole', async () => {
    await using network = await IndexedNetwork.of({ registry, lake: early })
    const answers = await soroswapAnswers(earlyRange.first, earlyRange.last)
    const { right, absent, wrong } = await compare(network, answers)
    expect({ absent, wrong }).toEqual({ absent: [], wrong: [] })
    expect(right).toEqual(expect.arrayContaining(openOnes(answers).map(nameOf)))
    expect((await network.get(RESERVES)).meta).toMatchObject({ partial_result: false, last_indexed_ledger: earlyRange.last })
  })

  it('a part of a recording from the middle on shows no pool without an announcement or a name in the registry', async () => {
    await using network = await IndexedNetwork.of({ registry: { ...registry, price_pools: [] }, lake: middle })
    expect(network.system.firstLedger).toBe(middleRange.first)
    expect((await network.get(RESERVES)).data.reserves).toEqual([])
    expect((await network.get(POSITIONS)).data.pairs).toEqual([])
    for (const point of (await network.get('/v1/protocols/soroswap/tvl')).data.points) expect(point.tvl_usd).toBe('0')
    const { data } = await network.get('/v1/protocols')
    expect(data.protocols[2]).toMatchObject({ protocol_id: 'soroswap', adapter: { status: 'healthy', last_sync_ledger: middleRange.last } })
    // Routers and the factory are followed, but the pairs that they touch are unknown: no leg is invented.
    expect((await network.get(`/v1/users/${MAKER}/activities`)).data).toMatchObject({ activities: [] })
  })

  it('a part of a recording from the middle on with its pools named is right for all changed entries, and shows nothing of the rest', async () => {
    const fromLedger = middleRange.first + 10
    await using network = await IndexedNetwork.of({ registry: { ...registry, known_pools: soroswapPools() }, lake: middle, fromLedger })
    expect(network.system.firstLedger).toBe(fromLedger)
    const answers = await soroswapAnswers(fromLedger, middleRange.last)
    const known = await firstTouches(fromLedger, middleRange.last)
    const { right, absent, wrong } = await compare(network, answers)
    expect(wrong).toEqual([])
    const knowable = openOnes(answers).filter(({ ledger, contract, address }) =>
      address === undefined ? known.pair(contract, ledger) : known.shares(contract, String(address), ledger),
    )
    expect(new Set(right)).toEqual(new Set(knowable.map(nameOf).concat(right.filter((name) => !openNames(answers).has(name)))))
    expect(absent.length).toBe(openNames(answers).size - knowable.length)
    expect(knowable.length).toBeGreaterThan(20)

    // Costs from before the index are marked inferred, and a request for a ledger before the index is marked as outside.
    const positions = (
      await network.get(`/v1/users/${right.findLast((name) => name.split(' ').length === 3)?.split(' ')[2]}/positions/soroswap`)
    ).data
    expect(positions.pairs[0].cost_basis.opened_ledger).toBeGreaterThanOrEqual(fromLedger)
    const [now, before] = [await network.get(RESERVES), await network.get(`${RESERVES}?as_of_ledger=${fromLedger - 5}`)]
    // An account without a change since the index began is not in it, and the answer is marked partial.
    expect(now.meta.partial_result).toBe(true)
    expect(before).toMatchObject({ data: { reserves: [] }, meta: { partial_result: true } })
  })
})

const openNames = (answers: Parameters<typeof openOnes>[0]): Set<string> => new Set(openOnes(answers).map(nameOf))

describe('a registry', () => {
  const answersOf = async (changed: object): Promise<{ reserves: Answer; positions: Answer; tvl: Answer }> => {
    await using network = await IndexedNetwork.of({ registry: { ...registry, ...changed }, lake: early })
    const [reserves, positions, tvl] = await Promise.all(
      [RESERVES, POSITIONS, '/v1/protocols/soroswap/tvl'].map((path) => network.get(path)),
    )
    return { reserves, positions, tvl } as { reserves: Answer; positions: Answer; tvl: Answer }
  }
  const raw = ({ data }: Answer): unknown =>
    data.reserves.map((it: { contract: string; asset_id: string; metadata: { raw_amount: string } }) => [
      it.contract,
      it.asset_id,
      it.metadata.raw_amount,
    ])
  const sharesOf = ({ data }: Answer): unknown =>
    data.pairs.map((it: { pair_address: string; metadata: { raw_amount: string } }) => [it.pair_address, it.metadata.raw_amount])
  let whole: Awaited<ReturnType<typeof answersOf>>

  it('a registry as it shipped prices every asset of these pairs', async () => {
    whole = await answersOf({})
    expect(whole.positions.data.pairs.length).toBeGreaterThan(0)
    for (const it of Object.values(whole)) expect(it.meta.partial_result).toBe(false)
    for (const reserve of whole.reserves.data.reserves) expect(reserve.metadata.price_source).toMatch(/^(oracle|pool):C/)
  })

  it('a registry without the deployment lacks the protocol, and every answer reports it', async () => {
    const { reserves, positions, tvl } = await answersOf({ protocols: { ...registry.protocols, soroswap: { deployments: [] } } })
    expect(reserves).toMatchObject({ data: { reserves: [] }, meta: { partial_result: true } })
    expect(positions).toMatchObject({ data: { pairs: [] }, meta: { partial_result: true } })
    expect(tvl).toMatchObject({ data: { points: [] }, meta: { partial_result: true } })
  })

  it('a registry without oracles has the same amounts and no price at all', async () => {
    const { reserves, positions, tvl } = await answersOf({ oracles: [] })
    expect([raw(reserves), sharesOf(positions)]).toEqual([raw(whole.reserves), sharesOf(whole.positions)])
    for (const { metadata } of reserves.data.reserves)
      expect(metadata).toMatchObject({ usd_value: null, price_usd: null, price_source: null })
    for (const pair of positions.data.pairs) {
      expect(pair).toMatchObject({ net_usd: '0', cost_basis: { cost_usd: null, unrealized_usd: null } })
      for (const token of pair.tokens) expect(token.usd_value).toBeNull()
    }
    for (const it of [reserves, positions, tvl]) expect(it.meta.partial_result).toBe(true)
    for (const point of tvl.data.points) expect(point.tvl_usd).toBe('0')
  })

  it('a registry without pegs does not use the feed that is quoted in a token', async () => {
    const { reserves } = await answersOf({ usd_pegs: [] })
    const [dex, ...others] = registry.oracles.map((oracle: { contract: string }) => `oracle:${oracle.contract}`)
    const sources = new Set(reserves.data.reserves.map((it: { metadata: { price_source: string } }) => it.metadata.price_source))
    expect(new Set(whole.reserves.data.reserves.map((it: { metadata: { price_source: string } }) => it.metadata.price_source))).toContain(
      dex,
    )
    expect(sources).not.toContain(dex)
    expect([...sources].some((source) => others.includes(source))).toBe(true)
    expect(raw(reserves)).toEqual(raw(whole.reserves))
  })

  it('a registry without asset hints shows raw amounts without units, values nothing, and does not guess seven decimals', async () => {
    const { reserves, positions, tvl } = await answersOf({ assets: {} })
    expect([raw(reserves), sharesOf(positions)]).toEqual([raw(whole.reserves), sharesOf(whole.positions)])
    for (const { decimals, asset_symbol, total_supplied, metadata } of reserves.data.reserves)
      expect({ decimals, asset_symbol, total_supplied, usd: metadata.usd_value }).toEqual({
        decimals: null,
        asset_symbol: '',
        total_supplied: metadata.raw_amount,
        usd: null,
      })
    for (const token of positions.data.pairs.flatMap((pair: { tokens: object[] }) => pair.tokens))
      expect(token).toMatchObject({ decimals: null, symbol: '', usd_value: null, units: expect.stringMatching(/^\d+$/) })
    for (const it of [reserves, positions, tvl]) expect(it.meta.partial_result).toBe(true)
  })

  it('a registry whose price pools are gone, or are those of a protocol that is not deployed, prices by oracles as before', async () => {
    const aquarius = registry.price_pools.filter((pool: { protocol: string }) => pool.protocol === 'aquarius')
    const protocols = { soroswap: registry.protocols.soroswap }
    for (const changed of [{ price_pools: [] }, { protocols, price_pools: aquarius }]) {
      const { reserves, positions, tvl } = await answersOf(changed)
      expect({ reserves: reserves.data, positions: positions.data, tvl: tvl.data }).toEqual({
        reserves: whole.reserves.data,
        positions: whole.positions.data,
        tvl: whole.tvl.data,
      })
    }
  })
})
