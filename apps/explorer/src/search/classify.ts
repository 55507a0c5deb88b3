// What a text in the search box is, by its form alone.

import { accountPath, contractPath, ledgerPath, poolPath, searchPath, transactionPath } from '../paths.ts'

export type SearchKind = 'account' | 'contract' | 'transaction' | 'ledger' | 'pool' | 'text' | 'empty'

export interface Search {
  readonly kind: SearchKind
  /** The text as the API takes it: addresses in upper case, hashes in lower case, ledgers without separators. */
  readonly value: string
}

const ACCOUNT = /^G[A-Z2-7]{55}$/
const CONTRACT = /^C[A-Z2-7]{55}$/
const HASH = /^[0-9a-f]{64}$/
/** A number as it is typed or copied: digits, or groups of three. */
const LEDGER = /^(?:\d{1,10}|\d{1,3}(?:[\s,.'’_\u00a0\u202f]\d{3}){1,3})$/
/** Vaults of one currency, which have no contract of their own. */
const VAULTS = /^fxdao:[a-z]{1,12}$/i
const LARGEST_LEDGER = 2 ** 32 - 1

export function classify(text: string): Search {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'empty', value: '' }
  const upper = trimmed.toUpperCase()
  if (ACCOUNT.test(upper)) return { kind: 'account', value: upper }
  if (CONTRACT.test(upper)) return { kind: 'contract', value: upper }
  const lower = trimmed.toLowerCase()
  if (HASH.test(lower)) return { kind: 'transaction', value: lower }
  if (VAULTS.test(trimmed)) return { kind: 'pool', value: `fxdao:${upper.slice('fxdao:'.length)}` }
  const digits = trimmed.replaceAll(/\D/g, '')
  if (LEDGER.test(trimmed) && Number(digits) <= LARGEST_LEDGER) return { kind: 'ledger', value: String(Number(digits)) }
  return { kind: 'text', value: trimmed }
}

/** The page that the search leads to; null for an empty one. */
export function searchTarget(text: string): string | null {
  const { kind, value } = classify(text)
  switch (kind) {
    case 'account':
      return accountPath(value)
    case 'contract':
      return contractPath(value)
    case 'transaction':
      return transactionPath(value)
    case 'ledger':
      return ledgerPath(value)
    case 'pool':
      return poolPath(value)
    case 'text':
      return searchPath(value)
    case 'empty':
      return null
  }
}
