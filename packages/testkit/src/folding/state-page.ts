// The table of state in a protocol's page is the list of its entries, line by line.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/**
 * Registers the test.
 *
 * @param lines Of the table, as `stateTable` of fold-kit makes them.
 */
export function statePage(protocol: string, lines: readonly string[]): void {
  it(`the table of state in docs/protocols/${protocol}.md is the list of the entries that the fold keeps`, () => {
    const page = readFileSync(new URL(`../../../../docs/protocols/${protocol}.md`, import.meta.url), 'utf8')
    const section = page.split(/^## /m).find((text) => text.startsWith('State\n')) ?? ''
    expect(section.split('\n').filter((line) => line.startsWith('|'))).toEqual(lines)
  })
}
