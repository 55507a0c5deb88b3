// The sentences about the transactions of the recording, as `truth/sentences.md` has them: at least one for each kind of action and each side of it.

import { readFileSync } from 'node:fs'
import { isShippedRecording } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

interface Example {
  /** Protocol, type, event, detail and side. */
  readonly kind: string
  readonly sentence: string
  readonly account: string
  readonly transaction: string
}

const EXAMPLES = readFileSync(new URL('truth/sentences.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap(exampleOf)

function exampleOf(line: string): Example[] {
  const cells = line.split('|').map((cell) => cell.trim())
  const [sentence = '', account = '', transaction = ''] = cells.slice(6)
  return /^[0-9a-f]{64}$/.test(transaction) ? [{ kind: cells.slice(1, 6).join(' | '), sentence, account, transaction }] : []
}

/** Kinds of the stored activities, written as those of the table. */
const KINDS = `
  SELECT DISTINCT
    protocol, activity_type,
    if(activity_type = 'admin' AND protocol != 'blend', '', splitByChar('/', JSONExtractString(metadata, 'event'))[-1]) AS event,
    trim(concat(JSONExtractString(metadata, 'reason'), ' ', JSONExtractString(metadata, 'auction_type'))) AS detail,
    multiIf(activity_type = 'admin', '', JSONExtractString(metadata, 'role') != '', JSONExtractString(metadata, 'role'),
      activity_type = 'transfer', toString(direction), '') AS side
  FROM orrery.activities`

/** A caller without a part in any of the transactions. */
const STRANGER = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF'

describe.runIf(isShippedRecording)('sentences', () => {
  let whole: WholeNetwork

  beforeAll(async () => {
    whole = await WholeNetwork.open()
  }, 900_000)

  afterAll(() => whole[Symbol.asyncDispose]())

  const summaryOf = async (transaction: string, address?: string): Promise<string> =>
    (await whole.get(`/v1/transactions/${transaction}${address === undefined ? '' : `?address=${address}`}`)).data.summary

  it.each(EXAMPLES)('$kind: $sentence', async ({ account, transaction, sentence }) => {
    expect(await summaryOf(transaction, account)).toBe(sentence)
  })

  it('the table has at least 60 distinct sentences, and an example of every kind of action and side of the recording', async () => {
    expect(new Set(EXAMPLES.map(({ sentence }) => sentence)).size).toBeGreaterThanOrEqual(60)
    const rows = await storedRows(KINDS)
    const kinds = rows.map(({ protocol, activity_type, event, detail, side }) => [protocol, activity_type, event, detail, side].join(' | '))
    expect([...new Set(EXAMPLES.map(({ kind }) => kind))].sort()).toEqual(kinds.sort())
  })

  it('an amount in a sentence has at most 6 significant digits', () => {
    const amounts = EXAMPLES.flatMap(({ sentence }) => sentence.match(/\d[\d,]*(\.\d+)? (?=[A-Z])/g) ?? [])
    expect(amounts.length).toBeGreaterThan(60)
    const digits = amounts.map((amount) => amount.replace(/[^\d.]/g, '').replace(/^0\.0*/, ''))
    expect(digits.filter((text) => (text.includes('.') ? text.replace('.', '') : text.replace(/0+$/, '')).length > 6)).toEqual([])
  })

  const ACTING = ['liquidator', 'redeemer', 'filler', 'giver']

  it.each(EXAMPLES.filter(({ kind }) => ACTING.includes(kind.split(' | ').at(-1) ?? '')))(
    'without an account of its own a transaction is shown for the account that acted: $sentence',
    async ({ transaction, sentence }) => {
      const acted = await summaryOf(transaction)
      expect(await summaryOf(transaction, STRANGER)).toBe(acted)
      expect(acted).toContain(sentence.split(' in ')[0])
    },
  )
})
