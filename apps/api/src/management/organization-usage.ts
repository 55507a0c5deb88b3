// How much of its limits an organization uses.

import type { Allowance, DayUsage } from '@orrery/identity'
import { z } from 'zod'

export const OrganizationUsage = z
  .strictObject({
    window: z
      .strictObject({
        used: z.int().nonnegative().describe('Units used in the current window, this request included.'),
        limit: z.int().describe('Units per window.'),
        resets_in_seconds: z.int().describe('Seconds until the window ends, at least 1.'),
      })
      .describe('The current window of the rate limit.'),
    today: z
      .strictObject({
        requests: z.int().nonnegative().describe('Requests with any key or access token, refused ones included.'),
        cost: z.int().nonnegative().describe('Units that these requests cost.'),
      })
      .describe('The current UTC day.'),
    by_key: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the key.'),
          prefix: z.string().describe('First twelve characters of the key.'),
          requests_today: z.int().describe('Requests with the key on the current UTC day, refused ones included.'),
        }),
      )
      .describe('Keys with requests on the current UTC day, revoked ones included, in the order in which they were created.'),
  })
  .describe(
    'Use of the limits by all keys and users of the organization. `today` and `by_key` are approximate: instances write their counts every five seconds, and an instance that is killed loses those that it has not written.',
  )
  .meta({ id: 'OrganizationUsage' })

export function organizationUsage({ limit, remaining, resetSeconds }: Allowance, today: DayUsage): z.input<typeof OrganizationUsage> {
  return {
    window: { used: limit - remaining, limit, resets_in_seconds: resetSeconds },
    today: { requests: today.requests, cost: today.cost },
    by_key: today.byKey.map(({ id, prefix, requests }) => ({ id, prefix, requests_today: requests })),
  }
}
