// The warnings that several routes give, in the same words.

import type { ProtocolId } from '@orrery/protocol-kit'
import type { IndexedSpan } from '../params/bucket-window.ts'
import { listed } from '../present/english.ts'
import type { Warning } from '../warnings.ts'

export function adapterUnhealthy(): Warning {
  return {
    code: 'adapter_unhealthy',
    message: 'An adapter that this answer draws on is missing or not healthy. `/v1/health` names it.',
    path: null,
  }
}

export function indexStartsLate(protocols: readonly ProtocolId[]): Warning {
  return {
    code: 'index_starts_late',
    message: `The index begins after the first deployment of ${listed([...protocols])}: what has not changed since then is not in the answer.`,
    path: null,
  }
}

export function outsideIndex({ first, last }: IndexedSpan): Warning {
  return {
    code: 'outside_index',
    message: `The question reaches outside the indexed ledgers ${first.ledger} to ${last.ledger}. The answer holds what is indexed.`,
    path: null,
  }
}

/** @param shown How many points the answer has. */
export function historyCut(shown: number): Warning {
  return {
    code: 'history_cut',
    message: `Only the newest ${shown} points are shown. Ask for an earlier window with \`to\`, or for buckets with \`interval\`.`,
    path: '/points',
  }
}
