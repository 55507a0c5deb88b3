// Checks and encodes one value of a column. The engine itself silently wraps an integer that is too large and cuts a decimal that is too
// long. A value that does not fit is a `bug` that names table and column, never the value.

import { OrreryError } from '@orrery/errors'

/** A value in JSON. Integers of 64 bits and more, and decimals, are text. */
export type Cell = string | number | boolean | null

/** Reads one cell from a row. Throws a RangeError when the value does not fit its column. */
export type Column<Row> = (row: Row) => Cell

/** A whole number of 0 … 2^bits - 1. */
export function unsigned<Row>(bits: 8 | 16 | 32, of: (row: Row) => number): Column<Row> {
  const limit = 2 ** bits
  return (row) => {
    const value = of(row)
    if (!(Number.isInteger(value) && value >= 0 && value < limit)) throw new RangeError(`not a whole number of ${bits} bits`)
    return value
  }
}

export function unsigned64<Row>(of: (row: Row) => bigint): Column<Row> {
  return (row) => {
    const value = of(row)
    if (typeof value !== 'bigint' || value < 0n || value >= 1n << 64n) throw new RangeError('not an unsigned integer of 64 bits')
    return value.toString()
  }
}

/** A raw amount: a signed integer of 256 bits. */
export function int256<Row>(of: (row: Row) => bigint): Column<Row> {
  return (row) => {
    const value = of(row)
    if (typeof value !== 'bigint' || BigInt.asIntN(256, value) !== value) throw new RangeError('not a signed integer of 256 bits')
    return value.toString()
  }
}

/** `Decimal(precision, scale)` as text: no exponent, no more digits on either side of the point than the column has. */
export function decimal<Row>(precision: number, scale: number, of: (row: Row) => string): Column<Row> {
  const shape = new RegExp(`^-?[0-9]{1,${precision - scale}}(\\.[0-9]{1,${scale}})?$`)
  return (row) => {
    const value = of(row)
    if (typeof value !== 'string' || !shape.test(value))
      throw new RangeError(`not a decimal of ${precision} digits with ${scale} behind the point`)
    return value
  }
}

export function text<Row>(of: (row: Row) => string): Column<Row> {
  return (row) => {
    const value = of(row)
    // Half of a surrogate pair has no UTF-8: the engine would store another text than the one that was sent.
    if (typeof value !== 'string' || !value.isWellFormed()) throw new RangeError('not a well-formed text')
    return value
  }
}

export function flag<Row>(of: (row: Row) => boolean): Column<Row> {
  return (row) => {
    const value = of(row)
    if (typeof value !== 'boolean') throw new RangeError('not true or false')
    return value
  }
}

/** A finite number that may be binary: never an amount. */
export function fraction<Row>(of: (row: Row) => number): Column<Row> {
  return (row) => {
    const value = of(row)
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new RangeError('not a finite number')
    return value
  }
}

/** Unix seconds into `DateTime('UTC')`. */
export function seconds<Row>(of: (row: Row) => number): Column<Row> {
  return unsigned(32, of)
}

/** Unix milliseconds into `DateTime64(3, 'UTC')`, which takes an integer as its own ticks. */
export function milliseconds<Row>(of: (row: Row) => number): Column<Row> {
  return (row) => {
    const value = of(row)
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('not a count of milliseconds')
    return value
  }
}

/** An object as JSON. Amounts in it must be text already: JSON has no bigint. */
export function json<Row>(of: (row: Row) => Readonly<Record<string, unknown>>): Column<Row> {
  return text((row) => JSON.stringify(of(row)))
}

/** Lets null through. */
export function nullable<Row, Value>(of: (row: Row) => Value | null, column: (of: (row: Row) => Value) => Column<Row>): Column<Row> {
  // Read only after the null was seen, so the value is there.
  const present = column((row) => of(row) as Value)
  return (row) => (of(row) === null ? null : present(row))
}

/** A table as the writer sees it: columns in the order in which they are sent. */
export interface Table<Row> {
  readonly name: string
  readonly columns: readonly string[]
  /** The cells of `row`. @throws OrreryError `bug`/`row_refused` naming table and column. */
  encode(row: Row): Cell[]
}

/** @param columns snake_case names as in the migrations. */
export function table<Row>(name: string, columns: Readonly<Record<string, Column<Row>>>): Table<Row> {
  const named = Object.entries(columns)
  return {
    name,
    columns: named.map(([column]) => column),
    encode: (row) => {
      const cells: Cell[] = []
      try {
        for (const [, cell] of named) cells.push(cell(row))
      } catch (error) {
        throw refused(name, named[cells.length]?.[0] ?? '', error)
      }
      return cells
    },
  }
}

function refused(tableName: string, column: string, error: unknown): OrreryError {
  const why = error instanceof RangeError ? error.message : 'not representable'
  return new OrreryError('bug', 'row_refused', `A row for ${tableName} has a value that its column ${column} cannot hold: ${why}.`, {
    context: { table: tableName, column },
  })
}
