import { expect, it } from 'vitest'
import { PLANNED_AS_WRITTEN, type Query } from '../query.ts'
import * as exported from './index.ts'

/** Every query, those in records too. */
function* queriesIn(value: unknown): Generator<Query> {
  if (value === null || typeof value !== 'object') return
  if ('sql' in value && 'params' in value) yield value as Query
  else if (!('_zod' in value)) for (const part of Object.values(value)) yield* queriesIn(part)
}

const queries = [...queriesIn({ ...exported })]
const isPlannedAsWritten = ({ settings }: Query): boolean =>
  Object.entries(PLANNED_AS_WRITTEN).every(([name, value]) => settings?.[name as keyof typeof settings] === value)
/** The statement ends after some rows of all, not of each key. */
const stopsEarly = ({ sql }: Query): boolean => sql.replace(/LIMIT\s+\d+\s+BY/g, '').includes('LIMIT')

it('a statement that is planned as it is written does not stop after some rows: for that it would need the order of the key', () => {
  const planned = queries.filter(isPlannedAsWritten)
  expect(planned.length).toBeGreaterThan(5)
  expect(planned.filter(stopsEarly).map(({ name }) => name)).toEqual([])
  // What the condition finds.
  expect(queries.filter(stopsEarly).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['account_activities', 'first_account_activity', 'position_snapshots', 'stream_activities']),
  )
})
