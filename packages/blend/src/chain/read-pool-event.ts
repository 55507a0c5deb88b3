// Readers of a pool's events, a table for each version: an event that is not in the table is unknown to that version.
// Source: blend-contracts-v2 pool/src/events.rs; blend-contracts (v1) pool/src/{contract,pool/*,auctions/*,emissions/manager}.rs.

import { type Address, address, any, type ContractId, i128, type Of, tuple, u32, u64, vec } from '@orrery/ledger'
import { AuctionShape, auctionFrom, isAuctionType } from './auction-shape.ts'
import { type EventBytes, on, readByTopic, type TopicReader } from './event-reader.ts'
import type { AuctionCreated, AuctionDeleted, AuctionFilled, PoolAdminEvent, PoolEvent, PositionEvent } from './pool-events.ts'
import type { BlendVersion } from './values.ts'

/** An event of a pool of that version. */
export function readPoolEvent(record: EventBytes, version: BlendVersion): PoolEvent {
  return readByTopic(version === 'v1' ? V1 : V2, record)
}

type Line = readonly [string, TopicReader<PoolEvent>]

const position = (name: PositionEvent['name']): Line =>
  on(name, [address, address], tuple(i128, i128), ([asset, from], [amount, shares]) => ({ name, asset, from, amount, shares }))

const admin = (
  name: PoolAdminEvent['name'],
  by: Address | null,
  settings: PoolAdminEvent['settings'],
  asset: ContractId | '' = '',
): PoolAdminEvent => ({ name, admin: by, asset, settings })

// By its admin or, without a second topic, by any account through `update_status`.
const statusByAdmin = on('set_status', [address], u32, ([by], status) => admin('set_status', by, { status }))[1]
const statusByAnyone = on('set_status', [], u32, (_, status) => admin('set_status', null, { status }))[1]

const BOTH: readonly Line[] = [
  position('supply'),
  position('withdraw'),
  position('supply_collateral'),
  position('withdraw_collateral'),
  position('borrow'),
  position('repay'),
  on('claim', [address], tuple(vec(u32), i128), ([from], [reserveTokenIds, blnd]) => ({ name: 'claim', from, reserveTokenIds, blnd })),
  on('set_admin', [address], address, ([by], now) => admin('set_admin', by, { new_admin: now })),
  // The configuration has other members in each version; readers see it in the entry, once it is active.
  on('queue_set_reserve', [address], tuple(address, any), ([by], [asset]) => admin('queue_set_reserve', by, { asset }, asset)),
  on('cancel_set_reserve', [address], address, ([by], asset) => admin('cancel_set_reserve', by, { asset }, asset)),
  on('set_reserve', [], tuple(address, u32), (_, [asset, index]) => admin('set_reserve', null, { asset, reserve_index: index }, asset)),
  ['set_status', (record) => statusByAdmin(record) ?? statusByAnyone(record)],
  on('reserve_emission_update', [], tuple(u32, u64, u64), (_, [reserveTokenId, eps, expirationSeconds]) => ({
    name: 'reserve_emission_update',
    reserveTokenId,
    eps,
    expirationSeconds,
  })),
]

type AuctionValues = Of<typeof AuctionShape>

/** These give null for a type that no contract has. */
function created(
  name: AuctionCreated['name'],
  type: number,
  user: Address | null,
  percent: number | null,
  values: AuctionValues,
): AuctionCreated | null {
  return isAuctionType(type) ? { name, auctionType: type, user, percent, auction: auctionFrom(values) } : null
}

function filled(type: number, user: Address, filler: Address, percent: bigint, values: AuctionValues | null): AuctionFilled | null {
  if (!isAuctionType(type)) return null
  return { name: 'fill_auction', auctionType: type, user, filler, percent, filled: values === null ? null : auctionFrom(values) }
}

function deleted(name: AuctionDeleted['name'], type: number, user: Address): AuctionDeleted | null {
  return isAuctionType(type) ? { name, auctionType: type, user } : null
}

const V1: ReadonlyMap<string, TopicReader<PoolEvent>> = new Map<string, TopicReader<PoolEvent>>([
  ...BOTH,
  on('update_pool', [address], tuple(u32, u32), ([by], [rate, positions]) =>
    admin('update_pool', by, { backstop_take_rate: rate, max_positions: positions }),
  ),
  on('update_emissions', [], i128, (_, amount) => ({ name: 'update_emissions', asset: null, amount })),
  on('new_liquidation_auction', [address], AuctionShape, ([user], data) => created('new_liquidation_auction', 0, user, null, data)),
  on('new_auction', [u32], AuctionShape, ([type], data) => created('new_auction', type, null, null, data)),
  on('fill_auction', [address, u32], tuple(address, i128), ([user, type], [filler, percent]) => filled(type, user, filler, percent, null)),
  on('delete_liquidation_auction', [address], any, ([user]) => deleted('delete_liquidation_auction', 0, user)),
  on('bad_debt', [address], tuple(address, i128), ([user], [asset, dTokens]) => ({ name: 'bad_debt', user, asset, dTokens })),
])

const V2: ReadonlyMap<string, TopicReader<PoolEvent>> = new Map<string, TopicReader<PoolEvent>>([
  ...BOTH,
  on('update_pool', [address], tuple(u32, u32, i128), ([by], [rate, positions, minCollateral]) =>
    admin('update_pool', by, { backstop_take_rate: rate, max_positions: positions, min_collateral: minCollateral.toString() }),
  ),
  on('gulp_emissions', [], i128, (_, amount) => ({ name: 'gulp_emissions', asset: null, amount })),
  on('gulp', [address], i128, ([asset], amount) => ({ name: 'gulp', asset, amount })),
  on('flash_loan', [address, address, address], tuple(i128, i128), ([asset, from, receiver], [amount, shares]) => ({
    name: 'flash_loan',
    asset,
    from,
    receiver,
    amount,
    shares,
  })),
  on('new_auction', [u32, address], tuple(u32, AuctionShape), ([type, user], [percent, data]) =>
    created('new_auction', type, user, percent, data),
  ),
  on('fill_auction', [u32, address], tuple(address, i128, AuctionShape), ([type, user], [filler, percent, data]) =>
    filled(type, user, filler, percent, data),
  ),
  on('delete_auction', [u32, address], any, ([type, user]) => deleted('delete_auction', type, user)),
  on('bad_debt', [address, address], i128, ([user, asset], dTokens) => ({ name: 'bad_debt', user, asset, dTokens })),
  on('defaulted_debt', [address], i128, ([asset], dTokens) => ({ name: 'defaulted_debt', asset, dTokens })),
])
