import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ContractId, contractBytes, contractId, isContractId, sc, writeScVal } from '@orrery/ledger'
import { deploymentsOf } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { Asset } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
const u32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)

/** The address of the pair that a factory makes of two tokens. Source: soroswap/core contracts/factory/src/pair.rs. */
function pairOf(passphrase: string, factory: ContractId, tokens: readonly ContractId[]): ContractId {
  const salt = sha256(...tokens.map((token) => writeScVal(sc.address(token))))
  // HashIdPreimage of a contract id (8), by an address (0) that is a contract (1).
  return contractId(sha256(u32(8), sha256(Buffer.from(passphrase)), u32(0), u32(1), contractBytes(factory), salt))
}

const NAMES = ['demo', 'mainnet', 'testnet'] as const

describe.each(NAMES)('the shipped network %s', (name) => {
  it('a shipped registry loads', async () => {
    const network = await loadNetwork(name)
    expect(network.name).toBe(name === 'demo' ? 'forge-a' : name)
    expect(network.deployments.soroswap).toHaveLength(1)
  })

  it('a shipped registry has only contract ids with valid checksums', async () => {
    const ids = JSON.stringify(await loadNetwork(name)).match(/\bC[A-Z2-7]{55}\b/g) ?? []
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter((id) => !isContractId(id))).toEqual([])
  })

  it('a shipped registry has the contract id of each classic asset that follows from code, issuer and passphrase', async () => {
    const network = await loadNetwork(name)
    for (const [contract, { code, issuer }] of Object.entries(network.assets)) {
      const asset = issuer === null ? Asset.native() : new Asset(code, issuer)
      expect(`${code} ${asset.contractId(network.passphrase)}`).toBe(`${code} ${contract}`)
    }
  })

  it('no deployment begins before the network', async () => {
    const network = await loadNetwork(name)
    for (const deployment of network.deployments.soroswap) expect(deployment.fromLedger).toBeGreaterThanOrEqual(network.firstLedger)
  })

  it('known pools belong to deployed protocols and begin after their deployment', async () => {
    const { deployments, knownPools } = await loadNetwork(name)
    for (const pool of knownPools) {
      const since = Math.min(...deploymentsOf({ deployments }, pool.protocol).map(({ fromLedger }) => fromLedger))
      expect(pool.fromLedger, pool.contract).toBeGreaterThanOrEqual(since)
    }
  })

  it('each known Soroswap pair has the tokens with which its factory created it', async () => {
    const { deployments, knownPools, passphrase } = await loadNetwork(name)
    for (const { contract, tokens } of knownPools.filter(({ protocol }) => protocol === 'soroswap')) {
      const made = deployments.soroswap.map(({ factory }) => pairOf(passphrase, factory, tokens))
      expect(made).toContain(contract)
    }
  })
})

it('the oracles and pools of the recorded network are in the order of its file', async () => {
  const network = await loadNetwork('demo')
  expect(network).toMatchObject({ passphrase: 'Orrery Forge Network ; September 2026', firstLedger: 1_000_000, knownPools: [] })
  expect(network.oracles.map((oracle) => oracle.kind)).toEqual([
    'reflector',
    'reflector',
    'oracle_aggregator',
    'fxdao_currencies',
    'fxdao_currencies',
  ])
  expect(network.pricePools.map((pool) => pool.protocol)).toEqual(['aquarius', 'aquarius', 'soroswap'])
  expect(network.deployments.blend.map((deployment) => deployment.version)).toEqual(['v1', 'v2'])
})

describe('mainnet', () => {
  it('mainnet has every root of the four protocols', async () => {
    const { deployments, oracles, knownPools, usdPegs, assets } = await loadNetwork('mainnet')
    expect(deployments.blend.map(({ version, fromLedger }) => [version, fromLedger])).toEqual([
      ['v1', 51_499_914],
      ['v2', 56_615_428],
    ])
    expect(deployments.aquarius).toHaveLength(1)
    expect(deployments.fxdao).toHaveLength(1)
    const aggregators = ['oracle_aggregator', 'oracle_aggregator', 'oracle_aggregator']
    expect(oracles.map(({ kind }) => kind)).toEqual(['reflector', 'reflector', 'reflector', 'fxdao_currencies', ...aggregators])
    // The census of factories and routers: 17 pools of Blend v1, 12 of v2; the pools of Aquarius that were seen at work, and one pair.
    const count = (protocol: string) => knownPools.filter((pool) => pool.protocol === protocol).length
    expect([count('blend'), count('aquarius'), count('soroswap')]).toEqual([29, 9, 1])
    const factoryOf = (version: string) => deployments.blend.find((deployment) => deployment.version === version)?.factory ?? ''
    const madeBy = (factory: string) => knownPools.filter((pool) => pool.factory === factory).length
    expect([madeBy(factoryOf('v1')), madeBy(factoryOf('v2'))]).toEqual([17, 12])
    for (const { asset } of usdPegs) expect(assets[asset]?.tags).toContain('stablecoin')
    expect(Object.values(assets).every(({ decimals }) => decimals === 7)).toBe(true)
  })
})

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orrery-registry-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('a registry file is read by its path', async () => {
    const file = join(folder, 'own.json')
    const demo = JSON.parse(await readFile(new URL('../../../recordings/forge-a/registry.json', import.meta.url), 'utf8'))
    await writeFile(file, JSON.stringify({ ...demo, network: 'own', protocols: { soroswap: demo.protocols.soroswap } }))
    const network = await loadNetwork(file)
    expect(network.name).toBe('own')
    expect(network.deployments.blend).toEqual([])
  })

  it('a missing file is refused with the names of the networks that ship', async () => {
    await expect(loadNetwork('mainet')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'registry_not_found',
      message: expect.stringMatching(/mainet[\s\S]*demo, mainnet, testnet/),
    })
  })

  it('a folder is refused as unreadable', async () => {
    await expect(loadNetwork(folder)).rejects.toMatchObject({
      code: 'registry_not_found',
      message: expect.stringContaining('cannot be read'),
    })
  })

  it('a file that is not JSON is refused with the position and the networks that ship', async () => {
    const file = join(folder, 'torn.json')
    await writeFile(file, '{"network": "x",')
    await expect(loadNetwork(file)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'invalid_registry',
      message: expect.stringMatching(/not JSON[\s\S]*demo, mainnet, testnet/),
    })
  })
})
