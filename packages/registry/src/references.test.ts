// The shipped registries against the published addresses that they were written from, where the folder with those lies beside the repository.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { loadNetwork } from '@orrery/protocols'
import { beforeAll, describe, expect, it } from 'vitest'

/** In the folder beside the repository that holds more to test on. */
const folder = new URL('reference/', new URL('../../../../shared/', import.meta.url))
const CONTRACT = /\bC[A-Z2-7]{55}\b/g

const contractsIn = (text: string): string[] => [...new Set(text.match(CONTRACT))]

/** The part of a page from one text to the next occurrence of another. */
function between(page: string, from: string, to: string): string {
  const start = page.indexOf(from)
  const end = page.indexOf(to, start + from.length)
  if (start < 0 || end < 0) throw new Error(`The page has no "${from}" … "${to}" any more.`)
  return page.slice(start, end)
}

interface AggregatorVector {
  readonly pool: string
  readonly contract: string
  /** `other:SYMBOL` or `stellar:CONTRACT`. */
  readonly base: string
  readonly decimals: number
}

/** The aggregators of mainnet as they were gathered from public repositories. */
function mainnetOracles(): readonly AggregatorVector[] {
  return JSON.parse(readFileSync(new URL('vectors/mainnet-blend-2026.json', folder), 'utf8')).aggregators
}

/** soroswap/core public/testnet.contracts.json of 2025-12-22. The pages still have the factory of before the reset of 2025-12-17. */
const TESTNET_FACTORY = 'CDP3HMUH6SMS3S7NPGNDJLULCOXXEPSHY4JKUKMBNQMATHDHWXRRJTBY'

describe.runIf(existsSync(folder))('the references', () => {
  const pages: Record<string, string> = {}
  beforeAll(async () => {
    for (const name of ['aquarius', 'blend', 'fxdao', 'soroswap']) pages[name] = await readFile(new URL(`${name}.md`, folder), 'utf8')
  })

  /** The first contract of the table row that begins with `cells`. */
  const row = (page: string, ...cells: readonly string[]): string =>
    contractsIn(between(pages[page] ?? '', `| ${cells.join(' | ')} |`, '\n'))[0] ?? ''

  it.each(['mainnet', 'testnet'])('name every address of %s', (network) => {
    const vectors = new URL('vectors/', folder)
    const known = Object.values(pages).concat(readdirSync(vectors).map((file) => readFileSync(new URL(file, vectors), 'latin1')))
    const shipped = readFileSync(new URL(`../networks/${network}.json`, import.meta.url), 'utf8')
    const addresses = [...new Set(shipped.match(/\b[CG][A-Z2-7]{55}\b/g))]
    expect(addresses.length).toBeGreaterThan(10)
    const unnamed = addresses.filter((address) => !known.some((text) => text.includes(address)))
    expect(unnamed).toEqual(network === 'testnet' ? [TESTNET_FACTORY] : [])
  })

  it('have the roots of mainnet as the registry has them', async () => {
    const { deployments, oracles } = await loadNetwork('mainnet')
    const blend = (version: 'v1' | 'v2', fromLedger: number) =>
      expect.objectContaining({
        version,
        factory: row('blend', `Pool factory ${version}`),
        backstop: row('blend', `Backstop ${version}`),
        emitter: row('blend', 'Emitter'),
        fromLedger,
      })
    // Section 1.6: the drop of v1; section 1.5: the factory of v2.
    expect(deployments.blend).toEqual([blend('v1', 51_499_914), blend('v2', 56_615_428)])
    expect(deployments.aquarius).toEqual([expect.objectContaining({ router: row('aquarius', 'Router'), fromLedger: 52_728_375 })])
    expect(deployments.soroswap).toEqual([
      expect.objectContaining({
        factory: row('soroswap', 'mainnet', 'factory'),
        routers: [row('soroswap', 'mainnet', 'router')],
        fromLedger: 50_746_266,
      }),
    ])
    expect(deployments.fxdao).toEqual([
      expect.objectContaining({ vaults: row('fxdao', 'vaults'), lockingPools: [row('fxdao', 'locking pool')], fromLedger: 51_835_681 }),
    ])
    const feeds = [
      'Reflector Stellar-DEX feed (asset form `Stellar(Address)`)',
      'Reflector CEX feed (`Other(Symbol)`)',
      'Reflector FX feed (`Other(Symbol)`)',
    ]
    const aggregators = mainnetOracles().map(({ contract }) => contract)
    expect(oracles.map(({ contract }) => contract)).toEqual([
      ...feeds.map((feed) => row('blend', feed)),
      row('fxdao', 'oracle'),
      ...aggregators,
    ])
  })

  it('have the oracle aggregators of Blend pools with the base and the decimals of the registry', async () => {
    const { oracles, knownPools } = await loadNetwork('mainnet')
    const known = new Set(knownPools.map(({ contract }) => contract))
    for (const { contract, base, decimals, pool } of mainnetOracles()) {
      const name = base.split(':')[1]
      const stated = base.startsWith('other:') ? { kind: 'symbol', symbol: name } : { kind: 'asset', asset: name }
      expect(oracles.find((oracle) => oracle.contract === contract)).toEqual({
        contract,
        kind: 'oracle_aggregator',
        base: stated,
        decimals,
      })
      expect(known.has(pool)).toBe(true)
    }
  })

  it('have the census of the pools of Blend as known pools', async () => {
    const { knownPools, deployments } = await loadNetwork('mainnet')
    const [v1, v2] = deployments.blend.map(({ factory }) =>
      knownPools.filter((pool) => pool.factory === factory).map(({ contract }) => contract),
    )
    const census = between(pages.blend ?? '', '### 1.5 Known mainnet pools', 'Always read the display name')
    expect(v1?.toSorted()).toEqual(contractsIn(between(census, 'v1 (17 pools', 'v2 (factory')).sort())
    expect(v2?.toSorted()).toEqual(contractsIn(between(`${census}END`, 'v2 (factory', 'END')).sort())
  })

  it('have the roots of testnet as the registry has them', async () => {
    const { deployments } = await loadNetwork('testnet')
    const listed = between(pages.blend ?? '', 'Testnet [UTL testnet.contracts.json', '\n')
    const named = (what: string) => new RegExp(`${what} \`(C[A-Z2-7]{55})\``).exec(listed)?.[1]
    expect(deployments.blend).toEqual([
      expect.objectContaining({ factory: named('pool factory v2'), backstop: named('backstop v2'), emitter: named(' emitter') }),
    ])
    // The row has the deployment that the reset wiped, and the router that fixtures of 2026 show.
    const [wipedFactory, wipedRouter, router] = contractsIn(between(pages.soroswap ?? '', '| testnet (from', '\n'))
    expect(deployments.soroswap).toEqual([expect.objectContaining({ factory: TESTNET_FACTORY, routers: [router] })])
    expect([wipedFactory, wipedRouter]).not.toContain(router)
    expect(deployments.aquarius).toEqual([
      expect.objectContaining({ router: contractsIn(between(pages.aquarius ?? '', 'Testnet: router', 'batcher'))[0] }),
    ])
  })
})
