import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isContractId } from '@orrery/ledger'
import { Asset } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadNetwork } from './load-network.ts'

const NAMES = ['demo', 'mainnet', 'testnet'] as const

describe.each(NAMES)('the shipped network %s', (name) => {
  it('loads', async () => {
    const network = await loadNetwork(name)
    expect(network.name).toBe(name === 'demo' ? 'forge-a' : name)
    expect(network.deployments.soroswap).toHaveLength(1)
  })

  it('has only contract ids with right checksums, deployments of other protocols included', async () => {
    const ids = JSON.stringify(await loadNetwork(name)).match(/\bC[A-Z2-7]{55}\b/g) ?? []
    expect(ids.length).toBeGreaterThan(5)
    expect(ids.filter((id) => !isContractId(id))).toEqual([])
  })

  it('names each classic asset by the contract that code, issuer and passphrase give', async () => {
    const network = await loadNetwork(name)
    for (const [contract, { code, issuer }] of Object.entries(network.assets)) {
      const asset = issuer === null ? Asset.native() : new Asset(code, issuer)
      expect(`${code} ${asset.contractId(network.passphrase)}`).toBe(`${code} ${contract}`)
    }
  })

  it('begins no deployment before the network', async () => {
    const network = await loadNetwork(name)
    for (const deployment of network.deployments.soroswap) expect(deployment.fromLedger).toBeGreaterThanOrEqual(network.firstLedger)
  })
})

it('follows the oracles and pools of the recorded network in the order of its file', async () => {
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

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orrery-registry-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is read by its path', async () => {
    const file = join(folder, 'own.json')
    const demo = JSON.parse(await readFile(new URL('../../../recordings/forge-a/registry.json', import.meta.url), 'utf8'))
    await writeFile(file, JSON.stringify({ ...demo, network: 'own', protocols: { soroswap: demo.protocols.soroswap } }))
    const network = await loadNetwork(file)
    expect(network.name).toBe('own')
    expect(network.deployments.blend).toEqual([])
  })

  it('that is not there is told with the networks that ship', async () => {
    await expect(loadNetwork('mainet')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'registry_not_found',
      message: expect.stringMatching(/mainet[\s\S]*demo, mainnet, testnet/),
    })
  })

  it('that is a folder is told so', async () => {
    await expect(loadNetwork(folder)).rejects.toMatchObject({
      code: 'registry_not_found',
      message: expect.stringContaining('cannot be read'),
    })
  })

  it('that is not JSON is told with the place and the networks that ship', async () => {
    const file = join(folder, 'torn.json')
    await writeFile(file, '{"network": "x",')
    await expect(loadNetwork(file)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'invalid_registry',
      message: expect.stringMatching(/not JSON[\s\S]*demo, mainnet, testnet/),
    })
  })
})
