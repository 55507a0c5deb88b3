// Infers the steps of one operation: from calls with the tokens they moved, from tokens without a call, and from entries alone.

import type { SeenCall } from '../chain/calls.ts'
import { BacktrackingChoices } from './backtracking-choices.ts'
import { type Match, type MatchContext, matchCall, nothing } from './match-call.ts'
import { guessFrom } from './match-moves.ts'
import { isTransfer, type Move, sum, Unclaimed } from './money.ts'
import { type NetChange, RunningVaults } from './running-vaults.ts'
import type { Evidence, FxdaoContracts, Step } from './step.ts'

export interface InferredSteps {
  readonly steps: readonly Step[]
  /** Vaults whose entry differs from the result of the steps. */
  readonly unexplained: readonly NetChange[]
}

interface Head {
  readonly seen: SeenCall
  readonly match: Match
}

/** Numbers of events and calls of the operation: calls are numbered after events, and steps without either after both. */
interface Counts {
  readonly events: number
  readonly calls: number
}

/**
 * @param calls Of the vaults, in pre-order.
 * @param moves Of collateral and coins, in the order of emission.
 * @param changes Of vaults, by their entries.
 */
export function inferSteps(
  calls: readonly SeenCall[],
  moves: readonly Move[],
  changes: readonly NetChange[],
  counts: Counts,
  contracts: FxdaoContracts,
): InferredSteps {
  // A transfer of a vault moves no token. Between two authorisations only the entries show when it happened: in the order that leads to them.
  const choices = new BacktrackingChoices()
  const attempts: InferredSteps[] = []
  do {
    const inferred = inferInOrder(calls, moves, changes, counts, contracts, choices)
    if (unexplainedCount(inferred) === 0) return inferred
    attempts.push(inferred)
  } while (choices.next())
  return attempts.reduce((best, inferred) => (unexplainedCount(inferred) < unexplainedCount(best) ? inferred : best))
}

/** Number of vaults whose change no call and no token explains. */
function unexplainedCount({ steps, unexplained }: InferredSteps): number {
  return unexplained.length + steps.filter(({ evidence }) => evidence === 'entries').length
}

function inferInOrder(
  calls: readonly SeenCall[],
  moves: readonly Move[],
  changes: readonly NetChange[],
  counts: Counts,
  contracts: FxdaoContracts,
  choices: BacktrackingChoices,
): InferredSteps {
  const context: MatchContext = { contracts, unclaimed: new Unclaimed(moves), running: new RunningVaults(changes) }
  const trees = Map.groupBy(calls, ({ tree }) => tree)
  const cursors = new Map<number, number>()
  const steps: Step[] = []
  const evidence: Evidence = calls.length > 1 ? 'calls' : 'call'
  const take = (match: Match, of: Pick<Step, 'function' | 'eventIndex' | 'evidence'>): void => {
    context.unclaimed.claim(match.moves)
    steps.push({ ...match.take(), ...of })
  }

  for (;;) {
    const head = nextHead(trees, cursors, context, choices)
    const first = head === null ? Number.POSITIVE_INFINITY : startOf(head.match)
    const begun = steps.length
    // Moves before the next call that belong to no call.
    const earlier = context.unclaimed.rest().filter(({ index }) => index < first)
    const expected = earlier.length === 0 ? new Set<Move>() : movesOfCalls(trees, cursors, context)
    for (const move of earlier) {
      if (expected.has(move)) continue
      const guessed = guessFrom(move, context)
      if (guessed === null) continue
      take(guessed.match, { function: guessed.function, eventIndex: move.index, evidence: 'transfers' })
      break
    }
    if (steps.length > begun) continue
    if (head === null) break
    trees.get(head.seen.tree)?.shift()
    cursors.set(head.seen.tree, head.match.moves.at(-1)?.index ?? cursors.get(head.seen.tree) ?? -1)
    take(head.match, { function: head.seen.function, eventIndex: counts.events + head.seen.index, evidence })
  }
  steps.push(...silentSteps(context, counts.events + counts.calls))
  return { steps, unexplained: context.running.unexplained() }
}

