// Options of the connection to a Kafka cluster: credentials and time limits.

import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { OrreryError, reasonOf } from '@orrery/errors'
import { type TokenSource, tokenFromEndpoint, tokenFromFile } from './oauth-token.ts'

export interface KafkaOptions {
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** How `user` and `password` are sent to the broker. */
  readonly mechanism?: 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer' | undefined
  /** OAUTHBEARER: a file with the token, read for each authentication. */
  readonly tokenFile?: string | undefined
  /** OAUTHBEARER: the token endpoint for client credentials. */
  readonly tokenUrl?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecretFile?: string | undefined
  readonly scope?: string | undefined
  /** TLS, with the certificates that Node trusts (NODE_EXTRA_CA_CERTS adds some). */
  readonly ssl?: boolean | undefined
  /** PEM file with the only certificate authorities that brokers may have. Not given: those that Node trusts. */
  readonly caFile?: string | undefined
  /** PEM files with the client's certificate and its key. */
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
  /** A file with the passphrase of the key. */
  readonly keyPassphraseFile?: string | undefined
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
  /** Content of the TLS files. Null without TLS. */
  readonly tls: TlsFiles | null
  /** Shared by all clients of the log. Null unless the mechanism is OAUTHBEARER. */
  readonly token: TokenSource | null
}

export interface TlsFiles {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly passphrase?: string
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
  const [tls, token] = [tlsOf(options), tokenOf(options)]
  return { ...options, brokers, retryForMs: options.retryForMs ?? RETRY_FOR_MS, sessionMs: options.sessionMs ?? SESSION_MS, tls, token }
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

function tlsOf({ ssl = false, caFile, certFile, keyFile, keyPassphraseFile }: KafkaOptions): TlsFiles | null {
  if (!ssl) {
    if ((caFile ?? certFile ?? keyFile ?? keyPassphraseFile) === undefined) return null
    throw optionsInvalid('Files for TLS are given, and TLS is off. Set ORRERY_KAFKA_SSL=true.')
  }
  if ((certFile === undefined) !== (keyFile === undefined))
    throw optionsInvalid(
      'A client certificate needs its key, and a key its certificate. Set ORRERY_KAFKA_CERT_FILE and ORRERY_KAFKA_KEY_FILE.',
    )
  const files: TlsFiles = {
    ...(caFile === undefined ? {} : { ca: contentOf(caFile) }),
    ...(certFile === undefined ? {} : { cert: contentOf(certFile) }),
    ...(keyFile === undefined ? {} : { key: contentOf(keyFile) }),
    ...(keyPassphraseFile === undefined ? {} : { passphrase: contentOf(keyPassphraseFile).trim() }),
  }
  try {
    createSecureContext(files)
  } catch (cause) {
    throw optionsInvalid(
      `The TLS files for Kafka cannot be used: ${reasonOf(cause)}. Check that they are PEM files, that key and certificate belong together, and the passphrase.`,
      cause,
    )
  }
  return files
}

function tokenOf({ mechanism, user, tokenFile, tokenUrl, clientId, clientSecretFile, scope }: KafkaOptions): TokenSource | null {
  if (mechanism !== 'oauthbearer') {
    if ((tokenFile ?? tokenUrl ?? clientId ?? clientSecretFile) === undefined) return null
    throw optionsInvalid('A source of tokens is given for another mechanism. Set ORRERY_KAFKA_MECHANISM=oauthbearer.')
  }
  if (user !== undefined) throw optionsInvalid('The mechanism oauthbearer takes no user: its token names one. Remove ORRERY_KAFKA_USER.')
  if (tokenFile !== undefined && tokenUrl === undefined) return tokenFromFile(tokenFile)
  if (tokenFile === undefined && tokenUrl !== undefined && clientId !== undefined && clientSecretFile !== undefined)
    return tokenFromEndpoint({ url: tokenUrl, clientId, clientSecretFile, scope })
  throw optionsInvalid(
    'The mechanism oauthbearer needs one source of tokens: ORRERY_KAFKA_TOKEN_FILE, or ORRERY_KAFKA_TOKEN_URL with ORRERY_KAFKA_CLIENT_ID and ORRERY_KAFKA_CLIENT_SECRET_FILE.',
  )
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw optionsInvalid(`A file for Kafka cannot be read: ${reasonOf(cause)}.`, cause)
  }
}
