// The declared metrics on one prom-client registry. A process makes one and passes it to its parts.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { buildInfo } from './build-info.ts'
import type { MetricDeclaration } from './metric-declaration.ts'
import { METRICS, METRICS_OF, type MetricsOwner } from './metric-declarations.ts'

type Label<D extends MetricDeclaration> = D['labels'][number]
type Instrument<D extends MetricDeclaration> = D['type'] extends 'counter'
  ? Counter<Label<D>>
  : D['type'] extends 'gauge'
    ? Gauge<Label<D>>
    : Histogram<Label<D>>

export type Metrics = { readonly [Name in keyof typeof METRICS]: Instrument<(typeof METRICS)[Name]> } & {
  readonly registry: Registry
  /**
   * Calls `collect` before each scrape, until the function that it returns is called. For values that change while nothing happens, such as
   * ages: a value that is set by an event stays the same when the events end. An error of `collect` fails the scrape.
   */
  onScrape(collect: () => void | Promise<void>): () => void
}

/** From half a millisecond (a fold) to the deadline of a request and the timeout of an insert. */
const SECONDS_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * How often the delay of the event loop is measured; the metric of an idle process is this time. The default, a hundred times a second, is a tenth of
 * what an idle process takes.
 */
const EVENT_LOOP_LOOK_MS = 100

/**
 * @param of The process: only its metrics are exported. Default: all.
 * @param ofProcess Adds Node's own figures (memory, event loop, garbage collection).
 */
export function createMetrics({
  of = 'up',
  ofProcess = false,
}: {
  readonly of?: MetricsOwner
  readonly ofProcess?: boolean
} = {}): Metrics {
  const registry = new ScrapedRegistry()
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS })
  const instruments = Object.entries(METRICS).map(([name, declaration]) => [
    name,
    make(declaration, name in METRICS_OF[of] ? [registry] : []),
  ])
  const onScrape: Metrics['onScrape'] = (collect) => registry.onScrape(collect)
  // The mapped type has the type of each metric by its name; `Object.entries` loses it.
  const metrics = { ...Object.fromEntries(instruments), registry, onScrape } as Metrics
  metrics.buildInfo.set({ ...buildInfo() }, 1)
  return metrics
}

class ScrapedRegistry extends Registry {
  readonly #collectors = new Set<() => void | Promise<void>>()

  onScrape(collect: () => void | Promise<void>): () => void {
    const collector = () => collect() // a function that is given twice is called twice
    this.#collectors.add(collector)
    return () => void this.#collectors.delete(collector)
  }

  override async metrics(): Promise<string> {
    await Promise.all([...this.#collectors].map((collect) => collect()))
    return super.metrics()
  }
}

function make(declaration: MetricDeclaration, registers: Registry[]) {
  const { name, help, promql, labels, type } = declaration
  const options = { name, help: `${help} Read: ${promql}`, labelNames: [...labels], registers }
  if (type === 'counter') return new Counter(options)
  if (type === 'gauge') {
    const gauge = new Gauge(options)
    // Of a gauge without labels prom-client exports 0 from the start: a ledger or an age that is not known yet would be 0.
    if (labels.length === 0 && !name.endsWith('_requests')) gauge.remove()
    return gauge
  }
  return new Histogram({ ...options, buckets: SECONDS_BUCKETS })
}
