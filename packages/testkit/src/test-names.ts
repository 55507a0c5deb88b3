// Addresses by name: the same name is the same address in every test and on every machine.

import { hash } from 'node:crypto'
import { type Address, type ContractId, contractId, encodeStrkey } from '@orrery/ledger'

/** `C...` of an artificial contract. */
export function testContract(name: string): ContractId {
  return contractId(digest(`contract ${name}`))
}

/** `G...` of an artificial account. */
export function testAccount(name: string): Address {
  return encodeStrkey('G', digest(`account ${name}`))
}

function digest(text: string): Uint8Array {
  return new Uint8Array(hash('sha256', text, 'buffer'))
}
