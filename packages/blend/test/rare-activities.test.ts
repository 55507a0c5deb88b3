// Activities, case by case, where the recording has no example or too few: payer and receiver, parts of fills,
// defaults, several things in one operation. Figures are computed by hand: a bToken is 1.1 of its asset, a dToken 1.2.

import { sc } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import {
  alice,
  auction,
  auctionKey,
  backstop,
  blnd,
  bob,
  call,
  comet,
  entry,
  event,
  pool,
  positions,
  Scene,
  source,
  strategy,
  transfer,
  usdc,
  xlm,
} from './scene.ts'

/** A row in short: who gave or received how much of what, and how many shares of which kind. */
const brief = (rows: readonly ActivityRow[]) =>
  rows.map((row) => [row.activityType, row.address, row.direction, row.assetSymbol, row.amount, row.shareType, row.shareAmount])

const requests = () => sc.vec()

describe('a submit', () => {
  it('a submit of several requests is as many actions, each with its own shares, of the owner of the position', () => {
    const { activities, transactions } = new Scene().ledger([
      call(pool, 'submit', [alice, alice, alice, requests()], alice),
      event(pool, 'supply_collateral', [usdc, alice], 1_100n, 1_000n),
      event(pool, 'borrow', [xlm, alice], 600n, 500n),
      event(pool, 'repay', [xlm, alice], 120n, 100n),
      transfer(usdc, alice, pool, 1_100n),
      transfer(xlm, pool, alice, 480n),
      positions(alice, {}, { 0: 1_000n }, { 1: 400n }),
    ])
    expect(brief(activities)).toEqual([
      ['deposit', alice, 'sent', 'USDC', 1_100n, 'b_token_collateral', 1_000n],
      ['borrow', alice, 'received', 'XLM', 600n, 'd_token', 500n],
      ['repay', alice, 'sent', 'XLM', 120n, 'd_token', 100n],
    ])
    expect(new Set(activities.map(({ actionId }) => actionId)).size).toBe(3)
    expect(activities.every(({ counterparty, confidence }) => counterparty === pool && confidence === 1)).toBe(true)
    expect(activities[0]?.metadata).toEqual({ event: 'supply_collateral', version: 'v2' })
    expect(transactions).toMatchObject([{ source, activityRows: 3 }])
  })

  it('a submit that another account pays and a third receives names payer and receiver, though transfers are netted', () => {
    const { activities } = new Scene().ledger([
      call(pool, 'submit_with_allowance', [alice, bob, strategy, requests()], alice),
      event(pool, 'supply', [usdc, alice], 110n, 100n),
      event(pool, 'withdraw', [usdc, alice], 110n, 100n),
    ])
    expect(activities.map(({ address, counterparty, metadata }) => [address, counterparty, metadata.payer, metadata.receiver])).toEqual([
      [alice, pool, bob, undefined],
      [alice, strategy, undefined, strategy],
    ])
  })

  it('a submit that a contract makes for itself has no call: payer and receiver come from the transfers after it', () => {
    const { activities } = new Scene().ledger([
      call(strategy, 'run', []),
      event(pool, 'repay', [xlm, strategy], 120n, 100n),
      event(pool, 'borrow', [usdc, strategy], 12n, 10n),
      // Over-payment goes in whole, and the rest back to the receiver.
      transfer(xlm, bob, pool, 150n),
      transfer(xlm, pool, alice, 30n),
      transfer(usdc, pool, alice, 12n),
    ])
    expect(activities.map(({ address, counterparty, amount, metadata }) => [address, counterparty, amount, metadata.payer])).toEqual([
      [strategy, pool, 120n, bob],
      [strategy, alice, 12n, undefined],
    ])
  })

  it('two submits of one owner in one operation get their different receivers from the transfers', () => {
    const { activities } = new Scene().ledger([
      call(strategy, 'batch', []),
      call(pool, 'submit', [alice, alice, alice, requests()], alice),
      call(pool, 'submit', [alice, alice, bob, requests()], alice),
      event(pool, 'withdraw', [usdc, alice], 11n, 10n),
      transfer(usdc, pool, alice, 11n),
      event(pool, 'withdraw', [usdc, alice], 22n, 20n),
      transfer(usdc, pool, bob, 22n),
    ])
    expect(activities.map(({ amount, counterparty }) => [amount, counterparty])).toEqual([
      [11n, pool],
      [22n, bob],
    ])
  })
})

