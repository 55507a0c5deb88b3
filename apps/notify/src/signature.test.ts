import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { signatureOf } from './signature.ts'

const [ONE, TWO] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] as const

it('the signature is that of the library of Standard Webhooks, for text of any kind', () => {
  const at = new Date(1_760_560_542_000)
  for (const body of ['{"a":"\u00e4\u{1f511}"}', '', 'x'.repeat(100_000)]) {
    expect(signatureOf('msg_1', 1_760_560_542, body, [ONE])).toBe(new Webhook(ONE).sign('msg_1', at, body))
  }
  const both = [new Webhook(ONE).sign('msg_1', at, '{}'), new Webhook(TWO).sign('msg_1', at, '{}')].join(' ')
  expect(signatureOf('msg_1', 1_760_560_542, '{}', [ONE, TWO])).toBe(both)
})
