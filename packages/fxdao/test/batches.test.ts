// Several calls in one operation, and tokens that belong to none of them. Amounts are small and worked by hand.
// Vaults are ordered in the list by collateral per debt.

import { testAccount, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import type { Call, SeenCall } from '../src/chain/calls.ts'
import type { Move } from '../src/fold/money.ts'
import type { NetChange } from '../src/fold/running-vaults.ts'
import type { Amounts, FxdaoContracts, Step } from '../src/fold/step.ts'
import { inferSteps } from '../src/fold/steps.ts'

const VAULTS = testContract('vaults')
const XLM = testContract('xlm')
const [USDX, EURX] = [testContract('usdx'), testContract('eurx')]
const [alice, bob, carol, treasury] = ['alice', 'bob', 'carol', 'treasury'].map(testAccount) as [string, string, string, string]
const contracts: FxdaoContracts = {
  vaults: VAULTS,
  collateral: XLM,
  treasury,
  coins: new Map([
    ['USD', USDX],
    ['EUR', EURX],
  ]),
}

type Moved = Omit<Move, 'index'>
const xlm = (from: string, to: string, amount: bigint): Moved => ({ token: XLM, from, to, amount })
const mint = (to: string, amount: bigint, token = USDX): Moved => ({ token, from: null, to, amount })
const burn = (from: string, amount: bigint, token = USDX): Moved => ({ token, from, to: null, amount })
const amounts = (collateral: bigint, debt: bigint): Amounts => ({ collateral, debt })
const vault = (owner: string, before: Amounts | null, after: Amounts | null, denomination = 'USD'): NetChange => ({
  owner,
  denomination,
  before,
  after,
})

const usd = { denomination: 'USD' }
/** Calls of one tree each. */
const trees = (...calls: readonly (readonly Call[])[]): SeenCall[] => {
  let index = 0
  return calls.flatMap((tree, n) =>
    tree.map((call): SeenCall => ({ call, contract: VAULTS, function: call.name, index: index++, tree: n, authorizer: null })),
  )
}

function infer(calls: readonly SeenCall[], moved: readonly Moved[], changes: readonly NetChange[]) {
  const moves = moved.map((move, index) => ({ ...move, index }))
  return inferSteps(calls, moves, changes, { events: moves.length, calls: calls.length }, contracts)
}
const kinds = ({ steps }: { readonly steps: readonly Step[] }) => steps.map(({ kind, actor }) => [kind, actor])

describe('a call that was authorised and not made', () => {
  it('a call that was authorised and not made gets no payment that belongs to another call', () => {
    const calls = trees([
      { name: 'increase_collateral', owner: alice, denomination: 'EUR', amount: 10n },
      { name: 'increase_collateral', owner: alice, ...usd, amount: 20n },
    ])
    // Of 20 XLM one is the fee. Of the vault of EUR only the neighbour's name changed.
    const changes = [vault(alice, amounts(100n, 50n), amounts(119n, 50n)), vault(alice, amounts(7n, 3n), amounts(7n, 3n), 'EUR')]
    const result = infer(calls, [xlm(alice, VAULTS, 19n), xlm(alice, treasury, 1n)], changes)
    expect(result).toMatchObject({
      steps: [{ kind: 'increase_collateral', denomination: 'USD', collateral: 20n, fee: 1n }],
      unexplained: [],
    })
  })

  it('a call that was authorised and not made moves no vault to an account whose entry was not written', () => {
    const calls = trees([
      { name: 'transfer_debt', owner: alice, ...usd, to: bob },
      { name: 'increase_debt', owner: alice, ...usd, amount: 5n },
    ])
    const result = infer(calls, [mint(alice, 5n)], [vault(alice, amounts(100n, 50n), amounts(100n, 55n))])
    expect(kinds(result)).toEqual([['increase_debt', alice]])
    expect(result.unexplained).toEqual([])
  })

  it('a call that was authorised and not made takes no time that grows with the square of their number: a thousand calls are matched', () => {
    const never = Array.from({ length: 1_000 }, (): Call[] => [{ name: 'increase_debt', owner: alice, ...usd, amount: 7n }])
    const calls = trees(...never, [{ name: 'increase_debt', owner: alice, ...usd, amount: 5n }])
    const result = infer(calls, [mint(alice, 5n)], [vault(alice, amounts(100n, 50n), amounts(100n, 55n))])
    expect(result.steps).toMatchObject([{ kind: 'increase_debt', coins: 5n, eventIndex: 1_001 }])
  })

  it('a call that was authorised and not made is the second of two equal calls of which one was made', () => {
    const pay: Call = { name: 'pay_debt', owner: alice, ...usd, amount: 5n }
    const result = infer(trees([pay, pay]), [burn(alice, 5n)], [vault(alice, amounts(100n, 50n), amounts(100n, 45n))])
    expect(result.steps).toMatchObject([{ kind: 'repay', coins: 5n, eventIndex: 1 }])
  })
})

describe('tokens that belong to no call', () => {
  it('tokens that belong to no call are no collateral: XLM sent to the contract in the operation that borrows', () => {
    const calls = trees([{ name: 'increase_debt', owner: alice, ...usd, amount: 5n }])
    const moved = [xlm(alice, VAULTS, 30n), mint(alice, 5n)]
    const result = infer(calls, moved, [vault(alice, amounts(100n, 50n), amounts(100n, 55n))])
    expect(kinds(result)).toEqual([['increase_debt', alice]])
    expect(result.unexplained).toEqual([])
  })

  it('tokens that belong to no call are not what a vault was opened with: the payment just before the coins is', () => {
    const calls = trees([{ name: 'new_vault', owner: alice, ...usd, debt: 50n, collateral: 101n }])
    const moved = [xlm(alice, VAULTS, 30n), xlm(alice, VAULTS, 100n), mint(alice, 50n), xlm(alice, treasury, 1n)]
    const result = infer(calls, moved, [vault(alice, null, amounts(100n, 50n))])
    expect(result).toMatchObject({ steps: [{ kind: 'open', collateral: 101n, fee: 1n }], unexplained: [] })
  })

  it('tokens that belong to no call are no repayment: coins paid to their issuer in the operation that adds collateral', () => {
    const calls = trees([{ name: 'increase_collateral', owner: alice, ...usd, amount: 20n }])
    const moved = [xlm(alice, VAULTS, 19n), xlm(alice, treasury, 1n), burn(alice, 5n)]
    const result = infer(calls, moved, [vault(alice, amounts(100n, 50n), amounts(119n, 50n))])
    expect(kinds(result)).toEqual([['increase_collateral', alice]])
  })
})

describe('several calls in one operation', () => {
  it('several calls in one operation may redeem one vault twice', () => {
    const redeem = (amount: bigint): Call => ({ name: 'redeem', caller: bob, ...usd, amount })
    const moved = [
      ...[burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, alice, 1n), xlm(VAULTS, treasury, 1n)],
      ...[burn(bob, 20n), xlm(VAULTS, bob, 38n), xlm(VAULTS, alice, 2n), xlm(VAULTS, treasury, 2n)],
    ]
    const result = infer(trees([redeem(10n), redeem(20n)]), moved, [vault(alice, amounts(200n, 80n), amounts(137n, 50n))])
    expect(result.unexplained).toEqual([])
    expect(result.steps).toMatchObject([
      { kind: 'redemption', coins: 10n, collateral: 19n, returned: 1n, fee: 1n, changes: [{ after: amounts(179n, 70n) }] },
      { kind: 'redemption', coins: 20n, collateral: 38n, returned: 2n, fee: 2n, changes: [{ after: amounts(137n, 50n) }] },
    ])
  })

  it('several calls in one operation may liquidate the lowest vault and pay the same amount for the own one, in either order', () => {
    const liquidate: Call = { name: 'liquidate', caller: bob, ...usd, vaults: 1 }
    const pay: Call = { name: 'pay_debt', owner: bob, ...usd, amount: 50n }
    const taken = [burn(bob, 50n), xlm(VAULTS, bob, 89n), xlm(VAULTS, treasury, 1n)]
    const changes = [vault(alice, amounts(90n, 50n), null), vault(bob, amounts(900n, 90n), amounts(900n, 40n))]
    for (const calls of [trees([liquidate, pay]), trees([pay], [liquidate])]) {
      const result = infer(calls, [...taken, burn(bob, 50n)], changes)
      expect(result).toMatchObject({ steps: [{ kind: 'liquidation', collateral: 89n, fee: 1n }, { kind: 'repay' }], unexplained: [] })
    }
    for (const calls of [trees([pay, liquidate]), trees([liquidate], [pay])]) {
      const result = infer(calls, [burn(bob, 50n), ...taken], changes)
      expect(result).toMatchObject({ steps: [{ kind: 'repay' }, { kind: 'liquidation', collateral: 89n, fee: 1n }], unexplained: [] })
    }
  })

  it('several calls in one operation of two owners each change their own vault', () => {
    const calls = trees(
      [{ name: 'withdraw_collateral', owner: alice, ...usd, amount: 9n }],
      [{ name: 'pay_debt', owner: bob, ...usd, amount: 60n }],
    )
    const moved = [burn(bob, 60n), xlm(VAULTS, bob, 99n), xlm(VAULTS, treasury, 1n), xlm(VAULTS, alice, 9n)]
    const result = infer(calls, moved, [vault(alice, amounts(90n, 50n), amounts(81n, 50n)), vault(bob, amounts(100n, 60n), null)])
    expect(kinds(result)).toEqual([
      ['close', bob],
      ['withdraw_collateral', alice],
    ])
    expect(result.unexplained).toEqual([])
  })

  it('several calls in one operation of two currencies are of the vault whose coin moved', () => {
    const calls = trees([
      { name: 'increase_debt', owner: alice, ...usd, amount: 5n },
      { name: 'increase_debt', owner: alice, denomination: 'EUR', amount: 5n },
    ])
    const changes = [vault(alice, amounts(90n, 50n), amounts(90n, 55n)), vault(alice, amounts(80n, 50n), amounts(80n, 55n), 'EUR')]
    const result = infer(calls, [mint(alice, 5n), mint(alice, 5n, EURX)], changes)
    expect(result.steps.map(({ denomination }) => denomination)).toEqual(['USD', 'EUR'])
    expect(result.unexplained).toEqual([])
  })

  it('several calls in one operation may open and close a vault that has no entry before or after', () => {
    const calls = trees([
      { name: 'new_vault', owner: alice, ...usd, debt: 50n, collateral: 101n },
      { name: 'pay_debt', owner: alice, ...usd, amount: 50n },
    ])
    const opened = [xlm(alice, VAULTS, 100n), mint(alice, 50n), xlm(alice, treasury, 1n)]
    const result = infer(calls, [...opened, burn(alice, 50n), xlm(VAULTS, alice, 99n), xlm(VAULTS, treasury, 1n)], [])
    expect(kinds(result)).toEqual([
      ['open', alice],
      ['close', alice],
    ])
  })

  it('several calls in one operation may close a vault and open another, which looks like a change of the one', () => {
    const calls: readonly Call[] = [
      { name: 'pay_debt', owner: alice, ...usd, amount: 50n },
      { name: 'new_vault', owner: alice, ...usd, debt: 70n, collateral: 121n },
    ]
    const closed = [burn(alice, 50n), xlm(VAULTS, alice, 99n), xlm(VAULTS, treasury, 1n)]
    const opened = [xlm(alice, VAULTS, 120n), mint(alice, 70n), xlm(alice, treasury, 1n)]
    const changes = [vault(alice, amounts(100n, 50n), amounts(120n, 70n))]
    for (const authorised of [trees(calls), trees(...calls.map((call) => [call])), trees(...calls.map((call) => [call]).reverse()), []]) {
      const result = infer(authorised, [...closed, ...opened], changes)
      expect(result).toMatchObject({
        steps: [
          { kind: 'close', coins: 50n, collateral: 99n, fee: 1n },
          { kind: 'open', coins: 70n, collateral: 121n, fee: 1n },
        ],
        unexplained: [],
      })
    }
  })

  it('several calls in one operation may borrow and repay, which leaves the entry as it was', () => {
    const borrow: Call = { name: 'increase_debt', owner: alice, ...usd, amount: 30n }
    const repay: Call = { name: 'pay_debt', owner: alice, ...usd, amount: 30n }
    const changes = [vault(alice, amounts(100n, 50n), amounts(100n, 50n))]
    for (const calls of [trees([borrow, repay]), trees([borrow], [repay]), trees([repay], [borrow])]) {
      expect(kinds(infer(calls, [mint(alice, 30n), burn(alice, 30n)], changes))).toEqual([
        ['increase_debt', alice],
        ['repay', alice],
      ])
    }
  })

  it('several calls in one operation may liquidate a vault and open the same again: its entry shows nothing', () => {
    const calls = trees([
      { name: 'liquidate', caller: alice, ...usd, vaults: 1 },
      { name: 'new_vault', owner: alice, ...usd, debt: 50n, collateral: 91n },
    ])
    const taken = [burn(alice, 50n), xlm(VAULTS, alice, 89n), xlm(VAULTS, treasury, 1n)]
    const opened = [xlm(alice, VAULTS, 90n), mint(alice, 50n), xlm(alice, treasury, 1n)]
    const result = infer(calls, [...taken, ...opened], [vault(alice, amounts(90n, 50n), amounts(90n, 50n))])
    expect(kinds(result)).toEqual([
      ['liquidation', alice],
      ['open', alice],
    ])
  })
})

