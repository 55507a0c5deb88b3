// The list of what an account did, a line with a sentence for each action; and the table of a tax program.

export const ACTIVITY_MEMBERS = [
  'data.actions.*.id',
  'data.actions.*.type',
  'data.actions.*.summary',
  'data.actions.*.timestamp',
  'data.actions.*.protocol',
  'data.actions.*.pool_name',
  'data.actions.*.tx_hash',
  'data.actions.*.usd_value',
  'data.actions.*.sent.*.symbol',
  'data.actions.*.sent.*.amount',
  'data.actions.*.received.*.symbol',
  'data.actions.*.received.*.amount',
]

/** Columns that a tax program needs: when, what, against what, at which value, and the proof. */
export const TAX_COLUMNS = [
  'timestamp',
  'type',
  'summary',
  'protocol',
  'sent',
  'received',
  'debt_changes',
  'usd_value',
  'counterparty',
  'tx_hash',
]
