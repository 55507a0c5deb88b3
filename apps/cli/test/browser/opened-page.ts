// A page in a browser, and what the browser has to say about it.

import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A finding of axe: the rule, and the elements that break it. */
export interface Finding {
  readonly rule: string
  readonly elements: readonly string[]
}

export class OpenedPage implements AsyncDisposable {
  readonly page: Page
  /** Errors and warnings of the console (breaches of the policy are among them), exceptions, and requests to another origin. */
  readonly complaints: string[] = []

  private constructor(page: Page, origin: string) {
    this.page = page
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) this.complaints.push(`asked ${request.url()}`)
    })
  }

  /** Opens `path` of the server at `origin`. @param script Runs in the page before any of its own. */
  static async open(browser: Browser, origin: string, path: string, options: BrowserContextOptions = {}, script = ''): Promise<OpenedPage> {
    const context = await browser.newContext(options)
    await context.addInitScript(script)
    const opened = new OpenedPage(await context.newPage(), origin)
    await opened.page.goto(`${origin}${path}`)
    return opened
  }

  /** What axe finds with all of its rules, in the state that the page is in. */
  async findings(): Promise<Finding[]> {
    // The policy of the page does not bind the debugger that evaluates this.
    await this.page.evaluate(axe.source)
    return this.page.evaluate(`axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ rule: id, elements: nodes.map(({ html }) => html.slice(0, 200)) })))`)
  }

  /** How many pixels the page is wider than its window. */
  overflow(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close()
  }
}
