import { describe, expect, it } from 'vitest'
import { classify, searchTarget } from './classify.ts'

const ACCOUNT = 'GAHSDYDIQTNM32TC45PEFQ5CGK3IOFYMS3ZN7JCZQLUWQC26L6JI6ZY3'
const CONTRACT = 'CBAMR725BI4RSGUIHY6QJ2ZA4JU42IVY6EJISD7OXRTSE6BBA36CGY3D'
const HASH = '7504518b708ccfc35d9793c096e138db03fc1817f5b9090c3ca6b3f2effd57bd'

describe('a search', () => {
  it.each([
    ['an account', ACCOUNT, 'account', ACCOUNT],
    ['an account in lower case with spaces around it', `  ${ACCOUNT.toLowerCase()}\n`, 'account', ACCOUNT],
    ['a contract', CONTRACT, 'contract', CONTRACT],
    ['the hash of a transaction', HASH, 'transaction', HASH],
    ['a hash in upper case', HASH.toUpperCase(), 'transaction', HASH],
    ['a ledger', '1006527', 'ledger', '1006527'],
    ['a ledger with the separators of English', '1,006,527', 'ledger', '1006527'],
    ['a ledger with the separators of German', '1.006.527', 'ledger', '1006527'],
    ['a ledger with the separators of French', '1\u202f006\u202f527', 'ledger', '1006527'],
    ['the vaults of a currency', 'fxdao:usd', 'pool', 'fxdao:USD'],
    ['a symbol', 'XLM', 'text', 'XLM'],
    ['a symbol with its issuer', `USDC:${ACCOUNT}`, 'text', `USDC:${ACCOUNT}`],
    ['an address that lacks a character', ACCOUNT.slice(1), 'text', ACCOUNT.slice(1)],
    ['a number above every ledger', '4294967296', 'text', '4294967296'],
    ['a decimal number', '1.5', 'text', '1.5'],
    ['nothing', '   ', 'empty', ''],
  ] as const)('finds %s', (_, text, kind, value) => {
    expect(classify(text)).toEqual({ kind, value })
  })

  it.each([
    [ACCOUNT, `/explore/accounts/${ACCOUNT}`],
    [CONTRACT, `/explore/contracts/${CONTRACT}`],
    [HASH, `/explore/transactions/${HASH}`],
    ['1,006,527', '/explore/ledgers/1006527'],
    ['fxdao:eur', '/explore/pools/fxdao%3AEUR'],
    ['a & b', '/explore/search?q=a%20%26%20b'],
    ['', null],
  ])('for %j leads to %j', (text, path) => {
    expect(searchTarget(text)).toBe(path)
  })
})
