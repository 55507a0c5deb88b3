// What all legs of FxDAO's actions have in common: they are of the one partition, and move no shares.

import type { Leg } from '@orrery/fold-kit'
import { DECIMALS } from '../chain/entries.ts'

export type LegDraft = Omit<Leg, 'owned' | 'shares' | 'shareType' | 'shareDecimals' | 'counts'> & Partial<Pick<Leg, 'counts'>>

/** `counts` by default. */
export function ownLeg(draft: LegDraft): Leg {
  return { counts: true, ...draft, owned: true, shares: 0n, shareType: '', shareDecimals: DECIMALS }
}
