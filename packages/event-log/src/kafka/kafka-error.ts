// Converts errors of kafkajs. There are three cases: the cluster is down, it refuses a request, or a record cannot be read.

import { OrreryError, reasonOf } from '@orrery/errors'

const REFUSED = /AUTHORIZATION_FAILED|SASL_AUTHENTICATION_FAILED|UNSUPPORTED_SASL_MECHANISM|SECURITY_DISABLED|POLICY_VIOLATION/
/** Alerts of TLS with which a broker refuses the certificate of a client, or the lack of one. */
const CERTIFICATE_REFUSED =
  /alert (bad certificate|certificate required|certificate unknown|certificate expired|certificate revoked|unknown ca)/i
/** kafkajs makes a refusal of every error in the exchange of a password, a lost connection too. Only the text tells them apart. */
const LOST_WHILE_AUTHENTICATING =
  /failed: (Connection error: |Connection closed by the server|Connection timeout|Failed to connect: |Not connected|Request .* timed out)/
const UNREADABLE = /CORRUPT_MESSAGE|INVALID_MESSAGE|UNSUPPORTED_COMPRESSION_TYPE/
const TOO_LARGE = /MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE/

/** The protocol's own name of an error (`UNKNOWN_TOPIC_OR_PARTITION`), or '' when it has none, as for a closed socket. */
export function kafkaErrorType(thrown: unknown): string {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.name === 'KafkaJSSASLAuthenticationError')
      return LOST_WHILE_AUTHENTICATING.test(error.message) ? '' : 'SASL_AUTHENTICATION_FAILED'
    if ('type' in error && typeof error.type === 'string') return error.type
  }
  return ''
}

/** `unavailable`/`log_unreachable` unless a retry is known not to help. */
export function kafkaError(thrown: unknown, brokers: readonly string[]): OrreryError {
  for (let error = thrown; error instanceof Error; error = error.cause) if (error instanceof OrreryError) return error // of a source of tokens
  const where = brokers.join(',')
  const type = kafkaErrorType(thrown)
  const options = { cause: thrown, context: { brokers: where, ...(type === '' ? {} : { type }) } }
  const reason = reasonOf(thrown)
  if (REFUSED.test(type) || CERTIFICATE_REFUSED.test(reason)) {
    const message = `Kafka at ${where} refuses access: ${reason}. Nothing was changed. Check the user, its password, token or certificate, and its rights: read, write and create topics, and join groups, all named orrery.* after the prefix of the installation.`
    return new OrreryError('invalid', 'log_access_denied', message, options)
  }
  if (TOO_LARGE.test(type)) {
    const message = `Kafka at ${where} refuses a record because of its size: ${reason}. What was acknowledged is safe. Raise max.message.bytes of the topic, or message.max.bytes of the brokers, to 10485880.`
    return new OrreryError('invalid', 'log_record_too_large', message, options)
  }
  if (UNREADABLE.test(type)) {
    const message = `Kafka at ${where} holds a record that cannot be read: ${reason}. Nothing after it was read. Index again into a new log, or restore the topic.`
    return new OrreryError('corrupt', 'log_record_broken', message, options)
  }
  const message = `The event log in Kafka at ${where} cannot be reached: ${reason}. What was acknowledged is safe in it. Check that the brokers run and can be reached from here; then start again.`
  return new OrreryError('unavailable', 'log_unreachable', message, options)
}
