// Addresses of mainnet from the protocol's own page, and a call of mainnet as `callsOf` reads it.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallRecord, sc, writeScVals } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { callsOf } from '../src/chain/calls.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/fxdao.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const given = (): Vectors => {
  if (vectors === null) throw new Error('the vectors are absent')
  return vectors
}

type Texts<Names extends string> = Readonly<Record<Names, string>>
interface Vectors {
  readonly addresses: {
    readonly mainnet: Texts<'vaults' | 'locking_pool' | 'oracle' | 'issuer' | 'collateral_token'> & {
      readonly assets: Readonly<Record<string, string>>
    }
  }
  readonly mainnet_transaction: {
    readonly envelope_xdr: string
    readonly expected: Texts<'contract' | 'fn' | 'amount'> & { readonly vault_key: Texts<'account' | 'denomination' | 'index'> }
  }
}

describe.runIf(vectors !== null)('mainnet (from ../shared)', () => {
  it('has the contracts and coins in its registry that the protocol names', async () => {
    const { vaults, locking_pool, oracle, issuer, collateral_token, assets } = given().addresses.mainnet
    const network = await loadNetwork('mainnet')
    const [deployment] = network.deployments.fxdao
    expect([deployment?.vaults, deployment?.lockingPools]).toEqual([vaults, [locking_pool]])
    const feed = network.oracles.find(({ kind }) => kind === 'fxdao_currencies')
    expect([feed?.contract, feed?.base]).toEqual([oracle, { kind: 'asset', asset: collateral_token }])
    for (const [code, contract] of Object.entries(assets)) {
      expect([code, network.assets[contract]]).toMatchObject([code, { code, issuer }])
    }
    expect(Object.keys(assets)).toHaveLength(4)
  })

  it('has a debt paid back in a transaction, which is read with its vault and its amount', () => {
    const { envelope_xdr, expected } = given().mainnet_transaction
    const { account, denomination, index } = expected.vault_key
    const none = sc.vec(sc.symbol('None'))
    const vault = sc.struct({ account: sc.address(account), denomination: sc.symbol(denomination), index: sc.u128(BigInt(index)) })
    const args = writeScVals([none, vault, none, sc.u128(BigInt(expected.amount))])
    const envelope = Buffer.from(envelope_xdr, 'base64')
    const at = envelope.indexOf(expected.fn) + expected.fn.length
    expect(envelope.subarray(at, at + args.length).toString('hex')).toBe(Buffer.from(args).toString('hex'))
    const call = { tx: 0, opIndex: 0, index: 0, parent: -1, authorizer: null, contract: expected.contract, function: expected.fn, args }
    const record: CallRecord = { kind: 'call', ...call }
    const [read] = callsOf({ calls: [{ record }] } as never, expected.contract, new Set())
    expect(read?.call).toEqual({ name: 'pay_debt', owner: account, denomination, amount: BigInt(expected.amount) })
  })
})
