// What a Blend position would be at other prices: sliders for the assets of the position, and the figures that the API computes with these prices.

import './what-if.css'
import type { LendingBalance, LendingPoolPosition, Meta, ProtocolPositions } from '@orrery/client'
import { useEffect, useId, useState } from 'preact/hooks'
import { type ApiCall, apiCall } from '../api/api-call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { changedPrice } from '../format/changed-price.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { LEAST_PERCENT, MOST_PERCENT, type PriceChanges, readPriceChanges, writePriceChanges } from '../format/price-changes.ts'
import { useParameter } from '../use-parameter.ts'
import { Failure, Skeleton } from './block.tsx'
import { Figures } from './figures.tsx'
import { AssetLink } from './links.tsx'
import { Provenance } from './provenance.tsx'
import { ShowRequest } from './show-request.tsx'
import { HealthFactor } from './status-mark.tsx'
import { Table } from './table.tsx'
import { useSettled } from './use-settled.ts'

/** A slider is quiet for so long before its price is asked for. */
const PAUSE_MS = 250

interface WhatIfPoolsProps {
  readonly address: string
  /** Of the page. Null: the newest one. */
  readonly ledger: number | null
  readonly protocols: readonly ProtocolPositions[]
}

/** The pools of Blend in which the account supplies or owes something. */
export function WhatIfPools({ address, ledger, protocols }: WhatIfPoolsProps) {
  const blend = protocols.find(({ protocol_id }) => protocol_id === 'blend')
  const items = blend === undefined ? [] : [...blend.positions.collateral, ...blend.positions.supply, ...blend.positions.liabilities]
  const pools = (blend?.pools ?? []).filter(({ contract }) => items.some((item) => item.contract === contract))
  return (
    <>
      {pools.map(({ pool_id, name }) => (
        <WhatIf key={pool_id} address={address} ledger={ledger} poolId={pool_id} poolName={name || pool_id} />
      ))}
    </>
  )
}

interface WhatIfProps {
  readonly address: string
  readonly ledger: number | null
  readonly poolId: string
  readonly poolName: string
}

/** It is open while the address has the parameter of its pool, with the changes of prices. */
function WhatIf(props: WhatIfProps) {
  const [text, setText] = useParameter(`what_if.${props.poolId}`)
  const isOpen = text !== undefined
  return (
    <details
      class="what-if"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) setText(open ? '' : null)
      }}
    >
      <summary>What if prices change: {props.poolName}</summary>
      {isOpen && <WhatIfPosition {...props} changesOfAddress={text} onSettle={setText} />}
    </details>
  )
}

interface WhatIfPositionProps extends WhatIfProps {
  /** Changes of prices as text. */
  readonly changesOfAddress: string
  /** Receives their text when the sliders rest. */
  readonly onSettle: (text: string) => void
}

interface PricedAsset {
  readonly asset: string
  readonly symbol: string
  /** Of the index. */
  readonly price: string
}

function WhatIfPosition({ address, ledger, poolId, poolName, changesOfAddress, onSettle }: WhatIfPositionProps) {
  const asOf = ledger === null ? {} : { as_of_ledger: ledger }
  const [changes, setChanges] = useState<PriceChanges>(() => readPriceChanges(changesOfAddress))
  const settled = useSettled(changes, JSON.stringify(changes), PAUSE_MS)
  const settledText = writePriceChanges(settled)
  useEffect(() => {
    if (settledText !== changesOfAddress) onSettle(settledText)
  }, [settledText])
  const base = useAnswer(apiCall('blend', 'position', address, poolId, asOf))
  const assets = base.answer === undefined ? [] : pricedAssets(base.answer.data.pool)
  const prices = assets.flatMap(({ asset, price }) => {
    const percent = settled[asset] ?? 0
    return percent === 0 ? [] : [`${asset}:${changedPrice(price, percent)}`]
  })
  const call: ApiCall<Answer> =
    prices.length === 0
      ? apiCall('blend', 'position', address, poolId, asOf)
      : apiCall('blend', 'position', address, poolId, { ...asOf, prices: prices.join(',') })
  const changed = useAnswer(base.answer === undefined ? null : call, { keepPrevious: true })
  const failed = [base, changed].find(({ error }) => error !== null)
  if (failed?.error) return <Failure error={failed.error} retry={failed.retry} />
  if (base.answer === undefined || changed.answer === undefined) return <Skeleton lines={6} />
  if (assets.length === 0) return <p class="empty">No asset of this position has a price.</p>
  const isChanged = Object.values(changes).some((percent) => percent !== 0)
  return (
    <>
      <fieldset>
        <legend>Prices</legend>
        {assets.map((asset) => (
          <PriceSlider
            key={asset.asset}
            {...asset}
            percent={changes[asset.asset] ?? 0}
            onChange={(percent) => setChanges((now) => ({ ...now, [asset.asset]: percent }))}
          />
        ))}
        <button type="button" disabled={!isChanged} onClick={() => setChanges({})}>
          Reset prices
        </button>
      </fieldset>
      <div class={changed.isPrevious ? 'previous' : undefined} aria-live="polite" aria-busy={changed.isLoading}>
        <Outcome before={base.answer.data.pool} after={changed.answer.data.pool} />
      </div>
      <Provenance meta={changed.answer.meta} asOf={ledger} />
      <ShowRequest call={call} about={`the what-if of ${poolName}`} />
    </>
  )
}

