// The client side of SASL OAUTHBEARER (RFC 7628). That of kafkajs ignores the answer with which a broker refuses a token, and takes it for success.

import { OrreryError } from '@orrery/errors'
import type { Mechanism } from 'kafkajs'
import type { TokenSource } from './oauth-token.ts'

const SEPARATOR = '\u0001'
const LENGTH_BYTES = 4

/** kafkajs tries again unless an error says that this does not help. */
class NotAuthenticated extends Error {
  override readonly name = 'KafkaJSSASLAuthenticationError'
  readonly retriable = false
}

export function oauthMechanism(token: TokenSource): Mechanism {
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: async () => {
        const { value } = await token().catch((thrown: unknown) => {
          if (thrown instanceof OrreryError && thrown.kind === 'invalid') throw new NotAuthenticated(thrown.message, { cause: thrown })
          throw thrown
        })
        const message = Buffer.from(`n,,${SEPARATOR}auth=Bearer ${value}${SEPARATOR}${SEPARATOR}`)
        const refusal = await saslAuthenticate({
          request: { encode: () => withLength(message) },
          response: { decode: (answer) => answer.subarray(LENGTH_BYTES), parse: (answer) => answer.toString() },
        })
        if (refusal) throw new NotAuthenticated(`SASL OAUTHBEARER: the broker refuses the token: ${refusal}`)
      },
    }),
  }
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeInt32BE(message.length)
  return Buffer.concat([length, message])
}
