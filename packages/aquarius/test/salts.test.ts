// Indexes of pools, as the router derives them from a pool's kind, fee and spacing (section 1.4 of the reference): hashed here without the code
// under test, compared with the vectors, and with the indexes under which the recorded router lists its pools.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeStrkey, type ScVal, sc, writeScVal, XdrWriter } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { type ExpectedAnswer, recording, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'

const file = join(sharedDir() ?? '', 'reference/vectors/aquarius.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null

interface Vectors {
  readonly salts: { readonly pool_index: readonly (PoolKind & { readonly pool_index: string })[] }
  readonly asset_contract_ids: { readonly items: readonly { readonly asset: string; readonly contract: string }[] }
}

/** What an index is made of. */
interface PoolKind {
  readonly kind: string
  readonly fee?: number
  readonly tick_spacing?: number
  /** Of stable pools: how many there were before, from 1. */
  readonly pool_counter?: string
}

const ZERO = sc.symbol('0x00')

function indexOf({ kind, fee = 0, tick_spacing = 0, pool_counter = '0' }: PoolKind): string {
  switch (kind) {
    case 'constant':
      return hashOf(sc.symbol('standard'), ZERO, sc.u32(fee), ZERO)
    case 'concentrated':
      return hashOf(sc.symbol('cl'), ZERO, sc.u32(fee), ZERO, { type: 'i32', value: tick_spacing }, ZERO)
    default:
      return hashOf(sc.symbol('stable'), ZERO, sc.u128(BigInt(pool_counter)), ZERO)
  }
}

function hashOf(...values: ScVal[]): string {
  const hash = createHash('sha256')
  for (const value of values) hash.update(writeScVal(value))
  return hash.digest('hex')
}

describe('the index of a pool', () => {
  it.runIf(vectors !== null)('is the hash of its kind and settings (from ../shared)', () => {
    const cases = vectors?.salts.pool_index ?? []
    for (const it of cases) expect([it, indexOf(it)]).toEqual([it, it.pool_index])
    expect(cases).toHaveLength(7)
  })

  it('is the one under which the recorded router lists the pool', async () => {
    const pools = new Map<string, ExpectedAnswer>()
    const routers = new Map<string, ExpectedAnswer>()
    for await (const answer of recording().expected()) {
      if (answer.kind === 'aquarius.pool') pools.set(answer.contract, answer)
      if (answer.kind === 'aquarius.router') routers.set(answer.contract, answer)
    }
    const counters = new Map(Array.from({ length: 100 }, (_, n) => [indexOf({ kind: 'stable', pool_counter: String(n) }), n]))
    const kinds = { constant_product: 'constant', concentrated: 'concentrated' } as const
    const counts: Record<string, number> = {}
    for (const { pools: listed } of routers.values()) {
      for (const [, ofSet] of listed as [string[], Record<string, string>][]) {
        for (const [index, address] of Object.entries(ofSet)) {
          const pool = pools.get(address)
          if (pool === undefined) throw new Error(`no answer about the listed pool ${address}`)
          const type = pool.pool_type as keyof typeof kinds | 'stable'
          counts[type] = (counts[type] ?? 0) + 1
          if (type === 'stable') expect([address, counters.has(index)]).toEqual([address, true])
          else {
            const derived = indexOf({ kind: kinds[type], fee: Number(pool.fee_fraction), tick_spacing: Number(pool.tick_spacing ?? 0) })
            expect([address, index]).toEqual([address, derived])
          }
        }
      }
    }
    expect(counts).toEqual({ constant_product: 4, stable: 2, concentrated: 3 })
  })
})

describe.runIf(vectors !== null)('the contract of a classic asset (from ../shared)', () => {
  it('is the hash of the asset, and the registry gives it that code and issuer', async () => {
    const network = await loadNetwork('mainnet')
    const items = vectors?.asset_contract_ids.items ?? []
    for (const { asset, contract } of items) {
      const [code = '', issuer = null] = asset.split(':')
      expect([asset, contractOf(code, issuer, network.passphrase)]).toEqual([
        asset,
        Buffer.from(decodeStrkey(contract).payload).toString('hex'),
      ])
      const hint = network.assets[contract]
      if (hint !== undefined) expect([hint.code, hint.issuer]).toEqual([issuer === null ? 'XLM' : code, issuer])
    }
    expect(items).toHaveLength(4)
  })
})

/** sha256 of HashIDPreimage: contract id, network, ContractIDPreimage from an asset. */
function contractOf(code: string, issuer: string | null, passphrase: string): string {
  const preimage = new XdrWriter().u32(8).raw(createHash('sha256').update(passphrase).digest()).u32(1)
  if (issuer === null) preimage.u32(0)
  else {
    const padded = new Uint8Array(code.length > 4 ? 12 : 4)
    padded.set(new TextEncoder().encode(code))
    preimage
      .u32(code.length > 4 ? 2 : 1)
      .raw(padded)
      .u32(0)
      .raw(decodeStrkey(issuer).payload)
  }
  return createHash('sha256').update(preimage.done()).digest('hex')
}
