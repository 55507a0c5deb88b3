import type { ActivityRecord } from '@orrery/read-model/queries'
import { describe, expect, it } from 'vitest'
import { summarize } from './transaction-summary.ts'

const base: ActivityRecord = {
  protocol: 'soroswap',
  ledger: 1,
  tx_order: 1,
  op_index: 0,
  event_index: 0,
  row: 0,
  close_time_seconds: 0,
  tx_hash: '',
  address: 'GALICE',
  activity_type: 'swap',
  contract: 'POOL',
  counterparty: 'POOL',
  asset_id: 'USDC',
  asset_symbol: 'USDC',
  asset_decimals: 7,
  amount: 12_500_000_000n,
  share_amount: 0n,
  share_decimals: 7,
  share_type: '',
  usd_value: null,
  action_id: 'a',
  leg: 'in',
  confidence: 1,
  price_source: '',
  price_age_seconds: 0,
  metadata: '{}',
}
const row = (of: Partial<ActivityRecord>): ActivityRecord => ({ ...base, ...of })
const shares = { share_amount: 25_000_000n, share_type: 'lp_share' }
const said = (...rows: ActivityRecord[]): string => summarize(rows, (contract) => (contract.startsWith('POOL') ? 'USDC/XLM' : ''))

describe('a sentence about', () => {
  it('a swap names both sides', () => {
    expect(said(row({}), row({ leg: 'out', asset_symbol: 'XLM', amount: 3n }))).toBe(
      'Swapped 1,250 USDC for 0.0000003 XLM in USDC/XLM (Soroswap)',
    )
  })

  it('a swap over several pools names only what went in first and came out last', () => {
    const hops = [
      row({}),
      row({ leg: 'out', asset_symbol: 'AQUA' }),
      row({ contract: 'POOL2', asset_symbol: 'AQUA' }),
      row({ contract: 'POOL2', leg: 'out', asset_symbol: 'XLM', amount: 10_000_000n }),
    ]
    expect(said(...hops)).toBe('Swapped 1,250 USDC for 1 XLM through 2 pools (Soroswap)')
  })

  it('liquidity says what was added or removed', () => {
    const deposit = { activity_type: 'deposit', ...shares }
    expect(said(row(deposit), row({ activity_type: 'deposit', asset_symbol: 'XLM' }))).toBe(
      'Added 1,250 USDC and 1,250 XLM of liquidity in USDC/XLM (Soroswap)',
    )
    expect(said(row({ activity_type: 'withdraw', leg: 'out', ...shares }))).toBe('Removed 1,250 USDC of liquidity in USDC/XLM (Soroswap)')
  })

  it('shares that are sent, received or burnt', () => {
    const lp = { activity_type: 'transfer', asset_id: 'POOL', asset_symbol: 'USDC-XLM', amount: 25_000_000n, ...shares }
    expect(said(row({ ...lp, counterparty: 'GBOBBBBBBBBWXYZ' }))).toBe('Transferred 2.5 pool shares to GBOB…WXYZ in USDC/XLM (Soroswap)')
    expect(said(row({ ...lp, counterparty: 'POOL' }))).toBe('Transferred 2.5 pool shares to the pool itself in USDC/XLM (Soroswap)')
    expect(said(row({ ...lp, leg: 'out' }))).toBe('Received 2.5 pool shares in USDC/XLM (Soroswap)')
    const token = { ...lp, asset_id: 'SHARE', asset_symbol: 'POOL' } // shares that are a token of their own
    expect(said(row({ ...token, leg: 'out' }))).toBe('Received 2.5 pool shares in USDC/XLM (Soroswap)')
    expect(said(row({ activity_type: 'withdraw', leg: '', asset_id: '', amount: 0n, ...shares }))).toBe(
      'Burnt 2.5 pool shares in USDC/XLM (Soroswap)',
    )
  })

  it('several actions in one place says the place once', () => {
    const actions = [
      row({ activity_type: 'deposit' }),
      row({ action_id: 'b', activity_type: 'borrow', leg: 'out', asset_symbol: 'XLM', amount: 40_000_000_000n }),
    ]
    expect(said(...actions)).toBe('Deposited 1,250 USDC and borrowed 4,000 XLM in USDC/XLM (Soroswap)')
  })

  it('many actions counts what it does not name, and a fee taken along the way is not named', () => {
    const claims = ['a', 'b', 'c', 'd', 'e'].map((action_id) => row({ action_id, activity_type: 'claim', leg: 'out' }))
    expect(said(...claims, row({ action_id: 'f', activity_type: 'emission', leg: 'out' }))).toBe(
      'Claimed 1,250 USDC, claimed 1,250 USDC, claimed 1,250 USDC in USDC/XLM (Soroswap) and 2 more actions',
    )
  })

  it('lending says what tokens are for, and two requests of one submit are one sentence', () => {
    const supplied = row({ protocol: 'blend', activity_type: 'deposit', share_amount: 1n, share_type: 'b_token_collateral' })
    const borrowed = row({
      protocol: 'blend',
      action_id: 'b',
      activity_type: 'borrow',
      leg: 'out',
      asset_symbol: 'XLM',
      amount: 40_000_000_000n,
      share_amount: 1n,
      share_type: 'd_token',
    })
    expect(summarize([supplied, borrowed], () => 'Fixed v2')).toBe(
      'Supplied 1,250 USDC as collateral and borrowed 4,000 XLM in Fixed v2 (Blend)',
    )
    const plain = row({ activity_type: 'deposit', share_amount: 1n, share_type: 'b_token' })
    expect(said(plain)).toBe('Supplied 1,250 USDC in USDC/XLM (Soroswap)')
  })

  it('a backstop names its shares while they wait', () => {
    const backstop = { asset_symbol: 'BLND-USDC', share_amount: 25_000_000n, share_type: 'backstop_share' }
    expect(said(row({ activity_type: 'stake', ...backstop }))).toBe('Staked 1,250 BLND-USDC as backstop in USDC/XLM (Soroswap)')
    expect(said(row({ activity_type: 'unstake_request', ...backstop, asset_id: '', amount: 0n, leg: '' }))).toBe(
      'Asked to unstake 2.5 backstop shares in USDC/XLM (Soroswap)',
    )
  })

  it('a liquidation is told by who did it, also when the other side stands first', () => {
    const collateral = { activity_type: 'liquidation', asset_symbol: 'XLM', share_amount: 1n, share_type: 'b_token_collateral' }
    const debt = { activity_type: 'liquidation', share_amount: 1n, share_type: 'd_token' }
    const liquidated = { metadata: '{"role":"liquidated"}', counterparty: 'GBOB' }
    const liquidator = { address: 'GBOB', metadata: '{"role":"liquidator"}', counterparty: 'GALICEEEEEWXYZ' }
    const rows = [
      row({ ...collateral, ...liquidated }),
      row({ ...debt, ...liquidated, leg: 'out' }),
      row({ ...collateral, ...liquidator, leg: 'out' }),
      row({ ...debt, ...liquidator }),
    ]
    expect(said(...rows)).toBe('Liquidated 1,250 XLM of GALI…WXYZ taking over 1,250 USDC of debt in USDC/XLM (Soroswap)')
    expect(said(...rows.slice(0, 2))).toBe('Lost 1,250 XLM in a liquidation in USDC/XLM (Soroswap)')
  })

  it('an auction is opened, called off, or filled', () => {
    const auction = (of: Partial<ActivityRecord>, metadata: object): ActivityRecord =>
      row({ activity_type: 'auction', metadata: JSON.stringify(metadata), ...of })
    const nothing = { asset_id: '', amount: 0n, leg: '' }
    expect(said(auction(nothing, { reason: 'created', auction_type: 'interest' }))).toBe(
      'Opened an interest auction in USDC/XLM (Soroswap)',
    )
    expect(said(auction(nothing, { reason: 'cancelled', auction_type: 'user_liquidation' }))).toBe(
      'Called off a liquidation auction in USDC/XLM (Soroswap)',
    )
    const filler = { auction_type: 'interest', role: 'filler' }
    expect(said(auction({ leg: 'out' }, filler), auction({ asset_symbol: 'LP', amount: 70_000_000n }, filler))).toBe(
      'Bought 1,250 USDC for 7 LP in an interest auction in USDC/XLM (Soroswap)',
    )
  })

  it('a vault that is opened gives collateral and takes coins in one action', () => {
    const fxdao = { protocol: 'fxdao', contract: 'VAULTS' }
    const opened = [
      row({ ...fxdao, activity_type: 'deposit', asset_symbol: 'XLM' }),
      row({ ...fxdao, activity_type: 'borrow', leg: 'out', asset_symbol: 'USDx', amount: 10_000_000n }),
    ]
    expect(said(...opened)).toBe('Deposited 1,250 XLM and borrowed 1 USDx on FxDAO')
    const closed = [
      row({ ...fxdao, action_id: '0', activity_type: 'repay', asset_symbol: 'EURx' }),
      row({ ...fxdao, action_id: '0', activity_type: 'withdraw', leg: 'out', asset_symbol: 'XLM' }),
    ]
    expect(said(...closed, ...opened)).toBe('Repaid 1,250 EURx, withdrew 1,250 XLM, deposited 1,250 XLM and borrowed 1 USDx on FxDAO')
  })

  it('a vault that is handed over takes its debt along', () => {
    const giver = { protocol: 'fxdao', contract: 'VAULTS', activity_type: 'transfer', counterparty: 'GBOBBBBBBBBWXYZ' }
    const handed = [
      row({ ...giver, asset_symbol: 'XLM', metadata: '{"role":"giver"}' }),
      row({ ...giver, leg: '', amount: 2_410_000_000n, metadata: '{"role":"giver","raw_debt_change":"-2410000000"}' }),
    ]
    expect(said(...handed)).toBe('Transferred 1,250 XLM with 241 USDC of debt to GBOB…WXYZ on FxDAO')
  })

  it('administration, and nothing at all', () => {
    const changed = { activity_type: 'admin', leg: '', asset_id: '', contract: 'FACTORY' }
    expect(said(row(changed))).toBe('Changed settings on Soroswap')
    expect(said(row(changed), row({ ...changed, action_id: 'b' }))).toBe('Changed settings on Soroswap')
    expect(said()).toBe('No activity of an indexed protocol.')
  })
})
