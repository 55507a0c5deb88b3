// The declared metrics on one prom-client registry. A process makes one and passes it to its parts.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { METRICS, type MetricDeclaration } from './metric-declarations.ts'

type Label<D extends MetricDeclaration> = D['labels'][number]
type Instrument<D extends MetricDeclaration> = D['type'] extends 'counter'
  ? Counter<Label<D>>
  : D['type'] extends 'gauge'
    ? Gauge<Label<D>>
    : Histogram<Label<D>>

export type Metrics = { readonly [Name in keyof typeof METRICS]: Instrument<(typeof METRICS)[Name]> } & { readonly registry: Registry }

/** From half a millisecond (a fold) to the deadline of a request and the timeout of an insert. */
const SECONDS_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** `ofProcess` adds Node's own figures (memory, event loop, garbage collection). */
export function createMetrics({ ofProcess = false }: { readonly ofProcess?: boolean } = {}): Metrics {
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const instruments = Object.entries(METRICS).map(([name, declaration]) => [name, make(declaration, registry)])
  // The mapped type has the type of each metric by its name; `Object.entries` loses it.
  return { ...Object.fromEntries(instruments), registry } as Metrics
}

function make(declaration: MetricDeclaration, registry: Registry) {
  const { name, help, promql, labels, type } = declaration
  const options = { name, help: `${help} Read: ${promql}`, labelNames: [...labels], registers: [registry] }
  if (type === 'counter') return new Counter(options)
  if (type === 'gauge') return new Gauge(options)
  return new Histogram({ ...options, buckets: SECONDS_BUCKETS })
}
