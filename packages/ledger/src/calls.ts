// The operation's own call and those it authorised: they show the account behind a router or a batch.
// Trees are walked with a list of open nodes instead of recursion, because hostile envelopes may nest them deeply.

import type { Address, CallRecord } from './record.ts'
import { readScAddress } from './sc-address.ts'
import { skip } from './skip.ts'
import { skipScVals } from './skip-scval.ts'
import { contractId } from './strkey.ts'
import { XdrReader } from './xdr-reader.ts'

const INVOKE_HOST_FUNCTION = 24
const SOURCE_ACCOUNT_CREDENTIALS = 0
/** Arm of HostFunction and of SorobanAuthorizedFunction. The other arms create contracts or upload code. */
const INVOKE_CONTRACT = 0
const UPLOAD_WASM = 2
const CONTRACT = 1
const MUXED_CONTRACT = 5

/**
 * Creations of contracts are not calls: they get no record and no index, and calls under them belong to the call above.
 * @param operationsAt Offset of the count of the transaction's operations, which were walked before.
 */
export function readCalls(bytes: Uint8Array, view: DataView, operationsAt: number, tx: number, opIndex: number): CallRecord[] {
  let p = operationsAt + 4
  for (let n = 0; n < opIndex; n++) p = skip.Operation(view, p)
  // Operation: source account?, body.
  p = view.getUint32(p) === 1 ? skip.MuxedAccount(view, p + 4) : p + 4
  if (view.getUint32(p) !== INVOKE_HOST_FUNCTION) return []
  return new CallReader(bytes, view, tx, opIndex).read(p + 4)
}

class CallReader {
  readonly #view: DataView
  readonly #reader: XdrReader
  readonly #tx: number
  readonly #opIndex: number
  readonly #calls: CallRecord[] = []

  constructor(bytes: Uint8Array, view: DataView, tx: number, opIndex: number) {
    this.#view = view
    this.#reader = new XdrReader(bytes)
    this.#tx = tx
    this.#opIndex = opIndex
  }

  /** InvokeHostFunctionOp: the function, then the authorisation entries. */
  read(at: number): CallRecord[] {
    const view = this.#view
    this.#reader.at = at + 4
    const arm = view.getUint32(at)
    if (arm === UPLOAD_WASM) this.#reader.opaque('HostFunction')
    else this.#function(arm, -1, null)
    for (let entries = this.#reader.u32(); entries > 0; entries--) this.#authorisation()
    return this.#calls
  }

  /** SorobanAuthorizationEntry: credentials, then the tree. */
  #authorisation(): void {
    const at = this.#reader.at
    let authorizer: Address | null = null
    if (this.#reader.u32() !== SOURCE_ACCOUNT_CREDENTIALS) authorizer = readScAddress(this.#reader)
    this.#reader.at = skip.SorobanCredentials(this.#view, at)
    this.#tree(authorizer)
  }

  #tree(authorizer: Address | null): void {
    // For each open node: its remaining children, and the call that they belong to.
    const left = [1]
    const callers = [-1]
    while (left.length > 0) {
      const top = left.length - 1
      const children = left[top] as number
      if (children === 0) {
        left.pop()
        callers.pop()
        continue
      }
      left[top] = children - 1
      const caller = this.#function(this.#reader.u32(), callers[top] as number, authorizer)
      left.push(this.#reader.u32())
      callers.push(caller)
    }
  }

  /** Reads the function of a node and returns the call that its children belong to. */
  #function(arm: number, parent: number, authorizer: Address | null): number {
    const reader = this.#reader
    if (arm !== INVOKE_CONTRACT) {
      reader.at = arm === 1 ? skip.CreateContractArgs(this.#view, reader.at) : skip.CreateContractArgsV2(this.#view, reader.at)
      return parent
    }
    const contract = this.#contract()
    const name = reader.text('InvokeContractArgs', 32).text
    const argsAt = reader.at
    reader.at = skipScVals(this.#view, argsAt + 4, this.#view.getUint32(argsAt))
    // An unused entry may name any address; only contracts can have been called.
    if (contract === null) return parent
    const index = this.#calls.length
    const args = reader.bytes.subarray(argsAt, reader.at)
    this.#calls.push({ kind: 'call', tx: this.#tx, opIndex: this.#opIndex, index, parent, authorizer, contract, function: name, args })
    return index
  }

  #contract(): string | null {
    const reader = this.#reader
    const at = reader.at
    const arm = reader.u32()
    if (arm === CONTRACT) return contractId(reader.bytes, reader.take(32, 'ScAddress'))
    if (arm === MUXED_CONTRACT) return contractId(reader.bytes, reader.take(40, 'ScAddress') + 8)
    reader.at = at
    readScAddress(reader)
    return null
  }
}