/**
 * The next call: of the first of every tree the one whose moves begin first, and of two that would begin with the same move the one
 * that explains more moves. A call that moves nothing may come next, or any time later. One that never fits was authorised and not made.
 */
function nextHead(
  trees: ReadonlyMap<number, SeenCall[]>,
  cursors: ReadonlyMap<number, number>,
  context: MatchContext,
  choices: BacktrackingChoices,
): Head | null {
  // Nothing is claimed here, so a call that does not fit stays so.
  const tried = new Map<SeenCall, Match | null>()
  const matchOf = (seen: SeenCall): Match | null => {
    const known = tried.get(seen)
    if (known !== undefined) return known
    const match = matchCall(seen.call, cursors.get(seen.tree) ?? -1, context)
    tried.set(seen, match)
    return match
  }
  for (;;) {
    const heads = [...trees.values()].flatMap(([seen]) => (seen === undefined ? [] : [seen]))
    const fitting = heads.flatMap((seen): Head[] => {
      const match = matchOf(seen)
      return match === null ? [] : [{ seen, match }]
    })
    if (fitting.length > 0) {
      const options = possiblyNext(fitting)
      return options[choices.take(options.length)] ?? null
    }
    if (heads.length === 0) return null
    const least = heads.reduce((a, b) => (a.index < b.index ? a : b))
    trees.get(least.tree)?.shift()
  }
}

/** Those that move nothing, then those that begin with the earliest move: the likeliest first. */
function possiblyNext(fitting: readonly Head[]): Head[] {
  const silent = fitting.filter(({ match }) => match.moves.length === 0)
  const moving = fitting.filter(({ match }) => match.moves.length > 0)
  const earliest = Math.min(...moving.map(({ match }) => startOf(match)))
  const first = moving.filter(({ match }) => startOf(match) === earliest).sort((a, b) => b.match.moves.length - a.match.moves.length)
  return [...silent, ...first]
}

function startOf({ moves }: Match): number {
  return moves[0]?.index ?? -1
}

/** Moves that a later call could explain. */
function movesOfCalls(
  trees: ReadonlyMap<number, SeenCall[]>,
  cursors: ReadonlyMap<number, number>,
  context: MatchContext,
): ReadonlySet<Move> {
  const queues = [...trees].flatMap(([tree, queue]) => queue.map(({ call }) => matchCall(call, cursors.get(tree) ?? -1, context)))
  return new Set(queues.flatMap((match) => match?.moves ?? []))
}

/** Vaults that were transferred or removed without a token: moved to another owner, or evicted. */
function silentSteps({ running, unclaimed, contracts }: MatchContext, firstIndex: number): Step[] {
  const steps: Step[] = []
  const gone = running.unexplained().filter(({ now, after }) => now !== null && after === null)
  for (const { owner, denomination, now } of gone) {
    const newOwner = running
      .unexplained()
      .find(
        (it) =>
          it.now === null && it.denomination === denomination && it.after?.collateral === now?.collateral && it.after?.debt === now?.debt,
      )
    const place = { eventIndex: firstIndex + steps.length, evidence: 'entries' as const }
    const removed = running.set(owner, denomination, null)
    if (newOwner !== undefined) {
      const received = running.set(newOwner.owner, denomination, newOwner.after)
      steps.push({ ...nothing(denomination, owner), ...place, kind: 'transfer', function: 'transfer_debt', changes: [removed, received] })
      continue
    }
    // An owner of several gets for each at most its collateral.
    const returned: Move[] = []
    for (const move of unclaimed.all(isTransfer(contracts.collateral, contracts.vaults, owner), -1)) {
      if (sum(returned) + move.amount <= (now?.collateral ?? 0n)) returned.push(move)
    }
    unclaimed.claim(returned)
    const back = sum(returned)
    steps.push({ ...nothing(denomination, ''), ...place, kind: 'eviction', function: '', changes: [removed], returned: back })
  }
  return steps
}
