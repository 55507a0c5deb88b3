// A script on a page in a real browser.

import { launchChromium } from './launch-chromium.ts'

/** What the script evaluates to, on a page of `url`. */
export async function evaluateInChromium(url: string, script: string): Promise<unknown> {
  await using browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto(url)
  // Awaited: the browser is closed when this function returns.
  return await page.evaluate(script)
}
