export { outOfSpans, type RequestSpan, type SpanOptions, startRequestSpan, traced } from './spans.ts'
export { startTracing, type TracingOptions } from './start-tracing.ts'
