// The contracts' own answers against ours, over the whole road: recorded ledgers in, `/v1` and the as-of state reader out.
// `ANSWERS.md` of the recording says what each answer is and where it is compared. Not a sample: every answer of every checkpoint.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blendView } from '@orrery/blend'
import { COMPARISONS } from '@orrery/blend/answers'
import { lakeSource } from '@orrery/ingest'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswapView } from '@orrery/soroswap'
import { type ExpectedAnswer, recording } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataFolder } from '../src/data-folder.ts'
import { type RunningSystem, startSystem } from '../src/start-system.ts'

const { registryFile, lakeDir, expected } = recording()
const network = await loadNetwork(registryFile)
const view = soroswapView(network)
const stack = new AsyncDisposableStack()
const dir = mkdtempSync(join(tmpdir(), 'orrery-truth-'))

/** Answers by ledger, in the order of the recording. */
const answers = new Map<number, ExpectedAnswer[]>()
const blendAnswers = new Map<number, ExpectedAnswer[]>()
let system: RunningSystem

beforeAll(async () => {
  for await (const answer of expected()) {
    const known = answer.kind.startsWith('soroswap.') ? answers : /^(blend|oracle)\./.test(answer.kind) ? blendAnswers : null
    if (known === null) continue
    const ofLedger = known.get(answer.ledger) ?? []
    ofLedger.push(answer)
    known.set(answer.ledger, ofLedger)
  }
  system = await startSystem(
    {
      network,
      source: lakeSource(lakeDir),
      fromLedger: undefined,
      folder: stack.use(openDataFolder(dir, network)),
      host: '127.0.0.1',
      port: 0,
      internalPort: 0,
      logger: createLogger({ name: 'ground truth', level: 'warn', json: true }),
      metrics: createMetrics(),
      stop: new AbortController().signal,
    },
    stack,
  )
  await system.caughtUp
}, 400_000)

afterAll(async () => {
  await stack.disposeAsync()
  rmSync(dir, { recursive: true, force: true })
})

const of = (ledger: number, kind: string): ExpectedAnswer[] => (answers.get(ledger) ?? []).filter((answer) => answer.kind === kind)

async function get(
  path: string,
): Promise<{ data: Record<string, unknown>; meta: { partial_result: boolean; last_indexed_ledger: number } }> {
  const response = await fetch(`${system.url}${path}`, { headers: { 'x-service-api-key': system.secrets.apiKey } })
  expect(response.status, path).toBe(200)
  return (await response.json()) as Awaited<ReturnType<typeof get>>
}

/** Whole units of a token of 7 decimals, as the wire writes them, to its smallest unit. Every asset of the recording has 7. */
function raw(units: string): string {
  const [whole = '0', fraction = ''] = units.split('.')
  return (BigInt(whole) * 10_000_000n + BigInt(fraction.padEnd(7, '0'))).toString()
}

/** Runs `task` over `items`, a few at a time. */
async function each<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const item of queue) await task(item)
    }),
  )
}