describe('a flash loan', () => {
  it('a flash loan is a borrow whose tokens go to the contract that is called', () => {
    const { activities } = new Scene().ledger([
      call(pool, 'flash_loan', [alice, requests(), requests()], alice),
      event(pool, 'flash_loan', [xlm, alice, strategy], 120n, 100n),
      event(pool, 'repay', [xlm, alice], 120n, 100n),
      transfer(xlm, pool, strategy, 120n),
      transfer(xlm, alice, pool, 120n),
    ])
    expect(brief(activities)).toEqual([
      ['borrow', alice, 'none', 'XLM', 120n, 'd_token', 100n],
      ['repay', alice, 'sent', 'XLM', 120n, 'd_token', 100n],
    ])
    expect(activities[0]).toMatchObject({ counterparty: strategy, metadata: { event: 'flash_loan', receiver: strategy } })
  })

  it('a flash loan that is not paid back in its own call stays a debt', () => {
    const scene = new Scene()
    const rows = scene.ledger([event(pool, 'flash_loan', [xlm, alice, strategy], 120n, 100n), positions(alice, {}, {}, { 1: 100n })])
    expect(rows.positionSnapshots).toMatchObject([
      { address: alice, open: true, native: { borrow: { [xlm]: { shares: '100', amount: '120' } } } },
    ])
    expect(rows.notices.filter(({ reason }) => reason.startsWith('events do not add up'))).toEqual([])
  })
})

describe('a created auction', () => {
  it("a created auction of v1 without a user is the backstop's, and changes no position", () => {
    const { activities, positionSnapshots } = new Scene('v1').ledger([
      event(pool, 'new_auction', [1], auction({ [xlm]: 500n }, { [comet]: 77n }, 3)),
      entry(pool, auctionKey(backstop, 1), auction({ [xlm]: 500n }, { [comet]: 77n }, 3)),
      // Emissions of who is auctioned are brought up to date with it.
      entry(
        pool,
        sc.vec(sc.symbol('UserEmis'), sc.struct({ reserve_id: sc.u32(0), user: sc.address(alice) })),
        sc.struct({ accrued: sc.i128(5n), index: sc.i128(7n) }),
      ),
    ])
    expect(activities).toMatchObject([
      { activityType: 'auction', address: backstop, metadata: { reason: 'created', auction_type: 'bad_debt' } },
    ])
    expect(positionSnapshots).toEqual([])
  })

  it('a created auction of v2 has the percent that was asked for and what was put up: of 96 % of everything that is all', () => {
    const { activities } = new Scene().ledger([
      event(pool, 'new_auction', [0, alice], sc.u32(96), auction({ [xlm]: 500n }, { [usdc]: 1_000n }, 3)),
    ])
    expect(activities).toMatchObject([
      { address: alice, direction: 'none', metadata: { reason: 'created', percent: 96, bid: { [xlm]: '500' }, lot: { [usdc]: '1000' } } },
    ])
  })
})

describe('a claim', () => {
  it('a claim from a pool names another receiver, and a claim of nothing moves nothing', () => {
    const { activities } = new Scene().ledger(
      [transfer(blnd, backstop, bob, 70n), event(pool, 'claim', [alice], sc.vec(sc.u32(0), sc.u32(3)), 70n)],
      [event(pool, 'claim', [alice], sc.vec(sc.u32(0)), 0n)],
    )
    expect(activities.map(({ amount, assetId, counterparty, metadata }) => [amount, assetId, counterparty, metadata.receiver])).toEqual([
      [70n, blnd, bob, bob],
      [0n, blnd, pool, undefined],
    ])
    expect(activities[0]?.metadata.reserve_token_ids).toEqual([0, 3])
  })

  it('a claim from a backstop deposits again what it got: volume counts once, and a deposit before it is not part of it', () => {
    const other = testContract('other pool')
    const { activities } = new Scene().ledger([
      event(comet, 'transfer', [alice, backstop], 40n),
      event(backstop, 'deposit', [pool, alice], 40n, 39n),
      event(blnd, 'transfer', [backstop, comet], 90n),
      event(
        comet,
        'POOL',
        [sc.symbol('deposit')],
        sc.struct({ caller: sc.address(backstop), token_amount_in: sc.i128(90n), token_in: sc.address(blnd) }),
      ),
      event(backstop, 'deposit', [pool, alice], 30n, 29n),
      event(backstop, 'claim', [alice], 30n),
      event(backstop, 'rw_zone_remove', [], other),
    ])
    const stakes = activities.filter(({ activityType }) => activityType === 'stake')
    expect(stakes.map(({ amount, shareAmount, metadata }) => [amount, shareAmount, metadata.reason])).toEqual([
      [40n, 39n, undefined],
      [30n, 29n, 'auto_compound'],
    ])
    const claim = activities.find(({ activityType }) => activityType === 'claim')
    expect(claim).toMatchObject({ amount: 30n, assetId: comet, metadata: { blnd_amount: '90', lp_tokens: '30', pools: [pool] } })
    expect(activities.find(({ activityType }) => activityType === 'emission')).toMatchObject({ address: backstop, counterparty: other })
  })

  it('a claim from the backstop of v1 is in BLND and may be deposited for another account', () => {
    const { activities } = new Scene('v1').ledger([
      event(
        comet,
        'POOL',
        [sc.symbol('deposit')],
        sc.struct({ caller: sc.address(backstop), token_amount_in: sc.i128(90n), token_in: sc.address(blnd) }),
      ),
      event(backstop, 'deposit', [pool, bob], 30n, 29n),
      event(backstop, 'claim', [alice], 90n),
    ])
    expect(brief(activities)).toEqual([
      ['stake', bob, 'none', 'BLND-USDC-LP', 30n, 'backstop_share', 29n],
      ['claim', alice, 'none', 'BLND', 90n, '', 0n],
    ])
    expect(activities[0]?.metadata).toMatchObject({ reason: 'auto_compound', claimed_by: alice })
  })
})

