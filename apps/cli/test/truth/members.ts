// Every kind and member of the recorded answers (`ANSWERS.md`): through what it is compared, or why it cannot be. `claims.ts` holds the claims
// against what ran, and `ground-truth-members.test.ts` holds the list against the recording.

import type { KindMembers } from './member.ts'
import { AQUARIUS_MEMBERS } from './members-aquarius.ts'
import { BLEND_MEMBERS } from './members-blend.ts'
import { FXDAO_MEMBERS } from './members-fxdao.ts'
import { SOROSWAP_MEMBERS } from './members-soroswap.ts'

export const MEMBERS: Readonly<Record<string, KindMembers>> = {
  ...SOROSWAP_MEMBERS,
  ...BLEND_MEMBERS,
  ...AQUARIUS_MEMBERS,
  ...FXDAO_MEMBERS,
}
