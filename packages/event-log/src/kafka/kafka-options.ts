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
  /** `min.insync.replicas` of new topics. Existing topics with less are refused. Not given: neither set nor checked. */
  readonly minInsyncReplicas?: number | undefined
  /** Precedes the names of all topics and groups, so that several installations share a cluster. Not given: nothing precedes them. */
  readonly prefix?: string | undefined
  /** False: no topic is created and no setting is changed; topics are only checked. True when not given. */
  readonly manageTopics?: boolean | undefined
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

const PREFIX = /^[A-Za-z0-9._-]{1,60}$/
const RETRY_FOR_MS = 60_000
const SESSION_MS = 10_000

/**
 * @throws OrreryError `invalid`/`log_url_unknown` when a broker has no port, or is an IPv6 address, whose first colon kafkajs reads as that of the port;
 * `invalid`/`log_options_invalid` when options contradict each other.
 */
export function kafkaAddress(hosts: string, options: KafkaOptions): KafkaAddress {
  const brokers = hosts.split(',').map((host) => host.trim())
  const wrong = brokers.find((broker) => !/^[^\s:/]+:\d{1,5}$/.test(broker))
  if (wrong !== undefined) {
    const message = `"${wrong}" is not the address of a Kafka broker. Write kafka:<host>:<port>, with more brokers separated by commas; an IPv6 address needs a name.`
    throw new OrreryError('invalid', 'log_url_unknown', message)
  }
  checkTopicOptions(options)
  return { ...options, brokers, retryForMs: options.retryForMs ?? RETRY_FOR_MS, sessionMs: options.sessionMs ?? SESSION_MS }
}

function checkTopicOptions({ prefix, replicas, minInsyncReplicas }: KafkaOptions): void {
  if (prefix !== undefined && !PREFIX.test(prefix))
    throw optionsInvalid(
      `The prefix "${prefix}" cannot begin names of topics. Use 1 to 60 letters, digits, ".", "_" and "-", as in "team-a.".`,
    )
  if (replicas !== undefined && minInsyncReplicas !== undefined && minInsyncReplicas > replicas)
    throw optionsInvalid(
      `Kafka would accept no record: ${minInsyncReplicas} replicas must be in sync, and a topic has ${replicas}. Lower one or raise the other.`,
    )
}

export function optionsInvalid(message: string, cause?: unknown): OrreryError {
  return new OrreryError('invalid', 'log_options_invalid', `${message} Nothing was started.`, cause === undefined ? {} : { cause })
}
