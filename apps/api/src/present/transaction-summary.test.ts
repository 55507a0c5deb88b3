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
  direction: 'sent',
  confidence: 1,
  price_usd: null,
  price_source: '',
  price_age_seconds: 0,
  metadata: '{}',
}
const row = (of: Partial<ActivityRecord>): ActivityRecord => ({ ...base, ...of })
const shares = { share_amount: 25_000_000n, share_type: 'lp_share' }
const DISPLAY_NAMES: Readonly<Record<string, string>> = { blend: 'Blend', aquarius: 'Aquarius', soroswap: 'Soroswap', fxdao: 'FxDAO' }
const protocol = (id: string): string => DISPLAY_NAMES[id] ?? id
const said = (...rows: ActivityRecord[]): string =>
  summarize(rows, { protocol, pool: (contract) => (contract.startsWith('POOL') ? 'USDC/XLM' : ''), any: () => '' })

describe('a sentence about', () => {
  it('a sentence about a swap names both sides', () => {
    expect(said(row({}), row({ direction: 'received', asset_symbol: 'XLM', amount: 3n }))).toBe(
      'Swapped 1,250 USDC for 0.0000003 XLM in USDC/XLM (Soroswap)',
    )
  })

  it('a sentence about a swap over several pools names only the first amount sent and the last amount received', () => {
    const hops = [
      row({}),
      row({ direction: 'received', asset_symbol: 'AQUA' }),
      row({ contract: 'POOL2', asset_symbol: 'AQUA' }),
      row({ contract: 'POOL2', direction: 'received', asset_symbol: 'XLM', amount: 10_000_000n }),
    ]
    expect(said(...hops)).toBe('Swapped 1,250 USDC for 1 XLM through 2 pools (Soroswap)')
  })

  it('a sentence about liquidity names the amounts added or removed', () => {
    const deposit = { activity_type: 'deposit', ...shares }
    expect(said(row(deposit), row({ activity_type: 'deposit', asset_symbol: 'XLM' }))).toBe(
      'Added 1,250 USDC and 1,250 XLM of liquidity to USDC/XLM (Soroswap)',
    )
    expect(said(row({ activity_type: 'withdraw', direction: 'received', ...shares }))).toBe(
      'Removed 1,250 USDC of liquidity from USDC/XLM (Soroswap)',
    )
  })

  it('a sentence about shares says whether they were sent, received or burnt', () => {
    const lp = { activity_type: 'transfer', asset_id: 'POOL', asset_symbol: 'USDC-XLM', amount: 25_000_000n, ...shares }
    expect(said(row({ ...lp, counterparty: 'GBOBBBBBBBBWXYZ' }))).toBe('Transferred 2.5 pool shares of USDC/XLM (Soroswap) to GBOB…WXYZ')
    expect(said(row({ ...lp, counterparty: 'POOL' }))).toBe('Transferred 2.5 pool shares of USDC/XLM (Soroswap) to the pool itself')
    expect(said(row({ ...lp, direction: 'received' }))).toBe('Received 2.5 pool shares of USDC/XLM (Soroswap)')
    const token = { ...lp, asset_id: 'SHARE', asset_symbol: 'POOL' } // shares that are a token of their own
    expect(said(row({ ...token, direction: 'received' }))).toBe('Received 2.5 pool shares of USDC/XLM (Soroswap)')
    expect(said(row({ activity_type: 'withdraw', direction: 'none' as const, asset_id: '', amount: 0n, ...shares }))).toBe(
      'Burnt 2.5 pool shares without a payout in USDC/XLM (Soroswap)',
    )
  })

  it('several actions in one pool name the pool once', () => {
    const actions = [
      row({ activity_type: 'deposit' }),
      row({ action_id: 'b', activity_type: 'borrow', direction: 'received', asset_symbol: 'XLM', amount: 40_000_000_000n }),
    ]
    expect(said(...actions)).toBe('Deposited 1,250 USDC and borrowed 4,000 XLM in USDC/XLM (Soroswap)')
  })

  it('a sentence about many actions counts those that it does not name, and does not name fees', () => {
    const claims = ['a', 'b', 'c', 'd', 'e'].map((action_id) => row({ action_id, activity_type: 'claim', direction: 'received' }))
    expect(said(...claims, row({ action_id: 'f', activity_type: 'emission', direction: 'received' }))).toBe(
      'Claimed 1,250 USDC of rewards, claimed 1,250 USDC of rewards, claimed 1,250 USDC of rewards from USDC/XLM (Soroswap) and 2 more actions',
    )
  })

  it('a sentence about lending names the purpose of tokens, and two requests of one submit are one sentence', () => {
    const supplied = row({ protocol: 'blend', activity_type: 'deposit', share_amount: 1n, share_type: 'b_token_collateral' })
    const borrowed = row({
      protocol: 'blend',
      action_id: 'b',
      activity_type: 'borrow',
      direction: 'received',
      asset_symbol: 'XLM',
      amount: 40_000_000_000n,
      share_amount: 1n,
      share_type: 'd_token',
    })
    expect(summarize([supplied, borrowed], { protocol, pool: () => 'Fixed v2', any: () => '' })).toBe(
      'Supplied 1,250 USDC as collateral and borrowed 4,000 XLM in Fixed v2 (Blend)',
    )
    const plain = row({ activity_type: 'deposit', share_amount: 1n, share_type: 'b_token' })
    expect(said(plain)).toBe('Supplied 1,250 USDC to USDC/XLM (Soroswap)')
  })

  it('a sentence about a backstop names its shares while they are queued', () => {
    const backstop = { asset_symbol: 'BLND-USDC', share_amount: 25_000_000n, share_type: 'backstop_share' }
    expect(said(row({ activity_type: 'stake', ...backstop }))).toBe('Staked 1,250 BLND-USDC as backstop in USDC/XLM (Soroswap)')
    expect(said(row({ activity_type: 'unstake_request', ...backstop, asset_id: '', amount: 0n, direction: 'none' as const }))).toBe(
      'Asked to unstake 2.5 backstop shares from USDC/XLM (Soroswap)',
    )
  })

  it('the subject of a liquidation is the liquidator, also if the row of the other side comes first', () => {
    const collateral = { activity_type: 'liquidation', asset_symbol: 'XLM', share_amount: 1n, share_type: 'b_token_collateral' }
    const debt = { activity_type: 'liquidation', share_amount: 1n, share_type: 'd_token' }
    const liquidated = { metadata: '{"role":"liquidated"}', counterparty: 'GBOB' }
    const liquidator = { address: 'GBOB', metadata: '{"role":"liquidator"}', counterparty: 'GALICEEEEEWXYZ' }
    const rows = [
      row({ ...collateral, ...liquidated }),
      row({ ...debt, ...liquidated, direction: 'none', metadata: '{"role":"liquidated","debt_change":"-1250"}' }),
      row({ ...collateral, ...liquidator, direction: 'received' }),
      row({ ...debt, ...liquidator, direction: 'none', metadata: '{"role":"liquidator","debt_change":"1250"}' }),
    ]
    expect(said(...rows)).toBe('Liquidated GALI…WXYZ: received 1,250 XLM and took over 1,250 USDC of debt in USDC/XLM (Soroswap)')
    expect(said(...rows.slice(0, 2))).toBe('Was liquidated: lost 1,250 XLM and owes 1,250 USDC less in USDC/XLM (Soroswap)')
  })

  it('an auction is opened, cancelled, or filled', () => {
    const auction = (of: Partial<ActivityRecord>, metadata: object): ActivityRecord =>
      row({ activity_type: 'auction', metadata: JSON.stringify(metadata), ...of })
    const nothing = { asset_id: '', amount: 0n, direction: 'none' as const }
    expect(said(auction(nothing, { reason: 'created', auction_type: 'interest' }))).toBe(
      'An interest auction was opened in USDC/XLM (Soroswap)',
    )
    expect(said(auction(nothing, { reason: 'cancelled', auction_type: 'user_liquidation' }))).toBe(
      'Cancelled a liquidation auction in USDC/XLM (Soroswap)',
    )
    const filler = { auction_type: 'interest', role: 'filler' }
    expect(said(auction({ direction: 'received' }, filler), auction({ asset_symbol: 'LP', amount: 70_000_000n }, filler))).toBe(
      'Bought 1,250 USDC for 7 LP in an interest auction in USDC/XLM (Soroswap)',
    )
  })

  it('opening a vault deposits collateral and borrows coins in one action', () => {
    const fxdao = { protocol: 'fxdao', contract: 'VAULTS' }
    const opened = [
      row({ ...fxdao, activity_type: 'deposit', asset_symbol: 'XLM' }),
      row({ ...fxdao, activity_type: 'borrow', direction: 'received', asset_symbol: 'USDx', amount: 10_000_000n }),
    ]
    expect(said(...opened)).toBe('Deposited 1,250 XLM and borrowed 1 USDx on FxDAO')
    const closed = [
      row({ ...fxdao, action_id: '0', activity_type: 'repay', asset_symbol: 'EURx' }),
      row({ ...fxdao, action_id: '0', activity_type: 'withdraw', direction: 'received', asset_symbol: 'XLM' }),
    ]
    expect(said(...closed, ...opened)).toBe('Repaid 1,250 EURx, withdrew 1,250 XLM, deposited 1,250 XLM and borrowed 1 USDx on FxDAO')
  })

  it('a transferred vault takes its debt with it', () => {
    const giver = { protocol: 'fxdao', contract: 'VAULTS', activity_type: 'transfer', counterparty: 'GBOBBBBBBBBWXYZ' }
    const handed = [
      row({ ...giver, asset_symbol: 'XLM', metadata: '{"role":"giver"}' }),
      row({ ...giver, direction: 'none' as const, amount: 2_410_000_000n, metadata: '{"role":"giver","debt_change":"-241"}' }),
    ]
    expect(said(...handed)).toBe('Transferred 1,250 XLM with 241 USDC of debt to GBOB…WXYZ on FxDAO')
  })

  it('administration and an empty transaction have sentences', () => {
    const changed = { activity_type: 'admin', direction: 'none' as const, asset_id: '', contract: 'FACTORY' }
    expect(said(row(changed))).toBe('Changed settings on Soroswap')
    expect(said(row(changed), row({ ...changed, action_id: 'b' }))).toBe('Changed settings on Soroswap')
    expect(said()).toBe('No activity of an indexed protocol.')
  })
})

