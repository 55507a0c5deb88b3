// Access and refresh tokens: EdDSA JWTs. Both name a session; the database decides whether it is still valid.
// The audience names the kind of a token, so that neither kind passes for the other.

import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { TokenKeys } from './token-keys.ts'

export const ACCESS_SECONDS = 15 * 60
export const REFRESH_SECONDS = 30 * 24 * 3600

const ISSUER = 'orrery'
/** How far the clocks of two instances may be apart: each takes what the other has just made. */
const CLOCK_SKEW_SECONDS = 5

type Purpose = 'management' | 'refresh'

export interface Tokens {
  /** For `ACCESS_SECONDS`. */
  access(session: { readonly id: string; readonly userId: string }): Promise<string>
  /** Until `expiresAtMs`, unix milliseconds. */
  refresh(session: { readonly id: string; readonly userId: string }, expiresAtMs: number): Promise<string>
  /** Id of the session that the token names; null for whatever is wrong with it. */
  sessionOf(token: string, purpose: Purpose): Promise<string | null>
}

/** `now`: unix milliseconds. */
export function openTokens({ kid, signing, checking }: TokenKeys, now: () => number = Date.now): Tokens {
  const sign = (session: { readonly id: string; readonly userId: string }, audience: Purpose, expiresAtSeconds: number): Promise<string> =>
    new SignJWT({ sid: session.id })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(audience)
      .setSubject(session.userId)
      .setIssuedAt(Math.floor(now() / 1000))
      .setExpirationTime(expiresAtSeconds)
      .sign(signing)

  return {
    access: (session) => sign(session, 'management', Math.floor(now() / 1000) + ACCESS_SECONDS),
    refresh: (session, expiresAtMs) => sign(session, 'refresh', Math.floor(expiresAtMs / 1000)),

    async sessionOf(token, purpose) {
      try {
        const { payload } = await jwtVerify(
          token,
          (header) => {
            const key = checking.get(header.kid ?? '')
            if (key === undefined) throw new Error('No known key has signed this token.')
            return key
          },
          {
            algorithms: ['EdDSA'],
            issuer: ISSUER,
            audience: purpose,
            requiredClaims: ['sub', 'sid', 'iat', 'exp'],
            clockTolerance: CLOCK_SKEW_SECONDS,
            currentDate: new Date(now()),
          },
        )
        return isFromTheFuture(payload, now()) || typeof payload.sid !== 'string' ? null : payload.sid
      } catch {
        // Malformed, tampered with, expired, for something else: one answer for all, so that it does not reveal which.
        return null
      }
    },
  }
}

/** The library ignores the issue time of a token unless it is asked to check its age. */
function isFromTheFuture({ iat }: JWTPayload, nowMs: number): boolean {
  return iat === undefined || iat > nowMs / 1000 + CLOCK_SKEW_SECONDS
}
