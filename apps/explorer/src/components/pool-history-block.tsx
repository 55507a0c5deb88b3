// Value, volume and yields of a pool over time.

import type { GetPoolHistoryResponse, PoolReserve } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { RANGES } from '../api/time-range.ts'
import { useWindow } from '../api/use-window.ts'
import { hasPartial } from '../api/warnings.ts'
import { shortened } from '../format/address.ts'
import { numbers } from '../format/number.ts'
import { useChoice, useParameter } from '../use-parameter.ts'
import { Block } from './block.tsx'
import { Chart } from './chart.tsx'
import { RangeControl } from './range-control.tsx'

interface PoolHistory extends GetPoolHistoryResponse {
  /** No token of the pool has a price. */
  readonly isUnpriced?: boolean
}
type Points = GetPoolHistoryResponse['data']['points']
type Point = Points[number]

interface PoolHistoryBlockProps {
  readonly pool: string
  /** Reserves of a pool that lends, whose yields differ; empty for any other. */
  readonly lent: readonly PoolReserve[]
}

export function PoolHistoryBlock({ pool, lent }: PoolHistoryBlockProps) {
  const [range, setRange] = useChoice('range', RANGES, '30d')
  const [chosen, setChosen] = useParameter('asset')
  const window = useWindow(range)
  const asset = lent.find(({ asset_id }) => asset_id === chosen) ?? lent[0]
  const controls = (
    <div class="controls">
      {asset !== undefined && (
        <label>
          Yields of
          <select value={asset.asset_id} onChange={({ currentTarget: { value } }) => setChosen(value === lent[0]?.asset_id ? null : value)}>
            {lent.map(({ asset_id, symbol }) => (
              <option key={asset_id} value={asset_id}>
                {symbol || asset_id}
              </option>
            ))}
          </select>
        </label>
      )}
      <RangeControl about="the charts" choices={RANGES} chosen={range} onChoose={setRange} />
    </div>
  )
  return (
    <Block<PoolHistory>
      title="Over time"
      call={window === null ? null : apiCall('pools', 'history', pool, window)}
      controls={controls}
      lines={10}
      isUneven
      keepPrevious
      select={withUnpriced}
      empty={({ data }) => (data.points.length === 0 ? 'The pool has no value in this time.' : null)}
    >
      {({ data: { points }, isUnpriced }) => (
        <div class="charts">
          {isUnpriced ? <p class="empty">No token of this pool has a price, so there is no value to draw.</p> : <Values points={points} />}
          <Yields points={points} asset={asset} />
        </div>
      )}
    </Block>
  )
}

/** Tokens without a price count as 0 in the value. If all are, a text stands in place of the values, and the warning that some points lack a token would contradict it. */
function withUnpriced(history: PoolHistory): PoolHistory {
  const { data, meta } = history
  const warnings = meta.warnings.filter(({ code }) => code !== 'unpriced_asset')
  const isUnpriced = warnings.length < meta.warnings.length && data.points.every(({ tvl_usd }) => Number(tvl_usd) === 0)
  return isUnpriced ? { ...history, isUnpriced, meta: { ...meta, warnings, partial_result: hasPartial(warnings) } } : history
}

function Values({ points }: { readonly points: Points }) {
  return (
    <>
      <Chart label="TVL" points={points.map(({ timestamp, tvl_usd }) => ({ at: timestamp, value: tvl_usd }))} />
      {points.some(({ volume_usd }) => volume_usd !== null) && (
        <Chart label="Volume" kind="bars" points={points.map(({ timestamp, volume_usd }) => ({ at: timestamp, value: volume_usd }))} />
      )}
    </>
  )
}

/** Of a pool that lends those of one reserve, else those of a holder of shares. Series without any value are left out. */
function Yields({ points, asset }: { readonly points: Points; readonly asset: PoolReserve | undefined }) {
  const reserveOf = ({ reserves }: Point): Point['reserves'][number] | undefined =>
    reserves.find(({ asset_id }) => asset_id === asset?.asset_id)
  const series: Readonly<Record<string, (point: Point) => string | null>> =
    asset === undefined
      ? { 'Fee APY': ({ fee_apy }) => fee_apy, 'Reward APY': ({ reward_apy }) => reward_apy }
      : {
          Utilization: (point) => reserveOf(point)?.utilization ?? null,
          'Supply APY': (point) => reserveOf(point)?.supply_apy ?? null,
          'Borrow APY': (point) => reserveOf(point)?.borrow_apy ?? null,
        }
  return (
    <>
      {Object.entries(series)
        .filter(([, yieldOf]) => points.some((point) => Number(yieldOf(point)) !== 0))
        .map(([label, yieldOf]) => (
          <Chart
            key={label}
            label={asset === undefined ? label : `${label} of ${asset.symbol || shortened(asset.asset_id)}`}
            format={numbers.percent}
            axisFormat={numbers.percentAxis}
            points={points.map((point) => ({ at: point.timestamp, value: yieldOf(point) }))}
          />
        ))}
    </>
  )
}
