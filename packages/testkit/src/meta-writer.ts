// The XDR of a transaction's result and meta.

import { contractBytes, putScVal, sc, type XdrWriter } from '@orrery/ledger'
import { putChanges, putFeeChanges, XLM_CONTRACT } from './entry-writer.ts'
import type { BuiltEnvelope } from './envelope-writer.ts'
import type { EventSpec, OperationSpec, TransactionSpec } from './ledger-spec.ts'

const ZEROES = new Uint8Array(32)
const SUCCESS = 0
const FAILED = -1
const BUMP_SUCCESS = 1
const BUMP_FAILED = -13
const EVENT_TYPES = { system: 0, contract: 1, diagnostic: 2 } as const
const OPERATION_TYPES = { payment: 1, invoke: 24, create: 24, extend: 25, restore: 26 } as const

/** TransactionResultMeta of version 1, TransactionResultMetaV1 of version 2. */
export function putTransactionMeta(
  writer: XdrWriter,
  spec: TransactionSpec,
  built: BuiltEnvelope,
  version: number,
  metaVersion: 3 | 4,
  ledger: number,
): void {
  const payer = spec.feeSource ?? built.source
  if (version === 2) writer.u32(0)
  writer.raw(built.hash)
  putResult(writer, spec, built)
  putFeeChanges(writer, payer, ledger)
  writer.u32(metaVersion).u32(0)
  putFeeChanges(writer, built.source, ledger)
  if (metaVersion === 3) putMetaV3(writer, spec, built.soroban, ledger)
  else putMetaV4(writer, spec, built.soroban, ledger)
  if (version === 2) putFeeChanges(writer, payer, ledger)
}

/** TransactionResult: fee, result, ext. */
function putResult(writer: XdrWriter, spec: TransactionSpec, { innerHash }: BuiltEnvelope): void {
  const { failed = false } = spec
  writer.i64(100n)
  if (innerHash !== null)
    writer
      .i32(failed ? BUMP_FAILED : BUMP_SUCCESS)
      .raw(innerHash)
      .i64(0n)
  writer.i32(failed ? FAILED : SUCCESS)
  writer.array(spec.operations, (operation) => putOperationResult(writer, operation, failed))
  if (innerHash !== null) writer.u32(0)
  writer.u32(0)
}

function putOperationResult(writer: XdrWriter, { kind = 'invoke' }: OperationSpec, failed: boolean): void {
  // opINNER, the operation's type, and its own code: 0 is success, -2 (of a call: trapped) is one way to fail.
  writer
    .u32(0)
    .u32(OPERATION_TYPES[kind])
    .i32(failed ? -2 : 0)
  if (!failed && OPERATION_TYPES[kind] === OPERATION_TYPES.invoke) writer.raw(ZEROES)
}

/** Events are in sorobanMeta, where diagnostics repeat them. */
function putMetaV3(writer: XdrWriter, spec: TransactionSpec, soroban: boolean, ledger: number): void {
  const operations = spec.failed ? [] : spec.operations
  writer.array(operations, ({ changes = [] }) => putChanges(writer, changes, ledger))
  writer.u32(0).flag(soroban)
  if (!soroban) return
  writer.u32(0)
  putEvents(writer, operations[0]?.events ?? [])
  putScVal(writer, sc.void())
  putDiagnostics(writer, spec)
}

/** Events are in the operations; the transaction has its fee event, and diagnostics repeat all others. */
function putMetaV4(writer: XdrWriter, spec: TransactionSpec, soroban: boolean, ledger: number): void {
  writer.array(spec.failed ? [] : spec.operations, ({ changes = [], events = [] }) => {
    writer.u32(0)
    putChanges(writer, changes, ledger)
    putEvents(writer, events)
  })
  writer.u32(0).flag(soroban)
  if (soroban) {
    writer.u32(0).flag(true)
    putScVal(writer, sc.void())
  }
  // TransactionEvent: stage "before all transactions".
  writer.u32(1).u32(0)
  putEvent(writer, { contract: XLM_CONTRACT, topics: [sc.symbol('fee')], data: sc.i128(100n) })
  putDiagnostics(writer, spec)
}

function putEvents(writer: XdrWriter, events: readonly EventSpec[]): void {
  writer.array(events, (event) => putEvent(writer, event))
}

function putDiagnostics(writer: XdrWriter, { operations, failed = false }: TransactionSpec): void {
  const events = operations.flatMap((operation) => operation.events ?? [])
  writer.array(events, (event) => {
    writer.flag(!failed)
    putEvent(writer, event)
  })
}

function putEvent(writer: XdrWriter, { contract, type = 'contract', topics, data }: EventSpec): void {
  writer.u32(0).flag(contract !== null)
  if (contract !== null) writer.raw(contractBytes(contract))
  writer
    .u32(EVENT_TYPES[type])
    .u32(0)
    .array(topics, (topic) => putScVal(writer, topic))
  putScVal(writer, data)
}
