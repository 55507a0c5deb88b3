// A receiver of OpenTelemetry traces: OTLP over HTTP with JSON, as the specification of OTLP writes it.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export interface ReceivedSpan {
  readonly service: string
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  /** Hexadecimal. */
  readonly traceId: string
  readonly spanId: string
  /** '' for the first span of a trace. */
  readonly parentSpanId: string
  /** 0 unset, 2 error. */
  readonly status: number
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface TraceReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  readonly spans: readonly ReceivedSpan[]
  /** Resolves with the first span that `matches`, received already or later. */
  span(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
}

type Value = Readonly<Record<string, unknown>>
interface Attribute {
  readonly key: string
  readonly value: Value
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly kind: number
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly status?: { readonly code?: number }
        readonly attributes: readonly Attribute[]
      }[]
    }[]
  }[]
}

const LOOK_AGAIN_MS = 20

/** Listens on a free port of 127.0.0.1. Bodies that are no JSON (protobuf) are kept in `requests` alone. */
export async function startTraceReceiver({ status = 200 }: { readonly status?: number } = {}): Promise<TraceReceiver> {
  const requests: TraceReceiver['requests'][number][] = []
  const spans: ReceivedSpan[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (request.headers['content-type']?.startsWith('application/json')) spans.push(...spansOf(JSON.parse(body)))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans,
    async span(matches) {
      for (;;) {
        const found = spans.find(matches)
        if (found !== undefined) return found
        await delay(LOOK_AGAIN_MS)
      }
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function spansOf({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ name, kind, traceId, spanId, parentSpanId = '', status, attributes }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        ...{ name, kind, traceId, spanId, parentSpanId, status: status?.code ?? 0, attributes: valuesOf(attributes) },
      })),
  )
}

/** `{ stringValue: 'a' }` is 'a'; the JSON of OTLP has 64-bit integers as numbers or as text. */
function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue)]),
  )
}
