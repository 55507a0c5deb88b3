import { createRequire } from 'node:module'
import kafkajs from 'kafkajs'
import { expect, it } from 'vitest'
import { kafkaError } from './kafka-error.ts'

const { KafkaJSConnectionError, KafkaJSProtocolError, KafkaJSRequestTimeoutError } = kafkajs
const scram = createRequire(import.meta.url)('kafkajs/src/broker/saslAuthenticator/scram512.js')
const logger = { debug: () => undefined, error: () => undefined }

/** What kafkajs throws when the exchange of a password ends with `thrown`. */
async function duringAuthentication(thrown: Error): Promise<unknown> {
  const sasl = { username: 'orrery', password: 'open sesame' }
  const saslAuthenticate = () => Promise.reject(thrown)
  try {
    await scram(sasl)({ host: '127.0.0.1', port: 9092, logger, saslAuthenticate }).authenticate()
  } catch (error) {
    return error
  }
  return undefined
}

it.each([
  new KafkaJSConnectionError('Connection error: the connection was replaced'),
  new KafkaJSConnectionError('Connection error: read ECONNRESET'),
  new KafkaJSConnectionError('Connection closed by the server'),
  new KafkaJSConnectionError('Connection timeout'),
  new KafkaJSConnectionError('Not connected'),
  new KafkaJSRequestTimeoutError('Request SaslAuthenticate(key: 36, version: 1) timed out'),
])('a connection that is lost while the password is exchanged is a cluster that cannot be reached: %s', async (lost) => {
  expect(kafkaError(await duringAuthentication(lost), ['127.0.0.1:9092'])).toMatchObject({ kind: 'unavailable', code: 'log_unreachable' })
})

it('a password that the broker refuses is an error of the operator', async () => {
  const refused = new KafkaJSProtocolError(
    'Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-512',
  )
  expect(kafkaError(await duringAuthentication(refused), ['127.0.0.1:9092'])).toMatchObject({ kind: 'invalid', code: 'log_access_denied' })
})
