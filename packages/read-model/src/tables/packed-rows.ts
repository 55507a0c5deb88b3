// Rows that wait to be stored, compressed: while history is indexed those of seconds wait, which as text are much of a process's memory.

import type { Rows } from '@orrery/protocol-kit'
import { type InsertBody, joinBodies, packBody } from './insert.ts'

type Bodies = ReadonlyMap<keyof Rows, readonly InsertBody[]>

/** Text of one loop that is compressed together: enough to compress well, and about a millisecond of work. A ledger with more is compressed as a whole. */
const PACK_BYTES = 256 * 1024
const NONE: Bodies = new Map()

/** The rows of one ledger: text first, then perhaps in a pack with those of other ledgers. */
export class WaitingRows {
  #bodies: Bodies
  #pack: Pack | null = null
  /** They are being sent as text, or were. */
  isSent = false
  /** Of the text. */
  readonly bytes: number
  readonly #counts: ReadonlyMap<keyof Rows, number>

  constructor(bodies: Bodies) {
    this.#bodies = bodies
    this.#counts = new Map([...bodies].map(([table, own]) => [table, own.reduce((sum, { rows }) => sum + rows, 0)]))
    this.bytes = 0
    for (const own of bodies.values()) for (const { pieces } of own) for (const { length } of pieces) this.bytes += length
  }

  count(table: keyof Rows): number {
    return this.#counts.get(table) ?? 0
  }

  /** Null while the rows are text. */
  get pack(): Pack | null {
    return this.#pack
  }

  /** None once they are in a pack, or stored. */
  get bodies(): Bodies {
    return this.#bodies
  }

  moveTo(pack: Pack): void {
    this.#pack = pack
    this.#bodies = NONE
  }

  /** The engine has them. */
  stored(): void {
    this.#bodies = NONE
  }
}

/** Rows of several ledgers, compressed. */
export interface Pack {
  readonly bodies: Bodies
  /** The engine has them: they need not be sent for another of their ledgers. */
  isStored: boolean
}

/** Compresses the rows that one loop has encoded and that wait. */
export class RowPacker {
  #waiting: WaitingRows[] = []
  #bytes = 0

  /** Adds the rows of a ledger; those of ledgers before it may then be compressed. */
  add(ledger: WaitingRows): void {
    this.#leaveSent()
    if (this.#bytes >= PACK_BYTES) this.#pack()
    if (ledger.bytes === 0) return // a ledger without rows
    this.#waiting.push(ledger)
    this.#bytes += ledger.bytes
  }

  /** Ledgers are sent in their order. */
  #leaveSent(): void {
    while (this.#waiting[0]?.isSent) this.#bytes -= this.#waiting.shift()?.bytes ?? 0
  }

  #pack(): void {
    const ledgers = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    const tables = new Set(ledgers.flatMap(({ bodies }) => [...bodies.keys()]))
    const packed = [...tables].map((table) => {
      const own = joinBodies(ledgers.flatMap(({ bodies }) => bodies.get(table) ?? []))
      return [table, own.map(packBody)] as const
    })
    const pack: Pack = { bodies: new Map(packed), isStored: false }
    for (const ledger of ledgers) ledger.moveTo(pack)
  }
}
