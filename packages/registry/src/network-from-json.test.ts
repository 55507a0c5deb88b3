import { OrreryError } from '@orrery/errors'
import { networkFromJson, PROTOCOLS } from '@orrery/protocols'
import { describe, expect, it } from 'vitest'

const FACTORY = 'CA4HEQTL2WPEUYKYKCDOHCDNIV4QHNJ7EL4J4NQ6VADP7SYHVRYZ7AW2'
const ORACLE = 'CALI2BYU2JE6WVRUFYTS6MSBNEHGJ35P4AVCZYF3B6QOE3QKOB2PLE6M'

const smallest = { network: 'small', passphrase: 'A network', first_ledger: 7, protocols: {} }
const soroswap = (factory: string) => ({ soroswap: { deployments: [{ factory, routers: [], from_ledger: 7 }] } })
const oracle = { contract: ORACLE, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }

function problems(json: unknown): string[] {
  try {
    networkFromJson(json, 'a.json')
  } catch (error) {
    expect(error).toBeInstanceOf(OrreryError)
    expect(error).toMatchObject({ kind: 'invalid', code: 'invalid_registry' })
    return (error as OrreryError).message
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .map((line) => line.trim())
  }
  return []
}

describe('a registry document', () => {
  it('a registry requires a name, a passphrase, a first ledger and protocols; other members may be absent', () => {
    expect(networkFromJson(smallest)).toEqual({
      name: 'small',
      passphrase: 'A network',
      firstLedger: 7,
      deployments: Object.fromEntries(PROTOCOLS.map(({ id }) => [id, []])),
      oracles: [],
      pricePools: [],
      usdPegs: [],
      assets: {},
      knownPools: [],
      protocols: PROTOCOLS,
    })
    expect(problems({}).map((line) => line.split(':')[0])).toEqual(['network', 'passphrase', 'first_ledger', 'protocols'])
  })

  it('a registry document is converted to a Network', () => {
    const network = networkFromJson({
      ...smallest,
      protocols: soroswap(FACTORY),
      oracles: [oracle],
      known_pools: [{ protocol: 'soroswap', contract: ORACLE, from_ledger: 9 }],
    })
    expect(network.deployments.soroswap).toEqual([{ factory: FACTORY, routers: [], fromLedger: 7 }])
    expect(network.oracles).toEqual([oracle])
    expect(network.knownPools).toEqual([{ protocol: 'soroswap', contract: ORACLE, fromLedger: 9, tokens: [] }])
  })

  it('the deployments of every protocol are checked', () => {
    const fxdao = { vaults: ORACLE, locking_pools: [FACTORY], from_ledger: 8 }
    expect(networkFromJson({ ...smallest, protocols: { fxdao: { deployments: [fxdao] } } }).deployments.fxdao).toEqual([
      { vaults: ORACLE, lockingPools: [FACTORY], fromLedger: 8 },
    ])
    expect(problems({ ...smallest, protocols: { blend: { deployments: [{ version: 'v9' }] } } }).map((line) => line.split(':')[0])).toEqual(
      ['version', 'factory', 'backstop', 'emitter', 'blnd', 'usdc', 'backstop_token', 'from_ledger'].map(
        (member) => `protocols.blend.deployments[0].${member}`,
      ),
    )
    expect(problems({ ...smallest, protocols: { aquarius: { deployments: {} } } })).toEqual([
      expect.stringMatching(/^protocols\.aquarius\.deployments: /),
    ])
  })

  it('all problems are reported at once, each with its path', () => {
    const wrong = {
      ...smallest,
      network: 'My Network',
      first_ledger: 0,
      comment: 'hello',
      protocols: { ...soroswap(FACTORY.replace('A4', 'A5')), unheard: { deployments: [] } },
      oracles: [{ ...oracle, kind: 'chainlink' }],
      assets: { XLM: { code: 'XLM', issuer: null, decimals: 7, tags: [] } },
    }
    expect(problems(wrong).map((line) => line.split(': ')[0])).toEqual([
      'network',
      'first_ledger',
      'protocols.soroswap.deployments[0].factory',
      'protocols',
      'oracles[0].kind',
      'assets.XLM',
      'unknown member "comment"',
    ])
  })

  it('a duplicate oracle, price pool, peg or known pool is refused', () => {
    expect(problems({ ...smallest, oracles: [oracle, oracle] })).toEqual(['oracles[1]: stands here twice'])
    const pool = { protocol: 'soroswap', contract: ORACLE }
    expect(problems({ ...smallest, price_pools: [pool, pool] })).toEqual(['price_pools[1]: stands here twice'])
  })

  it('a duplicate factory is refused', () => {
    const twice = soroswap(FACTORY).soroswap.deployments
    expect(problems({ ...smallest, protocols: { soroswap: { deployments: [...twice, ...twice] } } })).toEqual([
      'protocols.soroswap.deployments[1]: stands here twice',
    ])
  })

  it('the network name must be valid in topic and folder names', () => {
    for (const network of ['', 'Main', 'a_b', 'a.b', '../x', 'x'.repeat(41)]) expect(problems({ ...smallest, network })).toHaveLength(1)
    for (const network of ['mainnet', 'forge-a', '7']) expect(problems({ ...smallest, network })).toEqual([])
  })

  it('a document that is not an object is refused', () => {
    for (const json of [null, 7, 'x', []]) expect(problems(json)).toHaveLength(1)
  })
})
