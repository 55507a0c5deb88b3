// Members of `metadata` that many activities of Blend have.

import { z } from 'zod'

export const DEPLOYMENT = { version: z.enum(['v1', 'v2']).describe('Version of the protocol of the contract.') }

export const rawBlnd = (of: string) => z.string().describe(`${of}, as an integer in the smallest unit of BLND (7 decimals).`)
export const rawLpTokens = (of: string) => z.string().describe(`${of}, as an integer in the smallest unit of the LP token (7 decimals).`)