/** Fixed v2 and its backstop, the Comet pool, and who else is named. */
const NAMES: Readonly<Record<string, string>> = {
  FIXED: 'Fixed v2',
  COMET: 'Comet BLND:USDC pool',
  CXLM: 'XLM',
  BACKSTOP: 'Blend v2 backstop',
}
const saidOfBlend = (...rows: Partial<ActivityRecord>[]): string =>
  summarize(
    rows.map((of, n) => row({ protocol: 'blend', contract: 'FIXED', action_id: String(n), ...of })),
    { protocol, pool: (contract) => (contract === 'FIXED' ? 'Fixed v2' : ''), any: (id) => NAMES[id] ?? '' },
  )
const legOf = (activity_type: string, metadata: object, of: Partial<ActivityRecord> = {}): Partial<ActivityRecord> => ({
  activity_type,
  direction: 'none' as const,
  asset_id: '',
  amount: 0n,
  metadata: JSON.stringify(metadata),
  ...of,
})

describe('settings of a contract', () => {
  it.each([
    [{ event: 'set_status', status: 3 }, 'Set the status to on-ice'],
    [{ event: 'set_status', status: 0 }, 'Set the status to active'],
    [{ event: 'set_admin', new_admin: 'GBOBBBBBBBBWXYZ' }, 'Made GBOB…WXYZ the admin'],
    [{ event: 'propose_admin', new_admin: 'GBOBBBBBBBBWXYZ' }, 'Proposed GBOB…WXYZ as admin'],
    [{ event: 'queue_set_reserve', asset: 'CXLM' }, 'Queued new settings of the XLM reserve'],
    [{ event: 'cancel_set_reserve', asset: 'CXLM' }, 'Cancelled the queued settings of the XLM reserve'],
    [{ event: 'set_reserve', asset: 'CXLM', reserve_index: 2 }, 'Set up the XLM reserve'],
    [{ event: 'set_emissions_config' }, 'Set the distribution of emissions'],
    [
      { event: 'update_pool', backstop_take_rate: 1_250_000, max_positions: 6 },
      'Set the take rate of the backstop to 12.5 % and the maximum number of positions of an account to 6',
    ],
    // Of another protocol, with an event name that Blend uses, too; and an event name without words.
    [{ event: 'set_admin' }, 'Changed settings (set admin)'],
    [{ event: 'Factory/set_fee_to' }, 'Changed settings (set fee to)'],
    // What a contract may do to its readers.
    [{ event: 'constructor' }, 'Changed settings (constructor)'],
    [{ event: 'set_status', status: 'length' }, 'Changed settings (set status)'],
    [{ event: 'update_pool', backstop_take_rate: 'none', max_positions: 4 }, 'Changed settings (update pool)'],
  ])('%j gives the words: %s', (metadata, words) => {
    expect(saidOfBlend(legOf('admin', metadata))).toBe(`${words} in Fixed v2 (Blend)`)
  })

  it('equal settings are named once, settings of one contract together, and many are counted', () => {
    const status = legOf('admin', { event: 'set_status', status: 1 })
    const admin = legOf('admin', { event: 'set_admin', new_admin: 'GBOBBBBBBBBWXYZ' })
    const fee = legOf('admin', { event: 'set_fee' })
    expect(saidOfBlend(status, status, admin)).toBe('Set the status to active and made GBOB…WXYZ the admin in Fixed v2 (Blend)')
    expect(saidOfBlend(status, fee)).toBe('Set the status to active and changed settings (set fee) in Fixed v2 (Blend)')
    expect(saidOfBlend(status, admin, fee, legOf('admin', { event: 'ramp_a' }))).toBe('Changed 4 settings in Fixed v2 (Blend)')
  })

  it('settings of factory, emitter and backstop name the pool, the backstop, and the dropped amounts', () => {
    const emitter = { contract: 'EMITTER' }
    expect(saidOfBlend(legOf('admin', { event: 'deploy', pool: 'FIXED' }, { contract: 'FACTORY' }))).toBe(
      'Deployed the pool Fixed v2 on Blend',
    )
    expect(saidOfBlend(legOf('admin', { event: 'q_swap', new_backstop: 'BACKSTOP' }, emitter))).toBe(
      'Queued the switch of emissions to Blend v2 backstop on Blend',
    )
    const drop = {
      ...emitter,
      activity_type: 'admin',
      direction: 'received',
      asset_symbol: 'BLND',
      action_id: '0',
      metadata: '{"event":"drop"}',
    } as const
    expect(saidOfBlend({ ...drop, address: 'GALICE' }, { ...drop, address: 'GBOB' })).toBe(
      'Distributed 2,500 BLND once to 2 accounts on Blend',
    )
  })
})

