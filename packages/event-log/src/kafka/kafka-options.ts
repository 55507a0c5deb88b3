// Who we are to a Kafka cluster, and how patient with it.

import { OrreryError } from '@orrery/errors'

export interface KafkaOptions {
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** How `user` and `password` are shown to the broker. */
  readonly mechanism?: 'plain' | 'scram-sha-256' | 'scram-sha-512' | undefined
  /** TLS, with the certificates that Node trusts (NODE_EXTRA_CA_CERTS adds some). */
  readonly ssl?: boolean | undefined
  /** Copies of each partition of a topic that is made. Not given: the cluster's own default. */
  readonly replicas?: number | undefined
  /** How long what time can heal is tried again before the error is passed on. */
  readonly patienceMs?: number | undefined
  /** A worker that was not heard of for so long has lost its partitions. The broker refuses less than its `group.min.session.timeout.ms`. */
  readonly sessionMs?: number | undefined
}

/** A cluster and everything that a client of it needs to know. */
export interface KafkaAddress extends KafkaOptions {
  /** `host:port` of brokers to begin with: these name the others. */
  readonly brokers: readonly string[]
  readonly patienceMs: number
  readonly sessionMs: number
}

const PATIENCE_MS = 60_000
const SESSION_MS = 10_000

/** @throws OrreryError `invalid`/`log_url_unknown` when a broker has no port, or is an IPv6 address: kafkajs takes its first colon for the port's. */
export function kafkaAddress(hosts: string, options: KafkaOptions): KafkaAddress {
  const brokers = hosts.split(',').map((host) => host.trim())
  const wrong = brokers.find((broker) => !/^[^\s:/]+:\d{1,5}$/.test(broker))
  if (wrong !== undefined) {
    const message = `"${wrong}" is not the address of a Kafka broker. Write kafka:<host>:<port>, and more brokers behind commas; an IPv6 address needs a name.`
    throw new OrreryError('invalid', 'log_url_unknown', message)
  }
  return { ...options, brokers, patienceMs: options.patienceMs ?? PATIENCE_MS, sessionMs: options.sessionMs ?? SESSION_MS }
}
