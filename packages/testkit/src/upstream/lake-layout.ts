// Names of files in a SEP-54 lake, implemented a second time: a test must not share the reader's arithmetic.

export interface LakeCut {
  readonly ledgersPerBatch: number
  readonly batchesPerPartition: number
}

/** Path of the file that begins with `first`, the first ledger of a batch. */
export function lakePath(first: number, { ledgersPerBatch, batchesPerPartition }: LakeCut): string {
  const file = `${named(first, ledgersPerBatch)}.xdr.zst`
  const size = ledgersPerBatch * batchesPerPartition
  return batchesPerPartition === 1 ? file : `${named(Math.floor(first / size) * size, size)}/${file}`
}

function named(first: number, size: number): string {
  const reversed = (0xffff_ffff - first).toString(16).toUpperCase().padStart(8, '0')
  return size === 1 ? `${reversed}--${first}` : `${reversed}--${first}-${first + size - 1}`
}
