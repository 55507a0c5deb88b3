// Interest of debts by utilization: a curve for each reserve of a lending pool, with the present utilization, and the same as a table.

import type { LendingPoolMetadata, PoolReserve } from '@orrery/client'
import { numbers } from '../format/number.ts'
import { borrowRate } from '../pools/interest-curve.ts'
import { AssetLink } from './links.tsx'
import { Table } from './table.tsx'

type Config = LendingPoolMetadata['reserves'][number]

interface InterestCurvesProps {
  readonly reserves: readonly PoolReserve[]
  readonly configs: readonly Config[]
}

interface CurveOf {
  readonly reserve: PoolReserve
  readonly curve: Config['interest_curve']
}

export function InterestCurves({ reserves, configs }: InterestCurvesProps) {
  const curves = reserves.flatMap((reserve): CurveOf[] => {
    const config = configs.find(({ asset_id }) => asset_id === reserve.asset_id)
    return config === undefined ? [] : [{ reserve, curve: config.interest_curve }]
  })
  const rateAt = ({ curve }: CurveOf, utilization: string | number | null): string =>
    numbers.percent(borrowRate(curve, Number(utilization)))
  return (
    <>
      <ul class="plots">
        {curves.map((one) => (
          <li key={one.reserve.asset_id}>
            <InterestCurve {...one} />
          </li>
        ))}
      </ul>
      <Table
        label="Interest of debts"
        rows={curves}
        keyOf={({ reserve }) => reserve.asset_id}
        columns={[
          { title: 'Asset', cell: ({ reserve }) => <AssetLink assetId={reserve.asset_id} symbol={reserve.symbol} /> },
          { title: 'Utilization', cell: ({ reserve }) => numbers.percent(reserve.utilization), isNumber: true },
          { title: 'Rate now', cell: (one) => rateAt(one, one.reserve.utilization), isNumber: true },
          { title: 'Target', cell: ({ curve }) => numbers.percent(curve.target_utilization), isNumber: true },
          { title: 'Rate at target', cell: (one) => rateAt(one, one.curve.target_utilization), isNumber: true },
          { title: 'Rate at 95%', cell: (one) => rateAt(one, 0.95), isNumber: true },
          { title: 'Rate at 100%', cell: (one) => rateAt(one, 1), isNumber: true },
          { title: 'Modifier', cell: ({ curve }) => numbers.amount(curve.rate_modifier), isNumber: true },
        ]}
      />
      <p class="note">Rates are yearly, without compounding; the APYs above are compounded. Above 95% the curve leaves the picture.</p>
    </>
  )
}

const STEPS = 100

function InterestCurve({ reserve, curve }: CurveOf) {
  const now = Number(reserve.utilization)
  const rateNow = borrowRate(curve, now)
  // Above 95% the curve rises too steeply to be drawn beside the rest.
  const highest = Math.max(borrowRate(curve, 0.95), rateNow) * 1.2 || 1
  const yOf = (rate: number): number => 100 - (rate / highest) * 100
  const points = Array.from({ length: STEPS + 1 }, (_, n) => `${n},${yOf(borrowRate(curve, n / STEPS)).toFixed(2)}`).join(' ')
  const target = `${Number(curve.target_utilization) * 100}%`
  const isRight = now > 0.5
  const label = `Interest of debts in ${reserve.symbol}: ${numbers.percent(rateNow)} at a utilization of ${numbers.percent(now)}; target ${numbers.percent(curve.target_utilization)}`
  return (
    <figure class="plot">
      <figcaption>
        {reserve.symbol}: <strong>{numbers.percent(rateNow)}</strong> <span class="dim">at {numbers.percent(now)} utilization</span>
      </figcaption>
      <svg class="plot-frame" width="100%" height="140" role="img" aria-label={label}>
        <svg aria-hidden="true" viewBox="0 0 100 100" width="100%" height="100%" preserveAspectRatio="none">
          <polyline class="plot-line" points={points} />
        </svg>
        <line class="plot-guide" x1={target} x2={target} y1="0" y2="100%" />
        <text class="plot-text" x={target} y="100%" dx="-4" dy="-6" text-anchor="end">
          target
        </text>
        <text class="plot-text" x="4" y="14">
          rate, up to {numbers.percent(highest)}
        </text>
        <circle class="plot-dot" cx={`${now * 100}%`} cy={`${yOf(rateNow)}%`} r="5" />
        <text
          class="plot-text"
          x={`${now * 100}%`}
          y={`${yOf(rateNow)}%`}
          dx={isRight ? -9 : 9}
          dy="-6"
          text-anchor={isRight ? 'end' : 'start'}
        >
          now
        </text>
      </svg>
      <p class="plot-ends" aria-hidden="true">
        <span>{numbers.percent(0)}</span>
        <span>utilization</span>
        <span>{numbers.percent(1)}</span>
      </p>
    </figure>
  )
}
