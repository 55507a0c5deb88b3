// Spans as the parts of Orrery make them. While tracing is off, none of these functions makes an object or calls OpenTelemetry.

import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

export interface SpanOptions<T> {
  /** What was done: the name of a statement, an RPC method. Never an account or another value of a request. */
  readonly name: string
  /** `client`: a call to another process. Default: `internal`. */
  readonly kind?: 'internal' | 'client'
  /** Made only while tracing is on. Must hold no secret. */
  readonly attributes?: () => Attributes
  /** Make the span only inside of another one: a statement of a timer would be a trace of its own. Default: false. */
  readonly onlyInside?: boolean
  /** For work that returns a failure instead of throwing one: what `error.type` is then. */
  readonly failure?: (result: T) => string | null
}

/** A span of a request that a client sent: it ends when the answer has been sent, after `run` has resolved. */
export interface RequestSpan {
  /** Spans that are made meanwhile are parts of this one. */
  run<T>(work: () => T): T
  end(name: string, attributes: Attributes, isError: boolean): void
}

/** Null: tracing is off. */
let tracer: Tracer | null = null

/** Called by `startTracing` alone. */
export function useTracer(given: Tracer | null): void {
  tracer = given
}

/** Runs work that belongs to no request, whichever one began it: its spans are not parts of that one's. */
export function outOfSpans<T>(work: () => T): T {
  return tracer === null ? work() : context.with(ROOT_CONTEXT, work)
}

/** Runs `work` in a span. An error that it throws is recorded by its class, without its message, and thrown again. */
export async function traced<T>(options: SpanOptions<T>, work: () => Promise<T>): Promise<T> {
  if (tracer === null) return work()
  if (options.onlyInside === true && trace.getActiveSpan() === undefined) return work()
  const kind = options.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL
  return tracer.startActiveSpan(options.name, { kind, attributes: options.attributes?.() ?? {} }, async (span) => {
    try {
      const result = await work()
      const failure = options.failure?.(result) ?? null
      if (failure !== null) fail(span, failure)
      return result
    } catch (error) {
      fail(span, typeOf(error))
      throw error
    } finally {
      span.end()
    }
  })
}

/** The span of a request, part of the trace that its header `traceparent` names. Null while tracing is off. */
export function startRequestSpan(headers: object, attributes: Attributes): RequestSpan | null {
  if (tracer === null) return null
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent)
  const inside = trace.setSpan(parent, span)
  return {
    run: (work) => context.with(inside, work),
    end(name, more, isError) {
      span.updateName(name)
      span.setAttributes(more)
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** A message may quote values of a request: the code or the class is enough to find the log line. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}
