// Errors of the Stellar RPC: what happened, what is safe, what to do.

import { OrreryError } from '@orrery/errors'
import type { Answer } from './endpoints.ts'

type NoAnswer = Extract<Answer<never>, { readonly ok: false }>

export function noAnswer(method: string, { reason, failures, triedForMs }: NoAnswer): OrreryError {
  const answers = failures.map(({ host, problem }) => `${host} ${problem}`).join('; ')
  const { host, gap, status, retryAfterMs } = failures[0] ?? { host: '', gap: null, status: null, retryAfterMs: null }
  if (reason === 'unreachable') {
    const rest = retryAfterMs === null ? '' : `, and requested a pause of ${Math.ceil(retryAfterMs / 1000)} s`
    const message = `No answer from the Stellar RPC to ${method} (tried for ${Math.round(triedForMs / 1000)} s): ${answers}${rest}. Nothing is lost. Start again when it can be reached, or name more endpoints, separated by commas.`
    return new OrreryError('unavailable', 'rpc_unreachable', message, { context: { method, host } })
  }
  if (gap !== null) {
    const message = `Ledgers are missing at the Stellar RPC: ${answers}. Everything before ledger ${gap.first} is complete and stored. Name another endpoint, or a lake that has them, and start again: ingest continues from there.`
    return new OrreryError('corrupt', 'ledgers_missing', message, { context: { first: gap.first, last: gap.last, answers } })
  }
  const message = `The Stellar RPC refused ${method}: ${answers}. A retry would not help. Check its address, its key and the methods it offers.`
  return new OrreryError('invalid', 'rpc_refused', message, { context: { method, status, answers } })
}

export function addressInvalid(what: string): OrreryError {
  const message = `${what} Nothing was started. Write it as https://host/path, several separated by commas.`
  return new OrreryError('invalid', 'rpc_address_invalid', message)
}

export function wrongNetwork(host: string, is: string, expected: string): OrreryError {
  const message = `The Stellar RPC at ${host} is of the network "${is}", and "${expected}" was expected. Nothing was read from it. Name an RPC of that network, or the registry of that network.`
  return new OrreryError('invalid', 'wrong_network', message, { context: { host } })
}
