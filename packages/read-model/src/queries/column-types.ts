// The types of columns in the engine's answers: wide integers and decimals as text, seconds and ledgers as numbers.

import { z } from 'zod'

/** Int256 of the chain. */
export const RawInteger = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)

/** Decimal without exponent and without trailing zeros. */
export const DecimalText = z.string().regex(/^-?\d+(\.\d+)?$/)

/** Ledger sequence, unix seconds, or another UInt32. */
export const U32 = z.int().nonnegative().max(4_294_967_295)
