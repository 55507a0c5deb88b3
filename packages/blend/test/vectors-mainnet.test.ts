// Cases of the contracts' own tests and of the SDK's, and the entries of one mainnet ledger, each with its source beside it.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContractId, EntryRecord } from '@orrery/ledger'
import { mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { Slicer, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import type { BlendVersion, ReserveData } from '../src/chain/values.ts'
import { accrue, borrowRate } from '../src/math/accrual.ts'
import { scaleAuction } from '../src/math/auction-scale.ts'
import { blend } from '../src/protocol.ts'
import { decodedEntry } from './decoded-entries.ts'
import { entryValue } from './executed.ts'
import { configOf, dataOf, type Figures, figure } from './reserve-figures.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/blend.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const given = (): Vectors => {
  if (vectors === null) throw new Error('the vectors are not there')
  return vectors
}

interface ReserveCase {
  readonly version: 1 | 2
  readonly config: Figures
  readonly take_rate?: number
  readonly bstop_rate?: number
  readonly before?: Figures
  readonly timestamp: number
  readonly after?: Figures
}
interface AccrualCase extends ReserveCase {
  readonly utilization: number
  readonly ir_mod: string
  readonly last_time: number
  readonly expected_accrual: string
  readonly expected_ir_mod: string
}
interface Legs {
  readonly bid: Readonly<Record<string, string>>
  readonly lot: Readonly<Record<string, string>>
}
interface Vectors {
  readonly mainnet_ledger_entries_v1: {
    readonly ledger: number
    readonly close_time: number
    readonly entries: readonly {
      readonly role: string
      readonly xdr: string
      readonly expected: {
        readonly contract: ContractId
        readonly durability: 'persistent' | 'temporary'
        readonly key: unknown
        readonly key_scval: string
        readonly value: unknown
      }
    }[]
  }
  readonly sdk_tests: {
    readonly reserve_accrual: readonly ReserveCase[]
    readonly auction_scale: {
      readonly base: Legs & { readonly block: number }
      readonly cases: readonly (readonly [number, number, Legs])[]
    }
    readonly fixed_math: { readonly cases: readonly (readonly [string, string, string, string, string])[] }
  }
  readonly contract_tests: { readonly reserve_load: readonly ReserveCase[]; readonly calc_accrual: readonly AccrualCase[] }
}

const versionOf = ({ version }: { readonly version: 1 | 2 }): BlendVersion => (version === 1 ? 'v1' : 'v2')

describe.runIf(vectors !== null)('reserves of the tests of the contracts and of the SDK (from ../shared)', () => {
  it("reserves accrue to the rates, modifier and backstop credit of the contracts' and the SDK's tests", () => {
    let compared = 0
    for (const it of [...given().sdk_tests.reserve_accrual, ...given().contract_tests.reserve_load]) {
      if (it.before === undefined || it.after === undefined) continue
      const takeRate = figure(it.take_rate ?? it.bstop_rate)
      const ours = accrue(dataOf(it.before), configOf(it.config), takeRate, BigInt(it.timestamp), versionOf(it))
      const theirs = { ...dataOf(it.before), ...partOf(dataOf(it.after), it.after) }
      expect({ case: compared, ours }).toEqual({ case: compared, ours: theirs })
      compared++
    }
    expect(compared).toBe(RESERVES)
  })

  it("the borrow rate at a utilisation is that of the contracts' and the SDK's tests", () => {
    let compared = 0
    for (const it of given().contract_tests.calc_accrual) {
      const version = versionOf(it)
      const unit = version === 'v1' ? 1_000_000_000n : 1_000_000_000_000n
      const passed = BigInt(it.timestamp - it.last_time)
      const rate = borrowRate(figure(it.utilization), figure(it.ir_mod), configOf(it.config), version)
      // accrual = S + ⌈⌊seconds · S / year⌋ · rate / 1e7⌉: pool/src/pool/interest.rs.
      const accrual = unit + mulDivCeil(mulDivFloor(passed, unit, 31_536_000n), rate, 10_000_000n)
      expect([it.version, it.utilization, accrual]).toEqual([it.version, it.utilization, figure(it.expected_accrual)])
      compared++
    }
    expect(compared).toBe(6)
  })
})

/** Only the figures of the case. */
function partOf(data: ReserveData, figures: Figures): Partial<ReserveData> {
  const names = {
    b_rate: 'bRate',
    d_rate: 'dRate',
    ir_mod: 'rateModifier',
    backstop_credit: 'backstopCredit',
    last_time: 'lastTime',
  } as const
  return Object.fromEntries(Object.entries(names).flatMap(([name, ours]) => (name in figures ? [[ours, data[ours]]] : [])))
}

describe.runIf(vectors !== null)('auctions and arithmetic of the tests of the SDK (from ../shared)', () => {
  it("a fill is scaled by ledger and percent as in the SDK's tests", () => {
    const { base, cases } = given().sdk_tests.auction_scale
    const legs = (of: Readonly<Record<string, string>>) => new Map(Object.entries(of).map(([asset, amount]) => [asset, BigInt(amount)]))
    const auction = { bid: legs(base.bid), lot: legs(base.lot), block: base.block }
    for (const [ledger, percent, { bid, lot }] of cases) {
      const { filled } = scaleAuction(auction, BigInt(percent), ledger)
      expect({ ledger, percent, bid: filled.bid, lot: filled.lot }).toEqual({ ledger, percent, bid: legs(bid), lot: legs(lot) })
    }
    expect(cases.length).toBe(6)
  })

  it("products and quotients round as in the SDK's tests", () => {
    for (const [name, a, b, unit, expected] of given().sdk_tests.fixed_math.cases) {
      const [x, y, z] = [BigInt(a), BigInt(b), BigInt(unit)]
      const ours = {
        mulFloor: mulDivFloor(x, y, z),
        mulCeil: mulDivCeil(x, y, z),
        divFloor: mulDivFloor(x, z, y),
        divCeil: mulDivCeil(x, z, y),
      }
      expect([name, ours[name as keyof typeof ours]]).toEqual([name, BigInt(expected)])
    }
  })
})

describe.runIf(vectors !== null)('the entries of mainnet ledger 55,261,759 (from ../shared)', () => {
  it('entries of mainnet ledger 55,261,759 are read to the values that another program decoded', async () => {
    const { ledger, close_time, entries } = given().mainnet_ledger_entries_v1
    const network = await loadNetwork('mainnet')
    const records = entries.map(({ xdr, expected }, index): EntryRecord => {
      const { contract, durability, key_scval } = expected
      const key = new Uint8Array(Buffer.from(key_scval, 'base64'))
      const value = entryValue(xdr, key_scval)
      return { kind: 'entry', tx: 0, opIndex: 0, index, change: 'created', contract, durability, key, value, before: null, liveUntil: null }
    })
    const hash = ledger.toString(16).padStart(64, '0')
    const slices = new Slicer(network, blend.routing, 1).feed({
      header: { sequence: ledger, closeTimeSeconds: close_time, hash, previousHash: hash, protocolVersion: 22 },
      transactions: [
        {
          hash,
          txOrder: 1,
          source: 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
          feeSource: null,
          innerHash: null,
          feeCharged: null,
          memo: null,
        },
      ],
      records,
    })
    const adapter = blend.adapter(network)
    const state = adapter.load([], ledger - 1)
    for (const slice of slices) adapter.fold(state, slice)
    const compared = entries.flatMap(({ role, expected: { contract, key, value } }) => {
      // Tokens' balances and instances have other keys; of pools that the registry does not name nothing is kept.
      if (role === 'SAC token' || key === 'LedgerKeyContractInstance' || !isKept(key)) return []
      const { ours, theirs } = decodedEntry(state, contract, key, value)
      if (ours === undefined || isOfOtherPool(key, state.pools)) return []
      expect({ role, key, value: ours }).toEqual({ role, key, value: theirs })
      return [key]
    })
    process.stdout.write(`mainnet entries: ${compared.length} of ${entries.length} compared\n`)
    expect(compared.length).toBe(ENTRIES)
  })
})

function isKept(key: unknown): boolean {
  return !['Allowance', 'DropList', 'PropAdmin', 'Contracts'].includes(Array.isArray(key) ? String(key[0]) : String(key))
}

/** Entries of a backstop are of one of its pools. */
function isOfOtherPool(key: unknown, pools: ReadonlyMap<ContractId, unknown>): boolean {
  const of = Array.isArray(key) ? key[1] : null
  const pool = typeof of === 'string' ? of : (of as { pool?: string } | null)?.pool
  const isOfPool = ['PoolBalance', 'UserBalance', 'UEmisData', 'BEmisData', 'BEmisCfg', 'PoolEmis'].includes(
    String(Array.isArray(key) ? key[0] : ''),
  )
  return isOfPool && pool !== undefined && !pools.has(pool)
}

/** Cases with a reserve before and after. */
const RESERVES = 6
/** Entries of what the index keeps. */
const ENTRIES = 62
