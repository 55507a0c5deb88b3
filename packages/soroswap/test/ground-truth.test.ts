// Every answer that the Soroswap contracts of the recording gave, against the state that a reader loads as of that ledger.

import { pricesOf } from '@orrery/pricing'
import type { Network, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type ExpectedAnswer, foldedRecording, type StateTable } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { removalPayout } from '../src/math/constant-product.ts'
import { soroswap } from '../src/protocol.ts'
import type { SoroswapState } from '../src/state/state.ts'
import { valuePair } from '../src/view/valuation.ts'
import { soroswapView } from '../src/view/view.ts'

const forge = groundTruthRecording()
let network: Network
const report = (line: string) => process.stdout.write(`${line}\n`)
let table: StateTable
const answers: ExpectedAnswer[] = []
const states = new Map<number, SoroswapState>()

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  table = (await foldedRecording(forge, network, soroswap)).table
  for await (const answer of forge.expected()) if (answer.kind.startsWith('soroswap.')) answers.push(answer)
})

const isOracle = (row: StateRow) => network.oracles.some((oracle) => oracle.contract === row.contract)

function stateAt(ledger: number): SoroswapState {
  const known = states.get(ledger)
  if (known !== undefined) return known
  // Payouts need no prices, and the oracles' rows are most of them.
  const state = soroswapView(network).load(
    table.asOf(ledger, (row) => !isOracle(row)),
    ledger,
  )
  states.set(ledger, state)
  return state
}

const of = (kind: string) => answers.filter((answer) => answer.kind === kind)
const text = (value: unknown) => (value === null ? null : String(value))

describe('the recorded contracts', () => {
  it('the recorded contracts answer about the factory with the values of the state rows', () => {
    for (const answer of of('soroswap.factory')) {
      const factory = soroswapView(network).factory(stateAt(answer.ledger), answer.contract)
      expect({
        ledger: answer.ledger,
        all_pairs_length: text(factory?.totalPairs),
        fee_to: factory?.feeTo,
        fee_to_setter: factory?.feeToSetter,
        fees_enabled: factory?.feesEnabled,
      }).toEqual({
        ledger: answer.ledger,
        all_pairs_length: answer.all_pairs_length,
        fee_to: answer.fee_to,
        fee_to_setter: answer.fee_to_setter,
        fees_enabled: answer.fees_enabled,
      })
    }
    report(`soroswap.factory: ${of('soroswap.factory').length} answers equal`)
    expectCounts('soroswap.factory', of('soroswap.factory').length, 147)
  })

  it('the recorded contracts answer about every pair with the values of the state rows', () => {
    for (const answer of of('soroswap.pair')) {
      const pair = stateAt(answer.ledger).pairs.get(answer.contract)
      const instance = pair?.instance?.value
      const ours = {
        ledger: answer.ledger,
        contract: answer.contract,
        token_0: instance?.token0,
        token_1: instance?.token1,
        reserve_0: text(instance?.reserve0),
        reserve_1: text(instance?.reserve1),
        balance_0: text(pair?.balances.get(instance?.token0 ?? '')?.value ?? 0n),
        balance_1: text(pair?.balances.get(instance?.token1 ?? '')?.value ?? 0n),
        k_last: text(instance?.kLast ?? 0n),
        total_supply: text(instance?.totalSupply),
        own_shares: text(pair?.holders.get(answer.contract)?.shares?.value ?? 0n),
      }
      expect(ours).toEqual(Object.fromEntries(Object.keys(ours).map((key) => [key, answer[key]])))
    }
    report(`soroswap.pair: ${of('soroswap.pair').length} answers equal`)
    expectCounts('soroswap.pair', of('soroswap.pair').length, 862)
  })

  it('the recorded contracts pay for shares what the view computes, or refuse where the view gives null', () => {
    const counts = { shares: 0, payouts: 0, refusals: 0 }
    for (const answer of of('soroswap.shares')) {
      const state = stateAt(answer.ledger)
      const pair = state.pairs.get(answer.contract)
      const held = pair?.holders.get(String(answer.address))?.shares?.value ?? 0n
      expect({ ...named(answer), shares: held.toString() }).toEqual({ ...named(answer), shares: answer.shares })
      counts.shares++
      // The recording has no payout to the pair itself.
      if (answer.remove_amount_0 === undefined) continue
      const at = { ledger: answer.ledger, closeTimeSeconds: answer.close_time }
      const valued = pair === undefined ? null : valuePair(state, pair, at, { network, pricing: pricesOf(network) })
      const payout = valued === null ? null : removalPayout(held, valued.pool, valued.payoutSupply)
      const isAmount = /^\d+$/.test(String(answer.remove_amount_0))
      // Without shares there is no call: the recording has zero.
      const theirs = !isAmount || held === 0n ? null : [answer.remove_amount_0, answer.remove_amount_1]
      expect({ ...named(answer), payout: payout?.map(String) ?? null }).toEqual({ ...named(answer), payout: theirs })
      if (isAmount) counts.payouts++
      else counts.refusals++
    }
    expectCounts('soroswap.shares', counts, { shares: 28_446, payouts: 27_567, refusals: 17 })
    report(`soroswap.shares: ${counts.shares} balances, ${counts.payouts} payouts and ${counts.refusals} refusals equal`)
  })
})

const named = ({ ledger, contract, address }: ExpectedAnswer) => ({ ledger, contract, address })
