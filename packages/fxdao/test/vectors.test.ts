// The contract's own tests, and a sequence of calls with their entries and tokens, derived from its source outside this repository.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CallRecord,
  type EntryRecord,
  type EventRecord,
  type LedgerExtract,
  type ScVal,
  sc,
  writeScVal,
  XdrWriter,
} from '@orrery/ledger'
import type { ActivityRow, Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { Slicer, sharedDir } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { readVault, readVaultsKey } from '../src/chain/entries.ts'
import { collateralRatio, feeOn } from '../src/math/formulas.ts'
import { fxdao } from '../src/protocol.ts'
import { vaultName } from '../src/state/state.ts'

const shared = sharedDir()
const vectors: Vectors | null =
  shared === null ? null : (JSON.parse(readFileSync(join(shared, 'reference/vectors/fxdao.json'), 'utf8')) as Vectors)
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

describe.runIf(vectors !== null)('vaults of mainnet (from ../shared)', () => {
  it('are read from their bytes', () => {
    const vaults = (vectors?.mainnet_entries ?? []).filter(({ decoded }) => typeof decoded === 'object')
    expect(vaults).toHaveLength(3)
    for (const { key_xdr, val_xdr, decoded } of vaults) {
      if (typeof decoded !== 'object') continue
      expect(readVaultsKey(base64(key_xdr))).toEqual({ kind: 'vault', owner: decoded.account, denomination: decoded.denomination })
      const vault = readVault(base64(val_xdr))
      expect([vault?.index, vault?.collateral, vault?.debt].map(String)).toEqual([
        decoded.index,
        decoded.total_collateral,
        decoded.total_debt,
      ])
    }
  })
})

describe.runIf(vectors !== null)('the formulas (from ../shared)', () => {
  it('round as the contract does', () => {
    const cases = vectors?.numeric.find(({ name }) => name === 'calc_fee rounds up')?.cases ?? []
    expect(cases.length).toBeGreaterThan(3)
    for (const { amount, fee, expected } of cases) expect(feeOn(BigInt(amount), BigInt(fee))).toBe(BigInt(expected))
    const health = vectors?.health_examples.cases ?? []
    expect(health.length).toBeGreaterThan(2)
    for (const { rate, collateral, debt, collateral_ratio_raw, min_col_rate, liquidatable } of health) {
      const ratio = collateralRatio(BigInt(rate), BigInt(collateral), BigInt(debt))
      expect([ratio, ratio < BigInt(min_col_rate)]).toEqual([BigInt(collateral_ratio_raw), liquidatable])
    }
  })
})

describe.runIf(vectors !== null)('a sequence of vault calls (from ../shared)', () => {
  let network: Network
  beforeAll(async () => {
    network = await loadNetwork('mainnet')
  })

  it('becomes activities, and leaves the ratios that the contract would compute', () => {
    const { steps = [], accounts = {} } = vectors?.sequence ?? {}
    expect(steps).toHaveLength(14)
    const adapter = fxdao.adapter(network)
    const slicer = new Slicer(network, fxdao.routing, 1)
    const state = adapter.load([], 0)
    const entries = new Map<string, Uint8Array>()
    for (const [n, step] of steps.entries()) {
      const [slice] = slicer.feed(extractOf(step, n + 1, entries, accounts))
      if (slice === undefined) throw new Error('one partition makes one slice')
      const { activities, notices } = adapter.fold(state, slice)
      expect({ step: step.name, notices: notices.filter(({ kind }) => kind !== 'price_pool') }).toEqual({ step: step.name, notices: [] })
      expect({ step: step.name, result: result(activities) }).toEqual({ step: step.name, result: step.expected_activities.map(expectedOf) })
      const open = [...state.vaults.values()].filter(({ vault }) => vault !== null)
      expect(open).toHaveLength(Object.keys(step.health_after).length)
      for (const [name, health] of Object.entries(step.health_after)) {
        const [who = '', denomination = ''] = name.split('/')
        const vault = state.vaults.get(vaultName(accounts[who] ?? '', denomination))?.vault?.value
        const ratio = vault === undefined ? null : collateralRatio(BigInt(health.denomination_rate), vault.collateral, vault.debt)
        expect({ step: step.name, name, ratio: String(ratio) }).toEqual({ step: step.name, name, ratio: health.collateral_ratio_raw })
      }
    }
  })
})

/** The words of the vectors: seen from the contract. */
const SIDES = { sent: 'in', received: 'out', none: '' } as const

/** The rows of one role and account as the vectors sum them up. */
function result(rows: readonly ActivityRow[]): unknown[] {
  const groups = new Map<string, ActivityRow[]>()
  for (const row of rows) {
    const role = row.metadata.role ?? row.activityType
    groups.set(`${row.address} ${role}`, [...(groups.get(`${row.address} ${role}`) ?? []), row])
  }
  return [...groups.values()].map((group) => {
    const [first] = group
    const legs = group.map((row) => `${SIDES[row.direction]} ${row.assetSymbol} ${row.amount}`)
    return { type: first?.activityType, account: first?.address, counterparty: first?.counterparty, legs }
  })
}

function expectedOf(it: ExpectedActivity): unknown {
  return { type: it.activity_type, account: it.account, counterparty: it.counterparty, legs: expect.arrayContaining(legsOf(it)) }
}

function legsOf(it: ExpectedActivity): string[] {
  switch (it.activity_type) {
    case 'deposit':
    case 'repay':
      return [`in ${it.asset} ${it.amount}`]
    case 'withdraw':
    case 'borrow':
      return [`out ${it.asset} ${it.amount}`]
    case 'transfer':
      // The vectors have the direction of the vault; a leg has the account that gives.
      return [`${it.direction === 'out' ? 'in' : 'out'} XLM ${it.collateral}`, ` EURx ${it.debt}`]
    default:
      return [
        ...(it.burned === undefined ? [] : [`in USDx ${it.burned}`]),
        ...(it.received_xlm === undefined ? [] : [`out XLM ${it.received_xlm}`]),
        ...(it.debt_delta === undefined ? [] : [` USDx ${it.debt_delta.slice(1)}`]),
        ...(it.collateral_delta === undefined ? [] : [`in XLM ${it.collateral_delta.slice(1)}`]),
        ...(it.compensation_xlm === undefined ? [] : [`out XLM ${it.compensation_xlm}`]),
      ]
  }
}

function extractOf(
  step: Step,
  ledger: number,
  entries: Map<string, Uint8Array>,
  accounts: Readonly<Record<string, string>>,
): LedgerExtract {
  const vaults = step.call.contract
  const named = (who: string): string => {
    if (who === 'vaults') return vaults
    return who === 'treasury' ? TREASURY : (accounts[who] ?? who)
  }
  const source = Object.values(Object.assign({}, ...step.call.args))[0] as string
  const place = { tx: 0, opIndex: 0 }
  const changes = step.entry_changes.map((change, index): EntryRecord => {
    const before = entries.get(change.key_xdr) ?? null
    const value = change.val_xdr === null ? null : base64(change.val_xdr)
    if (value === null) entries.delete(change.key_xdr)
    else entries.set(change.key_xdr, value)
    const shape = { ...place, kind: 'entry', index, contract: vaults, durability: 'persistent', liveUntil: null } as const
    return { ...shape, change: change.change, key: base64(change.key_xdr), value, before }
  })
  const events = step.token_events.map((event, index): EventRecord => {
    const parties = [event.from, event.to].flatMap((who) => (who === undefined ? [] : [sc.address(named(who))]))
    const topics = [sc.symbol(event.event), ...parties, sc.string(event.asset)]
    const data = writeScVal(sc.i128(BigInt(event.amount)))
    return { ...place, kind: 'event', index, contract: event.contract, type: 'contract', topics: vals(topics), data }
  })
  const call: CallRecord = {
    ...place,
    kind: 'call',
    index: 0,
    parent: -1,
    authorizer: null,
    contract: vaults,
    function: step.call.fn,
    args: vals(argsOf(step.call)),
  }
  return {
    header: { sequence: ledger, closeTimeSeconds: ledger * 5, hash: '00'.repeat(32), previousHash: '00'.repeat(32), protocolVersion: 26 },
    transactions: [
      { hash: ledger.toString(16).padStart(64, '0'), txOrder: 1, source, feeSource: null, innerHash: null, feeCharged: null, memo: null },
    ],
    records: [...changes, ...events, call],
  }
}

const TREASURY = 'GB4KOTOYRZA32BRBJUOYDCAUJNPG6RPNOZ7QYDC2WLPNM4KML4475CIV'

/** The arguments with the list hints in their places, which no reader uses. */
function argsOf({ fn, args }: Step['call']): ScVal[] {
  const named: Record<string, string> = Object.assign({}, ...args)
  const hint = sc.vec(sc.symbol('None'))
  const amount = (text: string | undefined) => sc.u128(BigInt(text ?? 0))
  const denomination = sc.symbol(named.denomination ?? '')
  const who = sc.address(named.account ?? named.caller ?? named.liquidator ?? '')
  const vault = sc.struct({ account: who, denomination, index: sc.u128(0n) })
  switch (fn) {
    case 'new_vault':
      return [hint, who, amount(named.initial_debt), amount(named.collateral_amount), denomination]
    case 'transfer_debt':
      return [hint, vault, sc.address(named.destination ?? '')]
    case 'redeem':
      return [who, denomination, hint, amount(named.amount)]
    case 'liquidate':
      return [who, denomination, sc.u32(Number(named.total_vaults_to_liquidate))]
    default:
      return [hint, vault, hint, amount(named.amount)]
  }
}

function vals(values: readonly ScVal[]): Uint8Array {
  const writer = new XdrWriter().u32(values.length)
  for (const value of values) writer.raw(writeScVal(value))
  return writer.done()
}

type Texts<K extends string> = Readonly<Record<K, string>>

type ExpectedActivity = Texts<'activity_type' | 'account' | 'counterparty'> &
  Partial<
    Texts<
      | 'asset'
      | 'amount'
      | 'direction'
      | 'collateral'
      | 'debt'
      | 'burned'
      | 'received_xlm'
      | 'debt_delta'
      | 'collateral_delta'
      | 'compensation_xlm'
    >
  >

interface Step {
  readonly name: string
  readonly call: { readonly contract: string; readonly fn: string; readonly args: readonly Readonly<Record<string, string>>[] }
  readonly token_events: readonly (Texts<'contract' | 'asset' | 'event' | 'amount'> & { readonly from?: string; readonly to?: string })[]
  readonly entry_changes: readonly {
    readonly change: 'created' | 'updated' | 'removed'
    readonly key_xdr: string
    readonly val_xdr: string | null
  }[]
  readonly expected_activities: readonly ExpectedActivity[]
  readonly health_after: Readonly<Record<string, Texts<'denomination_rate' | 'collateral_ratio_raw'>>>
}

/** What the file holds of what is read here. Figures are decimal strings. */
interface Vectors {
  readonly mainnet_entries: readonly (Texts<'key_xdr' | 'val_xdr'> & { readonly decoded: Readonly<Record<string, string>> | string })[]
  readonly numeric: readonly { readonly name: string; readonly cases?: readonly Texts<'fee' | 'amount' | 'expected'>[] }[]
  readonly health_examples: {
    readonly cases: readonly (Texts<'rate' | 'collateral' | 'debt' | 'collateral_ratio_raw' | 'min_col_rate'> & {
      readonly liquidatable: boolean
    })[]
  }
  readonly sequence: { readonly accounts: Readonly<Record<string, string>>; readonly steps: readonly Step[] }
}