describe('a liquidation', () => {
  const lot = { [usdc]: 1_000n }
  const bid = { [xlm]: 500n }

  it('a liquidation is in both feeds with a role: one side gives collateral and debt, the other receives both', () => {
    const { activities } = new Scene().ledger([event(pool, 'fill_auction', [0, alice], bob, 100n, auction(bid, lot, 3))])
    expect(brief(activities)).toEqual([
      // 1,000 bTokens are 1,100, 500 dTokens are 600.
      ['liquidation', alice, 'sent', 'USDC', 1_100n, 'b_token_collateral', 1_000n],
      ['liquidation', alice, 'none', 'XLM', 600n, 'd_token', 500n],
      ['liquidation', bob, 'received', 'USDC', 1_100n, 'b_token_collateral', 1_000n],
      ['liquidation', bob, 'none', 'XLM', 600n, 'd_token', 500n],
    ])
    expect(activities.map(({ counterparty, metadata }) => [counterparty, metadata.role])).toEqual([
      [bob, 'liquidated'],
      [bob, 'liquidated'],
      [alice, 'liquidator'],
      [alice, 'liquidator'],
    ])
    expect(activities.map(({ counts }) => counts)).toEqual([1, 0, 1, 0])
    expect(new Set(activities.map(({ actionId }) => actionId)).size).toBe(1)
  })

  it('a liquidation of v1 has no amounts: two fills of one submit take theirs from the auction as it was stored', () => {
    const scene = new Scene('v1')
    const stored = auction(bid, lot, 3)
    scene.ledger([entry(pool, auctionKey(alice, 0), stored), event(pool, 'new_liquidation_auction', [alice], stored)])
    // Ledger 103: 100 ledgers after block 3, half of the lot. 40 % of 1,000 and 500, then all of what is left: 600 and 300.
    scene.pass(100)
    const { activities } = scene.ledger([
      entry(pool, auctionKey(alice, 0), null, stored),
      event(pool, 'fill_auction', [alice, 0], bob, 40n),
      event(pool, 'fill_auction', [alice, 0], bob, 100n),
    ])
    expect(brief(activities.filter(({ address }) => address === alice))).toEqual([
      ['liquidation', alice, 'sent', 'USDC', 220n, 'b_token_collateral', 200n],
      ['liquidation', alice, 'none', 'XLM', 240n, 'd_token', 200n],
      ['liquidation', alice, 'sent', 'USDC', 330n, 'b_token_collateral', 300n],
      ['liquidation', alice, 'none', 'XLM', 360n, 'd_token', 300n],
    ])
  })

  it('a fill of an auction that was created before the index began is a notice, never a guess', () => {
    const { activities, notices } = new Scene('v1').ledger([event(pool, 'fill_auction', [alice, 0], bob, 40n)])
    expect(activities).toEqual([])
    expect(notices.map(({ contract, kind, reason }) => [contract, kind, reason])).toEqual([
      [pool, 'event', 'a fill of an auction that nobody saw'],
    ])
  })
})

