// The explorer of a running server in a browser: its addresses on the recording, and how its pages are opened. ORRERY_TEST_SCREENSHOTS names a
// folder for pictures.

import { join } from 'node:path'
import { screenshotsDir } from '@orrery/testkit'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Whereabouts } from '../global-setup.ts'
import { fetchText } from '../truth/whole-network.ts'
import { launchChromium } from './launch-chromium.ts'
import { OpenedPage } from './opened-page.ts'

export const LOOKS = {
  light: { colorScheme: 'light', width: 1_280 },
  dark: { colorScheme: 'dark', width: 1_280 },
  phone: { colorScheme: 'light', width: 360 },
} as const
export type Look = keyof typeof LOOKS
export const EVERY_LOOK = Object.keys(LOOKS) as Look[]

/** Adds up how far parts of the page move by themselves, as Chromium measures it (cumulative layout shift). */
const MEASURE_SHIFT = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })`
/** A tenth of what the authors of the measure call good: texts of one more line than usual. */
const MOST_SHIFT = 0.01

export class Explorer implements AsyncDisposable {
  readonly at: Whereabouts
  readonly browser: Browser

  private constructor(at: Whereabouts, browser: Browser) {
    this.at = at
    this.browser = browser
  }

  /** @param url Answers with where the whole recording is served. */
  static async start(url: string): Promise<Explorer> {
    return new Explorer(JSON.parse(await fetchText(url)), await launchChromium())
  }

  /** `data` of an answer of the API. */
  async get<Data>(path: string): Promise<Data> {
    const response = await fetch(`${this.at.url}${path}`, { headers: { 'x-service-api-key': this.at.apiKey } })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return ((await response.json()) as { readonly data: Data }).data
  }

  /** Opens an address of the explorer with the key in the session, and waits until every part of the page has its answer. */
  async open(path: string, look: Look = 'light', hasKey = true): Promise<OpenedPage> {
    const { colorScheme, width } = LOOKS[look]
    const options = { colorScheme, viewport: { width, height: 900 }, locale: 'en-US', timezoneId: 'UTC', acceptDownloads: true }
    const keyScript = hasKey ? `sessionStorage.setItem('orrery-api-key', ${JSON.stringify(this.at.apiKey)})` : ''
    const opened = await OpenedPage.open(this.browser, this.at.url, path, options, `${MEASURE_SHIFT}\n${keyScript}`)
    await settled(opened.page)
    return opened
  }

  /** The account with the largest debt in Blend, which has a position of almost every kind. */
  async account(): Promise<string> {
    const { positions } = await this.get<{ readonly positions: readonly { readonly address: string }[] }>(
      '/v1/protocols/blend/accounts?limit=100&sort=borrowed_usd',
    )
    return positions.find(({ address }) => address.startsWith('G'))?.address ?? ''
  }

  /** Address of the page of the largest pool of a type. */
  async pool(type: string): Promise<string> {
    const { pools } = await this.get<{ readonly pools: readonly { readonly pool_id: string }[] }>(`/v1/pools?type=${type}&limit=1`)
    return `/explore/pools/${encodeURIComponent(pools[0]?.pool_id ?? '')}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close()
  }
}

/** Waits until every part of the page has its answer. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The policy of the page lets no text be evaluated in it, so the test counts from outside.
  await expect.poll(() => page.locator('[aria-busy=true], .line, .previous').count(), { interval: 50 }).toBe(0)
}

/** Takes a picture, if a folder for pictures is named. */
export async function picture(page: Page, name: string, look: Look): Promise<void> {
  if (screenshotsDir === null) return
  // Charts are drawn after their script is loaded.
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(screenshotsDir, `explore-${name.replaceAll(' ', '-')}-${look}.png`), fullPage: true })
}

/** The page in its present state breaks no rule of axe, fits its width, and the browser complained of nothing. */
export async function expectSound(opened: OpenedPage): Promise<void> {
  expect({ findings: await opened.findings(), overflow: await opened.overflow(), complaints: opened.complaints }).toEqual({
    findings: [],
    overflow: 0,
    complaints: [],
  })
}

/** Hardly any part of the page moved by itself so far. */
export async function expectStill({ page }: OpenedPage): Promise<void> {
  expect(await page.evaluate('window.shift')).toBeLessThan(MOST_SHIFT)
}
