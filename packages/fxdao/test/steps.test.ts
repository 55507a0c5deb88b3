// The steps of an operation: with calls, without them, and from entries alone.

import { isDeepStrictEqual } from 'node:util'
import { isInstanceKey, operationRecords } from '@orrery/fold-kit'
import type { Network, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { recordedSlices, recording, testAccount, testContract } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { callsOf } from '../src/chain/calls.ts'
import { readVaultsInstance } from '../src/chain/entries.ts'
import { movesOf } from '../src/fold/money.ts'
import { type NetChange, netChanges } from '../src/fold/running-vaults.ts'
import type { FxdaoContracts, Step } from '../src/fold/step.ts'
import { inferSteps } from '../src/fold/steps.ts'
import { actionOf } from '../src/fold/vault-legs.ts'
import { fxdao } from '../src/protocol.ts'

const VAULTS = testContract('vaults')
const XLM = testContract('xlm')
const COIN = testContract('usdx')
const [alice, bob, source] = [testAccount('alice'), testAccount('bob'), testAccount('source')]
const contracts: FxdaoContracts = { vaults: VAULTS, collateral: XLM, treasury: testAccount('treasury'), coins: new Map([['USD', COIN]]) }
const counts = { events: 0, calls: 1 }
const change = (owner: string, before: NetChange['before'], after: NetChange['after']): NetChange => ({
  owner,
  denomination: 'USD',
  before,
  after,
})

describe('the recording without its calls', () => {
  const result: { withCalls: readonly Step[]; without: readonly Step[] }[] = []

  beforeAll(async () => {
    const forge = recording()
    const network: Network = await loadNetwork(forge.registryFile)
    const deployment = network.deployments.fxdao[0]
    if (deployment === undefined) throw new Error('The recorded network has FxDAO.')
    let known: FxdaoContracts | null = null
    const take = (slice: Slice): void => {
      for (const { record } of slice.records) {
        if (record.kind !== 'entry' || record.contract !== deployment.vaults || record.value === null || !isInstanceKey(record.key))
          continue
        const instance = readVaultsInstance(record.value, record.contract)
        if (instance === null) throw new Error('The recorded settings can be read.')
        const { core, currencies } = instance
        const coins = new Map([...currencies].map(([denomination, { coin }]) => [denomination, coin]))
        if (core !== null) known = { vaults: deployment.vaults, collateral: core.collateral, treasury: core.treasury, coins }
      }
    }
    for (const slice of await recordedSlices(forge, network, fxdao)) {
      take(slice)
      if (known === null) continue
      const at: FxdaoContracts = known
      for (const operation of operationRecords(slice)) {
        const calls = callsOf(operation, at.vaults, new Set()).filter(({ call }) => call.name !== 'admin' && call.name !== 'read')
        if (calls.length !== 1) continue
        const moves = movesOf(operation, new Set([at.collateral, ...at.coins.values()]))
        const changes = netChanges(operation, at.vaults)
        const size = { events: operation.events.length, calls: operation.calls.length }
        result.push({
          withCalls: inferSteps(calls, moves, changes, size, at).steps,
          without: inferSteps([], moves, changes, size, at).steps,
        })
      }
    }
  })

  const bare = (steps: readonly Step[]) => steps.map((step) => ({ ...step, eventIndex: 0, evidence: 'call' }))

  it('the recording without its calls gives the same steps for every single call, except for an account that liquidates its own vault: that looks like a repayment', () => {
    const differing = result.filter(({ withCalls, without }) => !isDeepStrictEqual(bare(withCalls), bare(without)))
    expect(result.length).toBeGreaterThan(600)
    for (const { withCalls, without } of differing) {
      expect(withCalls).toMatchObject([{ kind: 'liquidation' }])
      expect(without).toMatchObject([{ kind: 'close', function: 'pay_debt' }])
      const [called] = withCalls
      expect(called?.changes.map(({ owner }) => owner)).toEqual([called?.actor])
    }
  })
})

describe('a vault that is removed without a call or token', () => {
  it('a vault that is removed without a call or token was evicted: its debt was not paid', () => {
    const { steps, unexplained } = inferSteps([], [], [change(alice, { collateral: 900n, debt: 50n }, null)], counts, contracts)
    expect(unexplained).toEqual([])
    expect(steps).toMatchObject([{ kind: 'eviction', function: '', returned: 0n, evidence: 'entries', eventIndex: 1 }])
    const [step] = steps
    if (step === undefined) throw new Error('One step.')
    const action = actionOf(step, contracts)
    expect(action).toMatchObject({ type: 'liquidation', metadata: { event: 'evict', reason: 'evicted', currency: 'USD' } })
    expect(action.legs).toMatchObject([
      { address: alice, asset: XLM, amount: 900n, direction: 'in', counts: true, volume: true, metadata: { role: 'liquidated' } },
      { address: alice, asset: COIN, amount: 50n, direction: '', debtChange: -50n, counts: false, volume: false },
    ])
  })

  it('a vault that is removed without a call or token gave its owner what the contract paid in the same operation', () => {
    const moves = [{ index: 0, token: XLM, from: VAULTS, to: alice, amount: 700n }]
    const { steps } = inferSteps([], moves, [change(alice, { collateral: 900n, debt: 50n }, null)], { events: 1, calls: 1 }, contracts)
    expect(steps).toMatchObject([{ kind: 'eviction', returned: 700n, eventIndex: 2 }])
  })

  it('a vault that is removed without a call or token has a new owner where a vault with the same amounts appears', () => {
    const amounts = { collateral: 900n, debt: 50n }
    const { steps } = inferSteps([], [], [change(alice, amounts, null), change(bob, null, amounts)], counts, contracts)
    expect(steps).toMatchObject([
      {
        kind: 'transfer',
        function: 'transfer_debt',
        actor: alice,
        changes: [
          { owner: alice, after: null },
          { owner: bob, before: null },
        ],
      },
    ])
  })

  it('two at once have a row each, that never meet', () => {
    const gone = [change(alice, { collateral: 9n, debt: 5n }, null), change(bob, { collateral: 8n, debt: 5n }, null)]
    const { steps } = inferSteps([], [], gone, counts, contracts)
    expect(steps.map(({ eventIndex }) => eventIndex)).toEqual([1, 2])
  })
})

it('an owner who liquidates its own vault is on both sides, and the action counts once', () => {
  const treasury = contracts.treasury
  const moves = [
    { index: 0, token: COIN, from: alice, to: null, amount: 50n },
    { index: 1, token: XLM, from: VAULTS, to: alice, amount: 895n },
    { index: 2, token: XLM, from: VAULTS, to: treasury, amount: 5n },
  ]
  const call = { name: 'liquidate', caller: alice, denomination: 'USD', vaults: 1 } as const
  const seen = { call, contract: VAULTS, function: 'liquidate', index: 0, tree: 0, authorizer: alice }
  const gone = change(alice, { collateral: 900n, debt: 50n }, null)
  const { steps, unexplained } = inferSteps([seen], moves, [gone], { events: 3, calls: 1 }, contracts)
  expect(unexplained).toEqual([])
  const legs = steps.flatMap((step) => actionOf(step, contracts).legs)
  expect(
    legs.map(({ address, asset, amount, direction, counts, metadata }) => [address, asset, amount, direction, counts, metadata?.role]),
  ).toEqual([
    [alice, COIN, 50n, 'in', true, 'liquidator'],
    [alice, XLM, 895n, 'out', false, 'liquidator'],
    [alice, XLM, 900n, 'in', false, 'liquidated'],
    [alice, COIN, 50n, '', false, 'liquidated'],
  ])
})

it('a liquidation of several vaults names their owners, and each owner’s row names the liquidator', () => {
  const moves = [
    { index: 0, token: COIN, from: source, to: null, amount: 90n },
    { index: 1, token: XLM, from: VAULTS, to: source, amount: 1_700n },
  ]
  const call = { name: 'liquidate', caller: source, denomination: 'USD', vaults: 2 } as const
  const seen = { call, contract: VAULTS, function: 'liquidate', index: 0, tree: 0, authorizer: source }
  const gone = [change(alice, { collateral: 900n, debt: 50n }, null), change(bob, { collateral: 800n, debt: 40n }, null)]
  const { steps } = inferSteps([seen], moves, gone, { events: 2, calls: 1 }, contracts)
  const legs = steps.flatMap((step) => actionOf(step, contracts).legs)
  expect(legs.map(({ address, counterparty, metadata }) => [address, counterparty, metadata?.vault_owners])).toEqual([
    [source, VAULTS, [alice, bob]],
    [source, VAULTS, [alice, bob]],
    [alice, source, undefined],
    [alice, source, undefined],
    [bob, source, undefined],
    [bob, source, undefined],
  ])
})

describe('a change that cannot be explained', () => {
  it('a change that cannot be explained is reported, and gets no invented activity', () => {
    const odd = change(alice, { collateral: 900n, debt: 50n }, { collateral: 800n, debt: 70n })
    expect(inferSteps([], [], [odd], counts, contracts)).toMatchObject({ steps: [], unexplained: [{ owner: alice }] })
  })

  it('a call that was authorised and not made gives no step', () => {
    const call = { name: 'increase_debt', owner: alice, denomination: 'USD', amount: 10n } as const
    const seen = { call, contract: VAULTS, function: 'increase_debt', index: 0, tree: 0, authorizer: alice }
    const vault = { collateral: 900n, debt: 50n }
    expect(inferSteps([seen], [], [change(alice, vault, vault)], counts, contracts)).toEqual({ steps: [], unexplained: [] })
  })
})