describe('an auction of bad debt', () => {
  it('an auction of bad debt gives the filler the debt and LP tokens of the backstop, by the draw before it', () => {
    const { activities } = new Scene().ledger([
      event(comet, 'transfer', [backstop, bob], 77n),
      event(backstop, 'draw', [pool], bob, 77n),
      event(pool, 'fill_auction', [1, backstop], bob, 50n, auction({ [xlm]: 500n }, { [comet]: 77n }, 3)),
    ])
    expect(brief(activities)).toEqual([
      ['auction', bob, 'received', 'BLND-USDC-LP', 77n, '', 0n],
      ['auction', bob, 'none', 'XLM', 600n, 'd_token', 500n],
      ['auction', backstop, 'sent', 'BLND-USDC-LP', 77n, '', 0n],
      ['auction', backstop, 'none', 'XLM', 600n, 'd_token', 500n],
    ])
    expect(activities[0]?.metadata).toMatchObject({ auction_type: 'bad_debt', percent: 50, role: 'filler' })
  })
})

describe('an auction of interest', () => {
  it('an auction of interest sells what borrowers paid for LP tokens, which are donated', () => {
    const { activities } = new Scene().ledger([
      event(comet, 'transfer', [bob, backstop], 88n),
      event(backstop, 'donate', [pool, bob], 88n),
      event(pool, 'fill_auction', [2, backstop], bob, 100n, auction({ [comet]: 88n }, { [usdc]: 5n, [xlm]: 6n }, 3)),
    ])
    expect(brief(activities)).toEqual([
      ['auction', bob, 'received', 'USDC', 5n, '', 0n],
      ['auction', bob, 'received', 'XLM', 6n, '', 0n],
      ['auction', bob, 'sent', 'BLND-USDC-LP', 88n, '', 0n],
    ])
  })

  it('an auction of interest that costs nothing any more still has its action', () => {
    const { activities } = new Scene().ledger([
      event(pool, 'fill_auction', [2, backstop], bob, 100n, auction({}, { [usdc]: 5n }, 3)),
      event(pool, 'fill_auction', [2, backstop], bob, 100n, auction({}, {}, 3)),
    ])
    expect(brief(activities)).toEqual([
      ['auction', bob, 'received', 'USDC', 5n, '', 0n],
      ['auction', bob, 'none', '', 0n, '', 0n],
    ])
  })
})

describe('bad debt', () => {
  it('bad debt moves from the debtor to the backstop', () => {
    const { activities } = new Scene().ledger([event(pool, 'bad_debt', [alice, xlm], 500n)])
    expect(brief(activities)).toEqual([
      ['bad_debt', alice, 'none', 'XLM', 600n, 'd_token', 500n],
      ['bad_debt', backstop, 'none', 'XLM', 600n, 'd_token', 500n],
    ])
  })

  it('suppliers lose bad debt that the backstop gives up, under either event name', () => {
    const lost = [
      ['bad_debt', backstop, 'none', 'XLM', 600n, 'd_token', 500n],
      ['bad_debt', pool, 'none', 'XLM', 600n, '', 0n],
    ]
    const second = new Scene('v2').ledger([event(pool, 'defaulted_debt', [xlm], 500n)])
    const first = new Scene('v1').ledger([event(pool, 'bad_debt', [backstop], xlm, 500n)])
    expect([brief(second.activities), brief(first.activities)]).toEqual([lost, lost])
    expect(second.activities[0]?.metadata.reason).toBe('defaulted')
  })
})

describe('LP tokens', () => {
  it('LP tokens that are sent to a backstop without an event of it are a transfer', () => {
    const { activities } = new Scene().ledger([event(comet, 'transfer', [alice, backstop], 5n)])
    expect(brief(activities)).toEqual([
      ['transfer', alice, 'sent', 'BLND-USDC-LP', 5n, 'lp_share', 5n],
      ['transfer', backstop, 'received', 'BLND-USDC-LP', 5n, 'lp_share', 5n],
    ])
  })

  it('a join has the LP tokens by which the total grew, and two joins of one operation have none', () => {
    const join = (caller: string) => [
      event(
        comet,
        'POOL',
        [sc.symbol('join_pool')],
        sc.struct({ caller: sc.address(caller), token_amount_in: sc.i128(8n), token_in: sc.address(blnd) }),
      ),
      event(
        comet,
        'POOL',
        [sc.symbol('join_pool')],
        sc.struct({ caller: sc.address(caller), token_amount_in: sc.i128(2n), token_in: sc.address(usdc) }),
      ),
    ]
    const total = (now: bigint, before: bigint) => entry(comet, sc.vec(sc.symbol('TotalShares')), sc.i128(now), sc.i128(before))
    const scene = new Scene()
    expect(brief(scene.ledger([total(110n, 100n), ...join(alice)]).activities)).toEqual([
      ['deposit', alice, 'sent', 'BLND', 8n, 'lp_share', 10n],
      ['deposit', alice, 'sent', 'USDC', 2n, '', 0n],
    ])
    const { activities } = scene.ledger([total(130n, 110n), ...join(alice), ...join(bob)])
    expect(activities.map(({ address, shareAmount }) => [address, shareAmount])).toEqual([
      [alice, 0n],
      [alice, 0n],
      [bob, 0n],
      [bob, 0n],
    ])
  })
})

