// Words of the list of members.

import type { ComparedMember, KindMembers, Member, TestName } from './member.ts'

/** Compared through the API and through the state. */
export const both = (test: TestName, except?: string): ComparedMember => of({ '/v1': test, state: test }, except)
/** Compared through the state: the API does not show it. */
export const state = (test: TestName, except?: string): ComparedMember => of({ state: test }, except)
/** Compared through the API alone. */
export const api = (test: TestName, except?: string): ComparedMember => of({ '/v1': test }, except)
export const notComparable = (reason: string): Member => ({ notComparable: reason })

/** Compared through the state by one test, and through the API by another. */
export const byTwo = (ofState: TestName, ofApi: TestName, except?: string): ComparedMember => of({ '/v1': ofApi, state: ofState }, except)

function of(ways: ComparedMember['ways'], except: string | undefined): ComparedMember {
  return { ways, ...(except === undefined ? {} : { except }) }
}

const QUESTION: Member = { question: true }

/** Members that say what was asked; `ledger`, `close_time`, `kind` and `contract` of every line, and `more`. */
export function asks(...more: string[]): KindMembers {
  return Object.fromEntries(['ledger', 'close_time', 'kind', 'contract', ...more].map((name) => [name, QUESTION]))
}

/** Several members that are compared alike. */
export function all(member: Member, ...names: string[]): KindMembers {
  return Object.fromEntries(names.map((name) => [name, member]))
}
