// Every room is a project of its own, so that one of them can be tested alone: `vitest run --project soroswap`.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const rooms = ['packages', 'apps'].flatMap((top) => readdirSync(new URL(`./${top}`, import.meta.url)).map((room) => `${top}/${room}`))

/** What a room starts beside its test files and they share. Cheap until one of them asks for it. */
function setupOf(room: string): string[] {
  const setup = fileURLToPath(new URL(`./${room}/test/global-setup.ts`, import.meta.url))
  return existsSync(setup) ? [setup] : []
}

/**
 * A test ends by what it waits for, never by the clock: these only end what hangs, also on a machine that is ten times slower. A test that
 * works for minutes has a longer one of its own.
 */
const patience = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 600_000 } } }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'house', include: ['*.test.ts'], ...patience } },
      ...rooms.map((room) => ({
        test: {
          name: room.split('/')[1] as string,
          root: `./${room}`,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: setupOf(room),
          ...patience,
        },
      })),
    ],
    pool: 'forks',
    teardownTimeout: 120_000,
  },
})
