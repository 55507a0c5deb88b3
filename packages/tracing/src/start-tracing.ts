// Starts the SDK of OpenTelemetry where the environment names a receiver. Its modules are loaded only then.

import { context, diag, propagation, trace } from '@opentelemetry/api'
import { isTracingWanted } from './env.ts'
import { useTracer } from './spans.ts'

/** At most one report in this time: a receiver that is away fails every batch. */
const REPORT_EVERY_MS = 60_000
/** The longest that a stop waits for the last batch. */
const FLUSH_MS = 3_000

export interface TracingOptions {
  /** `service.name` unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES names another. */
  readonly service: string
  /** Receives what the SDK reports, such as a receiver that does not answer; at most once a minute. */
  readonly onProblem: (reason: string) => void
}

/** Resolves at once, with nothing to stop, where tracing is off. Disposing sends the spans that wait, for 3 s at most. */
export async function startTracing({ service, onProblem }: TracingOptions): Promise<AsyncDisposable> {
  if (!isTracingWanted()) return { [Symbol.asyncDispose]: async () => undefined }
  const [{ NodeSDK }, { defaultResource, envDetector, resourceFromAttributes, serviceInstanceIdDetector }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/resources'),
  ])
  const sdk = new NodeSDK({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    // Not the detector of the process: the arguments of a command may hold a password.
    resourceDetectors: [serviceInstanceIdDetector, envDetector],
    instrumentations: [],
    // Metrics are scraped by Prometheus and logs are on stderr.
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  const report = atMostEvery(REPORT_EVERY_MS, onProblem)
  const ignore = (): void => undefined
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }, { suppressOverrideMessage: true })
  useTracer(trace.getTracer('orrery'))
  return { [Symbol.asyncDispose]: () => stop(sdk, report) }
}

async function stop(sdk: { shutdown(): Promise<void> }, report: (reason: string) => void): Promise<void> {
  useTracer(null)
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, FLUSH_MS)
  await Promise.race([sdk.shutdown().catch((error: unknown) => report(String(error))), late])
  clearTimeout(timer)
  trace.disable()
  context.disable()
  propagation.disable()
  diag.disable()
}

/** The SDK reports long texts with stacks: the beginning of a line is enough. */
function atMostEvery(ms: number, report: (reason: string) => void): (text: string) => void {
  let nextMs = 0
  return (text) => {
    if (performance.now() < nextMs) return
    nextMs = performance.now() + ms
    report(reasonIn(text))
  }
}

/** The exporter reports its error as JSON with a stack. */
function reasonIn(text: string): string {
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return (message || text).slice(0, 300)
}