describe('emissions', () => {
  const moved = (event: string, of: Partial<ActivityRecord>): Partial<ActivityRecord> =>
    legOf('emission', { event }, { asset_id: 'CBLND', asset_symbol: 'BLND', amount: 10_000_000n, address: 'BACKSTOP', ...of })

  it('emissions are distributed by the backstop and allotted by the pool; their rates are shown only alone', () => {
    const rate = legOf('emission', { event: 'reserve_emission_update', reserve_token_id: 3 }, { address: 'FIXED' })
    const backstop = moved('gulp_emissions', { counterparty: 'FIXED' })
    const pool = moved('gulp_emissions', { counterparty: 'BACKSTOP', address: 'FIXED', amount: 3_000_000n })
    expect(saidOfBlend(rate, backstop, rate, pool)).toBe('Distributed 1 BLND and allotted 0.3 BLND to its reserves in Fixed v2 (Blend)')
    expect(saidOfBlend(rate)).toBe('Set the emissions on supply of reserve 1 in Fixed v2 (Blend)')
  })

  it('emissions go to the pools of the reward zone, and tokens that a pool credits go to its backstop', () => {
    const zone = { contract: 'BACKSTOP' }
    expect(saidOfBlend(legOf('emission', { event: 'rw_zone_add', added: 'FIXED', removed: null }, zone))).toBe(
      'Added Fixed v2 to the reward zone on Blend',
    )
    expect(saidOfBlend(legOf('emission', { event: 'rw_zone_add', added: 'FIXED', removed: 'CXLM' }, zone))).toBe(
      'Added Fixed v2 to the reward zone in place of XLM on Blend',
    )
    expect(saidOfBlend(legOf('emission', { event: 'rw_zone_remove', added: null, removed: 'FIXED' }, zone))).toBe(
      'Removed Fixed v2 from the reward zone on Blend',
    )
    expect(saidOfBlend(moved('gulp', { address: 'FIXED', counterparty: 'BACKSTOP' }))).toBe(
      'Credited 1 BLND to the backstop in Fixed v2 (Blend)',
    )
  })
})

describe('the Comet pool', () => {
  it('the Comet pool is not a pool of Blend: sentences use its own name', () => {
    const comet = { contract: 'COMET' }
    const swap = [{ action_id: '0' }, { action_id: '0', direction: 'received', asset_symbol: 'BLND' }] as const
    const place = 'in the Comet BLND:USDC pool'
    expect(saidOfBlend(...swap.map((of) => ({ ...comet, ...of })))).toBe(`Swapped 1,250 USDC for 1,250 BLND ${place}`)
    expect(saidOfBlend({ ...comet, activity_type: 'deposit', ...shares })).toBe('Added 1,250 USDC of liquidity to the Comet BLND:USDC pool')
    const staked = { activity_type: 'stake', asset_symbol: 'BLND-USDC-LP', share_amount: 1n, share_type: 'backstop_share' }
    expect(saidOfBlend({ ...comet, activity_type: 'deposit', ...shares }, staked)).toBe(
      'Added 1,250 USDC of liquidity to the Comet BLND:USDC pool and staked 1,250 BLND-USDC-LP as backstop in Fixed v2 (Blend)',
    )
  })
})
