// The deployed contracts of both versions, executed elsewhere (97 and 75 steps), and the real cases of mainnet and of the contracts' own tests.

import { readScVal } from '@orrery/ledger'
import { foldAll } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readPoolInstance, readReserveConfig, readReserveData } from '../src/chain/pool-entries.ts'
import type { BlendVersion, ReserveConfig } from '../src/chain/values.ts'
import { accrue } from '../src/math/accrual.ts'
import { blend } from '../src/protocol.ts'
import type { BlendState } from '../src/state/state.ts'
import { claimableOf } from '../src/view/claimable.ts'
import { decodedEntry, notKept } from './decoded-entries.ts'
import { type ExecutedFile, type ExecutedStep, entryValue, executedFile, ledgersOf, networkOf, slicesOf } from './executed.ts'

const VERSIONS: readonly BlendVersion[] = ['v1', 'v2']
const report = (line: string) => process.stdout.write(`${line}\n`)

describe.each(VERSIONS)('the executed contracts of %s (from ../shared)', (version) => {
  const file = executedFile(version)
  const runIf = it.runIf(file !== null)
  const vectors = () => {
    if (file === null) throw new Error('the vectors are not there')
    return file
  }

  runIf('each step of the executed contracts gives state, activities and snapshots without an unexpected notice', () => {
    const network = networkOf(vectors())
    let activities = 0
    for (const { slice, rows } of foldAll(slicesOf(vectors(), network), blend.adapter(network))) {
      // No hints of assets, an oracle that is a stub, and some transfers of LP tokens that were made and not recorded.
      const notices = rows.notices.filter(({ kind, reason }) => !['asset', 'oracle'].includes(kind) && !reason.startsWith('LP tokens'))
      expect({ ledger: slice.ledger, notices }).toEqual({ ledger: slice.ledger, notices: [] })
      activities += rows.activities.length
    }
    report(`${version}: ${vectors().steps.length} steps, ${activities} activity rows`)
    expect(activities).toBeGreaterThan(vectors().steps.length / 2)
  })

  runIf('the state after the executed contracts has every entry that they left', () => {
    const state = folded(vectors())
    const written = new Map<string, unknown>()
    for (const { contract, key_decoded, after_decoded } of vectors().steps.flatMap(({ entries }) => entries ?? [])) {
      written.set(`${contract} ${JSON.stringify(key_decoded)}`, after_decoded)
    }
    const reasons: Record<string, number> = {}
    let compared = 0
    for (const entry of vectors().final_state) {
      const { contract, key, value } = entry
      const reason = notKept(state, entry, vectors().roles[contract] ?? '', written.get(`${contract} ${JSON.stringify(key)}`))
      if (reason !== null) reasons[reason] = (reasons[reason] ?? 0) + 1
      else {
        const { ours, theirs } = decodedEntry(state, contract, key, value)
        expect({ contract, key, value: ours }).toEqual({ contract, key, value: theirs })
        compared++
      }
    }
    report(`${version}: entries of the final state: ${compared} compared, not kept: ${JSON.stringify(reasons)}`)
    expect([compared, reasons]).toEqual(FINAL_STATE[version])
  })

  runIf('each touch of a reserve by the executed contracts accrues interest as we do', () => {
    let transitions = 0
    let defaults = 0
    const configs = new Map<string, ReserveConfig>()
    let takeRate = 0n
    for (const step of vectors().steps) {
      for (const { before, after, key, key_decoded: name, contract } of step.entries ?? []) {
        if (!Array.isArray(name) || name[0] !== 'ResData' || before === null || after === null) continue
        const stored = readReserveData(entryValue(before, key) ?? new Uint8Array())
        const written = readReserveData(entryValue(after, key) ?? new Uint8Array())
        const config = configs.get(`${contract} ${name[1]}`)
        if (stored === null || written === null || config === undefined) continue
        const ours = accrue(stored, config, takeRate, written.lastTime, version)
        // After the accrual a default takes what is never paid back from the suppliers.
        const bRate = ours.bRate - rateLost(defaultedDebt(step, String(name[1])), ours.dRate, ours.bSupply)
        if (bRate !== ours.bRate) defaults++
        expect({ step: step.step, dRate: ours.dRate, bRate, rateModifier: ours.rateModifier }).toEqual({
          step: step.step,
          dRate: written.dRate,
          bRate: written.bRate,
          rateModifier: written.rateModifier,
        })
        transitions++
      }
      for (const entry of step.entries ?? []) {
        const value = entryValue(entry.after, entry.key)
        if (value === null) continue
        if (Array.isArray(entry.key_decoded) && entry.key_decoded[0] === 'ResConfig') {
          const config = readReserveConfig(value)
          if (config !== null) configs.set(`${entry.contract} ${entry.key_decoded[1]}`, config)
        }
        if (vectors().roles[entry.contract] === `pool ${version}` && isInstance(value)) {
          takeRate = readPoolInstance(value, entry.contract)?.backstopTakeRate ?? takeRate
        }
      }
    }
    report(`${version}: ${transitions} transitions of reserves equal`)
    expect([transitions, defaults]).toEqual(version === 'v1' ? [28, 0] : [39, 1])
  })

  runIf('a claim of the executed contracts pays what we compute before it', () => {
    const claims: unknown[] = []
    const claimed = new Set<string>()
    for (const { step, before } of stepsWithState(vectors())) {
      if (step.fn !== 'claim' || vectors().roles[step.contract] !== `pool ${version}` || step.error !== undefined) continue
      const pool = before.pools.get(step.contract)
      const [ids, from] = claimOf(step)
      const at = { ledger: step.ledger, closeTimeSeconds: step.timestamp }
      // Some ledgers have two claims of one account: what the first took is gone for the second.
      const fresh = ids.filter((id) => !claimed.has(`${step.ledger} ${from} ${id}`))
      for (const id of ids) claimed.add(`${step.ledger} ${from} ${id}`)
      const ours = pool === undefined ? null : fresh.reduce((sum, id) => sum + claimableOf(pool, from, id, at), 0n)
      expect({ step: step.step, claimed: ours }).toEqual({ step: step.step, claimed: BigInt(String(step.result_decoded)) })
      claims.push(step.step)
    }
    report(`${version}: ${claims.length} claims equal`)
    expect(claims.length).toBeGreaterThan(0)
  })
})

