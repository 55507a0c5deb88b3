// `POST /explore/key`: a one-time code for an API key of twelve hours. It is there only where a code was made, for the explorer of this machine, and is
// no part of `/v1`.

import { isIPv4 } from 'node:net'
import { assert } from '@orrery/errors'
import type { Clock } from '@orrery/service-kit'
import { z } from 'zod'
import type { Access } from '../access.ts'
import { plainAddress } from '../client-address.ts'
import { withinDeadline } from '../deadline.ts'
import { refuse } from '../errors.ts'
import { readMembers, receiveBody } from '../management/read-body.ts'
import { timeOf } from '../management/time.ts'
import type { ApiContext, ApiMiddleware } from '../middleware/request-state.ts'
import { CODE_MINUTES, type OneTimeCode } from './one-time-code.ts'

export const EXCHANGE_PATH = '/explore/key'

const KEY_HOURS = 12

const Body = z.strictObject({ code: z.string('must be text.').max(100, 'is too long.') })

/** What a code buys. */
export interface CodeOffer {
  readonly code: OneTimeCode
  /** Slug of the organization that the key is of. */
  readonly organization: string
}

interface ExchangeParts {
  readonly offer: CodeOffer
  readonly access: Pick<Access, 'identity'>
  readonly clock: Clock
  readonly deadlineMs: number
}

export function exchangeCode({ offer, access, clock, deadlineMs }: ExchangeParts): ApiMiddleware {
  return async (ctx) => {
    ctx.set('cache-control', 'no-store')
    refuseOtherMachines(ctx)
    refuseOtherPages(ctx)
    const answer = await withinDeadline(ctx.res, deadlineMs, async () => {
      const { code } = readMembers(Body, await receiveBody(ctx))
      const { identity } = access
      const organization = await identity.organizationBySlug(offer.organization)
      assert(organization !== null, 'The organization of the code is there.')
      if (!offer.code.redeem(code)) {
        throw refuse(
          'unauthorized',
          `This code is wrong, was used before, or is older than ${CODE_MINUTES} minutes. Enter an API key instead.`,
        )
      }
      const expiresAtMs = clock.nowMs() + KEY_HOURS * 3_600_000
      const made = identity.addApiKey(
        { organizationId: organization.id, name: 'explorer, by one-time code', scopes: ['data:read'], expiresAtMs },
        { kind: 'system', id: 'one-time code', address: ctx.state.address },
      )
      // Without its key the code is still worth one.
      const { key } = await made.catch((error: unknown) => {
        offer.code.giveBack()
        throw error
      })
      return { key, expires_at: timeOf(expiresAtMs) }
    })
    ctx.status = 201
    ctx.type = 'json'
    ctx.body = JSON.stringify(answer)
  }
}

/** The socket is of this machine, and no proxy says that it asks for another one. */
function refuseOtherMachines({ req, state }: ApiContext): void {
  const forwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => req.headers[name] !== undefined)
  if (!forwarded && isLoopback(plainAddress(req.socket.remoteAddress ?? '')) && isLoopback(state.address)) return
  throw refuse('forbidden', 'A one-time code is taken from the machine of the server only. Enter an API key instead.')
}

/** The page is of this server: named by its loopback address, so that no other name that leads here counts, and sent by its own page. */
function refuseOtherPages(ctx: ApiContext): void {
  const host = ctx.get('host')
  const origin = ctx.get('origin')
  if (isLoopback(hostnameOf(host)) && origin === `http://${host}` && ['', 'same-origin'].includes(ctx.get('sec-fetch-site'))) return
  throw refuse('forbidden', 'A one-time code is taken from the explorer of this server only. Open the printed address as it is.')
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

/** An address of this machine, or its name. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
