// An answer whose large members are already texts, as the response cache keeps it.

import type { CsvPage } from '../csv/csv-page.ts'
import type { AnswerFacts } from '../envelope.ts'
import { jsonInPieces } from '../json-in-pieces.ts'
import type { Answer } from '../route.ts'

/** Text, or that text in UTF-8: a kept answer is sent again and again, and its bytes are copied sooner than its text is encoded. */
export type Written = string | Buffer

export interface WrittenAnswer {
  /** JSON; of an answer as CSV the whole body. */
  readonly data: Written
  readonly enrichment: Written
  readonly facts: AnswerFacts
  readonly asOfLedger?: number | undefined
  readonly tag: readonly string[]
  /** Of an answer as CSV. */
  readonly csv?: CsvPage
}

export async function writeJson({ data, enrichment, facts, asOfLedger, tag }: Answer<unknown>): Promise<WrittenAnswer> {
  return { data: await textOf(data), enrichment: JSON.stringify(enrichment), facts, tag, ...(asOfLedger !== undefined && { asOfLedger }) }
}

const textOf = async (data: unknown): Promise<string> =>
  typeof data === 'object' && data !== null ? await jsonInPieces(data) : JSON.stringify(data)
