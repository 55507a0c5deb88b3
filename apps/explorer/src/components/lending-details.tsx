// Reserves and backstop of a lending pool, as the pool itself has them.

import type { LendingPoolMetadata, PoolReserve } from '@orrery/client'
import { numbers } from '../format/number.ts'
import { Amount } from './amount.tsx'
import { Figures } from './figures.tsx'
import { AddressLink, AssetLink, ContractId } from './links.tsx'
import { Table } from './table.tsx'

interface LendingReservesProps {
  readonly pool: { readonly reserves: readonly PoolReserve[]; readonly metadata: LendingPoolMetadata }
}

/** Prices are in the block of reserves: those of the pool’s own oracle, with which its values are computed. */
export function LendingReserves({ pool }: LendingReservesProps) {
  const configs = new Map(pool.metadata.reserves.map((config) => [config.asset_id, config]))
  return (
    <Table
      label="Reserves"
      rows={pool.reserves}
      keyOf={({ asset_id }) => asset_id}
      columns={[
        { title: 'Asset', cell: ({ asset_id, symbol }) => <AssetLink assetId={asset_id} symbol={symbol} /> },
        {
          title: 'Supplied',
          cell: ({ supplied, supplied_usd }) => <AmountWithValue amount={supplied} usd={supplied_usd} />,
          isNumber: true,
        },
        {
          title: 'Borrowed',
          cell: ({ borrowed, borrowed_usd }) => <AmountWithValue amount={borrowed} usd={borrowed_usd} />,
          isNumber: true,
        },
        { title: 'Utilization', cell: ({ utilization }) => numbers.percent(utilization), isNumber: true },
        {
          title: 'Supply APY',
          cell: ({ supply_apy, supply_emission_apy }) => <Yield apy={supply_apy} emissions={supply_emission_apy} />,
          isNumber: true,
        },
        {
          title: 'Borrow APY',
          cell: ({ borrow_apy, borrow_emission_apy }) => <Yield apy={borrow_apy} emissions={borrow_emission_apy} isDebt />,
          isNumber: true,
        },
        { title: 'Collateral factor', cell: ({ asset_id }) => numbers.percent(configs.get(asset_id)?.c_factor), isNumber: true },
        { title: 'Liability factor', cell: ({ asset_id }) => numbers.percent(configs.get(asset_id)?.l_factor), isNumber: true },
      ]}
    />
  )
}

function AmountWithValue({ amount, usd }: { readonly amount: string; readonly usd: string | null }) {
  return (
    <>
      <Amount of={amount} />
      <span class="note" title={usd ?? ''}>
        {numbers.usdShort(usd)}
      </span>
    </>
  )
}

interface YieldProps {
  readonly apy: string | null
  readonly emissions: string | null
  readonly isDebt?: boolean
}

/** Emissions of a debt are income of the borrower: a plus would add them to what the debt costs. */
function Yield({ apy, emissions, isDebt = false }: YieldProps) {
  return (
    <>
      {numbers.percent(apy)}
      {Number(emissions) > 0 && (
        <span class="note">
          {isDebt ? 'earns' : '+'} {numbers.percent(emissions)} BLND
        </span>
      )}
    </>
  )
}

export function LendingDetails({ metadata }: { readonly metadata: LendingPoolMetadata }) {
  const { backstop, oracle_contract, oracle_readable, backstop_take_rate, max_positions, version, admin } = metadata
  return (
    <>
      <h3>Backstop and oracle</h3>
      <Figures
        figures={[
          { name: 'Backstop', value: numbers.usd(backstop.usd_value), note: `${numbers.amount(backstop.lp_tokens)} LP tokens` },
          { name: 'Queued for withdrawal', value: numbers.percentOf(backstop.q4w_pct), note: 'of the shares of the backstop' },
          { name: 'Backstop takes', value: numbers.percent(backstop_take_rate), note: 'of the interest' },
          {
            name: 'Backstop yield',
            value: numbers.percent(backstop.metadata.apr),
            note: backstop.metadata.in_reward_zone ? `+ ${numbers.percent(backstop.metadata.emission_apy)} BLND` : 'not in the reward zone',
          },
          {
            name: 'Oracle',
            value: <ContractId address={oracle_contract} />,
            note: oracle_readable ? undefined : 'cannot be read; prices of other sources',
          },
          { name: 'Version', value: version, note: `at most ${numbers.whole(max_positions)} assets in a position` },
          { name: 'Administrator', value: <AddressLink address={admin} /> },
        ]}
      />
    </>
  )
}
