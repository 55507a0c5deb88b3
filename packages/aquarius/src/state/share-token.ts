// Whose shares a token counts.

import { factItem, stateEntry } from '@orrery/fold-kit'
import { shareTokenValue } from './derived-values.ts'
import type { AquariusState } from './state.ts'

export const shareToken = stateEntry<AquariusState>()({
  key: 'share',
  value: shareTokenValue,
  place: ({ shareTokens }, { contract }) => factItem(shareTokens, contract),
  docs: { under: 'share token', from: "the pool's instance", what: 'whose shares it counts; `counts: false`: it will, or did' },
})
