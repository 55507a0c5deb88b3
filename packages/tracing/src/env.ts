// The variables of OpenTelemetry that decide whether spans are made. The SDK reads all others of the specification itself.

import { z } from 'zod'

/** An empty variable counts as not set, as the specification of OpenTelemetry requires. */
const Text = z
  .string()
  .optional()
  .transform((text) => (text === '' ? undefined : text))

const Env = z.object({
  /** Base address of the receiver; the SDK adds `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Text,
  /** Whole address of the receiver of traces. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Text,
  /** `none` turns traces off although an address is given. */
  OTEL_TRACES_EXPORTER: Text,
  /** `true` turns the SDK off. */
  OTEL_SDK_DISABLED: Text,
})

/** Whether the environment names a receiver of traces and does not turn them off. */
export function isTracingWanted(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  const read = Env.parse(env)
  if (read.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || read.OTEL_TRACES_EXPORTER === 'none') return false
  return (read.OTEL_EXPORTER_OTLP_ENDPOINT ?? read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined
}
