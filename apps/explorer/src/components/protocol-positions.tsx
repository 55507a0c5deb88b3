// The positions of an account in one protocol, by pool.

import type { Enrichment, PoolPositionSum, PositionItem, ProtocolPositions, Reward } from '@orrery/client'
import { Fragment } from 'preact'
import { contractNames, type NameOf } from '../api/contract-names.ts'
import { labelOf } from '../format/address.ts'
import { numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { protocolPath } from '../paths.ts'
import { Amount } from './amount.tsx'
import { AddressLink, AssetLink, PoolLink, PriceSourceLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { PositionHealth } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

type Kind = keyof ProtocolPositions['positions']

interface Row {
  /** Of the first position in the pool; null for the others. */
  readonly pool: PoolPositionSum | null
  readonly kind: Kind
  readonly item: PositionItem
  readonly symbol: string | undefined
}

const KINDS: Readonly<Record<Kind, string>> = {
  collateral: 'Collateral',
  supply: 'Supply',
  lp: 'Liquidity',
  backstop: 'Backstop',
  liabilities: 'Debt',
}

interface ProtocolPositionsProps {
  readonly positions: ProtocolPositions
  readonly enrichment: Enrichment
}

export function ProtocolPositionsView({ positions, enrichment }: ProtocolPositionsProps) {
  const { protocol_id: id, deposited_usd, borrowed_usd, claimable_usd, net_apy_with_rewards, rewards } = positions
  const name = protocolName(id)
  const rows = rowsOf(positions, enrichment)
  const nameOf = contractNames(enrichment)
  return (
    <section class="protocol-positions" aria-label={`Positions in ${name}`}>
      <h3>
        <a href={protocolPath(id)}>{name}</a>
      </h3>
      <p class="note">
        {numbers.usd(deposited_usd)} deposited · {numbers.usd(borrowed_usd)} owed · {numbers.usd(claimable_usd)} to claim ·{' '}
        {numbers.percent(net_apy_with_rewards)} a year with rewards
      </p>
      {rows.length > 0 && <Table label={`Positions in ${name} by pool`} columns={columnsOf(nameOf)} rows={rows} keyOf={keyOf} />}
      {rewards.length > 0 && <Rewards rewards={rewards} protocol={name} nameOf={nameOf} />}
    </section>
  )
}

function Pool({ pool }: { readonly pool: PoolPositionSum }) {
  return (
    <>
      <PoolLink poolId={pool.pool_id} name={pool.name} />
      <span class="note">
        {numbers.usd(pool.net_usd)}
        {'\u00a0'}net
      </span>
      {Number(pool.borrowed_usd) > 0 && (
        <span class="note">
          health{'\u00a0'}factor{'\u00a0'}
          <PositionHealth position={pool} />
        </span>
      )}
    </>
  )
}

const columnsOf = (nameOf: NameOf): readonly Column<Row>[] => [
  { title: 'Pool', cell: ({ pool }) => pool !== null && <Pool pool={pool} /> },
  { title: 'Position', cell: ({ kind }) => KINDS[kind], isPlain: true },
  { title: 'Asset', cell: ({ item, symbol }) => <Asset item={item} symbol={symbol} />, isPlain: true },
  { title: 'Amount', cell: ({ item }) => <Amount of={item.asset_amount} />, isNumber: true },
  {
    title: 'Value',
    cell: ({ item }) => (
      <>
        <span title={item.usd_value ?? ''}>{numbers.usd(item.usd_value)}</span>
        <Prices item={item} nameOf={nameOf} />
        {/* In place of its column, which a phone has no width for. */}
        {item.liquidation_price !== null && <span class="note narrow">liquidation at {numbers.price(item.liquidation_price)}</span>}
      </>
    ),
    isNumber: true,
  },
  { title: 'Gain', cell: ({ kind, item }) => <Gain kind={kind} item={item} />, isNumber: true },
  { title: 'APY', cell: ({ kind, item }) => <Yield kind={kind} item={item} />, isNumber: true },
  {
    title: 'Liquidation price',
    cell: ({ item }) => (item.liquidation_price === null ? 'none' : numbers.price(item.liquidation_price)),
    isNumber: true,
    isWide: true,
  },
]

function keyOf({ kind, item }: Row): string {
  return `${kind} ${item.contract} ${item.asset_id} ${item.share_type} ${item.metadata.kind === 'vault' ? item.metadata.currency : ''}`
}

/** Liquidity is shown as the tokens that it would pay out. */
function Asset({ item, symbol }: { readonly item: PositionItem; readonly symbol: string | undefined }) {
  const { metadata } = item
  if (metadata.kind !== 'liquidity') return <AssetLink assetId={item.asset_id} symbol={symbol} />
  return (
    <>
      {metadata.tokens.map(({ asset_address, symbol: token, units }) => (
        <span key={asset_address} class="token">
          <Amount of={units} /> <AssetLink assetId={asset_address} symbol={token} />
        </span>
      ))}
    </>
  )
}

/** A deposit and a withdrawal each round a balance by less than one of its smallest units. */
const ROUNDING = 1e-6

/** The value minus its average cost, and below it what interest earned or what holding the tokens would have been worth. */
function Gain({ kind, item }: { readonly kind: Kind; readonly item: PositionItem }) {
  const { cost_basis: cost } = item.metadata
  // Beyond rounding, a supplied balance only shrinks where suppliers share a loss. Of a debt, interest is what it cost.
  const isLoss = kind !== 'liabilities' && Number(cost?.interest_earned) < -ROUNDING * Number(item.asset_amount)
  const hold = item.metadata.kind === 'liquidity' ? item.metadata.vs_hold : null
  return (
    <>
      <span title={cost?.unrealized_usd ?? ''}>{numbers.signedUsd(cost?.unrealized_usd)}</span>
      {cost?.confidence === 'inferred' && <span class="note">cost estimated</span>}
      {cost !== null && item.metadata.kind === 'lending' && (
        <span class="note">
          {numbers.signedUsd(cost.interest_earned_usd)} {isLoss ? 'interest and losses' : 'interest'}
        </span>
      )}
      {hold !== null && hold.difference_usd !== null && <span class="note">{numbers.signedUsd(hold.difference_usd)} against holding</span>}
    </>
  )
}

/** Emissions of a debt are income of the borrower: a plus would add them to what the debt costs. */
function Yield({ kind, item: { apy, emission_apy } }: { readonly kind: Kind; readonly item: PositionItem }) {
  return (
    <>
      {numbers.percent(apy)}
      {Number(emission_apy) > 0 && (
        <span class="note">
          {kind === 'liabilities' ? 'earns' : '+'} {numbers.percent(emission_apy)} emissions
        </span>
      )}
    </>
  )
}

/** The prices of the value; of liquidity one for each token. */
function Prices({ item: { metadata }, nameOf }: { readonly item: PositionItem; readonly nameOf: NameOf }) {
  const prices =
    metadata.kind === 'liquidity'
      ? metadata.tokens.map(({ asset_address, price_usd, price_source }) => ({
          asset: asset_address,
          price: price_usd,
          source: price_source,
        }))
      : [{ asset: '', price: metadata.price_usd, source: metadata.price_source }]
  return (
    <>
      {prices.map(({ asset, price, source }) => (
        <Fragment key={asset}>
          <span class="note prices">{price === null ? 'no price' : `at ${numbers.price(price)}`}</span>
          {price !== null && (
            <span class="note">
              <PriceSourceLink source={source} nameOf={nameOf} />
            </span>
          )}
        </Fragment>
      ))}
    </>
  )
}

interface RewardsProps {
  readonly rewards: readonly Reward[]
  /** Name of the protocol. */
  readonly protocol: string
  readonly nameOf: NameOf
}

function Rewards({ rewards, protocol, nameOf }: RewardsProps) {
  return (
    <>
      <h4>Rewards to claim</h4>
      <Table
        label={`Rewards to claim in ${protocol}`}
        rows={rewards}
        keyOf={(reward) => `${reward.asset_id} ${reward.source} ${reward.contract} ${reward.unlocks_at}`}
        columns={[
          { title: 'Paid by', cell: ({ contract }) => <AddressLink address={contract} name={nameOf(contract)} /> },
          { title: 'Asset', cell: ({ asset_id, symbol }) => <AssetLink assetId={asset_id} symbol={symbol} /> },
          { title: 'Amount', cell: ({ amount }) => <Amount of={amount} />, isNumber: true },
          { title: 'Value', cell: ({ usd_value }) => numbers.usd(usd_value), isNumber: true },
          { title: 'For', cell: ({ source, exact }) => `${labelOf(source)}${exact ? '' : ' (estimate)'}` },
          {
            title: 'When',
            cell: ({ unlocks_at, blocked }) =>
              blocked !== null ? labelOf(blocked) : unlocks_at === null ? 'any time' : <Moment at={unlocks_at} />,
          },
        ]}
      />
    </>
  )
}

/** Pool by pool. A pool that the account has left, and that owes only a reward, has no row. */
function rowsOf({ positions, pools }: ProtocolPositions, enrichment: Enrichment): Row[] {
  const items = (Object.keys(KINDS) as Kind[]).flatMap((kind) => positions[kind].map((item) => ({ kind, item })))
  return pools.flatMap((pool) =>
    items
      .filter(({ item }) => isOfPool(item, pool))
      .map(({ kind, item }, n) => ({ pool: n === 0 ? pool : null, kind, item, symbol: enrichment.assets[item.asset_id]?.symbol })),
  )
}

/** Vaults of all currencies have one contract; their pools differ by currency. */
function isOfPool({ contract, metadata }: PositionItem, pool: PoolPositionSum): boolean {
  if (contract !== pool.contract) return false
  return metadata.kind !== 'vault' || pool.pool_id.endsWith(`:${metadata.currency}`)
}
