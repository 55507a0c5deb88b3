// The XDR of transaction envelopes, and their hashes.

import { type Address, decodeStrkey, putScVal, writeScAddress, XdrWriter } from '@orrery/ledger'
import { putDataKey } from './entry-writer.ts'
import type { AuthSpec, CallSpec, EntryKeySpec, InvocationSpec, MemoSpec, OperationSpec, TransactionSpec } from './ledger-spec.ts'
import { sha256 } from './ledger-writer.ts'
import { testAccount, testContract } from './test-names.ts'

const PAYMENT = 1
const INVOKE_HOST_FUNCTION = 24
const EXTEND_FOOTPRINT_TTL = 25
const RESTORE_FOOTPRINT = 26
const SIGNATURE = new Uint8Array(64).fill(0x52)
const CODE = new Uint8Array(32).fill(0xc0)

export interface BuiltEnvelope {
  readonly envelope: Uint8Array
  readonly hash: Uint8Array
  /** Of a fee bump: the hash of the inner transaction. */
  readonly innerHash: Uint8Array | null
  readonly soroban: boolean
  readonly source: Address
}

/** @param n Index among the ledger's transactions; makes equal ones distinct. */
export function buildEnvelope(spec: TransactionSpec, networkId: Uint8Array, ledger: number, n: number): BuiltEnvelope {
  const source = spec.source ?? testAccount('source')
  const soroban = spec.operations.some((operation) => operation.kind !== 'payment')
  const sequence = BigInt(ledger) * 1000n + BigInt(n)
  const tail = transactionTail(spec, soroban, sequence)
  const hashOf = (type: number, tx: Uint8Array): Uint8Array => sha256(new XdrWriter().raw(networkId).u32(type).raw(tx).done())

  if (spec.oldEnvelope) {
    // Version 0 has a bare key, and time bounds where later versions have conditions of any kind. It is hashed as if it were version 1.
    const key = decodeStrkey(source).payload
    const signed = new XdrWriter().u32(0).raw(key).raw(tail).done()
    return { envelope: signedEnvelope(0, signed.subarray(4)), hash: hashOf(2, signed), innerHash: null, soroban, source }
  }
  const writer = new XdrWriter()
  putMuxed(writer, source)
  const tx = writer.raw(tail).done()
  const inner = { envelope: signedEnvelope(2, tx), hash: hashOf(2, tx) }
  if (spec.feeSource === undefined) return { ...inner, innerHash: null, soroban, source }
  const bump = new XdrWriter()
  putMuxed(bump, spec.feeSource)
  const outer = bump.i64(1000n).raw(inner.envelope).u32(0).done()
  return { envelope: signedEnvelope(5, outer), hash: hashOf(5, outer), innerHash: inner.hash, soroban, source }
}

function signedEnvelope(arm: number, tx: Uint8Array): Uint8Array {
  return new XdrWriter().u32(arm).raw(tx).u32(1).u32(0x12345678).opaque(SIGNATURE).done()
}

function putMuxed(writer: XdrWriter, address: Address): void {
  const { kind, payload } = decodeStrkey(address)
  if (kind === 'G') writer.u32(0).raw(payload)
  else writer.u32(256).raw(payload.subarray(32)).raw(payload.subarray(0, 32))
}

/** Transaction after its source: fee, sequence, no conditions, memo, operations, ext. */
function transactionTail(spec: TransactionSpec, soroban: boolean, sequence: bigint): Uint8Array {
  const writer = new XdrWriter()
  writer.u32(100).i64(sequence).u32(0)
  putMemo(writer, spec.memo ?? { text: 'built' })
  writer.array(spec.operations, (operation) => putOperation(writer, operation))
  if (!soroban) return writer.u32(0).done()
  // SorobanTransactionData: ext, footprint, instructions, diskReadBytes, writeBytes, resourceFee.
  writer.u32(1).u32(0)
  const { readOnly, readWrite } = footprintOf(spec)
  writer.array(readOnly, (key) => putDataKey(writer, key))
  // A key of code closes the list: footprints are never of contract data alone.
  writer.u32(readWrite.length + 1)
  for (const key of readWrite) putDataKey(writer, key)
  writer.u32(7).raw(CODE)
  return writer.u32(1_000_000).u32(2000).u32(3000).i64(4000n).done()
}

function putMemo(writer: XdrWriter, memo: MemoSpec): void {
  if (memo === 'none') writer.u32(0)
  else if ('text' in memo) writer.u32(1).opaque(typeof memo.text === 'string' ? Buffer.from(memo.text) : memo.text)
  else if ('id' in memo) writer.u32(2).u64(memo.id)
  else if ('hash' in memo) writer.u32(3).raw(memo.hash)
  else writer.u32(4).raw(memo.return)
}

function footprintOf({ operations, footprint }: TransactionSpec): { readOnly: EntryKeySpec[]; readWrite: EntryKeySpec[] } {
  const changes = operations.flatMap((operation) => operation.changes ?? [])
  return {
    readOnly: [...changes.filter(({ change }) => change === 'ttl'), ...(footprint?.readOnly ?? [])],
    readWrite: [...changes.filter(({ change }) => change !== 'ttl'), ...(footprint?.readWrite ?? [])],
  }
}

function putOperation(writer: XdrWriter, { kind = 'invoke', call, auth = [] }: OperationSpec): void {
  writer.u32(0)
  switch (kind) {
    case 'payment':
      writer.u32(PAYMENT)
      putMuxed(writer, testAccount('payee'))
      writer.u32(0).i64(5n)
      return
    case 'extend':
      writer.u32(EXTEND_FOOTPRINT_TTL).u32(0).u32(5000)
      return
    case 'restore':
      writer.u32(RESTORE_FOOTPRINT).u32(0)
      return
    default:
      writer.u32(INVOKE_HOST_FUNCTION)
      putFunction(writer, kind === 'create' ? 'create' : (call ?? { contract: testContract('called'), function: 'run' }))
      writer.array(auth, (entry) => putAuth(writer, entry))
  }
}

/** HostFunction or SorobanAuthorizedFunction: their first two arms are the same. */
function putFunction(writer: XdrWriter, call: CallSpec | 'create'): void {
  if (call === 'create') {
    // CreateContractArgs: preimage by address and salt, then wasm.
    writer.u32(1).u32(0)
    writeScAddress(writer, testAccount('creator'))
    writer.raw(CODE).u32(0).raw(CODE)
    return
  }
  writer.u32(0)
  writeScAddress(writer, call.contract)
  writer.text(call.function).array(call.args ?? [], (arg) => putScVal(writer, arg))
}

function putAuth(writer: XdrWriter, { authorizer, root }: AuthSpec): void {
  if (authorizer === undefined || authorizer === null) writer.u32(0)
  else {
    // SorobanAddressCredentials: address, nonce, expiration, signature.
    writer.u32(1)
    writeScAddress(writer, authorizer)
    writer.i64(77n).u32(99_999)
    putScVal(writer, { type: 'void' })
  }
  putInvocation(writer, root)
}

function putInvocation(writer: XdrWriter, node: InvocationSpec): void {
  const { call, under } = typeof node === 'object' && 'call' in node ? node : { call: node, under: [] }
  putFunction(writer, call)
  writer.array(under, (child) => putInvocation(writer, child))
}