describe('settings', () => {
  it('a setting that any account may change names who authorised the call, else the source of the transaction', () => {
    const scene = new Scene()
    const byBob = scene.ledger([call(pool, 'update_status', [], bob), event(pool, 'set_status', [], 3)])
    const bySource = scene.ledger([call(pool, 'update_status', []), event(pool, 'set_status', [], 1)])
    const byAdmin = scene.ledger([event(pool, 'set_status', [alice], 0)])
    expect(
      [byBob, bySource, byAdmin].map(({ activities }) => activities.map((row) => [row.address, row.confidence, row.metadata])),
    ).toEqual([
      [[bob, 0.9, { event: 'set_status', version: 'v2', status: 3, attribution: 'authorizer' }]],
      [[source, 0.5, { event: 'set_status', version: 'v2', status: 1, attribution: 'transaction_source' }]],
      [[alice, 1, { event: 'set_status', version: 'v2', status: 0 }]],
    ])
  })

  it('a setting without an event has one action by its call, though the call was authorised', () => {
    const { activities } = new Scene().ledger([
      call(pool, 'propose_admin', [bob]),
      call(pool, 'propose_admin', [bob], alice),
      event(usdc, 'approve', [], 1n),
    ])
    expect(activities.map(({ activityType, address, counterparty, key }) => [activityType, address, counterparty, key.eventIndex])).toEqual(
      [
        // One event of the operation, then the call's own place.
        ['admin', alice, bob, 1],
      ],
    )
  })
})

describe('tokens above the books of a pool', () => {
  it('tokens above the books of a pool become credit of its backstop, and none of them still have an action', () => {
    const { activities } = new Scene().ledger([event(pool, 'gulp', [xlm], 12n), event(pool, 'gulp', [usdc], 0n)])
    expect(brief(activities)).toEqual([
      ['emission', pool, 'none', 'XLM', 12n, '', 0n],
      ['emission', pool, 'none', 'USDC', 0n, '', 0n],
    ])
  })
})

describe('an unexpected event', () => {
  it('an unexpected event is counted with its reason and does not stop the fold', () => {
    const odd = event(pool, 'rebase', [usdc], 1n)
    const { activities, notices } = new Scene().ledger([
      odd,
      odd,
      event(pool, 'supply', [usdc], 1n),
      event(backstop, 'rw_zone', [], pool, pool),
    ])
    expect(activities).toEqual([])
    expect(notices.map(({ contract, kind, reason, count }) => [contract, kind, reason, count])).toEqual([
      [pool, 'event', 'unknown topic rebase', 2],
      [pool, 'event', 'unreadable supply', 1],
      // A topic of the first version only.
      [backstop, 'event', 'unknown topic rw_zone', 1],
    ])
  })

  it("an event of a registry's pool that was never read is counted: its version is unknown", () => {
    const older = testContract('older pool')
    const knownPools = [{ protocol: 'blend' as const, contract: older, fromLedger: 1, tokens: [] }]
    const { activities, notices } = new Scene('v2', knownPools).ledger([event(older, 'supply', [usdc, alice], 110n, 100n)])
    expect(activities).toEqual([])
    expect(notices.map(({ contract, kind, reason }) => [contract, kind, reason])).toEqual([
      [older, 'event', 'a pool of a deployment that is not known'],
    ])
  })

  it('an event of a contract that is not followed is ignored', () => {
    const lookAlike = testContract('look-alike')
    const rows = new Scene().ledger([event(lookAlike, 'supply', [usdc, alice], 110n, 100n)])
    expect([rows.activities, rows.notices, rows.transactions]).toEqual([[], [], []])
  })
})
