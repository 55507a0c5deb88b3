// Which positions a page of the list has: ClickHouse values and sorts the accounts of some pools in a statement, and the places of all
// statements are merged. A statement has as many pools as its parameters hold.

import { USD_SCALE } from '@orrery/pricing'
import type { PositionTerm } from '@orrery/protocol-kit'
import { positionTermParam, termChunks } from '@orrery/read-model'
import { accountPositions, HEALTH_SCALE } from '@orrery/read-model/queries'
import type { AccountsQuery } from '../../params/accounts-query.ts'
import type { Holdings, RangedPosition } from '../../readers/protocol-reader.ts'
import type { RouteContext } from '../../route.ts'
import { type AccountPlace, comparePlaces } from './account-order.ts'

/** Statements that run at once for one request. */
const AT_ONCE = 4

/** The first `rows` places after `after`, in order. */
export async function accountPlaces(
  { protocol, terms, ranged }: Holdings,
  query: AccountsQuery,
  page: { readonly after: AccountPlace | null; readonly rows: number; readonly watermark: number; readonly isVault: boolean },
  { readModel, call }: RouteContext,
): Promise<AccountPlace[]> {
  const { after, rows, watermark, isVault } = page
  const bounds = {
    ...{ protocol, watermark, rows, sort: query.sort, vaults: isVault },
    below: query.health_factor_below === undefined ? '' : scaled(query.health_factor_below, HEALTH_SCALE),
    after: after !== null,
    after_place: after?.place?.toString() ?? '',
    after_pool: after?.pool ?? '',
    after_address: after?.address ?? '',
  }
  const ask = async (chunk: readonly PositionTerm[]): Promise<AccountPlace[]> => {
    const pools = [...new Set(chunk.map(({ pool }) => pool))]
    const found = await readModel.query(accountPositions, { ...bounds, pools, terms: chunk.map(positionTermParam) }, call)
    return found.map(({ pool, address, place }) => ({ pool, address, place: place === null ? null : BigInt(place) }))
  }
  const chunks = termChunks(terms)
  let first = ranged.map((position) => placeOf(position, query)).filter((place) => after === null || comparePlaces(place, after) > 0)
  for (let n = 0; n < chunks.length; n += AT_ONCE) {
    const more = await Promise.all(chunks.slice(n, n + AT_ONCE).map(ask))
    first = [...first, ...more.flat()].sort(comparePlaces).slice(0, rows)
  }
  return first.sort(comparePlaces).slice(0, rows)
}

/** A pool of ranges has no debts, and so no health factor. */
function placeOf({ pool, address, netUsd }: RangedPosition, { sort }: AccountsQuery): AccountPlace {
  return { pool, address, place: sort === 'health_factor' ? null : sort === 'net_usd' ? -BigInt(scaled(netUsd, USD_SCALE)) : 0n }
}

/** A decimal number as an integer of that scale. */
function scaled(text: string, scale: number): string {
  const [whole = '', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(scale, '0')).toString()
}
