/** A number with its noun, for messages: `1 partition`, `4 partitions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The numbers from 0 on with their noun: `partition 0`, `partitions 0 to 3`. */
export function numbered(count: number, noun: string): string {
  return count === 1 ? `${noun} 0` : `${noun}s 0 to ${count - 1}`
}