interface Answer {
  readonly data: { readonly pool: LendingPoolPosition }
  readonly meta: Meta
}

/** Each asset once, whether it is supplied, owed or both. One whose price is unknown, or too small for the eight digits of the API, has no slider. */
function pricedAssets({ supply, borrow }: LendingPoolPosition): PricedAsset[] {
  const priced = [...supply, ...borrow].flatMap(({ asset_address: asset, symbol, metadata: { price_usd: price } }) =>
    price === null || Number(price) === 0 ? [] : [[asset, { asset, symbol, price }] as const],
  )
  return [...new Map(priced).values()]
}

interface PriceSliderProps extends PricedAsset {
  readonly percent: number
  readonly onChange: (percent: number) => void
}

function PriceSlider({ asset, symbol, price, percent, onChange }: PriceSliderProps) {
  // Several pools of a page may have the same asset.
  const id = useId()
  const text = `${numbers.price(changedPrice(price, percent))}, ${percent > 0 ? '+' : ''}${numbers.percent(percent / 100)}`
  return (
    <div class="price-slider">
      <label for={id}>Price of {symbol || asset}</label>
      <input
        id={id}
        type="range"
        min={LEAST_PERCENT}
        max={MOST_PERCENT}
        step={1}
        value={percent}
        aria-valuetext={text}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output for={id}>{text}</output>
    </div>
  )
}

function Outcome({ before, after }: { readonly before: LendingPoolPosition; readonly after: LendingPoolPosition }) {
  return (
    <>
      <Figures
        figures={[
          {
            name: 'Health factor',
            value: <HealthFactor value={after.health_factor} none={after.borrow.length > 0 ? NO_VALUE : 'no debt'} />,
            note: `${numbers.ratio(before.health_factor)} at the prices of the index`,
          },
          {
            name: 'Used borrowing capacity',
            value: numbers.percentOf(after.borrow_limit_pct),
            note: `${numbers.percentOf(before.borrow_limit_pct)} at the prices of the index`,
          },
          {
            name: 'Net value',
            value: <span title={after.net_usd}>{numbers.usd(after.net_usd)}</span>,
            note: `${numbers.usd(before.net_usd)} at the prices of the index`,
          },
        ]}
      />
      <Table
        label="Balances at these prices"
        rows={[...after.supply, ...after.borrow]}
        keyOf={({ asset_address, metadata: { side } }) => `${side} ${asset_address}`}
        columns={[
          { title: 'Asset', cell: ({ asset_address, symbol }) => <AssetLink assetId={asset_address} symbol={symbol} /> },
          { title: 'Position', cell: (balance) => (balance.metadata.side === 'supply' ? 'Supply' : 'Debt') },
          { title: 'Value', cell: ({ usd_value }) => <span title={usd_value ?? ''}>{numbers.usd(usd_value)}</span>, isNumber: true },
          { title: 'Price', cell: ({ metadata }) => numbers.price(metadata.price_usd), isNumber: true },
          { title: 'Liquidation price', cell: (balance) => <LiquidationPrice balance={balance} />, isNumber: true },
        ]}
      />
    </>
  )
}

function LiquidationPrice({ balance }: { readonly balance: LendingBalance }) {
  const { liquidation_price: price } = balance.metadata
  return price === null ? <>none</> : <span title={price}>{numbers.price(price)}</span>
}
