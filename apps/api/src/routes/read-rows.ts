// The rows of a statement of any size. Many rows are read as they arrive, so that other requests are served in between.

import type { Query } from '@orrery/read-model'
import type { z } from 'zod'
import type { RouteContext } from '../route.ts'

type Reading = Pick<RouteContext, 'readModel' | 'call' | 'format'>

export async function readRows<Params extends z.ZodObject, Row extends z.ZodType>(
  query: Query<Params, Row>,
  params: z.input<Params>,
  { readModel, call, format }: Reading,
): Promise<readonly z.output<Row>[]> {
  if (format === 'json') return readModel.query(query, params, call)
  const rows: z.output<Row>[] = []
  for await (const row of readModel.stream(query, params, call)) rows.push(row)
  return rows
}
