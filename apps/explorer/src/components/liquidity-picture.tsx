// Liquidity of a concentrated pool by price, with the present price, and its ticks as a table.

import type { AmmPoolMetadata, PoolItem } from '@orrery/client'
import { numbers } from '../format/number.ts'
import { liquiditySteps, priceAt, windowOf } from '../pools/liquidity.ts'
import { Table } from './table.tsx'

interface LiquidityPictureProps {
  readonly tokens: PoolItem['tokens']
  readonly state: NonNullable<AmmPoolMetadata['concentrated']>
}

const HEIGHT_PX = 180

export function LiquidityPicture({ tokens, state }: LiquidityPictureProps) {
  const { tick, ticks, liquidity, tick_spacing } = state
  const [first, second] = tokens
  const decimals = [first?.decimals ?? 0, second?.decimals ?? 0] as const
  const unit = `${second?.symbol || 'token 1'} for one ${first?.symbol || 'token 0'}`
  const priceOf = (at: number): string => short(priceAt(at, ...decimals))
  const window = windowOf(ticks, tick)
  const steps = liquiditySteps(ticks, tick, liquidity).filter(({ from, to }) => to > window.from && from < window.to)
  const highest = steps.reduce((most, step) => (step.liquidity > most ? step.liquidity : most), BigInt(liquidity) || 1n)
  const xOf = (at: number): number => ((Math.min(window.to, Math.max(window.from, at)) - window.from) / (window.to - window.from)) * 100
  // Percent with two fractional digits, which is finer than a pixel.
  const shareOf = (level: bigint): number => Number((level * 10_000n) / highest) / 100
  const price = `${xOf(tick)}%`
  const label = `Liquidity by price, between ${priceOf(window.from)} and ${priceOf(window.to)} ${unit}; the price is ${priceOf(tick)}, where ${numbers.percent(shareOf(BigInt(liquidity)) / 100)} of the highest liquidity is in range`
  return (
    <>
      <figure class="plot">
        <figcaption>
          Price: <strong>{priceOf(tick)}</strong> <span class="dim">{unit}</span>
        </figcaption>
        <svg class="plot-frame" width="100%" height={HEIGHT_PX} role="img" aria-label={label}>
          {/* The highest bar ends below the text at the top. */}
          {steps.map(({ from, to, liquidity: level }) => (
            <rect
              key={from}
              class={from <= tick && tick < to ? 'plot-bar now' : 'plot-bar'}
              x={`${xOf(from)}%`}
              width={`${xOf(to) - xOf(from)}%`}
              y={`${100 - shareOf(level) * 0.88}%`}
              height={`${shareOf(level) * 0.88}%`}
            />
          ))}
          <line class="plot-guide" x1={price} x2={price} y1="0" y2="100%" />
          <text class="plot-text" x={price} y="14" dx="6">
            price now
          </text>
        </svg>
        <p class="plot-ends" aria-hidden="true">
          <span>{priceOf(window.from)}</span>
          <span>{unit}</span>
          <span>{priceOf(window.to)}</span>
        </p>
      </figure>
      <p class="note">
        Only ends of ranges that changed since the index began are known; older ranges are part of the liquidity at the price, and are drawn
        as if they had no end. Prices of ranges are multiples of {numbers.whole(tick_spacing)} ticks.
      </p>
      <details>
        <summary>Ticks as a table</summary>
        <Table
          label="Ticks"
          rows={ticks}
          keyOf={(one) => String(one.tick)}
          columns={[
            { title: 'Tick', cell: (one) => numbers.whole(one.tick), isNumber: true },
            { title: 'Price', cell: (one) => priceOf(one.tick), isNumber: true },
            { title: 'Liquidity of ranges that end here', cell: (one) => numbers.whole(one.liquidity_gross), isNumber: true },
            { title: 'Change when the price rises', cell: (one) => numbers.whole(one.liquidity_net), isNumber: true },
          ]}
        />
      </details>
    </>
  )
}

/** Prices at the ends of the scale have up to thirty digits. */
function short(price: number): string {
  return price < 1e-6 || price >= 1e9 ? price.toExponential(2) : numbers.amount(String(Number(price.toPrecision(5))))
}
