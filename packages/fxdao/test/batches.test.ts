// Several calls in one operation, and tokens that belong to none of them. Amounts are small and worked by hand.
// Vaults stand in the list by collateral per debt.

import { testAccount, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import type { Call, SeenCall } from '../src/chain/calls.ts'
import type { Move } from '../src/fold/money.ts'
import type { NetChange } from '../src/fold/running-vaults.ts'
import type { Amounts, LedgerContext, Step } from '../src/fold/step.ts'
import { tellSteps } from '../src/fold/steps.ts'

const VAULTS = testContract('vaults')
const XLM = testContract('xlm')
const [USDX, EURX] = [testContract('usdx'), testContract('eurx')]
const [alice, bob, carol, treasury] = ['alice', 'bob', 'carol', 'treasury'].map(testAccount) as [string, string, string, string]
const setting: LedgerContext = {
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

function tell(calls: readonly SeenCall[], moved: readonly Moved[], changes: readonly NetChange[]) {
  const moves = moved.map((move, index) => ({ ...move, index }))
  return tellSteps(calls, moves, changes, { events: moves.length, calls: calls.length }, setting)
}
const kinds = ({ steps }: { readonly steps: readonly Step[] }) => steps.map(({ kind, actor }) => [kind, actor])

describe('a call that was authorised and not made', () => {
  it('gets no payment that another call asked for', () => {
    const calls = trees([
      { name: 'increase_collateral', owner: alice, denomination: 'EUR', amount: 10n },
      { name: 'increase_collateral', owner: alice, ...usd, amount: 20n },
    ])
    // Of 20 XLM one is the fee. Of the vault of EUR only the neighbour's name changed.
    const changes = [vault(alice, amounts(100n, 50n), amounts(119n, 50n)), vault(alice, amounts(7n, 3n), amounts(7n, 3n), 'EUR')]
    const told = tell(calls, [xlm(alice, VAULTS, 19n), xlm(alice, treasury, 1n)], changes)
    expect(told).toMatchObject({
      steps: [{ kind: 'increase_collateral', denomination: 'USD', collateral: 20n, fee: 1n }],
      unexplained: [],
    })
  })

  it('moves no vault to somebody whose entry nobody wrote', () => {
    const calls = trees([
      { name: 'transfer_debt', owner: alice, ...usd, to: bob },
      { name: 'increase_debt', owner: alice, ...usd, amount: 5n },
    ])
    const told = tell(calls, [mint(alice, 5n)], [vault(alice, amounts(100n, 50n), amounts(100n, 55n))])
    expect(kinds(told)).toEqual([['increase_debt', alice]])
    expect(told.unexplained).toEqual([])
  })

  it('costs no time that grows with their number squared: a thousand of them are told apart', () => {
    const never = Array.from({ length: 1_000 }, (): Call[] => [{ name: 'increase_debt', owner: alice, ...usd, amount: 7n }])
    const calls = trees(...never, [{ name: 'increase_debt', owner: alice, ...usd, amount: 5n }])
    const told = tell(calls, [mint(alice, 5n)], [vault(alice, amounts(100n, 50n), amounts(100n, 55n))])
    expect(told.steps).toMatchObject([{ kind: 'increase_debt', coins: 5n, eventIndex: 1_001 }])
  })

  it('is the second where the same was asked for twice and done once', () => {
    const pay: Call = { name: 'pay_debt', owner: alice, ...usd, amount: 5n }
    const told = tell(trees([pay, pay]), [burn(alice, 5n)], [vault(alice, amounts(100n, 50n), amounts(100n, 45n))])
    expect(told.steps).toMatchObject([{ kind: 'repay', coins: 5n, eventIndex: 1 }])
  })
})

describe('tokens that belong to no call', () => {
  it('are no collateral: XLM sent to the contract in the operation that borrows', () => {
    const calls = trees([{ name: 'increase_debt', owner: alice, ...usd, amount: 5n }])
    const moved = [xlm(alice, VAULTS, 30n), mint(alice, 5n)]
    const told = tell(calls, moved, [vault(alice, amounts(100n, 50n), amounts(100n, 55n))])
    expect(kinds(told)).toEqual([['increase_debt', alice]])
    expect(told.unexplained).toEqual([])
  })

  it('are not what a vault was opened with: the payment just before the coins is', () => {
    const calls = trees([{ name: 'new_vault', owner: alice, ...usd, debt: 50n, collateral: 101n }])
    const moved = [xlm(alice, VAULTS, 30n), xlm(alice, VAULTS, 100n), mint(alice, 50n), xlm(alice, treasury, 1n)]
    const told = tell(calls, moved, [vault(alice, null, amounts(100n, 50n))])
    expect(told).toMatchObject({ steps: [{ kind: 'open', collateral: 101n, fee: 1n }], unexplained: [] })
  })

  it('are no repayment: coins paid to their issuer in the operation that adds collateral', () => {
    const calls = trees([{ name: 'increase_collateral', owner: alice, ...usd, amount: 20n }])
    const moved = [xlm(alice, VAULTS, 19n), xlm(alice, treasury, 1n), burn(alice, 5n)]
    const told = tell(calls, moved, [vault(alice, amounts(100n, 50n), amounts(119n, 50n))])
    expect(kinds(told)).toEqual([['increase_collateral', alice]])
  })
})

describe('several calls in one operation', () => {
  it('may redeem one vault twice', () => {
    const redeem = (amount: bigint): Call => ({ name: 'redeem', caller: bob, ...usd, amount })
    const moved = [
      ...[burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, alice, 1n), xlm(VAULTS, treasury, 1n)],
      ...[burn(bob, 20n), xlm(VAULTS, bob, 38n), xlm(VAULTS, alice, 2n), xlm(VAULTS, treasury, 2n)],
    ]
    const told = tell(trees([redeem(10n), redeem(20n)]), moved, [vault(alice, amounts(200n, 80n), amounts(137n, 50n))])
    expect(told.unexplained).toEqual([])
    expect(told.steps).toMatchObject([
      { kind: 'redemption', coins: 10n, collateral: 19n, returned: 1n, fee: 1n, changes: [{ after: amounts(179n, 70n) }] },
      { kind: 'redemption', coins: 20n, collateral: 38n, returned: 2n, fee: 2n, changes: [{ after: amounts(137n, 50n) }] },
    ])
  })

  it('may liquidate the lowest vault and pay the same amount for the own one, in either order', () => {
    const liquidate: Call = { name: 'liquidate', caller: bob, ...usd, vaults: 1 }
    const pay: Call = { name: 'pay_debt', owner: bob, ...usd, amount: 50n }
    const taken = [burn(bob, 50n), xlm(VAULTS, bob, 89n), xlm(VAULTS, treasury, 1n)]
    const changes = [vault(alice, amounts(90n, 50n), null), vault(bob, amounts(900n, 90n), amounts(900n, 40n))]
    for (const calls of [trees([liquidate, pay]), trees([pay], [liquidate])]) {
      const told = tell(calls, [...taken, burn(bob, 50n)], changes)
      expect(told).toMatchObject({ steps: [{ kind: 'liquidation', collateral: 89n, fee: 1n }, { kind: 'repay' }], unexplained: [] })
    }
    for (const calls of [trees([pay, liquidate]), trees([liquidate], [pay])]) {
      const told = tell(calls, [burn(bob, 50n), ...taken], changes)
      expect(told).toMatchObject({ steps: [{ kind: 'repay' }, { kind: 'liquidation', collateral: 89n, fee: 1n }], unexplained: [] })
    }
  })

  it('of two owners each change their own vault', () => {
    const calls = trees(
      [{ name: 'withdraw_collateral', owner: alice, ...usd, amount: 9n }],
      [{ name: 'pay_debt', owner: bob, ...usd, amount: 60n }],
    )
    const moved = [burn(bob, 60n), xlm(VAULTS, bob, 99n), xlm(VAULTS, treasury, 1n), xlm(VAULTS, alice, 9n)]
    const told = tell(calls, moved, [vault(alice, amounts(90n, 50n), amounts(81n, 50n)), vault(bob, amounts(100n, 60n), null)])
    expect(kinds(told)).toEqual([
      ['close', bob],
      ['withdraw_collateral', alice],
    ])
    expect(told.unexplained).toEqual([])
  })

  it('of two currencies are of the vault whose coin moved', () => {
    const calls = trees([
      { name: 'increase_debt', owner: alice, ...usd, amount: 5n },
      { name: 'increase_debt', owner: alice, denomination: 'EUR', amount: 5n },
    ])
    const changes = [vault(alice, amounts(90n, 50n), amounts(90n, 55n)), vault(alice, amounts(80n, 50n), amounts(80n, 55n), 'EUR')]
    const told = tell(calls, [mint(alice, 5n), mint(alice, 5n, EURX)], changes)
    expect(told.steps.map(({ denomination }) => denomination)).toEqual(['USD', 'EUR'])
    expect(told.unexplained).toEqual([])
  })

  it('may open and close a vault that no entry ever tells of', () => {
    const calls = trees([
      { name: 'new_vault', owner: alice, ...usd, debt: 50n, collateral: 101n },
      { name: 'pay_debt', owner: alice, ...usd, amount: 50n },
    ])
    const opened = [xlm(alice, VAULTS, 100n), mint(alice, 50n), xlm(alice, treasury, 1n)]
    const told = tell(calls, [...opened, burn(alice, 50n), xlm(VAULTS, alice, 99n), xlm(VAULTS, treasury, 1n)], [])
    expect(kinds(told)).toEqual([
      ['open', alice],
      ['close', alice],
    ])
  })

  it('may close a vault and open another, which looks like a change of the one', () => {
    const calls: readonly Call[] = [
      { name: 'pay_debt', owner: alice, ...usd, amount: 50n },
      { name: 'new_vault', owner: alice, ...usd, debt: 70n, collateral: 121n },
    ]
    const closed = [burn(alice, 50n), xlm(VAULTS, alice, 99n), xlm(VAULTS, treasury, 1n)]
    const opened = [xlm(alice, VAULTS, 120n), mint(alice, 70n), xlm(alice, treasury, 1n)]
    const changes = [vault(alice, amounts(100n, 50n), amounts(120n, 70n))]
    for (const asked of [trees(calls), trees(...calls.map((call) => [call])), trees(...calls.map((call) => [call]).reverse()), []]) {
      const told = tell(asked, [...closed, ...opened], changes)
      expect(told).toMatchObject({
        steps: [
          { kind: 'close', coins: 50n, collateral: 99n, fee: 1n },
          { kind: 'open', coins: 70n, collateral: 121n, fee: 1n },
        ],
        unexplained: [],
      })
    }
  })

  it('may borrow and repay, which leaves the entry as it was', () => {
    const borrow: Call = { name: 'increase_debt', owner: alice, ...usd, amount: 30n }
    const repay: Call = { name: 'pay_debt', owner: alice, ...usd, amount: 30n }
    const changes = [vault(alice, amounts(100n, 50n), amounts(100n, 50n))]
    for (const calls of [trees([borrow, repay]), trees([borrow], [repay]), trees([repay], [borrow])]) {
      expect(kinds(tell(calls, [mint(alice, 30n), burn(alice, 30n)], changes))).toEqual([
        ['increase_debt', alice],
        ['repay', alice],
      ])
    }
  })

  it('may liquidate a vault and make the same anew: its entry shows nothing', () => {
    const calls = trees([
      { name: 'liquidate', caller: alice, ...usd, vaults: 1 },
      { name: 'new_vault', owner: alice, ...usd, debt: 50n, collateral: 91n },
    ])
    const taken = [burn(alice, 50n), xlm(VAULTS, alice, 89n), xlm(VAULTS, treasury, 1n)]
    const opened = [xlm(alice, VAULTS, 90n), mint(alice, 50n), xlm(alice, treasury, 1n)]
    const told = tell(calls, [...taken, ...opened], [vault(alice, amounts(90n, 50n), amounts(90n, 50n))])
    expect(kinds(told)).toEqual([
      ['liquidation', alice],
      ['open', alice],
    ])
  })
})

describe('a vault that changes hands between two authorisations', () => {
  const give: Call = { name: 'transfer_debt', owner: alice, ...usd, to: bob }
  const pay = (owner: string, amount: bigint): Call => ({ name: 'pay_debt', owner, ...usd, amount })
  /** Whichever of the authorisations is told first. */
  const orders = (one: readonly Call[], other: readonly Call[]) => [trees(one, other), trees(other, one)]

  it('was paid back in part before, where the giver paid', () => {
    for (const calls of orders([give], [pay(alice, 10n)])) {
      const told = tell(calls, [burn(alice, 10n)], [vault(alice, amounts(100n, 50n), null), vault(bob, null, amounts(100n, 40n))])
      expect(kinds(told)).toEqual([
        ['repay', alice],
        ['transfer', alice],
      ])
      expect(told.unexplained).toEqual([])
    }
  })

  it('is paid back in part afterwards, where the receiver pays', () => {
    for (const calls of orders([give], [pay(bob, 10n)])) {
      const told = tell(calls, [burn(bob, 10n)], [vault(alice, amounts(100n, 50n), null), vault(bob, null, amounts(100n, 40n))])
      expect(kinds(told)).toEqual([
        ['transfer', alice],
        ['repay', bob],
      ])
    }
  })

  it('goes on to a third where the second had given his away', () => {
    for (const calls of orders([give], [{ name: 'transfer_debt', owner: bob, ...usd, to: carol }])) {
      const changes = [
        vault(alice, amounts(100n, 50n), null),
        vault(bob, amounts(70n, 30n), amounts(100n, 50n)),
        vault(carol, null, amounts(70n, 30n)),
      ]
      const told = tell(calls, [], changes)
      expect(kinds(told)).toEqual([
        ['transfer', bob],
        ['transfer', alice],
      ])
      expect(told.unexplained).toEqual([])
    }
  })

  it('may come after one of two payments of the giver, and before the other: of what he opened in between', () => {
    const opening: Call = { name: 'new_vault', owner: alice, ...usd, debt: 30n, collateral: 90n }
    const moved = [burn(alice, 10n), xlm(alice, VAULTS, 90n), mint(alice, 30n), burn(alice, 5n)]
    const changes = [vault(alice, amounts(100n, 50n), amounts(90n, 25n)), vault(bob, null, amounts(100n, 40n))]
    const told = tell(trees([give], [pay(alice, 10n)], [opening], [pay(alice, 5n)]), moved, changes)
    expect(kinds(told)).toEqual([
      ['repay', alice],
      ['transfer', alice],
      ['open', alice],
      ['repay', alice],
    ])
    expect(told.unexplained).toEqual([])
  })

  it('is told as it was asked, and the change as unexplained, where no order leads to the entries', () => {
    const changes = [vault(alice, amounts(100n, 50n), null), vault(bob, null, amounts(100n, 45n))]
    const told = tell(trees([give], [pay(alice, 10n)]), [burn(alice, 10n)], changes)
    expect(kinds(told)).toEqual([['transfer', alice]])
    expect(told.unexplained).toMatchObject([{ owner: bob }])
  })

  it('comes after the receiver closed his own: no other order leads to the entries', () => {
    const [given, closed] = [amounts(100n, 50n), [burn(bob, 30n), xlm(VAULTS, bob, 69n), xlm(VAULTS, treasury, 1n)]]
    for (const calls of orders([give], [pay(bob, 30n)])) {
      const told = tell(calls, closed, [vault(alice, given, null), vault(bob, amounts(70n, 30n), given)])
      expect(kinds(told)).toEqual([
        ['close', bob],
        ['transfer', alice],
      ])
    }
  })
})

describe('a redemption', () => {
  const part: Call = { name: 'redeem', caller: bob, ...usd, amount: 10n }

  it('may be of the own vault', () => {
    const moved = [burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, bob, 1n), xlm(VAULTS, treasury, 1n)]
    const told = tell(trees([part]), moved, [vault(bob, amounts(100n, 50n), amounts(79n, 40n))])
    expect(told).toMatchObject({ steps: [{ kind: 'redemption', collateral: 19n, returned: 1n, fee: 1n }], unexplained: [] })
  })

  it('may be of a vault of the treasury, which then gets fee and compensation', () => {
    const moved = [burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, treasury, 1n), xlm(VAULTS, treasury, 1n)]
    const told = tell(trees([part]), moved, [vault(treasury, amounts(100n, 50n), amounts(79n, 40n))])
    expect(told).toMatchObject({ steps: [{ kind: 'redemption', collateral: 19n }], unexplained: [] })
  })

  it('may be made by the treasury, and pays its owner nothing before 0.6', () => {
    const call: Call = { name: 'redeem', caller: treasury, ...usd, amount: 10n }
    const moved = [burn(treasury, 10n), xlm(VAULTS, treasury, 20n), xlm(VAULTS, treasury, 1n)]
    const told = tell(trees([call]), moved, [vault(alice, amounts(100n, 50n), amounts(79n, 40n))])
    expect(told).toMatchObject({ steps: [{ kind: 'redemption', collateral: 20n, returned: 0n, fee: 1n }], unexplained: [] })
  })

  it('of two vaults with one index is of the one whose owner was paid', () => {
    for (const [redeemed, other] of [
      [carol, alice],
      [alice, carol],
    ] as const) {
      const told = tell(
        trees([part], [{ name: 'increase_debt', owner: other, ...usd, amount: 5n }]),
        [burn(bob, 10n), xlm(VAULTS, bob, 19n), xlm(VAULTS, redeemed, 1n), xlm(VAULTS, treasury, 1n), mint(other, 5n)],
        [vault(redeemed, amounts(100n, 50n), amounts(79n, 40n)), vault(other, amounts(200n, 100n), amounts(200n, 105n))],
      )
      expect(told).toMatchObject({ steps: [{ kind: 'redemption', changes: [{ owner: redeemed }] }, { actor: other }], unexplained: [] })
    }
  })
})

