// Terms of positions as parameters of `account_positions`.

import { TupleParam } from '@clickhouse/client'
import type { PositionTerm } from '@orrery/protocol-kit'
import { parameterChunks } from './state-rows.ts'

/** Integers in texts, with spaces between; '' for what there is none of. */
export function positionTermParam(term: PositionTerm): TupleParam {
  return new TupleParam(cellsOf(term))
}

function cellsOf({ pool, side, asset, usd, own, isOfPair, ...term }: PositionTerm): string[] {
  const integers = [term.numerator, term.denominator, term.factorNumerator, term.factorDenominator, isOfPair ? 1n : 0n]
  return [
    ...[pool, side, asset, integers.join(' ')],
    usd === null ? '' : `${usd.numerator} ${usd.half}`,
    own === null ? '' : `${own.price} ${own.unit} ${own.decimals}`,
  ]
}

/** Terms in lists that the engine accepts as a parameter. All terms of a pool are in one list. */
export function termChunks(terms: readonly PositionTerm[]): PositionTerm[][] {
  const pools = [...Map.groupBy(terms, ({ pool }) => pool).values()]
  // The cells of a tuple have quotes and a comma each.
  const textOf = (of: readonly PositionTerm[]) => of.map((term) => `${cellsOf(term).join('","')}(''),`).join('')
  return parameterChunks(pools, textOf).map((chunk) => chunk.flat())
}
