// A ledger that cannot be read because the network was upgraded, distinguished from bytes that are damaged.
// XDR grows by new union arms. So an unknown arm in a ledger whose header names a newer protocol, or an arm that could be the next one of its
// union, is a reason to update Orrery; every other fault is a damaged copy.

import { OrreryError } from '@orrery/errors'
import { readHeaderFacts } from './header-facts.ts'

/** Protocol versions whose ledgers this build reads: the wire in `layout.ts` is that of `newest`. */
export const SUPPORTED_PROTOCOLS = { oldest: 20, newest: 30 } as const

/** Arms of unions are small numbers. A larger or negative number means damage. */
const LARGEST_ARM = 255
/** A protocol version beyond this means damage: the network increases it a few times a year. */
const LARGEST_PROTOCOL = 999

interface Unreadable {
  readonly type: string
  readonly arm: number | null
  readonly isTruncated: boolean
}

/**
 * Runs `read` over the bytes of one LedgerCloseMeta.
 *
 * @param expected Sequence of the ledger where the caller knows it: a header with another one is not trusted.
 * @throws OrreryError `invalid`/`ledger_newer_than_build` in place of a `ledger_unreadable` that an upgrade of the network explains; every
 *   other error of `read` as it is.
 */
export function withProtocolNamed<T>(bytes: Uint8Array, read: () => T, expected?: number): T {
  try {
    return read()
  } catch (error) {
    throw newerLedger(error, bytes, expected) ?? error
  }
}

function newerLedger(error: unknown, bytes: Uint8Array, expected: number | undefined): OrreryError | null {
  const fault = faultOf(error)
  if (fault === null || fault.isTruncated) return null
  const { newest } = SUPPORTED_PROTOCOLS
  const header = headerOf(bytes, expected)
  const isNewerProtocol = header !== null && header.protocolVersion > newest
  const isNextArm = fault.arm !== null && fault.arm >= 0 && fault.arm <= LARGEST_ARM
  if (!isNewerProtocol && !isNextArm) return null
  const sequence = header?.sequence ?? expected
  const what = sequence === undefined ? 'This ledger' : `Ledger ${sequence}`
  const context = { ledger: sequence, protocolVersion: header?.protocolVersion, supportedUpTo: newest, type: fault.type, arm: fault.arm }
  return new OrreryError('invalid', 'ledger_newer_than_build', message(what, fault, header?.protocolVersion ?? null), {
    context,
    cause: error,
  })
}

function message(what: string, { type, arm }: Unreadable, protocol: number | null): string {
  const { oldest, newest } = SUPPORTED_PROTOCOLS
  const reads = `this build reads protocols ${oldest} to ${newest}`
  const unknown = arm === null ? `a ${type} that this build cannot read` : `arm ${arm} of ${type}, which this build does not know`
  const kept = 'Everything before this ledger is complete and stored.'
  if (protocol !== null && protocol > newest)
    return `${what} is of protocol ${protocol}, and ${reads}: it holds ${unknown}. ${kept} Update Orrery, then start again: it continues with this ledger.`
  const names = protocol === null ? `Its header cannot be read; ${reads}` : `Its header names protocol ${protocol}, and ${reads}`
  return `${what} holds ${unknown}. ${names}. A newer stellar-core wrote it, or this copy is damaged. ${kept} Update Orrery, then start again: it continues with this ledger. If the newest Orrery reports the same, fetch the ledger again.`
}

function faultOf(error: unknown): Unreadable | null {
  if (!(error instanceof OrreryError) || error.code !== 'ledger_unreadable') return null
  const { type, unknownArm, isTruncated } = error.context
  return { type: String(type), arm: typeof unknownArm === 'number' ? unknownArm : null, isTruncated: isTruncated === true }
}

/** Sequence and protocol version as far as they can be read. The header of a LedgerCloseMeta of an unknown version is expected at the known place. */
function headerOf(bytes: Uint8Array, expected: number | undefined): { readonly sequence: number; readonly protocolVersion: number } | null {
  try {
    const { header } = readHeaderFacts(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const isPlausible = header.protocolVersion > 0 && header.protocolVersion <= LARGEST_PROTOCOL
    return isPlausible && (expected === undefined || header.sequence === expected) ? header : null
  } catch {
    return null // the header cannot be read: only the caller's facts of the ledger are known
  }
}
