// An amount of a token. A large one has no fraction on a narrow window; the title has all digits.

import { numbers } from '../format/number.ts'

/** From here on, a fraction does not fit beside another column of a phone. */
const LARGE = 1_000_000

export function Amount({ of: decimal }: { readonly of: string | null }) {
  if (Math.abs(Number(decimal)) < LARGE) return <span title={decimal ?? ''}>{numbers.amount(decimal)}</span>
  return (
    <span title={decimal ?? ''}>
      <span class="wide">{numbers.amount(decimal)}</span>
      <span class="narrow">{numbers.whole(decimal)}</span>
    </span>
  )
}
