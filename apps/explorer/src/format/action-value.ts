// The USD value of an action is that of what the account gave, or of what it got if it gave nothing.

import type { Action } from '@orrery/client'

/** Whether the value is that of what the account got. */
export function isOfReceived({ usd_value, sent, received }: Pick<Action, 'usd_value' | 'sent' | 'received'>): boolean {
  return usd_value !== null && sent.length === 0 && received.length > 0
}