describe('a vault that changes hands between two authorisations', () => {
  const give: Call = { name: 'transfer_debt', owner: alice, ...usd, to: bob }
  const pay = (owner: string, amount: bigint): Call => ({ name: 'pay_debt', owner, ...usd, amount })
  /** In both orders of the authorisations. */
  const orders = (one: readonly Call[], other: readonly Call[]) => [trees(one, other), trees(other, one)]

  it('a vault that changes hands between two authorisations was paid back in part before, where the giver paid', () => {
    for (const calls of orders([give], [pay(alice, 10n)])) {
      const result = infer(calls, [burn(alice, 10n)], [vault(alice, amounts(100n, 50n), null), vault(bob, null, amounts(100n, 40n))])
      expect(kinds(result)).toEqual([
        ['repay', alice],
        ['transfer', alice],
      ])
      expect(result.unexplained).toEqual([])
    }
  })

  it('a vault that changes hands between two authorisations is paid back in part afterwards, where the receiver pays', () => {
    for (const calls of orders([give], [pay(bob, 10n)])) {
      const result = infer(calls, [burn(bob, 10n)], [vault(alice, amounts(100n, 50n), null), vault(bob, null, amounts(100n, 40n))])
      expect(kinds(result)).toEqual([
        ['transfer', alice],
        ['repay', bob],
      ])
    }
  })

  it('a vault that changes hands between two authorisations can move on to a third account where the second had transferred its own', () => {
    for (const calls of orders([give], [{ name: 'transfer_debt', owner: bob, ...usd, to: carol }])) {
      const changes = [
        vault(alice, amounts(100n, 50n), null),
        vault(bob, amounts(70n, 30n), amounts(100n, 50n)),
        vault(carol, null, amounts(70n, 30n)),
      ]
      const result = infer(calls, [], changes)
      expect(kinds(result)).toEqual([
        ['transfer', bob],
        ['transfer', alice],
      ])
      expect(result.unexplained).toEqual([])
    }
  })

  it('a vault that changes hands between two authorisations may come after one of two payments of the giver, and before the other: of what he opened in between', () => {
    const opening: Call = { name: 'new_vault', owner: alice, ...usd, debt: 30n, collateral: 90n }
    const moved = [burn(alice, 10n), xlm(alice, VAULTS, 90n), mint(alice, 30n), burn(alice, 5n)]
    const changes = [vault(alice, amounts(100n, 50n), amounts(90n, 25n)), vault(bob, null, amounts(100n, 40n))]
    const result = infer(trees([give], [pay(alice, 10n)], [opening], [pay(alice, 5n)]), moved, changes)
    expect(kinds(result)).toEqual([
      ['repay', alice],
      ['transfer', alice],
      ['open', alice],
      ['repay', alice],
    ])
    expect(result.unexplained).toEqual([])
  })

  it('a vault that changes hands between two authorisations gives the called steps, and reports the change as unexplained, where no order leads to the entries', () => {
    const changes = [vault(alice, amounts(100n, 50n), null), vault(bob, null, amounts(100n, 45n))]
    const result = infer(trees([give], [pay(alice, 10n)]), [burn(alice, 10n)], changes)
    expect(kinds(result)).toEqual([['transfer', alice]])
    expect(result.unexplained).toMatchObject([{ owner: bob }])
  })

  it('a vault that changes hands between two authorisations comes after the receiver closed his own: no other order leads to the entries', () => {
    const [given, closed] = [amounts(100n, 50n), [burn(bob, 30n), xlm(VAULTS, bob, 69n), xlm(VAULTS, treasury, 1n)]]
    for (const calls of orders([give], [pay(bob, 30n)])) {
      const result = infer(calls, closed, [vault(alice, given, null), vault(bob, amounts(70n, 30n), given)])
      expect(kinds(result)).toEqual([
        ['close', bob],
        ['transfer', alice],
      ])
    }
  })
})

