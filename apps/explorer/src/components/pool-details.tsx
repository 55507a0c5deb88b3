// The figures of a pool, its tokens, and what only its type has.

import type { Enrichment, GetPoolResponse } from '@orrery/client'
import { contractNames } from '../api/contract-names.ts'
import { labelOf } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { times } from '../format/time.ts'
import { protocolPath } from '../paths.ts'
import { isUnpriced } from '../pools/unpriced.ts'
import { Amount } from './amount.tsx'
import { type Figure, Figures } from './figures.tsx'
import { LendingDetails, LendingReserves } from './lending-details.tsx'
import { AddressLink, AssetLink, ContractId, LedgerLink, PriceSourceLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'
import { Table } from './table.tsx'

type Pool = GetPoolResponse['data']

interface PoolDetailsProps {
  readonly pool: Pool
  readonly enrichment: Enrichment
}

export function PoolDetails({ pool, enrichment }: PoolDetailsProps) {
  return (
    <>
      <Figures figures={figuresOf(pool)} />
      {pool.type === 'lending' ? <LendingReserves pool={pool} /> : <Reserves pool={pool} enrichment={enrichment} />}
      <TypeDetails pool={pool} enrichment={enrichment} />
    </>
  )
}

function figuresOf(pool: Pool): Figure[] {
  const isAmm = pool.volume_24h_usd !== null
  return [
    isUnpriced(pool.reserves)
      ? {
          name: 'TVL',
          value: NO_VALUE,
          note: (
            <>
              no token has a price <StatusMark status={pool.status} />
            </>
          ),
        }
      : { name: 'TVL', value: <span title={pool.tvl_usd}>{numbers.usd(pool.tvl_usd)}</span>, note: <StatusMark status={pool.status} /> },
    ...(isAmm
      ? [
          { name: 'Volume 24 h', value: numbers.usd(pool.volume_24h_usd), note: `${numbers.usdShort(pool.volume_7d_usd)} in 7 days` },
          { name: 'Fee APY', value: numbers.percent(pool.fee_apy), note: 'fees of the last 7 days' },
          { name: 'Reward APY', value: numbers.percent(pool.reward_apy), note: 'without a boost' },
        ]
      : []),
    { name: 'Protocol', value: <a href={protocolPath(pool.protocol)}>{protocolName(pool.protocol)}</a>, note: labelOf(pool.type) },
    {
      name: 'Contract',
      value: <AddressLink address={pool.contract} />,
      note:
        pool.created_ledger === null ? (
          'ledger of its creation unknown'
        ) : (
          <>
            created in ledger <LedgerLink ledger={pool.created_ledger} />
          </>
        ),
    },
  ]
}

function Reserves({ pool, enrichment }: PoolDetailsProps) {
  const totalUsd = pool.reserves.reduce((sum, { supplied_usd }) => sum + Number(supplied_usd ?? 0), 0)
  return (
    <Table
      label="Reserves"
      rows={pool.reserves}
      keyOf={({ asset_id }) => asset_id}
      columns={[
        { title: 'Asset', cell: ({ asset_id, symbol }) => <AssetLink assetId={asset_id} symbol={symbol} /> },
        { title: 'Amount', cell: ({ supplied }) => <Amount of={supplied} />, isNumber: true },
        {
          title: 'Value',
          cell: ({ asset_id, supplied_usd }) => (
            <>
              <span title={supplied_usd ?? ''}>{numbers.usd(supplied_usd)}</span>
              {pool.type === 'vault' && asset_id === pool.metadata.collateral_asset && <span class="note">at the vault rate</span>}
            </>
          ),
          isNumber: true,
        },
        {
          title: 'Part',
          // Two digits of the percentage are shown: a number has enough.
          cell: ({ supplied_usd }) => numbers.percent(supplied_usd === null || totalUsd === 0 ? null : Number(supplied_usd) / totalUsd),
          isNumber: true,
        },
        ...(pool.type === 'vault'
          ? [{ title: 'Owed', cell: ({ borrowed }: Pool['reserves'][number]) => <Amount of={borrowed} />, isNumber: true }]
          : []),
        {
          // The value of collateral is computed with the rate of the vaults, which stands below.
          title: pool.type === 'vault' ? 'Network price' : 'Price',
          cell: ({ asset_id }) => {
            const asset = enrichment.assets[asset_id]
            return (
              <>
                {numbers.price(asset?.price_usd)}{' '}
                <PriceSourceLink source={asset?.price_source ?? null} nameOf={contractNames(enrichment)} here={pool.contract} />
              </>
            )
          },
        },
      ]}
    />
  )
}

function TypeDetails({ pool, enrichment }: PoolDetailsProps) {
  const symbolOf = (asset: string): string | undefined => enrichment.assets[asset]?.symbol
  switch (pool.type) {
    case 'lending':
      return <LendingDetails metadata={pool.metadata} />
    case 'constant_product':
    case 'stable':
    case 'concentrated':
    case 'unknown':
      return <AmmDetails contract={pool.contract} metadata={pool.metadata} shareSymbol={symbolOf(pool.metadata.share_asset)} />
    case 'vault':
      return (
        <Figures
          figures={[
            { name: 'Open vaults', value: numbers.whole(pool.metadata.vaults) },
            { name: 'Least ratio', value: numbers.percentOf(pool.metadata.minimum_ratio_pct), note: 'liquidation below it' },
            {
              name: 'Opening ratio',
              value: numbers.percentOf(pool.metadata.opening_ratio_pct),
              note: `least debt ${numbers.amount(pool.metadata.minimum_debt)} ${symbolOf(pool.metadata.stable_asset) ?? ''}`,
            },
            {
              name: 'Vault rate',
              value: <span title={pool.metadata.rate ?? ''}>{numbers.rate(pool.metadata.rate)}</span>,
              note: `${pool.metadata.currency} for one ${symbolOf(pool.metadata.collateral_asset) || 'unit of collateral'}`,
            },
            {
              name: 'Fee',
              value: numbers.percentOf(pool.metadata.fee_pct),
              note: 'of collateral paid in, and of all of it at full repayment',
            },
            { name: 'Price feed', value: <ContractId address={pool.metadata.oracle_contract} /> },
          ]}
        />
      )
    case 'staking':
      return (
        <Table
          label="Stakes"
          rows={pool.metadata.stakes}
          keyOf={({ asset_id }) => asset_id}
          columns={[
            { title: 'Staked token', cell: ({ asset_id }) => <AssetLink assetId={asset_id} symbol={symbolOf(asset_id)} /> },
            { title: 'New stakes', cell: ({ active }) => (active ? 'accepted' : 'refused') },
            { title: 'Locked for', cell: ({ lock_seconds }) => times.span(lock_seconds), isNumber: true },
          ]}
        />
      )
    default:
      return null
  }
}

type AmmPool = Extract<Pool, { readonly type: 'constant_product' }>

interface AmmDetailsProps {
  /** Of the pool. */
  readonly contract: string
  readonly metadata: AmmPool['metadata']
  /** Symbol of the token of its shares; undefined if it is unknown. */
  readonly shareSymbol: string | undefined
}

function AmmDetails({ contract, metadata, shareSymbol }: AmmDetailsProps) {
  const { fee, share_supply, share_asset, amplification, concentrated, emissions } = metadata
  return (
    <>
      <Figures
        figures={[
          { name: 'Fee of a swap', value: numbers.percent(fee), note: 'of its input' },
          {
            name: concentrated === null ? 'Shares' : 'Liquidity',
            value: <Amount of={share_supply} />,
            note:
              share_asset === contract ? undefined : (
                <>
                  token <AssetLink assetId={share_asset} symbol={shareSymbol} />
                </>
              ),
          },
          ...(amplification === null ? [] : [{ name: 'Amplification', value: numbers.amount(amplification) }]),
          ...(concentrated === null
            ? []
            : [
                {
                  name: 'Tick',
                  value: numbers.whole(concentrated.tick),
                  note: `spacing ${numbers.whole(concentrated.tick_spacing)} · ${numbers.count(concentrated.ticks.length, 'known tick')}`,
                },
              ]),
        ]}
      />
      {emissions.length > 0 && (
        <>
          <h3>Rewards of holders</h3>
          <Table
            label="Rewards of holders"
            rows={emissions}
            keyOf={({ asset_id, ends_at }) => `${asset_id} ${ends_at}`}
            columns={[
              { title: 'Asset', cell: ({ asset_id, symbol }) => <AssetLink assetId={asset_id} symbol={symbol} /> },
              { title: 'Tokens per second', cell: ({ tokens_per_second }) => numbers.amount(tokens_per_second), isNumber: true },
              { title: 'APY', cell: ({ apy }) => numbers.percent(apy), isNumber: true },
              { title: 'Until', cell: ({ ends_at }) => <Moment at={ends_at} /> },
            ]}
          />
        </>
      )}
    </>
  )
}
