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
 * Partitions that two of the workers had at the same time, each worker given by its log. A worker that lost its partitions learned it late:
 * its turn does not count.
 */
export function doubleTurns(logs: readonly string[]): string[] {
  const turns = logs.flatMap(turnsOf)
  return turns
    .filter((one) => turns.some((other) => isDouble(one, other)))
    .map(({ worker, partition, from, to }) => `worker ${worker}, partition ${partition}, ${from} to ${to}`)
}

function isDouble(one: Turn, other: Turn): boolean {
  return one.partition === other.partition && one.worker !== other.worker && one.from < other.to && other.from < one.to
}

function turnsOf(logs: string, worker: number): Turn[] {
  const lines = logs.split('\n').filter((line) => /"msg":"(Took|Handed over|Lost) partitions/.test(line))
  const records: Line[] = lines.map((line) => JSON.parse(line))
  return records.flatMap(({ msg, partitions, time: from }, n) => {
    const end = records[n + 1]
    if (!msg.startsWith('Took') || end === undefined || end.msg.startsWith('Lost')) return []
    return partitions.map((partition) => ({ worker, partition, from, to: end.time }))
  })
}
