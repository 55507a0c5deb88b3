// Members of `metadata` of an activity that several protocols have.

import { z } from 'zod'

/** What every activity has, with the events that the schema is about. */
export function eventMembers<const Events extends readonly [string, ...string[]]>(events: Events, what: string) {
  return { ...ALWAYS, event: z.enum(events).describe(what) }
}

/** Of every activity of every protocol. */
export const ALWAYS = {
  raw_amount: z.string().describe('`amount` as an integer, in the smallest unit of the token, never negative.'),
  action_id: z.string().describe('Id of the action: the same for all rows of an action. Opaque.'),
}

/** Name of the event in descriptions. */
export const EVENT = 'Name of the event that the contract emitted.'
export const CALL = 'Name of the function that was called: the contract emits no event.'

/** Of rows that change only a debt. */
export const DEBT_CHANGE = {
  debt_change: z
    .string()
    .optional()
    .describe(
      'What `address` owes more, in units of the token (in its smallest unit if its decimals are unknown); negative if it owes less. Absent where a token moves.',
    ),
  raw_debt_change: z
    .string()
    .optional()
    .describe('`debt_change` as an integer, in the smallest unit of the token. Absent where a token moves.'),
}

/** Of swaps. */
export const PATH = {
  router: z.string().optional().describe('Router through which the account swapped. Absent if the pool was called directly.'),
  hops: z.int().optional().describe('Number of pools on the path. Absent for a swap in one pool.'),
  pools: z.array(z.string()).optional().describe('Pools of the path, in its order. Absent for a swap in one pool.'),
  path_step: z
    .int()
    .optional()
    .describe(
      'Number of the hop, from 1, of a row between two pools of the path: its tokens never reach the account. Absent for other rows.',
    ),
}

const PASS_THROUGH = '`pass_through`: a contract that got the input from the account in the same operation and returned the output to it.'

/** How `address` was found, where the contract does not name it. */
export function attribution<const Rules extends readonly [keyof typeof RULES, ...(keyof typeof RULES)[]]>(rules: Rules) {
  const texts = rules.map((rule) => RULES[rule]).join(' ')
  return z.enum(rules).optional().describe(`How \`address\` was found. ${texts} Absent where the contract itself names it.`)
}

const RULES = {
  authorizer: '`authorizer`: it authorised the call.',
  transaction_source: '`transaction_source`: it is the source of the transaction, and nothing else is known.',
  call: '`call`: an argument of the call names it.',
  calls: '`calls`: one of several calls in the operation, distinguished by their arguments and by the tokens that moved.',
  transfers: '`transfers`: by the tokens that moved and the entries that changed; no call is recorded.',
  router_caller: '`router_caller`: it called the router.',
  share_sender: '`share_sender`: it sent the shares in the same operation.',
  payer: '`payer`: it paid the input.',
  receiver: '`receiver`: it received the tokens.',
  pass_through: PASS_THROUGH,
} as const