describe('a redemption', () => {
  const part: Call = { name: 'redeem', caller: bob, ...usd, amount: 10n }

  it('a redemption may be of the own vault', () => {
    const moved = [burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, bob, 1n), xlm(VAULTS, treasury, 1n)]
    const result = infer(trees([part]), moved, [vault(bob, amounts(100n, 50n), amounts(79n, 40n))])
    expect(result).toMatchObject({ steps: [{ kind: 'redemption', collateral: 19n, returned: 1n, fee: 1n }], unexplained: [] })
  })

  it('a redemption may be of a vault of the treasury, which then gets fee and compensation', () => {
    const moved = [burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, treasury, 1n), xlm(VAULTS, treasury, 1n)]
    const result = infer(trees([part]), moved, [vault(treasury, amounts(100n, 50n), amounts(79n, 40n))])
    expect(result).toMatchObject({ steps: [{ kind: 'redemption', collateral: 19n }], unexplained: [] })
  })

  it('a redemption may be made by the treasury, and pays its owner nothing before 0.6', () => {
    const call: Call = { name: 'redeem', caller: treasury, ...usd, amount: 10n }
    const moved = [burn(treasury, 10n), xlm(VAULTS, treasury, 20n), xlm(VAULTS, treasury, 1n)]
    const result = infer(trees([call]), moved, [vault(alice, amounts(100n, 50n), amounts(79n, 40n))])
    expect(result).toMatchObject({ steps: [{ kind: 'redemption', collateral: 20n, returned: 0n, fee: 1n }], unexplained: [] })
  })

  it('a redemption of two vaults with one index is of the one whose owner was paid', () => {
    for (const [redeemed, other] of [
      [carol, alice],
      [alice, carol],
    ] as const) {
      const result = infer(
        trees([part], [{ name: 'increase_debt', owner: other, ...usd, amount: 5n }]),
        [burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, redeemed, 1n), xlm(VAULTS, treasury, 1n), mint(other, 5n)],
        [vault(redeemed, amounts(100n, 50n), amounts(79n, 40n)), vault(other, amounts(200n, 100n), amounts(200n, 105n))],
      )
      expect(result).toMatchObject({ steps: [{ kind: 'redemption', changes: [{ owner: redeemed }] }, { actor: other }], unexplained: [] })
    }
  })
})

