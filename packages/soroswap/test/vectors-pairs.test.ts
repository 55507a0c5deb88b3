// Addresses of pairs, as the factory derives them from its own address and the two tokens (section 1 of the reference): hashed here without the code
// under test. Also the small entries and the names of events that the readers parse.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractId, decodeStrkey, sc, writeScVal, XdrWriter } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { recordedSlices, recording, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { listedPairKey, readFactoryKey, readListedPair, readPairInstance, readPairKey, readShares } from '../src/chain/entries.ts'
import { isNewPair, readNewPair } from '../src/chain/events.ts'
import { soroswap } from '../src/protocol.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/soroswap.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const given = (): Vectors => {
  if (vectors === null) throw new Error('the vectors are absent')
  return vectors
}

type Texts<Names extends string> = Readonly<Record<Names, string>>
interface Vectors {
  readonly addresses: { readonly mainnet: Texts<'factory' | 'router'> }
  readonly topic_constants: Readonly<Record<string, Texts<'type' | 'xdr'>>>
  readonly pair_address_derivation: Texts<'network_passphrase' | 'factory'> & {
    readonly pairs: readonly Texts<'address' | 'token_a' | 'token_b'>[]
  }
  readonly mainnet_state: readonly Texts<'pair' | 'instance_val_xdr'>[]
  readonly mainnet_min_liquidity_lock: Texts<'pair' | 'key_xdr' | 'val_xdr'>
  readonly mainnet_factory_state: Texts<'factory' | 'pair_index_0' | 'pair_index_key_xdr_0' | 'pair_index_val_xdr_0'>
}

/** sha256 of HashIDPreimage: contract id, network, ContractIDPreimage from the factory's address and the hash of both tokens, smaller first. */
function pairOf(factory: string, tokens: readonly string[], passphrase: string): string {
  const bytesOf = (contract: string) => Buffer.from(decodeStrkey(contract).payload)
  const salt = createHash('sha256')
  for (const token of tokens.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))) salt.update(writeScVal(sc.address(token)))
  const network = createHash('sha256').update(passphrase).digest()
  const preimage = new XdrWriter().u32(8).raw(network).u32(0).u32(1).raw(bytesOf(factory)).raw(salt.digest()).done()
  return contractId(new Uint8Array(createHash('sha256').update(preimage).digest()), 0)
}

describe('the address of a pair', () => {
  it('the address of a pair equals in the recording the address from its factory and its tokens, for every announced pair', async () => {
    const network = await loadNetwork(recording().registryFile)
    let announced = 0
    for (const { records } of await recordedSlices(recording(), network, soroswap)) {
      for (const { record } of records) {
        if (record.kind !== 'event' || !isNewPair(record)) continue
        const { pair, token0, token1 } = readNewPair(record)
        expect([pair, pairOf(record.contract ?? '', [token0, token1], network.passphrase)]).toEqual([pair, pair])
        announced++
      }
    }
    expect(announced).toBe(7)
  })

  it.runIf(vectors !== null)(
    'the address of a pair equals on mainnet the address from the factory of the registry and its tokens (from ../shared)',
    async () => {
      const { network_passphrase, factory, pairs } = given().pair_address_derivation
      const network = await loadNetwork('mainnet')
      const [deployment] = network.deployments.soroswap
      expect([network.passphrase, deployment?.factory, ...(deployment?.routers ?? [])]).toEqual([
        network_passphrase,
        factory,
        given().addresses.mainnet.router,
      ])
      for (const { address, token_a, token_b } of pairs) expect(pairOf(factory, [token_a, token_b], network_passphrase)).toBe(address)
      expect(pairs).toHaveLength(97)
      // And of pairs whose own entry names the tokens.
      for (const { pair, instance_val_xdr } of given().mainnet_state) {
        const read = readPairInstance(base64(instance_val_xdr), pair)
        expect([read?.factory, pairOf(factory, [read?.token0 ?? '', read?.token1 ?? ''], network_passphrase)]).toEqual([factory, pair])
      }
    },
  )
})

describe.runIf(vectors !== null)('small entries of mainnet (from ../shared)', () => {
  it('are read: the shares that a pair locks in itself, and the first pair of the factory', () => {
    const { pair, key_xdr, val_xdr } = given().mainnet_min_liquidity_lock
    expect([readPairKey(base64(key_xdr)), readShares(base64(val_xdr))]).toEqual([{ name: 'Balance', values: [pair] }, 1_000n])
    const { pair_index_0, pair_index_key_xdr_0, pair_index_val_xdr_0 } = given().mainnet_factory_state
    const [key, value] = [base64(pair_index_key_xdr_0), base64(pair_index_val_xdr_0)]
    expect(readFactoryKey(key)).toEqual({ name: 'PairAddressesNIndexed', values: [0] })
    expect(Buffer.from(listedPairKey(0)).toString('base64')).toBe(pair_index_key_xdr_0)
    expect(readListedPair({ key, value })).toBe(pair_index_0)
  })

  it('have the event names that the readers use', () => {
    for (const [name, { type, xdr }] of Object.entries(given().topic_constants)) {
      const written = writeScVal(type === 'scvString' ? sc.string(name) : sc.symbol(name))
      expect([name, Buffer.from(written).toString('base64')]).toEqual([name, xdr])
    }
  })
})
