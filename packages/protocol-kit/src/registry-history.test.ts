import { expect, it } from 'vitest'
import type { Network } from './network.ts'
import { RegistryHistory } from './registry-history.ts'

const named = (name: string) => ({ name }) as unknown as Network
const [first, second, third] = [named('first'), named('second'), named('third')] as [Network, Network, Network]

it('the registry of a ledger is the last version that began at or before it, and the first one before all of them', () => {
  const history = new RegistryHistory([{ fromLedger: 100, network: first }])
  history.add({ fromLedger: 200, network: second })
  expect([50, 100, 199, 200, 4_000].map((ledger) => history.at(ledger))).toEqual([first, first, first, second, second])
  expect(history.at(200)).toBe(second)
})

it('of two versions with the same first ledger the later one applies, because no ledger was folded with the other', () => {
  const history = new RegistryHistory([{ fromLedger: 100, network: first }])
  history.add({ fromLedger: 100, network: second })
  history.add({ fromLedger: 300, network: third })
  expect([99, 100, 300].map((ledger) => history.at(ledger))).toEqual([first, second, third])
})

it('a version cannot begin before the one that it follows', () => {
  const history = new RegistryHistory([{ fromLedger: 100, network: first }])
  expect(() => history.add({ fromLedger: 99, network: second })).toThrow(expect.objectContaining({ kind: 'bug' }))
})
