import type { LedgerHeaderFacts } from '@orrery/ledger'
import { describe, expect, it } from 'vitest'
import { checkRecordedLedger, nextLedgerFacts } from './ledger-facts.ts'

const hash = (sequence: number): string => sequence.toString(16).padStart(64, '0')
const header = (sequence: number, closeTime: string): LedgerHeaderFacts => ({
  sequence,
  closeTimeSeconds: Date.parse(closeTime) / 1000,
  hash: hash(sequence),
  previousHash: hash(sequence - 1),
  protocolVersion: 23,
})

describe('the first ledger of an hour or a day', () => {
  it.each([
    ['2026-09-01T10:59:55Z', '2026-09-01T10:59:59Z', false, false],
    ['2026-09-01T10:59:55Z', '2026-09-01T11:00:00Z', true, false],
    ['2026-09-01T10:59:55Z', '2026-09-01T14:07:00Z', true, false], // an hour without a ledger has no first ledger
    ['2026-09-01T23:59:58Z', '2026-09-02T00:00:03Z', true, true],
    ['2026-09-01T10:00:00Z', '2026-09-03T10:00:00Z', true, true], // the same hour of another day
    ['2026-09-01T11:00:00Z', '2026-09-01T11:00:00Z', false, false], // from protocol 30 on close times may repeat
  ])('after %s, %s starts an hour: %s, a day: %s', (before, now, hourStart, dayStart) => {
    const previous = nextLedgerFacts(header(7, before), null)
    expect(nextLedgerFacts(header(8, now), previous)).toMatchObject({ ledger: 8, hourStart, dayStart })
  })

  it('the first ledger of the index starts an hour and a day, whenever it closed', () => {
    expect(nextLedgerFacts(header(7, '2026-09-01T10:59:55Z'), null)).toMatchObject({ hourStart: true, dayStart: true })
  })
})

describe('the chain of ledgers', () => {
  const previous = nextLedgerFacts(header(7, '2026-09-01T10:00:00Z'), null)

  it('a ledger with another predecessor is refused, and the error names both hashes and the last complete ledger', () => {
    const other = { ...header(8, '2026-09-01T10:00:05Z'), previousHash: hash(99) }
    expect(() => nextLedgerFacts(other, previous)).toThrow(
      expect.objectContaining({ kind: 'corrupt', code: 'ledger_chain_broken', context: { ledger: 8, expected: hash(7), found: hash(99) } }),
    )
    expect(() => nextLedgerFacts(other, previous)).toThrow(/Everything up to ledger 7 is complete/)
  })

  it('a ledger that is skipped or repeated is refused', () => {
    for (const sequence of [9, 7]) {
      expect(() => nextLedgerFacts(header(sequence, '2026-09-01T10:00:05Z'), previous)).toThrow(
        expect.objectContaining({ code: 'ledger_chain_broken' }),
      )
    }
  })

  it('a ledger that differs from the one in the log is refused', () => {
    checkRecordedLedger(header(7, '2026-09-01T10:00:00Z'), previous)
    expect(() => checkRecordedLedger({ ...header(7, '2026-09-01T10:00:00Z'), hash: hash(5) }, previous)).toThrow(
      expect.objectContaining({ kind: 'corrupt', code: 'ledger_chain_broken', context: { ledger: 7, expected: hash(7), found: hash(5) } }),
    )
  })
})
