// What is known of a member of a recorded answer: by which test it is compared, or why it cannot be.

/** Ways from the index to a comparison: answers of the API, and state rows as of a ledger through the reader below it. */
export const WAYS = ['/v1', 'state'] as const
export type Through = (typeof WAYS)[number]

/** `ground-truth-<name>.test.ts`, or `.system.test.ts` of those that are derived. */
export type TestName = 'activities' | 'aquarius' | 'blend' | 'derived-blend' | 'derived-fxdao' | 'fxdao' | 'prices' | 'soroswap'

/** A member that is compared, by which test on which way. */
export interface ComparedMember {
  readonly ways: Readonly<Partial<Record<Through, TestName>>>
  /** Lines whose member is not compared, and why. */
  readonly except?: string
}

export type Member = ComparedMember | { readonly question: true } | { readonly notComparable: string }

/** Members by name; `member.part` where parts of a member are listed one by one. */
export type KindMembers = Readonly<Record<string, Member>>
