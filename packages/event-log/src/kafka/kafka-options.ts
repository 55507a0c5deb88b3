// Options of the connection to a Kafka cluster: credentials and time limits.

import { OrreryError } from '@orrery/errors'

export interface KafkaOptions {
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** How `user` and `password` are sent to the broker. */
  readonly mechanism?: 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined
  /** TLS, with the certificates that Node trusts (NODE_EXTRA_CA_CERTS adds some). */
  readonly ssl?: boolean | undefined
  /** Replicas of each partition of a new topic. Not given: the cluster's own default. */
  readonly replicas?: number | undefined
  /** How long transient errors are retried before the error is thrown. */
  readonly retryForMs?: number | undefined
  /** A worker without a heartbeat for this long loses its partitions. The broker refuses less than its `group.min.session.timeout.ms`. */
  readonly sessionMs?: number | undefined
  /** Called after each failed attempt of a request that may be sent again. */
  readonly onRetry?: (() => void) | undefined
}

/** The address of a cluster, with all options of a client. */
export interface KafkaAddress extends KafkaOptions {
  /** `host:port` of bootstrap brokers: these name the others. */
  readonly brokers: readonly string[]
  readonly retryForMs: number
  readonly sessionMs: number
}

const RETRY_FOR_MS = 60_000
const SESSION_MS = 10_000

/** @throws OrreryError `invalid`/`log_url_unknown` when a broker has no port, or is an IPv6 address, whose first colon kafkajs reads as that of the port. */
export function kafkaAddress(hosts: string, options: KafkaOptions): KafkaAddress {
  const brokers = hosts.split(',').map((host) => host.trim())
  const wrong = brokers.find((broker) => !/^[^\s:/]+:\d{1,5}$/.test(broker))
  if (wrong !== undefined) {
    const message = `"${wrong}" is not the address of a Kafka broker. Write kafka:<host>:<port>, with more brokers separated by commas; an IPv6 address needs a name.`
    throw new OrreryError('invalid', 'log_url_unknown', message)
  }
  return { ...options, brokers, retryForMs: options.retryForMs ?? RETRY_FOR_MS, sessionMs: options.sessionMs ?? SESSION_MS }
}
