// Maps an error to a message and an exit code. No other file does.

import { OrreryError } from '@orrery/errors'
import { EXIT } from '@orrery/service-kit'

/** The first failure, without the failures of the cleanup that followed. */
export function firstFailure(error: unknown): unknown {
  return error instanceof SuppressedError ? firstFailure(error.suppressed) : error
}

/** 2: the caller can repair it (options, ports, files). 75: trying again later may help. 1: everything else. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof OrreryError)) return EXIT.failed
  switch (error.kind) {
    case 'invalid':
    case 'not_found':
    case 'unauthorized':
      return EXIT.usage
    case 'unavailable':
    case 'rate_limited':
      return EXIT.tryLater
    default:
      return EXIT.failed
  }
}

/** The text for stderr: the message of an OrreryError; of any other error the stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof OrreryError)) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return `orrery: unexpected error. Acknowledged data is safe; a restart continues from the last checkpoint.\n${what}\n`
  }
  const facts = Object.entries(error.context).map(([name, value]) => `${name} ${String(value)}`)
  const where = facts.length > 0 && error.kind !== 'invalid' ? `\n(${[error.code, ...facts].join(', ')})` : ''
  const stack = error.kind === 'bug' && error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : ''
  return `orrery: ${error.message}${where}${stack}\n`
}