describe('a fee of nothing', () => {
  it('is no payment of somebody else', () => {
    const calls = trees([{ name: 'increase_collateral', owner: alice, ...usd, amount: 20n }])
    const moved = [xlm(alice, VAULTS, 20n), xlm(alice, treasury, 7n)]
    const told = tell(calls, moved, [vault(alice, amounts(100n, 50n), amounts(120n, 50n))])
    expect(told).toMatchObject({ steps: [{ collateral: 20n, fee: 0n }], unexplained: [] })
  })
})

describe('a contract that deals for itself', () => {
  it('does several things at once without a call to be seen', () => {
    const owner = testContract('an owner')
    const moved = [...[xlm(owner, VAULTS, 19n), xlm(owner, treasury, 1n), mint(owner, 30n)], ...[burn(owner, 10n), xlm(VAULTS, owner, 4n)]]
    const told = tell([], moved, [vault(owner, amounts(100n, 50n), amounts(115n, 70n))])
    expect(told.steps).toMatchObject([
      { kind: 'increase_collateral', collateral: 20n, witness: 'transfers' },
      { kind: 'increase_debt', coins: 30n },
      { kind: 'repay', coins: 10n },
      { kind: 'withdraw_collateral', collateral: 4n },
    ])
    expect(told.unexplained).toEqual([])
  })

  it('borrows and pays back, which leaves its entry as it was', () => {
    const owner = testContract('an owner')
    const told = tell([], [mint(owner, 30n), burn(owner, 30n)], [vault(owner, amounts(100n, 50n), amounts(100n, 50n))])
    expect(told.steps.map(({ kind }) => kind)).toEqual(['increase_debt', 'repay'])
  })
})

describe('an eviction', () => {
  it('of several vaults of one owner gives back for each at most what was in it', () => {
    const changes = [
      vault(alice, amounts(90n, 50n), null),
      vault(alice, amounts(40n, 20n), null, 'EUR'),
      vault(bob, amounts(70n, 9n), null),
    ]
    const told = tell([], [xlm(VAULTS, alice, 90n), xlm(VAULTS, alice, 40n), xlm(VAULTS, bob, 70n)], changes)
    expect(told.steps).toMatchObject([
      { kind: 'eviction', denomination: 'USD', returned: 90n },
      { kind: 'eviction', denomination: 'EUR', returned: 40n },
      { kind: 'eviction', denomination: 'USD', returned: 70n },
    ])
    expect(told.unexplained).toEqual([])
  })
})
