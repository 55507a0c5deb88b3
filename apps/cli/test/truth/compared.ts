// Comparisons of recorded answers with ours, counted, with the members of the answers that took part: what `members.ts` claims is held against
// what ran.

import { type ExpectedAnswer, isShippedRecording } from '@orrery/testkit'
import { expect } from 'vitest'
import type { Through } from './member.ts'
import { MEMBERS } from './members.ts'
import { expectCounts } from './sampled.ts'

/** Members of an answer by name. A member that is an object with members of its own is compared as a whole or in part. */
export type Members = Readonly<Record<string, unknown>>

/** Names of compared members by test file, way and kind: files share a process. */
const comparedMembers = new Map<string, Set<string>>()

const nameOf = (through: Through, kind: string): string => `${expect.getState().testPath} ${through} ${kind}`

/** Members that name the request of an answer: they are in the message of a failed comparison. */
const QUESTION = ['contract', 'address', 'pool', 'asset', 'denomination', 'reserve_token_id', 'label', 'tick_lower', 'tick_upper', 'user']

function questionOf(answer: ExpectedAnswer): Members {
  const asked = QUESTION.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]]))
  return { ledger: answer.ledger, ...Object.fromEntries(asked) }
}

/** How many answers were compared, by what. */
export class Compared {
  readonly counts: Record<string, number> = {}
  readonly #through: Through | null

  /** @param through The way that answers take from us to the comparison; null where members are not recorded. */
  constructor(through: Through | null = null) {
    this.#through = through
  }

  /** One comparison, with what it is about in the message. */
  equal(what: string, about: object, ours: unknown, theirs: unknown): void {
    expect({ what, ...about, value: ours }).toEqual({ what, ...about, value: theirs })
    this.count(what)
  }

  /** A case with a separate count: a special comparison, or one that cannot be made. */
  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  /**
   * One answer: each of `ours` equals the member of that name. `theirs` replaces the answer's own members where only a part of one is compared,
   * or where it is written in another way. Names that the answer does not have are compared, and claim no member.
   */
  answer(what: string, answer: ExpectedAnswer, ours: Members, theirs: Members = pick(answer, Object.keys(ours))): void {
    this.equal(what, questionOf(answer), ours, theirs)
    if (this.#through !== null) register(this.#through, answer, theirs)
  }

  /** Prints the counts, and holds them to those of the shipped recording. */
  expectCounts(how: string, ofShippedRecording: Readonly<Record<string, number>>): void {
    if (isShippedRecording) this.print(how)
    expectCounts(`Compared ${how}`, this.counts, ofShippedRecording)
  }

  print(how: string): void {
    process.stderr.write(`Compared ${how}: ${JSON.stringify(this.counts)}\n`)
  }
}

function pick(answer: ExpectedAnswer, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, answer[name]]))
}

/** A member that is null on both sides proves nothing: it is not recorded. */
function register(through: Through, answer: ExpectedAnswer, theirs: Members): void {
  const name = nameOf(through, answer.kind)
  const members = comparedMembers.get(name) ?? new Set()
  comparedMembers.set(name, members)
  for (const [member, value] of Object.entries(theirs)) {
    if (answer[member] == null) continue
    for (const path of memberPaths(answer.kind, member, value)) members.add(path)
  }
}

/** `member` itself, or `member.part` for each part that has a value, where the list of members names parts. Nothing of null. */
export function memberPaths(kind: string, member: string, value: unknown): string[] {
  if (value == null) return []
  const isInParts = Object.keys(MEMBERS[kind] ?? {}).some((path) => path.startsWith(`${member}.`))
  if (!isInParts || typeof value !== 'object') return [member]
  return Object.entries(value).flatMap(([part, of]) => (of == null ? [] : [`${member}.${part}`]))
}

/** What this file's comparisons took part in: kinds with the members that were compared on the way. */
export function comparedBy(through: Through, kind: string): ReadonlySet<string> {
  return comparedMembers.get(nameOf(through, kind)) ?? new Set()
}
