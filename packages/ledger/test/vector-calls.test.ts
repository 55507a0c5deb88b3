// Calls of mainnet operations and envelopes that were collected with the vectors: callers, callees and arguments.
// They are in a folder beside the repository; without it these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readCalls } from '../src/calls.ts'
import { type CallRecord, readScVals, type ScVal, XdrWriter } from '../src/index.ts'
import { locateEnvelope } from '../src/transaction-set.ts'

const shared = sharedDir() ?? ''
const folder = join(shared, 'reference/vectors')
const hasVectors = existsSync(folder)
const vectorsOf = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

const ROUTER = 'CAG5LRYQ5JVEUI5TEID72EYOVX44TTUJT5BQR2J6J77FH65PCCFAJDDH'

/** The calls of an operation's body, as the only operation of a transaction, without its own source. */
function callsOfOperation(body: string): CallRecord[] {
  const bytes = new XdrWriter().u32(1).u32(0).raw(base64(body)).done()
  return readCalls(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0, 0)
}

function callsOfEnvelope(envelope: string): CallRecord[] {
  const bytes = base64(envelope)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readCalls(bytes, view, locateEnvelope(view, 0).operationsAt, 0, 0)
}

/** A value in the notation of the vectors: numbers that fit in 32 bits as numbers, others as text. */
function plain(value: ScVal): unknown {
  if (value.type === 'vec') return (value.value ?? []).map(plain)
  if (value.type === 'map') {
    return Object.fromEntries((value.value ?? []).map(({ key, val }) => [String('value' in key ? key.value : ''), plain(val)]))
  }
  if (!('value' in value)) return null
  return typeof value.value === 'bigint' ? value.value.toString() : value.value
}

const stated = ({ contract, function: name, args }: CallRecord) => ({ contract, name, args: readScVals(args).map(plain) })

interface RouterCall {
  readonly ledger: number
  readonly operation_body_xdr: string
  readonly expected: Readonly<Record<string, unknown>> & { readonly call_chain: readonly string[]; readonly to: string }
}

describe.runIf(hasVectors)('calls of mainnet (from ../shared)', () => {
  it('top-level calls of the Soroswap router are read: the swap, and the transfer that it requires', () => {
    const [it] = vectorsOf('soroswap').mainnet_router_calls as RouterCall[]
    const { amount_in, amount_out_min, path, to, deadline } = it?.expected ?? ({} as never)
    const calls = callsOfOperation(it?.operation_body_xdr ?? '')
    const swap = {
      contract: ROUTER,
      name: 'swap_exact_tokens_for_tokens',
      args: [amount_in, amount_out_min, path, to, String(deadline).split(' ')[0]],
    }
    const [token] = path as string[]
    const transfer = { contract: token, name: 'transfer', args: [to, expect.stringMatching(/^C/), amount_in] }
    // The operation's own call, and again as what its source authorised, with the transfer under it.
    expect(calls.map(stated)).toEqual([swap, swap, transfer])
    expect(calls.map(({ parent, authorizer }) => [parent, authorizer])).toEqual([
      [-1, null],
      [-1, null],
      [1, null],
    ])
  })

  it('calls of the Soroswap router are read below an aggregator that another contract calls', () => {
    const [, it] = vectorsOf('soroswap').mainnet_router_calls as RouterCall[]
    const calls = callsOfOperation(it?.operation_body_xdr ?? '')
    const { aggregator } = vectorsOf('soroswap').addresses.mainnet
    const router = calls.find(({ contract }) => contract === ROUTER)
    const chain: CallRecord[] = []
    for (let call = router; call !== undefined; call = calls[call.parent]) chain.unshift(call)
    const [outer = ''] = it?.expected.call_chain ?? []
    expect(chain.map(({ contract, function: name }) => `${contract}.${name}`)).toEqual([
      outer,
      `${aggregator}.swap_exact_tokens_for_tokens`,
      `${ROUTER}.swap_exact_tokens_for_tokens`,
    ])
    const [to] = (it?.expected.to ?? '').split(' ')
    expect(readScVals(router?.args ?? new Uint8Array()).map(plain)).toContain(to)
    expect(calls.filter(({ parent }) => parent === router?.index).map(({ function: name }) => name)).toEqual(['transfer'])
  })

  it('calls are the same in the operations beside the ledgers', () => {
    const names = ['toplevel_op_ledger62000296', 'subinvocation_op_ledger62029020']
    const calls = names.map((name) =>
      callsOfOperation(readFileSync(join(shared, `ledgers/events/soroswap-router-ops/router_${name}.b64`), 'utf8')).map(stated),
    )
    const ofVectors = (vectorsOf('soroswap').mainnet_router_calls as RouterCall[]).map((it) =>
      callsOfOperation(it.operation_body_xdr).map(stated),
    )
    expect(calls).toEqual(ofVectors)
  })

  it('calls of a pool of Blend are read: a loan of USDC', () => {
    const { envelope_xdr, decoded } = vectorsOf('blend').sdk_tests.submit_transaction
    const [submit] = callsOfEnvelope(envelope_xdr).map(stated)
    expect(submit).toEqual({ contract: decoded.contract, name: decoded.function, args: decoded.args })
  })

  it('calls of the vaults of FxDAO are read: a debt paid back, and the coins burnt for it', () => {
    const { envelope_xdr, expected } = vectorsOf('fxdao').mainnet_transaction
    const { USDx } = vectorsOf('fxdao').addresses.mainnet.assets
    const { contract, fn: name, prev_key, vault_key, new_prev_key, amount } = expected
    const pay = { contract, name, args: [prev_key, vault_key, new_prev_key, amount] }
    const burn = { contract: USDx, name: 'burn', args: [vault_key.account, amount] }
    expect(callsOfEnvelope(envelope_xdr).map(stated)).toEqual([pay, pay, burn])
  })
})
