// A value for each day or part of a day as a chart, and the same values as a table. uPlot is loaded with the first chart.

import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { numbers } from '../format/number.ts'
import { times } from '../format/time.ts'
import { Table } from './table.tsx'

export interface ChartPoint {
  /** Start of the day, or of its part: RFC 3339, UTC. */
  readonly at: string
  /** Decimal string of the API. Null: no value at this time. */
  readonly value: string | null
}

interface ChartProps {
  readonly label: string
  readonly points: readonly ChartPoint[]
  readonly kind?: 'line' | 'bars'
  readonly format?: (value: string | number | null) => string
  /** Of the values at the axis, which are round. */
  readonly axisFormat?: (value: number) => string
}

const HEIGHT_PX = 220
const DAY_SECONDS = 86_400
const DARK = matchMedia('(prefers-color-scheme: dark)')

export function Chart({ label, points, kind = 'line', format = numbers.usdShort, axisFormat = numbers.usdAxis }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const key = JSON.stringify([kind, points])
  useEffect(() => {
    const element = frame.current
    return element === null ? undefined : drawn(element, { points, kind, axisFormat, onPoint: setPointed })
  }, [key])
  const isByDay = stepOf(points) >= DAY_SECONDS
  const timeOf = isByDay ? times.utcDay : times.utcMinute
  const shown = points[pointed ?? points.length - 1]
  return (
    <figure class="chart">
      <figcaption>
        {label}: <strong>{format(shown?.value ?? null)}</strong> <span class="dim">{shown === undefined ? '' : timeOf(shown.at)}</span>
      </figcaption>
      <div ref={frame} class="chart-frame" role="img" aria-label={`${label}, ${summaryOf(points, format, timeOf)}`} />
      <details>
        <summary>
          Values as a table<span class="unseen">: {label}</span>
        </summary>
        <Table
          label={`${label} as a table`}
          rows={points.toReversed()}
          keyOf={({ at }) => at}
          columns={[
            { title: isByDay ? 'Day (UTC)' : 'Time (UTC)', cell: ({ at }) => timeOf(at) },
            { title: label, cell: ({ value }) => <span title={value ?? ''}>{format(value)}</span>, isNumber: true },
          ]}
        />
      </details>
    </figure>
  )
}

/** What the picture shows, for readers that do not see it. */
function summaryOf(
  points: readonly ChartPoint[],
  format: (value: string | number | null) => string,
  timeOf: (at: string) => string,
): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [Number(value)]))
  const [first, last] = [points[0], points.at(-1)]
  if (values.length === 0 || first === undefined || last === undefined) return 'no values'
  const range = `between ${format(Math.min(...values))} and ${format(Math.max(...values))}`
  return `${timeOf(first.at)} to ${timeOf(last.at)}, ${range}`
}

/** Seconds between points: the least distance of two; a day if there is one point only. */
function stepOf(points: readonly ChartPoint[]): number {
  const distances = points.slice(1).map(({ at }, n) => (Date.parse(at) - Date.parse(points[n]?.at ?? at)) / 1000)
  return distances.length === 0 ? DAY_SECONDS : Math.min(...distances)
}

interface Drawing {
  readonly points: readonly ChartPoint[]
  readonly kind: 'line' | 'bars'
  readonly axisFormat: (value: number) => string
  readonly onPoint: (index: number | null) => void
}

/** Draws into the element, again when its width or the colours change. Returns the function that removes the drawing. */
function drawn(element: HTMLElement, drawing: Drawing): () => void {
  let plot: uPlot | null = null
  let isGone = false
  const draw = async (): Promise<void> => {
    const { default: Plot } = await import('uplot')
    if (isGone) return
    plot?.destroy()
    plot = new Plot(optionsOf(element, drawing, Plot), dataOf(drawing.points), element)
  }
  const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
  resized.observe(element)
  const recolour = (): void => void draw()
  DARK.addEventListener('change', recolour)
  void draw()
  return () => {
    isGone = true
    resized.disconnect()
    DARK.removeEventListener('change', recolour)
    plot?.destroy()
  }
}

function dataOf(points: readonly ChartPoint[]): uPlot.AlignedData {
  // A pixel is coarser than the digits that a number loses.
  return [points.map(({ at }) => Date.parse(at) / 1000), points.map(({ value }) => (value === null ? null : Number(value)))]
}

function optionsOf(element: HTMLElement, { points, kind, axisFormat, onPoint }: Drawing, Plot: typeof uPlot): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui' }
  const step = stepOf(points)
  const tickText = step >= DAY_SECONDS ? dayText : minuteText
  const bars = kind === 'bars' && Plot.paths.bars !== undefined ? { paths: Plot.paths.bars({ size: [0.7, 40] }) } : {}
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    // Points are days of UTC: in another zone they would stand at the day before.
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { setScale: false } },
    scales: kind === 'bars' ? barScales(step) : {},
    axes: [
      // The first day stands below the lowest value of the other axis.
      { ...axis, values: (_, splits) => splits.map(tickText), space: 92, gap: 10, size: 36 },
      { ...axis, values: (_, splits) => splits.map(axisFormat), size: 68 },
    ],
    series: [{}, { stroke: colour('--chart'), width: 2, fill: colour('--chart-fill'), points: { show: false }, spanGaps: true, ...bars }],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  }
}

/** Bars begin at zero, and the first and the last one are as wide as the others. */
function barScales(step: number): uPlot.Scales {
  return {
    x: { range: (_, min, max) => [min - step / 2, max + step / 2] },
    y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
  }
}

const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const MINUTE = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })

function dayText(seconds: number): string {
  return DAY.format(new Date(seconds * 1000))
}

/** The day at midnight, else the time of day. */
function minuteText(seconds: number): string {
  return seconds % DAY_SECONDS === 0 ? dayText(seconds) : MINUTE.format(new Date(seconds * 1000))
}
