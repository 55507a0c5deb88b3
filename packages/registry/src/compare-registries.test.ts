import { readFileSync } from 'node:fs'
import type { Network } from '@orrery/protocol-kit'
import { loadNetwork, PROTOCOLS } from '@orrery/protocols'
import { describe, expect, it } from 'vitest'
import { compareRegistries } from './compare-registries.ts'
import { networkFromText, registryText } from './registry-document.ts'

const file = new URL('../../../recordings/forge-a/registry.json', import.meta.url)
const document = () => JSON.parse(readFileSync(file, 'utf8'))
const whole = networkFromText(PROTOCOLS, readFileSync(file, 'utf8'), 'recording')

/** The recorded registry, changed in its file's own terms. */
function registryWith(change: (document: ReturnType<typeof JSON.parse>) => void): Network {
  const copy = document()
  change(copy)
  return networkFromText(PROTOCOLS, JSON.stringify(copy), 'test')
}

describe('the document of a registry', () => {
  it.each(['demo', 'mainnet', 'testnet'])('is read back as the same network: %s', async (name) => {
    const network = await loadNetwork(name)
    expect(networkFromText(PROTOCOLS, registryText(network), name)).toEqual(network)
  })
})

describe('a registry that grows', () => {
  it('is accepted when it only adds oracles, price pools, pegs and asset hints, and each addition is named', () => {
    const [oracle, pool, peg] = [document().oracles[1], document().price_pools[0], document().usd_pegs[0]]
    const [asset = ''] = Object.keys(document().assets)
    const before = registryWith((file) => {
      file.oracles.splice(1, 1)
      file.price_pools.splice(0, 1)
      file.usd_pegs.splice(0, 1)
      delete file.assets[asset]
    })
    expect(compareRegistries(before, whole)).toEqual({
      additions: [`oracles[${oracle.contract}]`, `price_pools[${pool.contract}]`, `usd_pegs[${peg.asset}]`, `assets.${asset}`],
      refusals: [],
    })
  })

  it('is the same registry when only the spelling differs: the order of members, a default that is written out', () => {
    const spelled = registryWith((file) => {
      const { contract, ...rest } = file.oracles[0]
      file.oracles[0] = { ...rest, contract }
      file.known_pools = []
      file.assets = Object.fromEntries(Object.entries(file.assets).reverse())
    })
    expect(compareRegistries(whole, spelled)).toEqual({ additions: [], refusals: [] })
  })
})

describe('a registry that does more than grow is refused with the place, the value before and the value now', () => {
  const oracle = document().oracles[0].contract
  const [asset = ''] = Object.keys(document().assets)
  const factory = document().protocols.soroswap.deployments[0].factory
  const pool = document().price_pools[0].contract
  const cases: [string, (file: ReturnType<typeof JSON.parse>) => void, RegExp][] = [
    ['a removed oracle', (file) => file.oracles.shift(), new RegExp(`^oracles\\[${oracle}\\]: removed \\(was {.*"kind":"reflector"}\\)$`)],
    ['a changed oracle', (file) => (file.oracles[0].decimals = 7), new RegExp(`^oracles\\[${oracle}\\]\\.decimals: was 14, and is 7$`)],
    ['another order of oracles', (file) => file.oracles.reverse(), /^oracles: the order changed, first at C\w+, where C\w+ is now$/],
    ['a changed hint', (file) => (file.assets[asset].code = 'OTHER'), new RegExp(`^assets\\.${asset}\\.code: was ".*", and is "OTHER"$`)],
    ['a removed hint', (file) => delete file.assets[asset], new RegExp(`^assets\\.${asset}: removed \\(was {.*}\\)$`)],
    ['another first ledger', (file) => (file.first_ledger = 7), /^first_ledger: was 1000000, and is 7$/],
    [
      'a new router',
      (file) => file.protocols.soroswap.deployments[0].routers.push(oracle),
      new RegExp(`^protocols\\.soroswap\\.deployments\\[${factory}\\]\\.routers: was \\[.*\\], and is \\[.*${oracle}.*\\]$`),
    ],
    [
      'a new deployment',
      (file) => file.protocols.soroswap.deployments.push({ factory: oracle, routers: [], from_ledger: 1 }),
      new RegExp(
        `^protocols\\.soroswap\\.deployments\\[${oracle}\\]: was added, but the event log has no earlier records of its contracts, because they were not tracked; such records were never logged$`,
      ),
    ],
    [
      'a known pool',
      (file) => (file.known_pools = [{ protocol: 'soroswap', contract: pool, from_ledger: 1 }]),
      new RegExp(`^known_pools\\[${pool}\\]: was added, .*never logged$`),
    ],
  ]
  it.each(cases)('%s', (_, change, line) => {
    const { refusals, additions } = compareRegistries(whole, registryWith(change))
    expect(refusals).toEqual([expect.stringMatching(line)])
    expect(additions).toEqual([])
  })
})
