// One operation told as steps: calls with the tokens they moved, what contracts did without a call, and what only the entries know.

import type { SeenCall } from '../chain/calls.ts'
import { Choices } from './choices.ts'
import { type Deed, type Match, matchCall, type Scene } from './match-call.ts'
import { guessFrom } from './match-moves.ts'
import { isTransfer, type Move, sum, Unclaimed } from './money.ts'
import { type NetChange, RunningVaults } from './running-vaults.ts'
import type { LedgerContext, Step, Witness } from './step.ts'

export interface Told {
  readonly steps: readonly Step[]
  /** Vaults whose entry is not what the steps lead to. */
  readonly unexplained: readonly NetChange[]
}

interface Head {
  readonly seen: SeenCall
  readonly match: Match
}

/** Events and calls of the operation: calls are numbered behind events, and what nothing tells behind both. */
interface Counts {
  readonly events: number
  readonly calls: number
}

/**
 * @param calls Of the vaults, in pre-order.
 * @param moves Of collateral and coins, in the order of emission.
 * @param changes Of vaults, by their entries.
 */
export function tellSteps(
  calls: readonly SeenCall[],
  moves: readonly Move[],
  changes: readonly NetChange[],
  counts: Counts,
  setting: LedgerContext,
): Told {
  // A vault that changes hands moves no token. Between two authorisations only the entries tell when that was: in the order that leads to them.
  const choices = new Choices()
  const attempts: Told[] = []
  do {
    const told = tellInOrder(calls, moves, changes, counts, setting, choices)
    if (untold(told) === 0) return told
    attempts.push(told)
  } while (choices.next())
  return attempts.reduce((best, told) => (untold(told) < untold(best) ? told : best))
}

/** Vaults of which no call and no token tells why they are as they are. */
function untold({ steps, unexplained }: Told): number {
  return unexplained.length + steps.filter(({ witness }) => witness === 'entries').length
}

function tellInOrder(
  calls: readonly SeenCall[],
  moves: readonly Move[],
  changes: readonly NetChange[],
  counts: Counts,
  setting: LedgerContext,
  choices: Choices,
): Told {
  const scene: Scene = { setting, unclaimed: new Unclaimed(moves), running: new RunningVaults(changes) }
  const trees = Map.groupBy(calls, ({ tree }) => tree)
  const cursors = new Map<number, number>()
  const steps: Step[] = []
  const witness: Witness = calls.length > 1 ? 'calls' : 'call'
  const take = (match: Match, of: Pick<Step, 'function' | 'eventIndex' | 'witness'>): void => {
    scene.unclaimed.claim(match.moves)
    steps.push({ ...match.take(), ...of })
  }

  for (;;) {
    const head = nextHead(trees, cursors, scene, choices)
    const first = head === null ? Number.POSITIVE_INFINITY : startOf(head.match)
    const begun = steps.length
    // What happened before the next call and belongs to no call.
    const earlier = scene.unclaimed.rest().filter(({ index }) => index < first)
    const expected = earlier.length === 0 ? new Set<Move>() : movesOfCalls(trees, cursors, scene)
    for (const move of earlier) {
      if (expected.has(move)) continue
      const guessed = guessFrom(move, scene)
      if (guessed === null) continue
      take(guessed.match, { function: guessed.function, eventIndex: move.index, witness: 'transfers' })
      break
    }
    if (steps.length > begun) continue
    if (head === null) break
    trees.get(head.seen.tree)?.shift()
    cursors.set(head.seen.tree, head.match.moves.at(-1)?.index ?? cursors.get(head.seen.tree) ?? -1)
    take(head.match, { function: head.seen.function, eventIndex: counts.events + head.seen.index, witness })
  }
  steps.push(...silentSteps(scene, counts.events + counts.calls))
  return { steps, unexplained: scene.running.unexplained() }
}

/**
 * The call that comes next: of the first of every tree the one whose moves begin first, and of two that would begin with the same move the one
 * that explains more. A call that moves nothing may be next, or any time later. One that never fits was authorised and not made.
 */
function nextHead(
  trees: ReadonlyMap<number, SeenCall[]>,
  cursors: ReadonlyMap<number, number>,
  scene: Scene,
  choices: Choices,
): Head | null {
  // Nothing is claimed here, so a call that does not fit goes on not fitting.
  const tried = new Map<SeenCall, Match | null>()
  const matchOf = (seen: SeenCall): Match | null => {
    const known = tried.get(seen)
    if (known !== undefined) return known
    const match = matchCall(seen.call, cursors.get(seen.tree) ?? -1, scene)
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

/** Moves that a call which is still to come could explain. */
function movesOfCalls(trees: ReadonlyMap<number, SeenCall[]>, cursors: ReadonlyMap<number, number>, scene: Scene): ReadonlySet<Move> {
  const queues = [...trees].flatMap(([tree, queue]) => queue.map(({ call }) => matchCall(call, cursors.get(tree) ?? -1, scene)))
  return new Set(queues.flatMap((match) => match?.moves ?? []))
}

/** Vaults that changed hands or went without a token: moved to another owner, or evicted. */
function silentSteps({ running, unclaimed, setting }: Scene, firstIndex: number): Step[] {
  const steps: Step[] = []
  const gone = running.unexplained().filter(({ now, after }) => now !== null && after === null)
  for (const { owner, denomination, now } of gone) {
    const heir = running
      .unexplained()
      .find(
        (it) =>
          it.now === null && it.denomination === denomination && it.after?.collateral === now?.collateral && it.after?.debt === now?.debt,
      )
    const place = { eventIndex: firstIndex + steps.length, witness: 'entries' as const }
    const removed = running.set(owner, denomination, null)
    const nothing: Omit<Deed, 'kind' | 'changes'> = { denomination, actor: '', coins: 0n, collateral: 0n, returned: 0n, fee: 0n }
    if (heir !== undefined) {
      const received = running.set(heir.owner, denomination, heir.after)
      steps.push({ ...nothing, ...place, kind: 'transfer', function: 'transfer_debt', actor: owner, changes: [removed, received] })
      continue
    }
    // An owner of several gets of each at most what was in it.
    const returned: Move[] = []
    for (const move of unclaimed.all(isTransfer(setting.collateral, setting.vaults, owner), -1)) {
      if (sum(returned) + move.amount <= (now?.collateral ?? 0n)) returned.push(move)
    }
    unclaimed.claim(returned)
    const back = sum(returned)
    steps.push({ ...nothing, ...place, kind: 'eviction', function: '', changes: [removed], returned: back })
  }
  return steps
}
