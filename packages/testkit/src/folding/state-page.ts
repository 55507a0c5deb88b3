// Tests that the table of state in a protocol's page equals the list of its entries, line by line.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/**
 * Registers the test.
 *
 * @param lines Lines of the table, as made by `stateTable` of fold-kit.
 */
export function statePage(protocol: string, lines: readonly string[]): void {
  it(`the table of state in docs/protocols/${protocol}.md is the list of the entries of the fold's state`, () => {
    const page = readFileSync(new URL(`../../../../docs/protocols/${protocol}.md`, import.meta.url), 'utf8')
    const section = page.split(/^## /m).find((text) => text.startsWith('State\n')) ?? ''
    expect(section.split('\n').filter((line) => line.startsWith('|'))).toEqual(lines)
  })
}