describe('every Soroswap answer of the recording', () => {
  it('equals the reserves that /v1 shows as of its ledger', async () => {
    let compared = 0
    await each([...answers.keys()], async (ledger) => {
      const { data } = await get(`/v1/protocols/soroswap/reserves?as_of_ledger=${ledger}`)
      const shown = new Map(
        (data.reserves as { contract: string; asset_id: string; total_supplied: string }[]).map((reserve) => [
          `${reserve.contract} ${reserve.asset_id}`,
          raw(reserve.total_supplied),
        ]),
      )
      for (const pair of of(ledger, 'soroswap.pair')) {
        const ours = [shown.get(`${pair.contract} ${pair.token_0}`), shown.get(`${pair.contract} ${pair.token_1}`)]
        expect([ledger, pair.contract, ...ours]).toEqual([ledger, pair.contract, pair.reserve_0, pair.reserve_1])
        compared += 1
      }
    })
    process.stderr.write(`Compared the reserves of ${compared} pair answers through /v1.\n`)
    expect(compared).toBe(862)
  }, 600_000)

  it('equals the payouts that /v1 shows as of its ledger, for every account asked', async () => {
    const questions = new Map<string, { ledger: number; address: string; lines: ExpectedAnswer[] }>()
    for (const [ledger] of answers) {
      for (const line of of(ledger, 'soroswap.shares')) {
        const key = `${ledger} ${line.address}`
        const question = questions.get(key) ?? { ledger, address: line.address as string, lines: [] }
        question.lines.push(line)
        questions.set(key, question)
      }
    }
    const counts = { payouts: 0, refused: 0, notAsked: 0, none: 0 }
    await each([...questions.values()], async ({ ledger, address, lines }) => {
      const { data } = await get(`/v1/users/${address}/positions/soroswap?as_of_ledger=${ledger}`)
      const pairs = new Map(
        (data.pairs as { pair_address: string; tokens: { asset_address: string; units: string }[] }[]).map((pair) => [
          pair.pair_address,
          pair,
        ]),
      )
      for (const line of lines) {
        const pair = pairs.get(line.contract)
        expect([ledger, address, line.contract, pair !== undefined]).toEqual([ledger, address, line.contract, line.shares !== '0'])
        if (pair === undefined) counts.none += 1
        else if (line.remove_amount_0 === undefined) counts.notAsked += 1
        else if (!/^\d+$/.test(line.remove_amount_0 as string)) counts.refused += 1
        else {
          const paid = pair.tokens.map((token) => raw(token.units))
          expect([ledger, address, line.contract, ...paid]).toEqual([
            ledger,
            address,
            line.contract,
            line.remove_amount_0,
            line.remove_amount_1,
          ])
          counts.payouts += 1
        }
      }
    })
    process.stderr.write(`Compared ${JSON.stringify(counts)} share answers through /v1.\n`)
    expect(counts.payouts + counts.refused + counts.notAsked + counts.none).toBe(28_446)
  }, 900_000)

  it('equals what the as-of state reader holds: balances, supply, k_last, own shares, every holder, the factory', async () => {
    const options = { tag: { route: 'ground truth', requestId: 'ground-truth' } }
    const compared = { pairs: 0, shares: 0, factories: 0 }
    for (const [ledger] of answers) {
      const pairs = of(ledger, 'soroswap.pair')
      const question = { protocol: 'soroswap', ledger } as const
      const rows = [
        ...(await system.readModel.stateAsOf({ ...question, contracts: pairs.map((pair) => pair.contract) }, options)),
        ...(await system.readModel.stateAsOf({ ...question, contracts: view.factories(), keyFrom: 'a' }, options)),
      ]
      const state = view.load(rows, ledger)
      for (const pair of pairs) {
        const ours = state.pairs.get(pair.contract)
        // A pair that never got anything has no balance entry.
        const balances = [pair.token_0, pair.token_1].map((token) => ours?.balances.get(token as string)?.value ?? 0n)
        expect({
          at: [ledger, pair.contract],
          tokens: ours?.tokens,
          balances,
          supply: ours?.instance?.value.totalSupply ?? 'unknown',
          kLast: ours?.instance?.value.kLast ?? 0n,
          own: ours?.holders.get(pair.contract)?.shares?.value ?? 0n,
        }).toEqual({
          at: [ledger, pair.contract],
          tokens: [pair.token_0, pair.token_1],
          balances: [BigInt(pair.balance_0 as string), BigInt(pair.balance_1 as string)],
          supply: BigInt(pair.total_supply as string),
          kLast: BigInt(pair.k_last as string),
          own: BigInt(pair.own_shares as string),
        })
        compared.pairs += 1
      }
      for (const line of of(ledger, 'soroswap.shares')) {
        const held = state.pairs.get(line.contract)?.holders.get(line.address as string)?.shares?.value ?? 0n
        expect([ledger, line.contract, line.address, held]).toEqual([ledger, line.contract, line.address, BigInt(line.shares as string)])
        compared.shares += 1
      }
      for (const line of of(ledger, 'soroswap.factory')) {
        const factory = view.factory(state, line.contract)
        expect({
          at: ledger,
          length: String(factory?.totalPairs),
          feeTo: factory?.feeTo,
          setter: factory?.feeToSetter,
          enabled: factory?.feesEnabled,
        }).toEqual({
          at: ledger,
          length: line.all_pairs_length,
          feeTo: line.fee_to,
          setter: line.fee_to_setter,
          enabled: line.fees_enabled,
        })
        compared.factories += 1
      }
    }
    process.stderr.write(`Compared ${JSON.stringify(compared)} answers through the as-of state reader.\n`)
    expect(compared).toEqual({ pairs: 862, shares: 28_446, factories: 147 })
  }, 600_000)
})

describe('every Blend and oracle answer of the recording', () => {
  it('equals what the as-of state reader holds, accrued to the close time', async () => {
    const blend = blendView(network)
    const { blend: deployments } = network.deployments
    const wholes = deployments.flatMap((it) => [it.factory, it.backstop, it.emitter, it.backstopToken])
    const contracts = [...new Set([...wholes, ...blend.sharedRefs().map((ref) => ref.contract)])]
    const strangers = new Set<unknown>()
    for (const answer of [...blendAnswers.values()].flat()) if (answer.from_factory === false) strangers.add(answer.contract)
    const options = { tag: { route: 'ground truth', requestId: 'ground-truth' } }
    const compared: Record<string, number> = {}
    for (const [ledger, ofLedger] of blendAnswers) {
      const question = { protocol: 'blend', ledger } as const
      const shared = await system.readModel.stateAsOf({ ...question, contracts }, options)
      const pools = blend.pools(blend.load(shared, ledger))
      expect(pools.filter((pool) => strangers.has(pool))).toEqual([])
      const own = pools.length === 0 ? [] : await system.readModel.stateAsOf({ ...question, contracts: pools }, options)
      const state = blend.load([...shared, ...own], ledger)
      for (const answer of ofLedger) {
        if (strangers.has(answer.contract) || strangers.has(answer.pool)) continue
        const at = { ledger, closeTimeSeconds: answer.close_time }
        for (const [kind, compare] of COMPARISONS) {
          const comparison = kind === answer.kind ? compare({ answer, state, network, at }) : null
          if (comparison === null) continue
          const { contract, address } = answer
          expect({ ledger, kind, contract, address, says: comparison.ours }).toEqual({
            ledger,
            kind,
            contract,
            address,
            says: comparison.theirs,
          })
          compared[kind] = (compared[kind] ?? 0) + 1
        }
      }
    }
    process.stderr.write(`Compared ${JSON.stringify(compared)} answers through the as-of state reader.\n`)
    expect(Object.values(compared).reduce((sum, count) => sum + count, 0)).toBe(72_061)
  }, 900_000)
})
