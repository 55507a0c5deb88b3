// Which process had which partition when, by its own log: from the line that it took them to the line that it gave them up.

interface Turn {
  readonly worker: number
  readonly partition: number
  /** Times as the log writes them, which sort. */
  readonly from: string
  readonly to: string
}

interface Line {
  readonly time: string
  readonly msg: string
  readonly partitions: readonly number[]
}

/**
 * Partitions that two of the workers had at the same time, each given by what it has said. A worker that lost its partitions learned so late:
 * its turn says nothing.
 */
export function doubleTurns(said: readonly string[]): string[] {
  const turns = said.flatMap(turnsOf)
  return turns
    .filter((one) => turns.some((other) => isDouble(one, other)))
    .map(({ worker, partition, from, to }) => `worker ${worker}, partition ${partition}, ${from} to ${to}`)
}

function isDouble(one: Turn, other: Turn): boolean {
  return one.partition === other.partition && one.worker !== other.worker && one.from < other.to && other.from < one.to
}

function turnsOf(said: string, worker: number): Turn[] {
  const lines = said.split('\n').filter((line) => /"msg":"(Took|Handed over|Lost) partitions/.test(line))
  const told: Line[] = lines.map((line) => JSON.parse(line))
  return told.flatMap(({ msg, partitions, time: from }, n) => {
    const end = told[n + 1]
    if (!msg.startsWith('Took') || end === undefined || end.msg.startsWith('Lost')) return []
    return partitions.map((partition) => ({ worker, partition, from, to: end.time }))
  })
}