/** dTokens of a reserve that were given up, by the pool's own event of v2. */
function defaultedDebt({ events = [] }: ExecutedStep, asset: string): bigint {
  const written = events.flatMap(({ topics, data }) => {
    const [name, of] = topics.map((topic) => readScVal(new Uint8Array(Buffer.from(topic, 'base64'))))
    const amount = readScVal(new Uint8Array(Buffer.from(data, 'base64')))
    const isDefault = name?.type === 'symbol' && name.value === 'defaulted_debt' && of?.type === 'address' && of.value === asset
    return isDefault && amount.type === 'i128' ? [amount.value] : []
  })
  return written.reduce((sum, amount) => sum + amount, 0n)
}

/** ⌈⌈dTokens · dRate / S⌉ · S / bSupply⌉ with the S = 10¹² of v2 (section 4.6 of the reference). */
function rateLost(dTokens: bigint, dRate: bigint, bSupply: bigint): bigint {
  const one = 10n ** 12n
  const loss = (dTokens * dRate + one - 1n) / one
  return loss === 0n ? 0n : (loss * one + bSupply - 1n) / bSupply
}

/** Entries that are compared, and how many are not for each reason. */
const FINAL_STATE: Readonly<Record<BlendVersion, readonly [number, Readonly<Record<string, number>>]>> = {
  v1: [
    49,
    {
      'an allowance moves nothing': 1,
      'no step wrote the balance': 1,
      'the contract was set up before the first step, and no step wrote it': 2,
      'what is dropped once is seen when it is': 1,
    },
  ],
  v2: [
    47,
    {
      'a proposal changes nothing until it is accepted': 1,
      'a transfer that is no step came after the last step that wrote the balance': 2,
      'an allowance moves nothing': 1,
      'no step wrote the balance': 2,
      'the contract was set up before the first step, and no step wrote it': 1,
      'what is dropped once is seen when it is': 1,
    },
  ],
}

const isInstance = (value: Uint8Array) => readScVal(value).type === 'instance'

function folded(file: ExecutedFile): BlendState {
  const network = networkOf(file)
  const adapter = blend.adapter(network)
  const state = adapter.load([], 1)
  for (const slice of slicesOf(file, network)) adapter.fold(state, slice)
  return state
}

/** Every step with the state before its ledger. */
function* stepsWithState(file: ExecutedFile): Generator<{ readonly step: ExecutedStep; readonly before: BlendState }> {
  const network = networkOf(file)
  const adapter = blend.adapter(network)
  const state = adapter.load([], 1)
  const slices = slicesOf(file, network)
  for (const [n, { steps }] of ledgersOf(file).entries()) {
    for (const step of steps) yield { step, before: state }
    const slice = slices[n]
    if (slice !== undefined) adapter.fold(state, slice)
  }
}

/** Reserve token ids and owner, by the claim's own event. */
function claimOf(step: ExecutedStep): readonly [readonly number[], string] {
  const event = step.events?.find(({ contract }) => contract === step.contract)
  const topic = readScVal(new Uint8Array(Buffer.from(event?.topics[1] ?? '', 'base64')))
  const data = readScVal(new Uint8Array(Buffer.from(event?.data ?? '', 'base64')))
  const ids = data.type === 'vec' && data.value?.[0]?.type === 'vec' ? (data.value[0].value ?? []) : []
  return [ids.map((id) => (id.type === 'u32' ? id.value : -1)), topic.type === 'address' ? topic.value : '']
}
