// Source account, fee and memo of a transaction.

import { MEMO_TYPES } from '@orrery/ledger'
import type { TransactionRecord } from '@orrery/read-model/queries'
import { z } from 'zod'
import { wholeUnits } from './amount.ts'

const XLM_DECIMALS = 7
const UNKNOWN = 'Null until the record of the transaction is written, and where the log of an older build lacks it.'

export const TRANSACTION_FACTS = {
  source_account: z
    .string()
    .nullable()
    .describe(
      'Source account of the transaction (`G...`), of a fee bump that of the inner transaction. Null until the record of the transaction is written.',
    ),
  fee_account: z
    .string()
    .nullable()
    .describe(
      'Account that paid the fee (`G...`): the fee source of a fee bump, else the source account. Null until the record of the transaction is written.',
    ),
  fee_charged: z
    .string()
    .nullable()
    .describe(
      `Fee that the network charged for the whole transaction, in XLM, at least 0: base fee and resource fees after refunds. It is in no activity and no total. ${UNKNOWN}`,
    ),
  memo_type: z.enum(MEMO_TYPES).nullable().describe(`Type of the memo. ${UNKNOWN}`),
  memo: z
    .string()
    .nullable()
    .describe(
      'Memo: `text` as UTF-8 (bytes that are not UTF-8 become U+FFFD), `id` in decimal digits, `hash` and `return` as 64 hex characters. Null without a memo, and where `memo_type` is null.',
    ),
}

/** @param record Undefined until it is written. Equal for all protocols of the transaction. */
export function presentTransactionFacts(record: TransactionRecord | undefined): {
  [member in keyof typeof TRANSACTION_FACTS]: z.infer<(typeof TRANSACTION_FACTS)[member]>
} {
  if (record === undefined) return { source_account: null, fee_account: null, fee_charged: null, memo_type: null, memo: null }
  const { source, fee_source, fee_charged, memo_type, memo } = record
  return {
    source_account: source,
    fee_account: fee_source || source,
    fee_charged: fee_charged === null ? null : wholeUnits(fee_charged, XLM_DECIMALS),
    memo_type: memo_type || null,
    memo: memo_type === '' || memo_type === 'none' ? null : memo,
  }
}