describe('a fee of nothing', () => {
  it('a fee of nothing is no payment of another account', () => {
    const calls = trees([{ name: 'increase_collateral', owner: alice, ...usd, amount: 20n }])
    const moved = [xlm(alice, VAULTS, 20n), xlm(alice, treasury, 7n)]
    const result = infer(calls, moved, [vault(alice, amounts(100n, 50n), amounts(120n, 50n))])
    expect(result).toMatchObject({ steps: [{ collateral: 20n, fee: 0n }], unexplained: [] })
  })
})

describe('a contract that acts for itself', () => {
  it('a contract that acts for itself makes several steps at once without a recorded call', () => {
    const owner = testContract('an owner')
    const moved = [...[xlm(owner, VAULTS, 19n), xlm(owner, treasury, 1n), mint(owner, 30n)], ...[burn(owner, 10n), xlm(VAULTS, owner, 4n)]]
    const result = infer([], moved, [vault(owner, amounts(100n, 50n), amounts(115n, 70n))])
    expect(result.steps).toMatchObject([
      { kind: 'increase_collateral', collateral: 20n, evidence: 'transfers' },
      { kind: 'increase_debt', coins: 30n },
      { kind: 'repay', coins: 10n },
      { kind: 'withdraw_collateral', collateral: 4n },
    ])
    expect(result.unexplained).toEqual([])
  })

  it('a contract that acts for itself borrows and pays back, which leaves its entry as it was', () => {
    const owner = testContract('an owner')
    const result = infer([], [mint(owner, 30n), burn(owner, 30n)], [vault(owner, amounts(100n, 50n), amounts(100n, 50n))])
    expect(result.steps.map(({ kind }) => kind)).toEqual(['increase_debt', 'repay'])
  })
})

describe('an eviction', () => {
  it('an eviction of several vaults of one owner gives back for each at most its collateral', () => {
    const changes = [
      vault(alice, amounts(90n, 50n), null),
      vault(alice, amounts(40n, 20n), null, 'EUR'),
      vault(bob, amounts(70n, 9n), null),
    ]
    const result = infer([], [xlm(VAULTS, alice, 90n), xlm(VAULTS, alice, 40n), xlm(VAULTS, bob, 70n)], changes)
    expect(result.steps).toMatchObject([
      { kind: 'eviction', denomination: 'USD', returned: 90n },
      { kind: 'eviction', denomination: 'EUR', returned: 40n },
      { kind: 'eviction', denomination: 'USD', returned: 70n },
    ])
    expect(result.unexplained).toEqual([])
  })
})
