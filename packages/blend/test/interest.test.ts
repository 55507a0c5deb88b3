// Interest of balances as it is shown, against the contracts' own answers: from one answer to the next it grows by what the positions are worth
// more, less what was paid in between by the tokens' events. Neither the feed nor the kept costs take part in what is expected.

import { type Address, type ContractId, type EventRecord, readScVal, readScVals, type ScVal } from '@orrery/ledger'
import { type ExpectedAnswer, eventsByOperation, tokenMoves } from '@orrery/testkit'
import { beforeAll, expect, it } from 'vitest'
import type { BlendState } from '../src/state/state.ts'
import { type BlendView, blendView } from '../src/view/view.ts'
import { type FoldedWorld, foldedWorld, forge } from './world.ts'

type Side = Readonly<Record<string, { readonly underlying: string } | null>> | null
type Sides = Readonly<Record<'supply' | 'collateral' | 'liabilities', Side>>

/** Requests of a submit. Their events name the asset and the account whose position moves (section 2 of the reference). */
const REQUESTS = ['supply', 'withdraw', 'supply_collateral', 'withdraw_collateral', 'borrow', 'repay']
/** These move positions without tokens, or tokens to others than the account: what was paid in is not what moved. */
const OTHERS = ['fill_auction', 'bad_debt', 'flash_loan']

let world: FoldedWorld
const answers = new Map<number, ExpectedAnswer[]>()

beforeAll(async () => {
  world = await foldedWorld()
  for await (const answer of forge.expected()) {
    if (answer.kind !== 'blend.user' || answer.from_factory !== true) continue
    answers.set(answer.ledger, [...(answers.get(answer.ledger) ?? []), answer])
  }
})

/** A balance of both sides at its last answer: what it was worth, what was shown as interest, and what was paid in since. */
interface Since {
  worth: bigint
  interest: bigint
  paid: bigint
}

it('the interest of a balance grows by the growth of its worth in the answers of the contract, less what tokens moved', () => {
  const since = new Map<string, Since>()
  const unexplained = new Set<string>()
  const view = blendView(world.network)
  const of = (pool: ContractId, address: Address, asset: ContractId): Since => {
    const name = `${pool} ${address} ${asset}`
    const known = since.get(name) ?? { worth: 0n, interest: 0n, paid: 0n }
    since.set(name, known)
    return known
  }
  const counts = { compared: 0, 'with interest': 0, 'with payments': 0, 'of auctions, bad debt and flash loans': 0 }
  for (const slice of world.slices) {
    for (const events of eventsByOperation(slice).values()) {
      const moved = movedBy(events)
      for (const name of moved.unexplained) unexplained.add(name)
      for (const { pool, account, asset } of moved.requests) {
        const balance = of(pool, account, asset)
        for (const { token, from, to, amount } of tokenMoves(events)) {
          if (token !== asset || from === to) continue
          if (to === pool) balance.paid += amount
          if (from === pool) balance.paid -= amount
        }
      }
    }
    const asked = answers.get(slice.ledger) ?? []
    if (asked.length === 0) continue
    const state = view.load(world.table.asOf(slice.ledger), slice.ledger)
    for (const answer of asked) {
      const { contract: pool, address, ledger } = answer
      const now = answer.underlying_now as Sides | null
      const sides = [now?.supply, now?.collateral, now?.liabilities]
      // Null where the dry run that would have given the worth was refused: the next answer covers a longer time.
      if (sides.some((side) => side == null || Object.values(side).includes(null))) continue
      const assets = [...since.keys()].filter((name) => name.startsWith(`${pool} ${address} `)).map((name) => name.split(' ')[2] ?? '')
      for (const asset of assets) {
        const [supply = 0n, collateral = 0n, owed = 0n] = sides.map((side) => BigInt(side?.[asset]?.underlying ?? 0))
        const balance = of(pool, String(address), asset)
        const worth = supply + collateral - owed
        const interest = interestShown(view, state, answer, asset)
        const expected = worth - balance.worth - balance.paid
        if (!unexplained.has(`${pool} ${address}`)) {
          expect({ ledger, pool, address, asset, grown: interest - balance.interest }).toEqual({
            ledger,
            pool,
            address,
            asset,
            grown: expected,
          })
          counts.compared++
          if (expected !== 0n) counts['with interest']++
          if (balance.paid !== 0n) counts['with payments']++
        } else counts['of auctions, bad debt and flash loans']++
        since.set(`${pool} ${address} ${asset}`, { worth, interest, paid: 0n })
      }
      unexplained.delete(`${pool} ${address}`)
    }
  }
  process.stdout.write(`interest between answers: ${JSON.stringify(counts)}\n`)
  expect(counts).toEqual({
    compared: 25_965,
    'with interest': 17_681,
    'with payments': 634,
    'of auctions, bad debt and flash loans': 152,
  })
})

interface Moved {
  /** One of each balance. */
  readonly requests: readonly { readonly pool: ContractId; readonly account: Address; readonly asset: ContractId }[]
  /** `pool account` where transfers do not show what the account paid. */
  readonly unexplained: readonly string[]
}

/** Balances that an operation moved, by the pools' own events. */
function movedBy(events: readonly EventRecord[]): Moved {
  const moved = { requests: [] as Moved['requests'][number][], unexplained: [] as string[] }
  for (const [pool, ofPool] of Map.groupBy(events, ({ contract }) => contract)) {
    if (pool === null) continue
    const read = ofPool.map(({ topics, data }) => ({ topics: readScVals(topics).map(textOf), data }))
    const requests = read.filter(({ topics: [name = ''] }) => REQUESTS.includes(name))
    const balances = new Set(requests.map(({ topics: [, asset, account] }) => `${account} ${asset}`))
    const accounts = new Set(requests.map(({ topics: [, , account = ''] }) => account))
    for (const balance of balances) {
      const [account = '', asset = ''] = balance.split(' ')
      moved.requests.push({ pool, account, asset })
    }
    const others = read.filter(({ topics: [name = ''] }) => OTHERS.includes(name))
    const named = others.flatMap(({ topics, data }) => [...topics, ...addressesIn(readScVal(data))])
    const isShared = others.length > 0 || accounts.size > 1
    for (const address of isShared ? [...accounts, ...named] : []) moved.unexplained.push(`${pool} ${address}`)
  }
  return moved
}

const textOf = (value: ScVal): string => ('value' in value ? String(value.value) : '')

function addressesIn(value: ScVal): Address[] {
  if (value.type === 'address') return [value.value]
  if (value.type === 'vec') return (value.value ?? []).flatMap(addressesIn)
  return value.type === 'map' ? (value.value ?? []).flatMap(({ key, val }) => [...addressesIn(key), ...addressesIn(val)]) : []
}

/** Interest of both sides as a reader is shown it. A balance that has ended is not shown any more: what it earned stays in its cost. */
function interestShown(view: BlendView, state: BlendState, { contract: pool, ...answer }: ExpectedAnswer, asset: ContractId): bigint {
  const address = String(answer.address)
  const position = view.position(state, pool, address, { ledger: answer.ledger, closeTimeSeconds: answer.close_time })
  const costs = state.pools.get(pool)?.accounts.get(address)?.costs
  return (['supply', 'borrow'] as const).reduce((sum, side) => {
    const balance = position?.[side].find((it) => it.asset.asset === asset)
    const ended = costs?.get(`${side}:${asset}`)?.netPaid ?? 0n
    return sum + (balance?.costBasis?.interestEarned ?? (side === 'supply' ? -ended : ended))
  }, 0n)
}
