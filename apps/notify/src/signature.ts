// The signature of a request by the Standard Webhooks scheme: HMAC-SHA-256 over `id.timestamp.body`, once with each secret that is valid.

import { createHmac } from 'node:crypto'

/**
 * Value of the header `webhook-signature`.
 * @param timestamp Unix seconds, as in `webhook-timestamp`.
 * @param secrets `whsec_…`; two while a secret is being rotated.
 */
export function signatureOf(id: string, timestamp: number, body: string, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
